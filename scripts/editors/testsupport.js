// The session that scripts/editors/testsupport runs. It exits with an error where something is not as expected.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const program = path.resolve('order.asl.json');
const fixtures = path.resolve('order.fixtures.yaml');
const lines = fs.readFileSync(program, 'utf8').split('\n');
const lineOf = (text, from = 0) => lines.findIndex((line, i) => i >= from && line.includes(text)) + 1;
const say = (...parts) => console.log(...parts);

// session is a client that has launched the example.
async function session(launch, before = async () => {}) {
  const client = new DebugClient(process.env.ASLDB, 'dap', 'asldb');
  await client.start();
  await Promise.all([
    client.waitForEvent('initialized').then(() => before(client)).then(() => client.configurationDoneRequest()),
    client.initializeRequest().then(({ body }) => { client.capabilities = body; }).then(() => client.launchRequest({ type: 'asldb', ...launch })),
  ]);
  client.stop1 = (request) => Promise.all([client.waitForEvent('stopped'), request()]).then(([event]) => event.body);
  client.top = async () => (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
  client.value = async (expression, frame) => (await client.evaluateRequest({ expression, frameId: frame.id, context: 'hover' })).body.result;
  return client;
}

async function main() {
  const charge = lineOf('"ChargeCard": {');
  const selector = lineOf('"ResultSelector"', charge);
  let stopped;
  const client = await session({ program, fixtures }, async (c) => {
    stopped = c.waitForEvent('stopped');
    const { body } = await c.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: selector, condition: '$.amount > 100' }] });
    assert.deepStrictEqual(body.breakpoints.map((b) => [b.verified, b.line]), [[true, selector]]);
    const filters = c.capabilities.exceptionBreakpointFilters.map((f) => f.filter);
    await c.setExceptionBreakpointsRequest({ filters: filters.filter((f) => f === 'error') });
    say('filters:', filters.join(', '));
  });

  // errors first: the card service times out
  let event = (await stopped).body;
  while (event.reason === 'exception') {
    const { body } = await client.exceptionInfoRequest({ threadId: event.threadId });
    say('exception:', body.exceptionId, '|', body.description);
    assert.strictEqual(body.exceptionId, 'Card.Timeout');
    event = await client.stop1(() => client.continueRequest({ threadId: event.threadId }));
  }
  assert.strictEqual(event.reason, 'breakpoint');
  await client.setExceptionBreakpointsRequest({ filters: [] });
  let frame = await client.top();
  say('breakpoint:', frame.name, 'line', frame.line);
  assert.strictEqual(frame.line, selector);
  assert.strictEqual(frame.name, 'ChargeCard › ResultSelector');

  // look
  const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
  say('scopes:', scopes.map((s) => s.name).join(', '));
  const { variables } = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body;
  say('data:', variables.map((v) => `${v.name} = ${v.value}`).join(', '));
  assert.strictEqual(await client.value('$.status', frame), '"captured"');
  const { targets } = (await client.completionsRequest({ frameId: frame.id, text: '$.st', column: 5 })).body;
  say('completion of $.st:', targets.map((t) => t.label).join(', '));
  assert.ok(targets.some((t) => t.label.includes('status')));

  // step, step back, edit, and find the edit in what follows
  await client.stop1(() => client.stepInRequest({ threadId: 1 }));
  assert.strictEqual((await client.top()).name, 'ChargeCard › ResultPath');
  await client.stop1(() => client.stepBackRequest({ threadId: 1 }));
  frame = await client.top();
  assert.strictEqual(frame.name, 'ChargeCard › ResultSelector');
  const scope = (await client.scopesRequest({ frameId: frame.id })).body.scopes[0];
  await client.setVariableRequest({ variablesReference: scope.variablesReference, name: 'status', value: '"edited"' });
  await client.stop1(() => client.stepInRequest({ threadId: 1 }));
  frame = await client.top();
  assert.strictEqual(await client.value('$.payment.status', frame), '"edited"');
  say('edited:', frame.name, '$.payment.status =', await client.value('$.payment.status', frame));

  // to the end, back to the breakpoint, and to the end again
  event = await client.stop1(() => client.continueRequest({ threadId: 1 }));
  say('continue:', event.reason, event.description);
  assert.strictEqual(event.reason, 'end');
  event = await client.stop1(() => client.reverseContinueRequest({ threadId: 1 }));
  say('reverse continue:', event.reason, (await client.top()).name);
  assert.strictEqual((await client.top()).line, selector);
  event = await client.stop1(() => client.continueRequest({ threadId: 1 }));
  const ended = Promise.all([client.waitForEvent('exited'), client.waitForEvent('terminated')]);
  await client.continueRequest({ threadId: 1 });
  const [exited] = await ended;
  assert.strictEqual(exited.body.exitCode, 0);
  await client.stop();

  await question();
  await times();
  say('PASSED');
}

// question answers a task that asks.
async function question() {
  let asked;
  const client = await session({ program, input: { order: { id: 'o-1', lines: [] }, customer: { card: 'c-1' } } }, async (c) => {
    asked = c.waitForEvent('asldb/needsResult');
  });
  const { body } = await asked;
  say('needs a result:', body.state, body.payload);
  assert.strictEqual(body.state, 'ValidateOrder');
  const next = client.waitForEvent('asldb/needsResult');
  await client.evaluateRequest({ expression: ':answer {"valid": true, "total": 9.90, "currency": "EUR"}', context: 'repl' });
  const then = (await next).body;
  say('then:', then.state, then.payload);
  assert.strictEqual(then.state, 'ChargeCard');
  assert.match(then.payload, /"amount":9\.90/);
  const stop = client.waitForEvent('stopped');
  await client.customRequest('asldb/answer', { request: then.request, error: 'Card.Declined', cause: 'no funds' });
  await stop;
  await client.stop();
}

// times prints the time from the request of a step to its stop, for all steps of the example.
async function times() {
  let entry;
  const client = await session({ program, fixtures, stopOnEntry: true }, async (c) => { entry = c.waitForEvent('stopped'); });
  await entry;
  const spent = [];
  for (let reason = ''; reason !== 'end';) {
    const began = performance.now();
    ({ reason } = await client.stop1(() => client.stepInRequest({ threadId: 1 })));
    spent.push(performance.now() - began);
  }
  await client.stop();
  spent.sort((a, b) => a - b);
  const at = (share) => spent[Math.floor((spent.length - 1) * share)].toFixed(2);
  say(`${spent.length} steps: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, longest ${at(1)} ms`);
}

main().catch((error) => {
  console.error(error);
  console.log('FAILED');
  process.exit(1);
});
