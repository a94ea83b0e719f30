#!/usr/bin/env node
// Finds the Node that npm installed beside this file and hands over to src/main.ts. Plain JavaScript, because
// the machine's own Node may be too old for TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'src', 'main.ts');

if (Number.parseInt(process.versions.node, 10) >= 26) {
  process.argv[1] = program;
  await import(program);
} else {
  const suffix = process.platform === 'win32' ? '.cmd' : '';
  const node = join(root, 'node_modules', '.bin', `node${suffix}`);
  if (!existsSync(node)) {
    console.error('soundings needs Node 26, which npm brings: run "npm ci" here first.');
    process.exit(1);
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
