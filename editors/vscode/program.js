// Finds the executable of asldb, starts it, and says where there is none.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const vscode = require('vscode');

let root; // the folder of the extension

// setting returns a setting of the extension.
function setting(name, scope) {
  return vscode.workspace.getConfiguration('asldb', scope).get(name);
}

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

// program returns the executable: the one of the setting, that on the PATH, or the one inside of the extension's package.
function program(folder) {
  const set = setting('path', folder && folder.uri);
  if (set && set !== 'asldb') return set;
  const name = process.platform === 'win32' ? 'asldb.exe' : 'asldb';
  const inside = path.join(root, 'bin', name);
  const onPath = (process.env.PATH || '').split(path.delimiter).some((dir) => dir && isFile(path.join(dir, name)));
  return !onPath && isFile(inside) ? inside : 'asldb';
}

const missing = 'asldb cannot be started. Install it, or set asldb.path in the settings.';
const buttons = {
  Install: () => vscode.commands.executeCommand('workbench.action.openWalkthrough', 'asldb.asldb#start'),
  'Set Path': () => vscode.commands.executeCommand('workbench.action.openSettings', 'asldb.path'),
};
let told = false; // the message was shown in this window
let shown = false; // and is still there

// tell says that asldb is missing: once in a window by itself, and whenever the user asked for something that needs it.
function tell(asked) {
  if (shown || (told && !asked)) return;
  told = shown = true;
  vscode.window.showErrorMessage(missing, ...Object.keys(buttons)).then((chosen) => { shown = false; if (chosen) buttons[chosen](); });
}

// version returns the first line of asldb --version, or undefined where asldb cannot be started.
function version(folder) {
  return new Promise((resolve) => {
    const child = spawn(program(folder), ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (part) => { text += part; });
    child.on('error', () => resolve(undefined)).on('close', () => resolve(text.split('\n')[0]));
  });
}

// ready returns the version of asldb; where it cannot be started, it says so.
async function ready(folder, asked) {
  const found = await version(folder);
  vscode.commands.executeCommand('setContext', 'asldb.found', found !== undefined);
  if (found === undefined) tell(asked);
  return found;
}

// fail shows an error of something that the user asked for.
function fail(message) {
  if (message === missing) tell(true);
  else vscode.window.showErrorMessage(message);
}

// run runs asldb in a folder, and returns its status and standard error; onLine receives each line of its output.
function run(args, { cwd, folder, token, onLine = () => {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program(folder), args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = token && token.onCancellationRequested(() => child.kill('SIGINT'));
    let err = '';
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      try { onLine(line); } catch (error) { reject(error); }
    });
    child.stderr.setEncoding('utf8').on('data', (text) => { err += text; });
    child.on('error', () => reject(new Error(missing)));
    child.on('close', (status) => {
      if (stop) stop.dispose();
      resolve({ status, err: err.trim() });
    });
  });
}

// begin is called with the context of the extension before all others.
function begin(context) {
  root = context.extensionPath;
}

module.exports = { begin, fail, program, ready, run, setting };
