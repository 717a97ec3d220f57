// Drives a real workbench of VS Code (code-server) in a browser through ten steps, each with a picture; it exits with an error where
// one is not as expected. TestWorkbench in internal/checks runs it, with these variables:
//
//   ASLDB, VSIX           the executable of asldb, and the packed extension
//   ASLDB_CODE_SERVER     the folder in which scripts/editors/codeserver has installed
//   ASLDB_PICTURES        the folder for the pictures
//   CHROMIUM              the browser; without it, the chromium on the PATH
'use strict';

const assert = require('node:assert');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { ASLDB: asldb, VSIX: vsix, CHROMIUM: chromium = 'chromium' } = process.env;
const [installed, pictures] = [process.env.ASLDB_CODE_SERVER, process.env.ASLDB_PICTURES].map((folder) => path.resolve(folder));
const modules = path.join(installed, 'node_modules');
const { chromium: browsers } = require(path.join(modules, 'playwright-core'));

const work = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'asldb-workbench-'));
const example = path.join(work, 'example');
const user = path.join(work, 'user');
const entry = path.join(modules, 'code-server', 'out', 'node', 'entry.js');
const flags = ['--user-data-dir', user, '--extensions-dir', path.join(work, 'extensions'), '--config', path.join(work, 'config.yaml')];

// settings writes the settings; a window that is open reads them at once. The path of a program is a setting of the server's machine.
function settings(program) {
  const write = (place, values) => {
    fs.mkdirSync(path.join(user, place), { recursive: true });
    fs.writeFileSync(path.join(user, place, 'settings.json'), JSON.stringify(values));
  };
  write('Machine', { 'asldb.path': program });
  write('User', {
    'security.workspace.trust.enabled': false, 'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none',
    'files.autoSave': 'off', // the mistake of a step is not saved
    'remote.autoForwardPorts': false, 'debug.openDebug': 'openOnDebugBreak',
  });
}

// serve starts code-server and returns it with its address.
function serve() {
  const server = spawn(process.execPath, [entry, ...flags, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry',
    '--disable-update-check', '--disable-getting-started-override'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (part) => {
      text += part;
      const found = /HTTP server listening on (http:\S+:\d+)/.exec(text);
      if (found) resolve({ server, address: found[1] });
    });
    server.on('exit', (status) => reject(new Error(`code-server ended with status ${status}\n${text}`)));
  });
}

const lines = () => fs.readFileSync(path.join(example, 'order.asl.json'), 'utf8').split('\n');

// place returns the number of the line with a text, after the line that names a state.
function place(state, text) {
  const from = lines().findIndex((line) => line.includes(`"${state}": {`));
  return lines().findIndex((line, i) => i > from && line.includes(text)) + 1;
}

// outcomes returns what the test explorer shows when all suites of the example were run, such as 5/6.
function outcomes() {
  const { stdout } = spawnSync(asldb, ['test', '--json', example], { encoding: 'utf8' });
  const cases = stdout.trim().split('\n').map((line) => JSON.parse(line)).filter(({ event }) => event === 'case');
  return `${cases.filter(({ outcome }) => outcome === 'passed').length}/${cases.length}`;
}

async function drive(page) {
  const wait = (selector, hasText) => page.locator(selector, { hasText }).first().waitFor({ timeout: 60000 });
  const quick = async (keys, text) => {
    await page.keyboard.press(keys);
    await page.locator('.quick-input-box input[type=text], .quick-input-filter .quick-input-box input').first().waitFor();
    await page.keyboard.type(text, { delay: 10 });
  };
  const run = async (title) => {
    await quick('F1', title);
    await wait('.quick-input-list .monaco-list-row.focused', title);
    await page.keyboard.press('Enter');
  };
  const open = async (name) => {
    await quick('Control+P', name);
    await wait('.quick-input-list .monaco-list-row.focused', name);
    await page.keyboard.press('Enter');
    await wait('.tab.active', name);
  };
  const line = async (number) => {
    await quick('Control+G', String(number));
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
  };
  const stoppedAt = (number) => wait('.debug-call-stack .stack-frame .line-number', new RegExp(`^${number}:`));
  let step = 0;
  const picture = async (name) => {
    step += 1;
    await page.waitForTimeout(400); // for the picture only: what moves comes to rest
    await page.screenshot({ path: path.join(pictures, `${String(step).padStart(2, '0')}-${name}.png`) });
    console.log(`${step} ${name}`);
  };

  await wait('.notification-toast', 'asldb cannot be started');
  await picture('missing');

  await page.locator('.notification-toast .monaco-button', { hasText: 'Install' }).click();
  await wait('.gettingStartedDetailsContent, .getting-started-step', 'Install the program');
  await picture('walkthrough');

  settings(asldb);
  await open('order.asl.json');
  for (const lens of ['Debug', 'Test', 'Explore', 'Graph']) await wait('.codelens-decoration a', lens);
  await picture('lenses');

  const target = place('ValidateOrder', '"Next"');
  await line(target);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft'); // before the quotation mark
  for (let i = 0; i < 2; i += 1) await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+Shift+M');
  await wait('.markers-panel .monaco-list-row', 'PaymentD');
  await picture('problems');
  await open('order.asl.json');
  await page.keyboard.press('Control+Z');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'PaymentD' }).first().waitFor({ state: 'detached', timeout: 60000 });

  const result = place('ChargeCard', '"ResultPath": "$.payment"');
  await line(result);
  await page.keyboard.press('F9');
  await wait('.codicon-debug-breakpoint', undefined);
  await picture('breakpoint');

  await run('asldb: Debug State Machine');
  await stoppedAt(result);
  await wait('.debug-variables .monaco-list-row', 'Data');
  await picture('stopped');

  await page.keyboard.press('F11');
  await page.locator('.debug-call-stack .stack-frame .line-number', { hasText: new RegExp(`^${result}:`) }).first().waitFor({ state: 'detached' });
  await picture('stepped');

  await page.locator('.debug-toolbar .codicon-debug-step-back').click();
  await stoppedAt(result);
  await picture('back');

  await page.keyboard.press('F5');
  await wait('.repl .monaco-list-row', 'SUCCEEDED');
  await picture('end');
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').first().waitFor({ state: 'hidden' });

  await run('Test: Run All Tests');
  await run('Testing: Focus on Test Explorer View');
  await wait('.test-explorer', outcomes());
  await picture('tests');
}

async function main() {
  assert.ok(fs.existsSync(entry), `${installed} has no code-server: scripts/editors/codeserver ${installed}`);
  execFileSync(asldb, ['demo', '--save', example]);
  execFileSync(process.execPath, [entry, ...flags, '--install-extension', vsix], { stdio: ['ignore', 'ignore', 'inherit'] });
  settings(path.join(work, 'none'));
  fs.mkdirSync(pictures, { recursive: true });
  const { server, address } = await serve();
  let browser;
  try {
    const executablePath = chromium.includes(path.sep) ? chromium : execFileSync('which', [chromium], { encoding: 'utf8' }).trim();
    browser = await browsers.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    try {
      await page.goto(`${address}/?folder=${encodeURIComponent(example)}`);
      await drive(page);
    } catch (error) {
      await page.screenshot({ path: path.join(pictures, 'failed.png') });
      throw error;
    }
  } finally {
    await browser?.close();
    server.removeAllListeners('exit');
    server.kill();
    fs.rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
