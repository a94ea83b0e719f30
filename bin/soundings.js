#!/usr/bin/env node
// Hands over to the program on a Node that is new enough: the one that runs this, or the one that npm brought as a package of
// its own. Plain JavaScript, because the machine's own Node may be too old for anything else (D-651), and because a Node that begins
// with a file of types loads its stripper for that one, although what the others are without types is kept: 70 ms of a processor.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// A clone runs its files as they stand; a package has them bundled, and nothing else.
const files = join(root, 'src', 'main.ts');
const isClone = existsSync(files);
const program = isClone ? files : join(root, 'dist', 'program', 'main.mjs');

if (Number.parseInt(process.versions.node, 10) >= 26) {
  nodeModule.enableCompileCache();
  await import(pathToFileURL(program).href);
} else {
  const node = findNode();
  if (node === null) fail(`npm brought none for ${process.platform} on ${process.arch}.`);
  else runOn(node);
}

/** Inside the package that npm chose for this machine, wherever it has put it. */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const { resolve } = nodeModule.createRequire(import.meta.url);
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    try {
      const found = join(
        dirname(resolve(`${name}/package.json`)),
        'bin',
        `node${system === 'win' ? '.exe' : ''}`,
      );
      if (existsSync(found)) return found;
    } catch {
      // Not for this machine.
    }
  }
  return null;
}

function runOn(node) {
  const args = process.argv.slice(1);
  // Where a process can become another one, no second Node stays in memory, and signals have one place to go.
  if (process.execve !== undefined && process.platform !== 'win32')
    process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} cannot be started here: ${error.message}.`));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}

function fail(reason) {
  const remedy = isClone ? 'Run "npm ci" here first' : 'Install it again without "--omit=optional"';
  console.error(`soundings needs Node 26 or later, and ${reason} ${remedy}, or put Node 26 first in PATH.`);
  process.exit(1);
}
