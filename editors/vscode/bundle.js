// Bundles the extension with its dependencies into dist/extension.js, and their licences into dist/LICENSES.txt. vsce runs it.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { buildSync } = require('esbuild');

const { metafile } = buildSync({
  entryPoints: [path.join(__dirname, 'extension.js')], outfile: path.join(__dirname, 'dist', 'extension.js'),
  absWorkingDir: __dirname, bundle: true, external: ['vscode'], format: 'cjs', platform: 'node', target: 'node18', minify: true, metafile: true,
});

const folders = new Set(Object.keys(metafile.inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean));
const texts = [...folders].sort().map((folder) => {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(__dirname, folder, 'package.json'), 'utf8'));
  const licence = fs.readdirSync(path.join(__dirname, folder)).find((file) => /^licen[cs]e/i.test(file));
  if (!licence) throw new Error(`${folder} has no licence file`);
  return `${name} ${version}\n\n${fs.readFileSync(path.join(__dirname, folder, licence), 'utf8').trim()}\n`;
});
fs.writeFileSync(path.join(__dirname, 'dist', 'LICENSES.txt'), texts.join('\n\n'));
