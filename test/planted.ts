// npm run test:planted: whether the suite notices what somebody could do wrong. Each fault of planted-faults.ts is put into a copy of
// the tree, whose own runner then runs the test files that the fault names: every one of them must have a test that fails. Words as
// arguments choose the faults whose names contain one of them. --tree FOLDER puts them into another checkout, such as that of a
// release, where npm test has run before; what that one does not have is told and left out.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseAst } from 'rolldown/parseAst';
import { type PlantedFault, plantedFaults } from './planted-faults.ts';
import { atExit } from './support/at-exit.ts';
import { linkModules } from './support/packed-package.ts';
import { createPostgresServer } from './support/postgres-server.ts';
import { runFolderParent } from './support/run-folder.ts';
import { temporaryFolder } from './support/temporary-file.ts';

const { values, positionals: words } = parseArgs({
  options: { tree: { type: 'string' } },
  allowPositionals: true,
});
const tree = resolve(values.tree ?? fileURLToPath(new URL('../', import.meta.url)));
const isOtherTree = values.tree !== undefined;
const faults = plantedFaults.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const leftOut = new Set(['.git', 'data', 'node_modules', 'screenshots']);
/** A fault may let a test wait for ever. */
const runMs = 10 * 60_000;
/** What the runner itself tells of a file, and of tests that never began. */
const noTest = /^(the file is read|the file ends|leaves nothing open|.*\.test\.ts)$/;
const neverBegan = /test did not finish before its parent and was cancelled/;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const env: NodeJS.ProcessEnv = { ...process.env };
// What this process makes for a while lies where the runner has its own.
process.env.TMPDIR = runFolderParent();
const folder = temporaryFolder('planted');
const copy = join(folder, 'tree');
let running: ChildProcess | null = null;
atExit(() => running?.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const server = env.DATABASE_URL_TEST === undefined ? await createPostgresServer({ isSynced: false }) : null;
await server?.start();
env.DATABASE_URL_TEST ??= server!.url;
env.NODE_COMPILE_CACHE ??= join(folder, 'node-compile-cache');

const startedAtMs = performance.now();
const counts = { caught: 0, notCaught: 0, notThere: 0 };
for (const [at, fault] of faults.entries()) {
  const beganMs = performance.now();
  const outcome = await outcomeOf(fault);
  counts[outcome.kind] += 1;
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  const mark = outcome.kind === 'caught' ? '✔' : '✖';
  say(`${mark} ${at + 1}/${faults.length} ${fault.name}: ${outcome.words} (${seconds} s)`);
}
await server?.dispose();
say(`Took ${Math.round((performance.now() - startedAtMs) / 1_000)} s.`);
const absent = counts.notThere === 0 ? '' : `; ${counts.notThere} cannot be put into this tree`;
say(`${counts.caught} of ${counts.caught + counts.notCaught} faults were caught${absent}`);
const isGood = counts.caught > 0 && counts.notCaught === 0 && (isOtherTree || counts.notThere === 0);
process.exit(isGood ? 0 : 1);

interface Outcome {
  readonly kind: keyof typeof counts;
  readonly words: string;
}

async function outcomeOf(fault: PlantedFault): Promise<Outcome> {
  const { file, from, to, tests } = fault;
  const missing = [file, ...tests].find((path) => !existsSync(join(tree, path)));
  if (missing !== undefined) return { kind: 'notThere', words: `NOT THERE: ${missing}` };
  const parts = readFileSync(join(tree, file), 'utf8').split(from);
  if (parts.length !== 2)
    return { kind: 'notThere', words: `NOT THERE: ${file} has the text ${parts.length - 1} times` };
  const text = parts.join(to);
  // Throws where it cannot be read: every test would fail of that, and none would have noticed the fault.
  parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file);
  copyTree();
  writeFileSync(join(copy, file), text);
  const caughtBy: string[] = [];
  for (const test of tests) {
    const said = await run(test, fault);
    const [failed] = failedTests(said);
    const result = said.match(/^\d+ passed, .*$/m)?.[0] ?? 'no result';
    if (failed === undefined) return { kind: 'notCaught', words: `NOT CAUGHT by ${test}: ${result}` };
    caughtBy.push(`${test}: ${failed}`);
  }
  return { kind: 'caught', words: `caught by: ${caughtBy.join('; ')}` };
}

/** A new one for each fault: nothing that was built with another one is left in it. */
function copyTree(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of readdirSync(tree))
    if (!leftOut.has(name)) cpSync(join(tree, name), join(copy, name), { recursive: true });
  linkModules(tree, copy);
}

/** What the runner of the copy says. */
async function run(test: string, { pages }: PlantedFault): Promise<string> {
  const child = spawn(process.execPath, ['test/run.ts', test], {
    cwd: copy,
    env: pages === undefined ? env : { ...env, PAGES: pages },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: runMs,
  });
  running = child;
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await new Promise((settle) => child.once('close', settle).once('error', settle));
  running = null;
  return said;
}

/** The names of the tests that failed, from the end of Node's report; a suite that failed by its hooks is none. */
function failedTests(said: string): readonly string[] {
  return said
    .split('✖ failing tests:')
    .slice(1)
    .flatMap((report) => [...report.matchAll(/^✖ (.+) \([\d.]+ms\)\n(.*)$/gm)])
    .filter(([, name = '', reason = '']) => {
      const isSuite = said.includes(`▶ ${name}\n`);
      return !isSuite && !noTest.test(name) && !neverBegan.test(reason);
    })
    .map(([, name = '']) => name);
}
