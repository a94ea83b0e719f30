// npm run openapi: writes everything that is made from the code. With --check it changes nothing and fails when a
// file is stale, naming it.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, text] of await generatedFiles()) {
  let before = '';
  try {
    before = readFileSync(root + name, 'utf8');
  } catch {
    // It is written for the first time.
  }
  if (before === text) continue;
  stale.push(name);
  if (!isCheck) writeFileSync(root + name, text);
}
const verb = isCheck ? 'stale' : 'written';
process.stdout.write(
  stale.length === 0
    ? 'Everything generated is up to date.\n'
    : `${stale.map((name) => `${verb}: ${name}`).join('\n')}\n`,
);
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;
