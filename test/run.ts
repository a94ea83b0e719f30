// npm test and npm run test:all: look at types and style, start PostgreSQL once, find a browser, and hand the files of the plan
// (plan.ts) to a few workers (worker.ts), longest first. Files may be named as arguments, which leaves types and style out; --long
// adds those under test/long, --tools runs those of test/tools alone, as far as their programs are there; --times tells at the end
// what each file took. Nothing is run again. Everything temporary lies in one folder that goes with the run, however it ends.

import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guessedSeconds, namedFile, type PlannedFile, plannedFiles } from './plan.ts';
import { faultyStatements, loadParser } from './support/account-statements.ts';
import { findBrowser } from './support/browser.ts';
import { findTool } from './support/find-tool.ts';
import { packProgram } from './support/packed-program.ts';
import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts';
import { processorSeconds } from './support/processor-time.ts';
import { runFolderParent } from './support/run-folder.ts';
import { makeTemplates } from './support/template-stores.ts';
import type { FileJob, FileOutcome } from './worker.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const isAll = args.includes('--all');
const isLong = args.includes('--long');
const isTools = args.includes('--tools');
// Some files live longer then (D-702).
if (isLong) process.env.TEST_LONG = 'yes';
/** Few files start the program as it stands; for many it is worth seconds to pack it (D-405). */
const packedFrom = 10;
/** A file hangs whose worker has used less than this of a processor in so long: a busy machine is no reason to end one. */
const hangs = { lookMs: 300_000, seconds: 0.3 };
/** A tenth of what a file costs is to collect what was only just made; with more room for it, that is done less often. */
const semiSpace = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const files = filesToRun();
if (files.length === 0)
  fail(isTools ? 'None of the tools is here.' : `No test file matches ${named.join(' ')}.`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const counts = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(join(runFolderParent(), 'soundings-run-'));
// PostgreSQL may run as another user, who must reach its own folder in this one.
chmodSync(folder, 0o711);
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;

// What Node has made of the modules is kept for the next process.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'node-compile-cache');

// What the services and commands of the tests say to PostgreSQL is looked through at the end.
const statements = join(folder, 'statements');
mkdirSync(statements);
mkdirSync(join(folder, 'wrappers'));
process.env.TEST_STATEMENTS_FOLDER = statements;

let server: PostgresServer | null = null;
let disposeTemplates = async (): Promise<void> => {};
const stopping = new AbortController();
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // More than once: a terminal tells everybody, and npm tells us again.
  process.on(signal, () => {
    if (!stopping.signal.aborted) say(`Stopped by ${signal}.`);
    stopping.abort();
    for (const child of children) child.kill('SIGTERM');
  });
}
const startedAtMs = performance.now();
const took = new Map<PlannedFile, FileOutcome>();
const timesFile = join(root, 'node_modules', '.test-times.json');
const lastTimes = readTimes();
const failedSteps: string[] = [];
const isWhole = named.length === 0 && !isTools && !isAll;
const steps = isWhole ? runSteps() : Promise.resolve();
try {
  if (process.env.DATABASE_URL_TEST === undefined) {
    say('Starting a PostgreSQL server for the tests ...');
    server = await createPostgresServer({ isSynced: false });
    await server.start();
    process.env.DATABASE_URL_TEST = server.url;
  } else say('Using the PostgreSQL server that DATABASE_URL_TEST names.');
  buildOnce();
  if (files.some(({ file }) => file.includes('browser'))) {
    process.env.CHROME_PATH = await findBrowser(say);
    say(`Using the browser ${process.env.CHROME_PATH}.`);
  }
  if (files.length >= packedFrom) process.env.TEST_PROGRAM = await packProgram(join(folder, 'program'));
  if (files.some(({ file }) => !file.startsWith('src')))
    disposeTemplates = await makeTemplates(join(folder, 'template'));
  say(`Running ${files.length} test files ...`);
  // The others wait for processes and clocks often enough to leave room for one more than there are processors.
  await runFiles(['shared', 'own'], availableParallelism() + 1);
  await runFiles(['timed'], Math.min(2, availableParallelism()));
  await runFiles(['alone'], 1);
  for (const { passed, failed, skipped } of took.values()) {
    counts.passed += passed.length;
    counts.failed += failed.length;
    counts.skipped += skipped;
  }
  await steps;
  await checkStatements();
} catch (error) {
  counts.failed += 1;
  say(`npm test: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  await disposeTemplates().catch(() => {});
  await server?.dispose();
}

if (!stopping.signal.aborted) {
  // What belongs to the run: compiled code, which Node keeps for the next process, the packed program, and statements.
  const ownNames = ['node-compile-cache', 'program', 'statements', 'template', 'wrappers'];
  const left = readdirSync(folder).filter((name) => !ownNames.includes(name) && !isOfBrowser(name));
  if (left.length > 0) {
    counts.failed += 1;
    say(`Temporary files were left behind: ${left.join(', ')}`);
  }
}
tellSlowest();
keepTimes();
removeFolder();
if (stopping.signal.aborted) {
  // A service whose test was broken off ends after it, and keeps what Node has made of its modules: in this folder.
  await new Promise((resume) => setTimeout(resume, 1_000));
  removeFolder();
}

const failures = [...took].flatMap(([planned, { failed }]) =>
  failed.length === 0
    ? []
    : [
        ...failed.map(({ name, reason }) => `✖ ${nameOf(planned)}: ${name}\n${reason}`),
        `  npm test -- ${planned.file}`,
      ],
);
failures.push(...failedSteps.flatMap((name) => [`✖ ${name}`, '  npm run check']));
if (failures.length > 0) say(`\nFailed:\n${failures.join('\n')}\n`);
say(`Took ${Math.round((performance.now() - startedAtMs) / 1000)} s.`);
// A skipped test is a promise that nobody held, so it fails the run like a broken one.
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
const isGood = counts.passed > 0 && counts.failed === 0 && counts.skipped === 0 && !stopping.signal.aborted;
process.exit(isGood ? 0 : 1);

function filesToRun(): readonly PlannedFile[] {
  if (named.length === 0 && !isTools) return plannedFiles(root, isLong ? 'long' : isAll ? 'all' : 'test');
  const wanted = isTools ? toolFiles() : named;
  return [...new Set(wanted.flatMap((pattern) => globSync(pattern, { cwd: root })))].map(namedFile);
}

/** Once for all files; a run within a test finds it built. */
function buildOnce(): void {
  if (process.env.TEST_WORKER !== undefined) return;
  execFileSync(process.execPath, ['scripts/install.js', '--build'], { cwd: root, stdio: 'inherit' });
}

function removeFolder(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Chromium leaves one of its own files now and then, when it is closed at the moment at which it writes it. */
function isOfBrowser(name: string): boolean {
  return name.startsWith('.org.chromium.');
}

/** Beside the first files, which leave room: types take one processor, and wait for nothing. */
async function runSteps(): Promise<void> {
  await runStep('types', 'tsc', ['-b', '.', 'console', 'pages', 'help', 'client']);
  await runStep('style', 'biome', ['check', '--error-on-warnings']);
}

/** A program whose exit status is a promise like a test's; a failure stops nothing else. */
async function runStep(name: string, program: string, programArgs: readonly string[]): Promise<void> {
  if (stopping.signal.aborted) return;
  const child = spawn(process.execPath, [join(root, 'node_modules', '.bin', program), ...programArgs], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const status = await new Promise((settle) => child.once('close', settle).once('error', settle));
  children.delete(child);
  if (status !== 0) failedSteps.push(name);
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  say(status === 0 ? `✔ ${name}` : `${said}✖ ${name}`);
}

/** Every statement on a table of accounts names its account, so that accounts can be spread over machines [D-222]. */
async function checkStatements(): Promise<void> {
  if (stopping.signal.aborted) return;
  await loadParser();
  const { checked, faults } = faultyStatements(statements);
  // Files that ask PostgreSQL nothing have nothing to show.
  if (checked === 0) return;
  for (const fault of faults) say(fault);
  counts[faults.length === 0 ? 'passed' : 'failed'] += 1;
  say(
    `${faults.length === 0 ? '✔' : '✖'} ${checked} kinds of statements name the account whose rows they use`,
  );
}

/** Those that are to run beside such, by so many workers, longest first. */
async function runFiles(kinds: readonly PlannedFile['beside'][], most: number): Promise<void> {
  const queue = files.filter(({ beside }) => kinds.includes(beside)).sort(longestFirst);
  const work = async (): Promise<void> => {
    let worker: TestWorker | null = null;
    for (let next = queue.shift(); next !== undefined && !stopping.signal.aborted; next = queue.shift()) {
      const isShared = next.beside === 'shared';
      if (!isShared) worker = await end(worker);
      worker ??= await startWorker();
      const outcome = await worker.run({ ...next, name: nameOf(next), file: resolve(root, next.file) });
      took.set(next, outcome);
      say(outcome.report);
      if (!isShared || outcome.left.length > 0) worker = await end(worker);
    }
    await end(worker);
  };
  await Promise.all(Array.from({ length: Math.min(most, queue.length) }, work));
}

async function end(worker: TestWorker | null): Promise<null> {
  await worker?.end();
  return null;
}

/** What took long the last time first; of what is new, what has most text or is known to be long. */
function longestFirst(one: PlannedFile, other: PlannedFile): number {
  return secondsOf(other) - secondsOf(one);
}

function secondsOf(planned: PlannedFile): number {
  return lastTimes[nameOf(planned)] ?? guessedSeconds(root, planned.file);
}

/** With its engine, where it is a half of a file. */
function nameOf({ file, engines }: PlannedFile): string {
  return engines.length === 1 ? `${file} (${engines[0]})` : file;
}

interface TestWorker {
  run(job: FileJob): Promise<FileOutcome>;
  end(): Promise<void>;
}

function preload(name: string): readonly string[] {
  return ['--import', new URL(`./support/${name}.js`, import.meta.url).href];
}

async function startWorker(): Promise<TestWorker> {
  const child = fork(new URL('./worker.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, TEST_WORKER: 'yes' },
    execArgv: [...semiSpace, ...['runner-hook', 'threads'].flatMap(preload)],
  });
  children.add(child);
  // Whoever has ended takes no more files; that is told as the end of the file.
  child.on('error', () => {});
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      // What several files say at a time is told with the report of each.
      if (files.length === 1) process.stdout.write(text);
      else said += text;
    });
  const closed = new Promise<void>((settle) =>
    child.once('exit', () => {
      children.delete(child);
      settle();
    }),
  );
  const answer = <T>(isIt: (message: unknown) => boolean): Promise<T | null> =>
    new Promise((settle) => {
      const listen = (message: unknown): void => {
        if (!isIt(message)) return;
        child.off('message', listen);
        settle(message as T);
      };
      child.on('message', listen);
      void closed.then(() => settle(null));
    });
  await answer((message) => message === 'ready');
  return {
    async run(job) {
      const beganMs = performance.now();
      const outcome = answer<FileOutcome>((message) => typeof message === 'object');
      child.send(job);
      const watch = endIfHanging(child);
      const died: FileOutcome = {
        passed: [],
        failed: [{ name: 'the file ends', reason: '' }],
        skipped: 0,
        report: 'The process ended in the midst of it.',
        wallSeconds: 0,
        processorSeconds: null,
        left: ['a process that has ended'],
      };
      const { report, ...rest } = (await outcome) ?? died;
      clearInterval(watch);
      const wallSeconds = (performance.now() - beganMs) / 1_000;
      const printed = said;
      said = '';
      return { ...rest, wallSeconds, report: `${printed}${report}` };
    },
    async end() {
      if (child.connected) child.disconnect();
      await closed;
    },
  };
}

function endIfHanging(child: ChildProcess): NodeJS.Timeout {
  let before = processorSeconds(child.pid);
  return setInterval(() => {
    const now = processorSeconds(child.pid);
    if (now !== null && before !== null && now - before < hangs.seconds) child.kill('SIGTERM');
    before = now;
  }, hangs.lookMs);
}

/** Which files took longest: by processor time, which other work on the machine changes little, where it is counted. */
function tellSlowest(): void {
  const all = [...took].map(([planned, outcome]) => ({ name: nameOf(planned), outcome }));
  if (all.length <= 1) return;
  const slowestShown = args.includes('--times') ? all.length : 15;
  const costOf = ({ outcome }: (typeof all)[number]): number =>
    outcome.processorSeconds ?? outcome.wallSeconds;
  const shown = all.toSorted((one, other) => costOf(other) - costOf(one)).slice(0, slowestShown);
  const rounded = (seconds: number | null): string =>
    (seconds === null ? '-' : seconds.toFixed(1)).padStart(8);
  say('Slowest files: seconds, seconds of processors, without the PostgreSQL that all share [D-700]');
  for (const { name, outcome } of shown)
    say(`${rounded(outcome.wallSeconds)}${rounded(outcome.processorSeconds)}  ${name}`);
  const areaOf = (name: string): string =>
    name
      .split('/')
      .slice(0, 2)
      .join('/')
      .replace(/[^/]*\.test\.ts.*/, '');
  const areas = Map.groupBy(all, ({ name }) => areaOf(name));
  for (const [area, ofArea] of [...areas].sort()) {
    const seconds = ofArea.reduce((total, { outcome }) => total + (outcome.processorSeconds ?? 0), 0);
    const tests = ofArea.reduce((total, { outcome }) => total + outcome.passed.length, 0);
    say(`${rounded(null)}${rounded(seconds)}  ${area}: ${ofArea.length} files, ${tests} tests passed`);
  }
  const sum = all.reduce((total, { outcome }) => total + (outcome.processorSeconds ?? 0), 0);
  say(`${rounded(null)}${rounded(sum)}  all files`);
  say(`${rounded(null)}${rounded(processorSeconds())}  everything, with that PostgreSQL, types and style`);
}

function readTimes(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

function keepTimes(): void {
  const now = Object.fromEntries(
    [...took].map(([planned, { wallSeconds }]) => [nameOf(planned), Math.round(wallSeconds * 10) / 10]),
  );
  try {
    writeFileSync(timesFile, JSON.stringify({ ...lastTimes, ...now }));
  } catch {
    // The next run does without.
  }
}

/** A file of test/tools has the name of the program that it needs; what this machine lacks is said. */
function toolFiles(): readonly string[] {
  const tools = globSync('test/tools/*.test.ts', { cwd: root }).map((file) => basename(file, '.test.ts'));
  const missing = tools.filter((tool) => findTool(tool) === null);
  if (missing.length > 0)
    process.stdout.write(`Not found on this machine, and so not tried: ${missing.join(', ')}.\n`);
  const found = tools.filter((tool) => !missing.includes(tool)).map((tool) => `test/tools/${tool}.test.ts`);
  // These need no tool but what the project brings.
  return [...found, 'test/tools/made/*.test.ts'];
}

function fail(message: string): never {
  process.stderr.write(`npm test: ${message}\n`);
  process.exit(1);
}
