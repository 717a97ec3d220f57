// The session that scripts/editors/languageclient runs. It exits with an error where something is not as expected.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { pathToFileURL } = require('node:url');
const rpc = require('vscode-languageserver-protocol/node');

const text = fs.readFileSync('order.asl.json', 'utf8');
const uri = pathToFileURL(path.resolve('order.asl.json')).href;
const say = (...parts) => console.log(...parts);
const times = new Map();

// placeOf returns the position behind a text, the nth time that it is there.
function placeOf(inside, after) {
  const offset = inside.indexOf(after) + after.length;
  assert(offset >= after.length, `no ${after}`);
  const lines = inside.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1).length };
}

function offsetOf(inside, position) {
  return inside.split('\n').slice(0, position.line).reduce((sum, line) => sum + line.length + 1, 0) + position.character;
}

// applied returns a text after edits.
function applied(inside, edits) {
  return [...edits].sort((a, b) => offsetOf(inside, b.range.start) - offsetOf(inside, a.range.start))
    .reduce((out, e) => out.slice(0, offsetOf(inside, e.range.start)) + e.newText + out.slice(offsetOf(inside, e.range.end)), inside);
}

async function main() {
  const child = spawn(process.env.ASLDB, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', (code) => done(code)));
  const connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  const waiting = [];
  const published = [];
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (p) => {
    published.push(p);
    waiting.splice(0).forEach((look) => look());
  });
  const problems = async (of, version) => {
    for (;;) {
      const found = published.find((p) => p.uri === of && p.version === version);
      if (found) return found.diagnostics;
      await new Promise((look) => waiting.push(look));
    }
  };
  connection.listen();
  const ask = async (type, params) => {
    const begun = performance.now();
    const result = await connection.sendRequest(type, params);
    times.set(type.method, [...(times.get(type.method) ?? []), performance.now() - begun]);
    return result;
  };
  const textDocument = { uri };
  const at = (after, inside = text) => ({ textDocument, position: placeOf(inside, after) });

  const { capabilities, serverInfo } = await ask(rpc.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
  say(`${serverInfo.name}: ${Object.keys(capabilities).join(', ')}`);
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  let version = 1;
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'json', version, text } });
  say(`opened: ${(await problems(uri, 1)).length} problems`);
  const change = async (to) => {
    version += 1;
    await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges: [{ text: to }] });
    return version;
  };

  const wrong = text.replace('"Next": "PaymentDue"', '"Next": "PaymentDeu"');
  const found = (await problems(uri, await change(wrong))).filter((d) => d.severity === rpc.DiagnosticSeverity.Error);
  say(`misspelt: ${found[0].range.start.line + 1}:${found[0].range.start.character + 1} ${found[0].code}: ${found[0].message.replace('\n', '; ')}`);
  assert.strictEqual(found[0].code, 'transition-target-not-found');
  const [fix] = await ask(rpc.CodeActionRequest.type, { textDocument, range: found[0].range, context: { diagnostics: found } });
  say(`correction: ${fix.title}`);
  assert.strictEqual(applied(wrong, fix.edit.changes[uri]), text);
  await change(text);
  const fixed = await problems(uri, version);
  assert(fixed.every((d) => d.severity !== rpc.DiagnosticSeverity.Error));

  const begun = text.replace('"Variable": "$.validation.valid"', '"Variable": "$.validation."');
  await change(begun);
  const paths = await ask(rpc.CompletionRequest.type, at('"Variable": "$.validation.', begun));
  say(`paths: ${paths.items.map((i) => `${i.label} = ${i.detail}`).join(', ')}`);
  assert.deepStrictEqual(paths.items.map((i) => i.label), ['$.validation.valid', '$.validation.currency', '$.validation.total']);
  assert.strictEqual(applied(begun, [paths.items[0].textEdit]), text);
  const target = text.replace('"Default": "WaivePayment"', '"Default": ""');
  await change(target);
  const states = await ask(rpc.CompletionRequest.type, at('"Default": "', target));
  say(`states: ${states.items.map((i) => i.label).join(', ')}`);
  assert(states.items.some((i) => i.label === 'WaivePayment'));
  await change(text);

  const hover = await ask(rpc.HoverRequest.type, at('"orderId.$": "$.or'));
  say(`hover: ${hover.contents.value.replaceAll('\n', ' ')}`);
  assert(hover.contents.value.includes('"o-1042"'));
  for (let i = 0; i < 50; i += 1) await ask(rpc.HoverRequest.type, at('"ResultPa'));
  for (let i = 0; i < 50; i += 1) await ask(rpc.CompletionRequest.type, at('"Variable": "$.'));

  const place = await ask(rpc.DefinitionRequest.type, at('"StartAt": "Val'));
  say(`definition of ValidateOrder: line ${place.range.start.line + 1}`);
  const uses = await ask(rpc.ReferencesRequest.type, { ...at('"Default": "Waive'), context: { includeDeclaration: true } });
  say(`references of WaivePayment: lines ${uses.map((l) => l.range.start.line + 1).join(', ')}`);
  const could = await ask(rpc.PrepareRenameRequest.type, at('  "ChargeC'));
  assert.strictEqual(could.placeholder, 'ChargeCard');
  const renamed = await ask(rpc.RenameRequest.type, { ...at('  "ChargeC'), newName: 'TakeMoney' });
  say(`rename of ChargeCard: ${Object.entries(renamed.changes).map(([u, e]) => `${path.basename(u)} ${e.length}`).join(', ')}`);
  assert(!applied(text, renamed.changes[uri]).includes('"ChargeCard"'));
  const symbols = await ask(rpc.DocumentSymbolRequest.type, { textDocument });
  const names = (list) => list.map((s) => s.name + (s.children ? `(${names(s.children)})` : '')).join(' ');
  say(`symbols: ${names(symbols)}`);

  const suite = pathToFileURL(path.resolve('order.test.yaml')).href;
  const cases = 'version: 1\ndefinition: order.asl.json\ninclude: [order.fixtures.yaml]\ncases:\n  pays:\n    expect: {status: SUCCEEDED}\n';
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri: suite, languageId: 'yaml', version: 1, text: cases } });
  const lenses = await ask(rpc.CodeLensRequest.type, { textDocument: { uri: suite } });
  say(`lenses: ${lenses.map((l) => `${l.command.title} (${l.command.command} ${l.command.arguments[1]})`).join(' | ')}`);

  await assert.rejects(connection.sendRequest('textDocument/unheardOf', {}), { code: rpc.ErrorCodes.MethodNotFound });
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  const code = await ended;
  say(`exit status: ${code}`);
  assert.strictEqual(code, 0);
  for (const [method, list] of times) {
    list.sort((a, b) => a - b);
    say(`${method}: median ${list[Math.floor(list.length / 2)].toFixed(1)} ms, longest ${list.at(-1).toFixed(1)} ms (${list.length})`);
  }
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
