// A stub of the module vscode: as much of it as the extension uses, with what was shown and registered.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

class Emitter {
  constructor() { this.listeners = new Set(); }
  get event() {
    return (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }
  fire(value) { return Promise.all([...this.listeners].map((listener) => listener(value))); }
}

class Uri {
  constructor(fsPath) { this.fsPath = fsPath; }
  static file(fsPath) { return new Uri(fsPath); }
  static parse(text) { return new Uri(decodeURIComponent(text.replace('file://', ''))); }
  toString() { return `file://${this.fsPath}`; }
}

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}
class Location { constructor(uri, place) { Object.assign(this, { uri, place }); } }
class TestMessage { constructor(message) { this.message = message; } }
class TestRunRequest { constructor(include, exclude) { Object.assign(this, { include, exclude }); } }
class DebugAdapterExecutable { constructor(command, args) { Object.assign(this, { command, args }); } }
class EvaluatableExpression { constructor(range, expression) { Object.assign(this, { range, expression }); } }
class ProcessExecution { constructor(process, args, options) { Object.assign(this, { process, args, options }); } }
class Task { constructor(definition, scope, name, source, execution) { Object.assign(this, { definition, scope, name, source, execution }); } }
class CancellationTokenSource {
  constructor() {
    const emitter = new Emitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    this.cancel = () => { this.token.isCancellationRequested = true; emitter.fire(); };
  }
}

class Items {
  constructor(parent) { this.parent = parent; this.map = new Map(); }
  get size() { return this.map.size; }
  get(id) { return this.map.get(id); }
  add(item) { item.parent = this.parent; this.map.set(item.id, item); }
  delete(id) { this.map.delete(id); }
  replace(items) { this.map.clear(); items.forEach((item) => this.add(item)); }
  forEach(each) { this.map.forEach((item) => each(item)); }
}

// make returns a stub. answers has the user's answers to dialogs, in their order; folder is the folder of the workspace.
function make(folder, program) {
  const events = { custom: new Emitter(), terminated: new Emitter(), settings: new Emitter() };
  const files = { created: new Emitter(), changed: new Emitter(), deleted: new Emitter() };
  const state = {
    events, files, folder: { uri: Uri.file(folder), name: path.basename(folder) },
    settings: { path: program, suites: '**/*.test.{yaml,yml}', languageServer: false },
    commands: new Map(), shown: [], answers: [], executed: [], started: [], stopped: [], runs: [], tasks: [], clients: [], profiles: [],
    opened: [], onStart: () => true, folderOf: () => state.folder,
  };
  const show = (kind) => async (message, ...rest) => {
    state.shown.push({ kind, message, rest });
    if (kind === 'error' && rest.length > 0) return new Promise((resolve) => { state.press = resolve; }); // until a button is pressed
    return kind === 'information' || kind === 'error' ? undefined : state.answers.shift();
  };
  const created = (id, label, uri) => {
    const item = { id, label, uri, parent: undefined };
    item.children = new Items(item);
    return item;
  };
  const vscode = {
    Uri, Position, Range, Location, TestMessage, TestRunRequest, DebugAdapterExecutable, EvaluatableExpression, CancellationTokenSource,
    ProcessExecution, Task, TaskScope: { Workspace: 2 },
    tasks: { executeTask: async (task) => { state.tasks.push(task); } },
    TestRunProfileKind: { Run: 1, Debug: 2 },
    commands: {
      registerCommand: (name, run) => { state.commands.set(name, run); return { dispose() {} }; },
      executeCommand: async (...command) => { state.executed.push(command); },
    },
    languages: { registerEvaluatableExpressionProvider: (languages, provider) => { state.expressions = { languages, provider }; } },
    window: {
      activeTextEditor: undefined,
      showInformationMessage: show('information'), showErrorMessage: show('error'), showWarningMessage: show('warning'),
      showInputBox: show('input'), showQuickPick: show('pick'), showOpenDialog: show('folder'),
      showTextDocument: async (uri) => { state.opened.push(uri); },
    },
    workspace: {
      getConfiguration: () => ({ get: (name) => state.settings[name] }),
      getWorkspaceFolder: (uri) => state.folderOf(uri),
      asRelativePath: (uri) => path.relative(folder, uri.fsPath),
      onDidChangeConfiguration: events.settings.event,
      findFiles: async () => fs.readdirSync(folder).filter((name) => /\.test\.ya?ml$/.test(name)).map((name) => Uri.file(path.join(folder, name))),
      createFileSystemWatcher: () => ({
        onDidCreate: files.created.event, onDidChange: files.changed.event, onDidDelete: files.deleted.event, dispose() {},
      }),
    },
    debug: {
      activeDebugSession: undefined,
      registerDebugConfigurationProvider: (type, provider) => { state.provider = provider; },
      registerDebugAdapterDescriptorFactory: (type, factory) => { state.factory = factory; },
      onDidReceiveDebugSessionCustomEvent: events.custom.event,
      onDidTerminateDebugSession: events.terminated.event,
      startDebugging: async (where, config) => { state.started.push(config); return state.onStart(config); },
      stopDebugging: async (session) => { state.stopped.push(session); },
    },
    tests: {
      createTestController: () => {
        state.controller = {
          items: new Items(), createTestItem: created, dispose() {},
          createRunProfile: (label, kind, run) => state.profiles.push({ label, kind, run }),
          createTestRun: () => {
            const run = { outcomes: [], output: '' };
            for (const kind of ['started', 'passed', 'failed', 'errored', 'skipped']) {
              run[kind] = (item, detail) => run.outcomes.push({ kind, name: item.id, detail });
            }
            run.appendOutput = (text) => { run.output += text; };
            run.end = () => { run.ended = true; };
            state.runs.push(run);
            return run;
          },
        };
        return state.controller;
      },
    },
  };
  return { vscode, state };
}

module.exports = { make, Uri };
