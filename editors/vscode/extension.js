// The extension connects VS Code with asldb dap, asldb lsp and asldb test. It has no logic of state machines.
'use strict';

const path = require('node:path');
const vscode = require('vscode');
const { begin, fail, program, ready, run, setting } = require('./program.js');

// The names of the custom events of the adapter; docs/editors.md describes them.
const askEvent = 'asldb/needsResult';
const consentEvent = 'asldb/needsConsent';

const suiteName = /\.test\.(ya?ml|json)$/;
const languages = ['json', 'jsonc', 'yaml', 'asl', 'asl-yaml'];

let client; // the language client; undefined: none runs
let lastChange = Promise.resolve(); // of the client: each begins when the one before has ended

// activate is called by VS Code when the extension is first needed.
async function activate(context) {
  begin(context);
  const tests = new Suites(vscode.tests.createTestController('asldb', 'asldb'));
  const questions = new Questions();
  const command = (name, run) => vscode.commands.registerCommand(name, run);
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('asldb', configurations),
    vscode.debug.registerDebugAdapterDescriptorFactory('asldb', { createDebugAdapterDescriptor: adapterOf }),
    vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => questions.receive(event)),
    vscode.debug.onDidTerminateDebugSession(({ id }) => questions.waiting.delete(id)),
    vscode.languages.registerEvaluatableExpressionProvider(languages, { provideEvaluatableExpression: expressionAt }),
    command('asldb.debug', (uri) => debugFile(uri)),
    command('asldb.answer', () => questions.again()),
    command('asldb.runCase', (file, name) => tests.runCase(filePath(file), name, false)),
    command('asldb.debugCase', (file, name) => tests.runCase(filePath(file), name, true)),
    command('asldb.inTerminal', (file, args) => inTerminal(filePath(file), args)),
    command('asldb.debugDefinition', (file, resource) => debugFile(vscode.Uri.file(filePath(file)), { resource })),
    command('asldb.restartLanguageServer', () => restartClient(true)),
    command('asldb.check', () => check()),
    command('asldb.example', () => saveExample()),
    command('asldb.init', (uri) => onDefinition(uri, 'init')),
    command('asldb.explore', (uri) => onDefinition(uri, 'explore')),
    vscode.workspace.onDidChangeConfiguration((change) => ['path', 'languageServer'].some((name) => change.affectsConfiguration(`asldb.${name}`))
      && restartClient()),
    tests.controller,
    tests.watcher,
  );
  await Promise.all([tests.discover(), restartClient()]);
}

const deactivate = () => inTurn(stopClient);
const restartClient = (asked) => inTurn(() => startClient(asked));

// inTurn makes a change of the language client after those that were asked for before.
function inTurn(change) {
  lastChange = lastChange.then(change, change);
  return lastChange;
}

const adapterOf = ({ workspaceFolder }) => new vscode.DebugAdapterExecutable(program(workspaceFolder), ['dap']);

// filePath returns the path of a file that is a Uri, the text of one, or a path.
function filePath(file) {
  return typeof file === 'string' && !file.startsWith('file:') ? file : (file.fsPath || vscode.Uri.parse(file).fsPath);
}

// configurations completes the configurations of debug sessions. Relative paths begin in the folder of the workspace.
const configurations = {
  async resolveDebugConfiguration(folder, config) {
    if (!await ready(folder, true)) return undefined;
    if (config.type || config.request) return folder ? { cwd: folder.uri.fsPath, ...config } : config;
    const editor = vscode.window.activeTextEditor; // there is no launch.json
    if (editor) return configurationOf(editor.document.uri.fsPath);
    vscode.window.showInformationMessage('Open a definition first, or add a configuration of asldb to launch.json.');
    return undefined;
  },
};

// configurationOf returns the configuration for a definition, or for the case of a suite that the user chooses, if any.
async function configurationOf(file) {
  const config = { type: 'asldb', request: 'launch', name: path.basename(file), cwd: path.dirname(file) };
  if (suiteName.test(file)) {
    const { cases, error } = await casesOf(file);
    if (error) fail(error);
    const chosen = error ? undefined : await vscode.window.showQuickPick(cases.map((c) => c.case), { title: `Debug a case of ${config.name}` });
    return chosen === undefined ? undefined : { ...config, name: chosen, test: `${file}:${chosen}` };
  }
  return { ...config, program: file };
}

// debugFile debugs a file of the explorer, or that of the editor.
async function debugFile(uri, more) {
  const editor = vscode.window.activeTextEditor;
  const target = uri || (editor && editor.document.uri);
  const config = target ? await configurationOf(target.fsPath) : await configurations.resolveDebugConfiguration(undefined, {});
  return config ? vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(target), { ...config, ...more }) : false;
}

// inTerminal runs asldb on a file as a task, whose terminal stays when it has ended. No shell reads the arguments.
function inTerminal(file, args) {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  const execution = new vscode.ProcessExecution(program(folder), args, { cwd: path.dirname(file) });
  return vscode.tasks.executeTask(new vscode.Task({ type: 'asldb' }, folder || vscode.TaskScope.Workspace, args[0], 'asldb', execution));
}

// onDefinition runs a command of asldb on a file of the explorer, or on that of the editor.
async function onDefinition(uri, name) {
  const editor = vscode.window.activeTextEditor;
  const target = uri || (editor && editor.document.uri);
  if (!target) vscode.window.showInformationMessage('Open a definition first.');
  else if (await ready(vscode.workspace.getWorkspaceFolder(target), true)) await inTerminal(target.fsPath, [name, target.fsPath]);
}

// check says which asldb is used, and starts the language server where it is found.
async function check() {
  const version = await ready(undefined, true);
  if (version === undefined) return;
  vscode.window.showInformationMessage(`${version} (${program()})`);
  if (!client) await restartClient();
}

// saveExample saves the files of the example in a folder that the user chooses, and opens them.
async function saveExample() {
  if (!await ready(undefined, true)) return;
  const [parent] = await vscode.window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true, openLabel: 'Save the Example Here' }) || [];
  if (!parent) return;
  const folder = path.join(parent.fsPath, 'example');
  const { status, err } = await run(['demo', '--save', folder], { cwd: parent.fsPath });
  const file = vscode.Uri.file(path.join(folder, 'order.asl.json'));
  if (status !== 0) fail(err);
  else if (vscode.workspace.getWorkspaceFolder(file)) await vscode.window.showTextDocument(file);
  else await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder));
}

// expressionAt returns the expression under the mouse: a whole path such as $.order.lines[0], or JSONata between {% and %}.
function expressionAt(document, position) {
  const line = document.lineAt(position.line).text;
  for (const form of [/\{%\s*(.*?)\s*%\}/g, /\$\$?(?:[\w$]|\.(?=[\w$*.])|\.\*|\[[^\]\s]*\])*/g]) {
    for (const match of line.matchAll(form)) {
      const end = match.index + match[0].length;
      if (position.character < match.index || position.character >= end) continue;
      const range = new vscode.Range(position.line, match.index, position.line, end);
      const inside = match[1] === undefined ? match[0] : match[1];
      return new vscode.EvaluatableExpression(range, /yaml/.test(document.languageId) ? inside : inside.replace(/\\(["\\])/g, '$1'));
    }
  }
  return undefined;
}

// Questions passes questions of the adapter on to the user.
class Questions {
  waiting = new Map(); // the task that waits, by the id of its session

  async receive({ event, session, body }) {
    if (session.type !== 'asldb') return;
    if (event === askEvent) {
      this.waiting.set(session.id, { session, body });
      await this.ask(session, body);
    } else if (event === consentEvent) {
      await this.consent(session, body);
    }
  }

  // again asks for the result of the task that waits once more.
  async again() {
    const active = vscode.debug.activeDebugSession;
    const last = active && this.waiting.get(active.id);
    if (last) await this.ask(last.session, last.body);
    else vscode.window.showInformationMessage('No task waits for its result.');
  }

  async ask(session, body) {
    const typed = await vscode.window.showInputBox({
      title: `${body.state} needs a result (attempt ${body.attempt})`,
      prompt: `Payload: ${body.payload}. Enter a JSON value, or !Error.Name and a cause. Esc: later, by "Answer the Waiting Task".`,
      placeHolder: `{"status": "ok"}  or  !${(body.errors || [])[0] || 'Some.Error'} cause`,
      ignoreFocusOut: true,
      validateInput: wrongAnswer,
    });
    if (typed === undefined) return;
    const answer = typed.trim();
    const expression = answer.startsWith('!') ? `:fail ${answer.slice(1).trim()}` : `:answer ${answer}`;
    try {
      await session.customRequest('evaluate', { expression, context: 'repl' });
      this.waiting.delete(session.id);
    } catch (error) {
      fail(error.message);
    }
  }

  // consent asks whether the calls of a fixtures file are allowed. After a yes it stores the consent and starts the session again.
  async consent(session, { file, calls = [], watched = [], reason }) {
    const again = watched.length > 0 && `A change of one of these asks again: ${watched.join(', ')}`;
    const detail = [...calls, reason, again].filter(Boolean).join('\n');
    const allow = 'Allow and Debug';
    const chosen = await vscode.window.showWarningMessage(`${path.basename(file)} makes calls. Allow them?`, { modal: true, detail }, allow);
    if (chosen !== allow) return;
    try {
      const { status, err } = await run(['allow', file], { folder: session.workspaceFolder });
      if (status !== 0) throw new Error(err);
      await vscode.debug.stopDebugging(session);
      await vscode.debug.startDebugging(session.workspaceFolder, session.configuration);
    } catch (error) {
      fail(error.message);
    }
  }
}

// wrongAnswer says what is wrong with an answer; undefined: nothing.
function wrongAnswer(text) {
  if (text.trim().startsWith('!')) return text.trim() === '!' ? 'Add the name of the error: !Card.Declined' : undefined;
  try { return void JSON.parse(text); } catch (error) { return `This is not JSON: ${error.message}`; }
}

// casesOf returns the cases of a suite as asldb test --list has them, or the error.
async function casesOf(file) {
  try {
    const cases = [];
    const onLine = (line) => { if (line) cases.push(JSON.parse(line)); };
    const { status, err } = await run(['test', '--list', '--json', file], { cwd: path.dirname(file), onLine });
    return status === 0 ? { cases } : { cases: [], error: err || `asldb ended with status ${status}` };
  } catch (error) {
    return { cases: [], error: error.message };
  }
}

// Suites shows the cases of suites in the Testing view, and runs them.
class Suites {
  constructor(controller) {
    this.controller = controller;
    controller.resolveHandler = (item) => (item ? this.read(item) : this.discover());
    controller.refreshHandler = () => this.discover();
    const kinds = vscode.TestRunProfileKind;
    controller.createRunProfile('Run', kinds.Run, (request, token) => this.run(request, token, false), true);
    controller.createRunProfile('Debug', kinds.Debug, (request, token) => this.run(request, token, true), true);
    this.glob = setting('suites') || '**/*.test.{yaml,yml}';
    this.watcher = vscode.workspace.createFileSystemWatcher(this.glob);
    for (const changed of ['onDidCreate', 'onDidChange']) this.watcher[changed]((uri) => this.read(this.suite(uri)));
    this.watcher.onDidDelete((uri) => controller.items.delete(uri.toString()));
  }

  // discover adds the suites of the workspace. Their cases are read when they are shown or run.
  async discover() {
    const found = await vscode.workspace.findFiles(this.glob, '**/node_modules/**');
    this.controller.items.replace(found.map((uri) => this.suite(uri)));
  }

  // suite returns the item of a suite; it is made where there is none.
  suite(uri) {
    const id = uri.toString();
    let item = this.controller.items.get(id);
    if (!item) {
      item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
      item.canResolveChildren = true;
      this.controller.items.add(item);
    }
    return item;
  }

  // read reads the cases of a suite.
  async read(suite) {
    if (suite.parent) return;
    const { cases, error } = await casesOf(suite.uri.fsPath);
    suite.error = error;
    if (error) return;
    suite.children.replace(cases.map((c) => {
      const item = suite.children.get(c.case) || this.controller.createTestItem(c.case, c.case, suite.uri);
      item.range = new vscode.Range(c.line - 1, c.column - 1, c.line - 1, c.column - 1);
      return item;
    }));
  }

  // runCase runs a case by its name, for code lenses.
  async runCase(file, name, debug) {
    const suite = this.suite(vscode.Uri.file(file));
    await this.read(suite);
    const item = name === undefined ? suite : suite.children.get(name);
    const request = item && new vscode.TestRunRequest([item]);
    if (request) await this.run(request, new vscode.CancellationTokenSource().token, debug);
    else fail(suite.error || `${path.basename(file)} has no case ${JSON.stringify(name)}.`);
  }

  // run runs the chosen cases, after sessions with them where debug is set.
  async run(request, token, debug) {
    const test = this.controller.createTestRun(request);
    for (const [suite, items] of await this.chosen(request)) {
      if (token.isCancellationRequested) break;
      if (suite.error) test.errored(suite, new vscode.TestMessage(suite.error));
      for (const item of debug ? items : []) await debugCase(suite.uri, item.id, token);
      if (items.size > 0) await this.runSuite(test, suite, items, token);
    }
    test.end();
  }

  // chosen returns the cases of a request by their suites.
  async chosen(request) {
    const roots = [];
    this.controller.items.forEach((item) => roots.push(item));
    const excluded = request.exclude || [];
    const chosen = new Map();
    for (const item of request.include || roots) {
      const suite = item.parent || item;
      if (!item.parent) await this.read(suite);
      if (!chosen.has(suite)) chosen.set(suite, new Set());
      suite.children.forEach((child) => {
        if ([suite, child].includes(item) && !excluded.includes(child) && !excluded.includes(suite)) chosen.get(suite).add(child);
      });
    }
    return chosen;
  }

  // runSuite runs cases of a suite and shows their outcomes.
  async runSuite(test, suite, items, token) {
    const file = suite.uri.fsPath;
    const waiting = new Set(items);
    waiting.forEach((item) => test.started(item));
    const onLine = (line) => {
      const outcome = JSON.parse(line);
      const item = outcome.event === 'case' ? suite.children.get(outcome.name) : undefined;
      if (!item || !waiting.delete(item)) return;
      const messages = (outcome.findings || []).map((finding) => messageOf(suite.uri, finding));
      if (outcome.reason) messages.unshift(new vscode.TestMessage(outcome.reason));
      if (outcome.outcome === 'passed') test.passed(item, outcome.wallSeconds * 1000);
      else if (outcome.outcome === 'failed' || outcome.outcome === 'new') test.failed(item, messages, outcome.wallSeconds * 1000);
      else if (outcome.outcome === 'error') test.errored(item, messages);
      else test.skipped(item);
      test.appendOutput(`${outcome.outcome}: ${outcome.name}\r\n${outcome.reason ? `  ${outcome.reason}\r\n` : ''}`, undefined, item);
    };
    let failure;
    try {
      const names = [...items].map((item) => `${file}:${item.id}`);
      const { err } = await run(['test', '--json', ...(items.size === suite.children.size ? [file] : names)], { cwd: path.dirname(file), token, onLine });
      failure = err;
    } catch (error) {
      failure = error.message;
    }
    waiting.forEach((item) => { // cases without an outcome
      if (token.isCancellationRequested) test.skipped(item);
      else test.errored(item, new vscode.TestMessage(failure || 'asldb test printed no outcome of this case.'));
    });
  }
}

// debugCase debugs a case; it resolves when the session has ended.
async function debugCase(uri, name, token) {
  const config = { type: 'asldb', request: 'launch', name, test: `${uri.fsPath}:${name}`, cwd: path.dirname(uri.fsPath) };
  let parts = [];
  const ended = new Promise((resolve) => {
    const over = (session) => { if (session.configuration.test === config.test) resolve(); };
    parts = [vscode.debug.onDidTerminateDebugSession(over), token.onCancellationRequested(resolve)];
  });
  if (await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), config)) await ended;
  parts.forEach((part) => part.dispose());
}

// messageOf returns the message of an expectation that does not hold, at its line.
function messageOf(uri, finding) {
  const json = (value) => JSON.stringify(value, null, 2);
  const lines = finding.differences.map((d) => [
    d.path, d.wanted !== undefined && `expected ${json(d.wanted)}`, d.found !== undefined && `found ${json(d.found)}`, d.reason, d.from,
  ].filter(Boolean).join(', '));
  const message = new vscode.TestMessage([finding.expectation, ...lines, ...(finding.because || [])].join('\n'));
  const [first] = finding.differences;
  if (first && first.wanted !== undefined && first.found !== undefined) {
    Object.assign(message, { expectedOutput: json(first.wanted), actualOutput: json(first.found) });
  }
  if (finding.line) message.location = new vscode.Location(uri, new vscode.Position(finding.line - 1, finding.column - 1));
  return message;
}

async function stopClient() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

// startClient starts the language server, after the end of one that runs.
async function startClient(asked) {
  await stopClient().catch((error) => fail(`The language server of asldb has not ended: ${error.message}`));
  if (await ready(undefined, asked) === undefined || !setting('languageServer')) return;
  const { LanguageClient } = require('vscode-languageclient/node');
  const documentSelector = [...languages, 'terraform'].map((language) => ({ scheme: 'file', language }));
  const started = new LanguageClient('asldb', 'asldb', { command: program(), args: ['lsp'] }, { documentSelector });
  try {
    await started.start();
    client = started;
  } catch (error) {
    fail(`The language server of asldb has not started: ${error.message}`);
  }
}

module.exports = { activate, deactivate };
