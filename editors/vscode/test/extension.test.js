// Tests of the extension with a stub of VS Code and a real asldb, whose executable the variable ASLDB names.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { beforeEach, afterEach, test } = require('node:test');
const { Adapter } = require('./adapter.js');
const { make, Uri } = require('./vscode.js');

const asldb = process.env.ASLDB || 'asldb';
const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));

const definition = {
  StartAt: 'Charge',
  States: {
    Charge: { Type: 'Task', Resource: 'arn:aws:lambda:eu-central-1:123456789012:function:charge', Next: 'Done' },
    Done: { Type: 'Succeed' },
  },
};
const suite = `version: 1
definition: order.asl.json
cases:
  pays:
    tasks: {Charge: [{output: {paid: true}}]}
    expect: {output: {paid: true}}
  "pays: too much":
    tasks: {Charge: [{output: {paid: 3}}]}
    expect: {output: {paid: 2}}
  later:
    skip: no card yet
    tasks: {Charge: [{output: 1}]}
    expect: {status: SUCCEEDED}
`;
const live = 'version: 1\ntasks:\n  Charge: [{exec: [date]}]\n';

let dir; let vscode; let state; let extension; let context;

// load loads the extension anew, with the stub in the place of the modules that VS Code and npm provide.
async function load() {
  const load = Module._load;
  class LanguageClient {
    constructor(id, name, server, options) { Object.assign(this, { id, server, options, running: false }); state.clients.push(this); }
    async start() { this.running = true; }
    async stop() {
      this.running = false;
      const { failure } = state;
      state.failure = undefined;
      if (failure) throw new Error(failure);
    }
  }
  Module._load = (name, ...rest) => {
    if (name === 'vscode') return vscode;
    return name === 'vscode-languageclient/node' ? { LanguageClient } : load(name, ...rest);
  };
  for (const name of ['../extension.js', '../program.js']) delete require.cache[require.resolve(name)];
  extension = require('../extension.js');
  context = { subscriptions: [], extensionPath: dir };
  await extension.activate(context);
  return () => { Module._load = load; };
}

const write = (name, text) => {
  const file = path.join(dir, name);
  fs.writeFileSync(file, text);
  return file;
};
const open = (file) => { vscode.window.activeTextEditor = { document: { uri: Uri.file(file) } }; };
const call = (name, ...args) => state.commands.get(name)(...args);
const suiteOf = () => state.controller.items.get(`file://${path.join(dir, 'order.test.yaml')}`);
const never = () => new vscode.CancellationTokenSource().token;

let unload;
beforeEach(async () => {
  dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'asldb-vscode-'));
  process.env.ASLDB_STATE = path.join(dir, 'state');
  write('order.asl.json', JSON.stringify(definition));
  write('order.test.yaml', suite);
  ({ vscode, state } = make(dir, asldb));
  unload = await load();
});
afterEach(async () => {
  await extension.deactivate();
  unload();
  fs.rmSync(dir, { recursive: true });
});

test('each command of the manifest is registered, and each activation is for a contribution', () => {
  for (const { command } of manifest.contributes.commands) assert.ok(state.commands.has(command), command);
  assert.deepStrictEqual(Object.keys(manifest.dependencies), ['vscode-languageclient']);
  const sources = ['extension.js', 'program.js'].map((name) => fs.readFileSync(path.join(__dirname, '..', name), 'utf8')).join('');
  const used = [...sources.matchAll(/setting\('(\w+)'/g)].map((m) => `asldb.${m[1]}`);
  assert.deepStrictEqual([...new Set(used)].sort(), Object.keys(manifest.contributes.configuration.properties).sort());
  const [debuggers] = manifest.contributes.debuggers;
  assert.deepStrictEqual(manifest.contributes.breakpoints.map((b) => b.language), debuggers.languages);
  assert.deepStrictEqual(state.expressions.languages, debuggers.languages);
});

test('each snippet has attributes that the manifest describes', () => {
  const [{ configurationAttributes, configurationSnippets, initialConfigurations }] = manifest.contributes.debuggers;
  for (const config of [...configurationSnippets.map((s) => s.body), ...initialConfigurations]) {
    for (const name of Object.keys(config)) {
      if (['type', 'request', 'name'].includes(name)) continue;
      assert.ok(configurationAttributes[config.request].properties[name], `${config.name}: ${name}`);
    }
  }
});

test('a definition is debugged, with the fixtures file of its name', async () => {
  const file = path.join(dir, 'order.asl.json');
  await call('asldb.debug', Uri.file(file));
  assert.deepStrictEqual(state.started.pop(), { type: 'asldb', request: 'launch', name: 'order.asl.json', cwd: dir, program: file });
  write('order.fixtures.yaml', 'version: 1\ntasks: {Charge: [{output: {paid: 5}}]}\n');
  open(file);
  await call('asldb.debug');
  const { adapter } = real();
  await adapter.launch(state.started.pop());
  await adapter.next((m) => m.event === 'output' && /order\.fixtures\.yaml/.test(m.body.output));
  await adapter.next((m) => m.event === 'stopped' && m.body.reason === 'end');
  await adapter.stop();
});

test('a case of a suite is chosen from a list', async () => {
  const file = path.join(dir, 'order.test.yaml');
  state.answers = ['pays: too much'];
  await call('asldb.debug', Uri.file(file));
  assert.deepStrictEqual(state.shown.pop().message, ['pays', 'pays: too much', 'later']);
  assert.strictEqual(state.started.pop().test, `${file}:pays: too much`);
  await call('asldb.debug', Uri.file(file)); // no choice
  assert.strictEqual(state.started.length, 0);
});

test('a wrong suite and no file at all are errors with a message', async () => {
  await call('asldb.debug', Uri.file(write('wrong.test.yaml', 'version: 1\ncases: 3\n')));
  assert.match(state.shown.pop().message, /wrong\.test\.yaml:2:8: cases is an object/);
  await call('asldb.debug');
  assert.match(state.shown.pop().message, /Open a definition first/);
  assert.strictEqual(state.started.length, 0);
});

test('relative paths of launch.json begin in the folder of the workspace', async () => {
  const resolve = (config) => state.provider.resolveDebugConfiguration(state.folder, config);
  const config = { type: 'asldb', request: 'launch', name: 'x', program: 'a.json' };
  assert.strictEqual((await resolve(config)).cwd, dir);
  assert.strictEqual((await resolve({ ...config, cwd: '/other' })).cwd, '/other');
  open(path.join(dir, 'order.asl.json'));
  assert.strictEqual((await resolve({})).program, path.join(dir, 'order.asl.json'));
});

test('the expression under the mouse is the whole path', () => {
  const at = (text, character, languageId = 'json') => {
    const found = state.expressions.provider.provideEvaluatableExpression({ languageId, lineAt: () => ({ text }) }, { line: 4, character });
    return found && [found.expression, found.range.start.character, found.range.end.character];
  };
  const line = '  "amount.$": "$.order.lines[0].price",';
  assert.deepStrictEqual(at(line, 20), ['$.order.lines[0].price', 15, 37]);
  assert.deepStrictEqual(at(line, 36), ['$.order.lines[0].price', 15, 37]);
  assert.strictEqual(at(line, 4), undefined);
  assert.deepStrictEqual(at('"$$.Execution.Name"', 3), ['$$.Execution.Name', 1, 18]);
  assert.strictEqual(at('"{% $states.input.\\"a b\\" %}"', 9)[0], '$states.input."a b"'); // a JSON string has escapes
  assert.strictEqual(at("x: '{% $match(a, /\\\\d/) %}'", 9, 'yaml')[0], '$match(a, /\\\\d/)');
  assert.deepStrictEqual(at('Output: "{% $sum($states.input.a) %}"', 15), ['$sum($states.input.a)', 9, 36]);
});

const asked = { request: 4, state: 'Charge', resource: 'r', attempt: 2, payload: '{"id": 1}', errors: ['Card.Declined'] };
const session = (requests) => ({
  id: '1', type: 'asldb', workspaceFolder: state.folder, configuration: { type: 'asldb', name: 'x' },
  customRequest: async (name, args) => { requests.push([name, args]); },
});

test('a task that asks is answered in an input box', async () => {
  const requests = [];
  const debugged = session(requests);
  state.answers = [' {"paid": 1.0} ']; // the text as it is typed: a number may have more digits than JavaScript's
  await state.events.custom.fire({ event: 'asldb/needsResult', session: debugged, body: asked });
  const box = state.shown.pop().message;
  assert.strictEqual(box.title, 'Charge needs a result (attempt 2)');
  assert.match(box.prompt, /Payload: {"id": 1}/);
  assert.match(box.placeHolder, /!Card\.Declined/);
  assert.strictEqual(box.validateInput('{"paid": true}'), undefined);
  assert.strictEqual(box.validateInput('!Card.Declined no funds'), undefined);
  assert.match(box.validateInput('{paid}'), /not JSON/);
  assert.match(box.validateInput('!'), /name of the error/);
  assert.deepStrictEqual(requests, [['evaluate', { expression: ':answer {"paid": 1.0}', context: 'repl' }]]);
});

test('an answer may be an error, and may come later', async () => {
  const requests = [];
  const debugged = session(requests);
  await state.events.custom.fire({ event: 'asldb/needsResult', session: debugged, body: asked }); // Esc
  assert.deepStrictEqual(requests, []);
  vscode.debug.activeDebugSession = debugged;
  state.answers = ['!Card.Declined no funds'];
  await call('asldb.answer');
  assert.deepStrictEqual(requests, [['evaluate', { expression: ':fail Card.Declined no funds', context: 'repl' }]]);
  await call('asldb.answer');
  assert.match(state.shown.pop().message, /No task waits/);
  state.shown.length = 0;
  await state.events.custom.fire({ event: 'asldb/needsResult', session: { ...debugged, type: 'node' }, body: {} });
  assert.deepStrictEqual(state.shown, []);
});

test('calls are allowed after a question, and the session starts again', async () => {
  const file = write('live.fixtures.yaml', live);
  const body = { file, calls: ['exec date (state Charge)'], watched: ['live.fixtures.yaml', 'tools/'], reason: 'lib.yaml has changed' };
  await state.events.custom.fire({ event: 'asldb/needsConsent', session: session([]), body });
  assert.deepStrictEqual([state.stopped.length, state.started.length], [0, 0]); // no answer is a no
  assert.ok(!fs.existsSync(process.env.ASLDB_STATE));
  state.answers = ['Allow and Debug'];
  await state.events.custom.fire({ event: 'asldb/needsConsent', session: session([]), body });
  const { message, rest } = state.shown.pop();
  assert.match(message, /live\.fixtures\.yaml makes calls/);
  assert.ok(rest[0].modal && rest[0].detail === 'exec date (state Charge)\nlib.yaml has changed\nA change of one of these asks again: live.fixtures.yaml, tools/');
  assert.deepStrictEqual([state.stopped.length, state.started.length], [1, 1]);
  assert.ok(fs.readdirSync(process.env.ASLDB_STATE, { recursive: true }).length > 0);
});

// real returns a session of a real adapter, as VS Code passes it to the extension.
function real() {
  const { command, args } = state.factory.createDebugAdapterDescriptor({ workspaceFolder: state.folder });
  assert.deepStrictEqual(args, ['dap']);
  const adapter = new Adapter(command);
  return { adapter, session: { ...session([]), customRequest: (name, given) => adapter.request(name, given) } };
}

test('a session asks for the results of tasks, and takes them as they are typed', async () => {
  const { adapter, session: debugged } = real();
  await adapter.launch({ program: path.join(dir, 'order.asl.json'), input: { id: 7 } });
  const { body } = await adapter.event('asldb/needsResult');
  state.answers = ['{"paid": 129.90}'];
  await state.events.custom.fire({ event: 'asldb/needsResult', session: debugged, body });
  const [{ message: box }] = state.shown;
  assert.strictEqual(box.title, 'Charge needs a result (attempt 1)');
  assert.match(box.prompt, /"id":7/);
  await adapter.next((m) => m.event === 'stopped' && m.body.reason === 'end');
  await adapter.request('continue', { threadId: 1 });
  const { body: output } = await adapter.next((m) => m.event === 'output' && m.body.category === 'stdout');
  assert.strictEqual(output.output.trim(), '{"paid":129.90}');
  await adapter.stop();
});

test('a session with calls needs the consent of the user, not of launch.json', async () => {
  const config = { program: path.join(dir, 'order.asl.json'), fixtures: write('live.fixtures.yaml', live), allowLive: true };
  const first = real();
  await assert.rejects(first.adapter.launch(config), /not allowed/);
  const { body } = await first.adapter.event('asldb/needsConsent');
  assert.match(body.calls[0], /date/);
  state.answers = ['Allow and Debug'];
  await state.events.custom.fire({ event: 'asldb/needsConsent', session: first.session, body });
  assert.strictEqual(state.started.length, 1);
  await first.adapter.stop();
  const second = real();
  await second.adapter.request('initialize', { adapterID: 'asldb' });
  await second.adapter.request('launch', config); // nothing runs before configurationDone
  await second.adapter.stop();
});

test('the Testing view lists the cases of a suite with their places', async () => {
  const { controller } = state;
  const item = suiteOf();
  assert.strictEqual(item.label, 'order.test.yaml');
  await controller.resolveHandler(item);
  const cases = [];
  item.children.forEach((child) => cases.push([child.label, child.range.start.line]));
  assert.deepStrictEqual(cases, [['pays', 3], ['pays: too much', 6], ['later', 9]]);
  fs.writeFileSync(item.uri.fsPath, 'version: 1\ncases: 3\n');
  await state.files.changed.fire(item.uri);
  assert.match(item.error, /2:8/);
  await state.files.deleted.fire(item.uri);
  assert.strictEqual(controller.items.size, 0);
  await controller.refreshHandler();
  assert.strictEqual(controller.items.size, 1);
});

const outcomes = (run) => run.outcomes.filter((o) => o.kind !== 'started').map((o) => `${o.kind} ${o.name}`);

test('cases run, with the differences at the lines of their expectations', async () => {
  await state.profiles[0].run(new vscode.TestRunRequest(), never());
  const [run] = state.runs;
  assert.deepStrictEqual(outcomes(run).sort(), ['failed pays: too much', 'passed pays', 'skipped later']);
  const [message] = run.outcomes.find((o) => o.kind === 'failed').detail;
  assert.match(message.message, /\$\.paid, expected 2, found 3/);
  assert.deepStrictEqual([message.expectedOutput, message.actualOutput], ['2', '3']);
  assert.strictEqual(message.location.place.line, 8);
  assert.match(run.output, /failed: pays: too much/);
  assert.ok(run.ended);
});

test('one case runs alone, and an excluded one does not run', async () => {
  await call('asldb.runCase', Uri.file(path.join(dir, 'order.test.yaml')).toString(), 'pays: too much');
  assert.deepStrictEqual(outcomes(state.runs[0]), ['failed pays: too much']);
  const suiteItem = suiteOf();
  await state.controller.resolveHandler(suiteItem);
  await state.profiles[0].run(new vscode.TestRunRequest([suiteItem], [suiteItem.children.get('pays')]), never());
  assert.deepStrictEqual(outcomes(state.runs[1]).sort(), ['failed pays: too much', 'skipped later']);
  await call('asldb.runCase', path.join(dir, 'order.test.yaml'), 'no such case');
  assert.match(state.shown.pop().message, /has no case "no such case"/);
});

test('a case is debugged, then runs for its outcome', async () => {
  const file = path.join(dir, 'order.test.yaml');
  state.onStart = (config) => {
    setImmediate(() => state.events.terminated.fire({ id: '2', configuration: config }));
    return true;
  };
  await call('asldb.debugCase', file, 'pays');
  assert.strictEqual(state.started[0].test, `${file}:pays`);
  assert.deepStrictEqual(outcomes(state.runs[0]), ['passed pays']);
});

test('a wrong suite is an error in a run', async () => {
  write('wrong.test.yaml', 'version: 1\ncases: 3\n');
  await state.controller.refreshHandler();
  await state.profiles[0].run(new vscode.TestRunRequest(), never());
  const wrong = state.runs[0].outcomes.find((o) => o.kind === 'errored');
  assert.match(wrong.detail.message, /wrong\.test\.yaml:2:8/);
});

const errors = () => state.shown.filter(({ kind }) => kind === 'error');
const walkthrough = ['workbench.action.openWalkthrough', 'asldb.asldb#start'];
const executed = () => state.executed.filter(([name]) => name !== 'setContext');

test('a missing asldb is one message, whatever needs it', async () => {
  state.settings.path = path.join(dir, 'none');
  state.settings.languageServer = true;
  const file = path.join(dir, 'order.asl.json');
  await state.events.settings.fire({ affectsConfiguration: (name) => name === 'asldb.path' });
  assert.strictEqual(await state.provider.resolveDebugConfiguration(state.folder, { type: 'asldb', request: 'launch', program: file }), undefined);
  await call('asldb.debug', Uri.file(path.join(dir, 'order.test.yaml')));
  await call('asldb.runCase', Uri.file(path.join(dir, 'order.test.yaml')).toString(), 'pays');
  for (const name of ['asldb.explore', 'asldb.init']) await call(name, Uri.file(file));
  for (const name of ['asldb.example', 'asldb.check']) await call(name);
  const item = suiteOf();
  await state.controller.resolveHandler(item);
  assert.match(item.error, /cannot be started\. Install it, or set asldb\.path/);
  state.answers = ['Allow and Debug'];
  await state.events.custom.fire({ event: 'asldb/needsConsent', session: { type: 'asldb', workspaceFolder: state.folder }, body: { file: 'live.fixtures.yaml' } });
  assert.deepStrictEqual(errors().map(({ message, rest }) => [message, rest]), [[item.error, ['Install', 'Set Path']]]);
  assert.deepStrictEqual([state.clients, state.started, state.tasks, executed()], [[], [], [], []]);

  await state.press('Set Path');
  await new Promise(setImmediate);
  assert.deepStrictEqual(executed(), [['workbench.action.openSettings', 'asldb.path']]);
  await call('asldb.restartLanguageServer'); // the user asks again, and it is still missing
  assert.strictEqual(errors().length, 2);
  await state.press('Install');
  await new Promise(setImmediate);
  assert.deepStrictEqual(executed()[1], walkthrough);
  await state.events.settings.fire({ affectsConfiguration: (name) => name === 'asldb.languageServer' });
  assert.strictEqual(errors().length, 2, 'not again in this window by itself');
  assert.deepStrictEqual(state.executed.at(-1), ['setContext', 'asldb.found', false]);
  state.settings.path = asldb;
  await call('asldb.check');
  assert.ok(state.clients[0].running);
  assert.match(state.shown.at(-1).message, /^asldb .*\(/);
  assert.deepStrictEqual(state.executed.at(-1), ['setContext', 'asldb.found', true]);
});

test('the program is looked for when the extension starts, also without the language server', async () => {
  assert.deepStrictEqual([errors(), state.executed], [[], [['setContext', 'asldb.found', true]]]);
  unload();
  ({ vscode, state } = make(dir, path.join(dir, 'none')));
  unload = await load();
  assert.strictEqual(errors().length, 1);
});

test('the program is the one of the setting, that on the PATH, or the one in the package', () => {
  const searched = process.env.PATH;
  const command = () => state.factory.createDebugAdapterDescriptor({}).command;
  const name = process.platform === 'win32' ? 'asldb.exe' : 'asldb';
  try {
    process.env.PATH = path.join(dir, 'path');
    state.settings.path = 'asldb';
    assert.strictEqual(command(), 'asldb'); // nowhere: the error of the start names it
    for (const folder of ['bin', 'path']) fs.mkdirSync(path.join(dir, folder));
    fs.mkdirSync(path.join(dir, 'path', name)); // a folder is no program
    write(path.join('bin', name), '');
    assert.strictEqual(command(), path.join(dir, 'bin', name));
    fs.rmdirSync(path.join(dir, 'path', name));
    write(path.join('path', name), '');
    assert.strictEqual(command(), 'asldb');
    state.settings.path = '/other/asldb';
    assert.strictEqual(command(), '/other/asldb');
  } finally {
    process.env.PATH = searched;
  }
});

test('the walkthrough has files, and commands that are registered', () => {
  const [{ id, steps }] = manifest.contributes.walkthroughs;
  assert.strictEqual(`${manifest.publisher}.${manifest.name}#${id}`, walkthrough[1]);
  assert.deepStrictEqual(steps.map((step) => step.id), ['install', 'example', 'breakpoint', 'suite', 'explore']);
  for (const { media, description, completionEvents } of steps) {
    assert.ok(fs.existsSync(path.join(__dirname, '..', media.markdown)), media.markdown);
    const links = [...description.matchAll(/\(command:([\w.]+)/g)].map((m) => m[1]);
    const done = completionEvents.map((event) => /^onCommand:(.*)/.exec(event)?.[1]).filter(Boolean);
    for (const name of [...links, ...done]) assert.ok(state.commands.has(name) || name.startsWith('workbench.'), name);
    for (const name of done) assert.ok(links.includes(name), name);
  }
});

test('the example is saved and opened', async () => {
  await call('asldb.example'); // no folder is chosen
  assert.deepStrictEqual(executed(), []);
  state.folderOf = () => undefined;
  state.answers = [[Uri.file(dir)]];
  await call('asldb.example');
  const example = path.join(dir, 'example');
  assert.deepStrictEqual(executed(), [['vscode.openFolder', Uri.file(example)]]);
  assert.ok(fs.existsSync(path.join(example, 'order.asl.json')));
  state.answers = [[Uri.file(dir)]]; // the folder exists
  await call('asldb.example');
  assert.match(errors()[0].message, /example/);
  fs.rmSync(example, { recursive: true });
  state.folderOf = () => state.folder;
  state.answers = [[Uri.file(dir)]];
  await call('asldb.example');
  assert.deepStrictEqual(state.opened, [Uri.file(path.join(example, 'order.asl.json'))]);
});

test('a definition is explored, and gets a suite, in a terminal', async () => {
  const file = path.join(dir, 'order.asl.json');
  await call('asldb.explore', Uri.file(file));
  open(file);
  await call('asldb.init');
  assert.deepStrictEqual(state.tasks.map(({ execution }) => execution.args), [['explore', file], ['init', file]]);
  vscode.window.activeTextEditor = undefined;
  await call('asldb.init');
  assert.match(state.shown.at(-1).message, /Open a definition first/);
});

test('the language server starts, and ends when it is switched off', async () => {
  state.settings.languageServer = true;
  await state.events.settings.fire({ affectsConfiguration: (name) => name === 'asldb.languageServer' });
  const [started] = state.clients;
  assert.deepStrictEqual(started.server, { command: asldb, args: ['lsp'] });
  assert.ok(started.running);
  state.settings.languageServer = false;
  await call('asldb.restartLanguageServer');
  assert.ok(!started.running);
  assert.strictEqual(state.clients.length, 1);
});

test('restarts that overlap leave one language server, and none after the end', async () => {
  state.settings.languageServer = true;
  const running = () => state.clients.filter((client) => client.running).length;
  const changed = () => state.events.settings.fire({ affectsConfiguration: (name) => name === 'asldb.path' });
  await Promise.all([changed(), call('asldb.restartLanguageServer'), changed()]);
  assert.strictEqual(running(), 1);
  state.failure = 'it does not end';
  await changed();
  assert.match(state.shown.at(-1).message, /it does not end/);
  assert.strictEqual(running(), 1, 'after one that did not end as asked');
  const restart = call('asldb.restartLanguageServer');
  await extension.deactivate();
  await restart;
  assert.strictEqual(running(), 0);
});

test('the lenses of a definition run asldb on it', async () => {
  const file = Uri.file(path.join(dir, 'template.yaml'));
  await call('asldb.inTerminal', file.toString(), ['graph', file.fsPath, '--resource', 'Order']);
  const [{ execution }] = state.tasks;
  assert.deepStrictEqual(execution, new vscode.ProcessExecution(asldb, ['graph', file.fsPath, '--resource', 'Order'], { cwd: dir }));
  await call('asldb.debugDefinition', file.toString(), 'Order');
  const [started] = state.started;
  assert.strictEqual(started.program, file.fsPath);
  assert.strictEqual(started.resource, 'Order');
});
