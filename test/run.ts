// npm test: looks at types and style, starts PostgreSQL once, finds a browser, runs every test on Node's own runner,
// and says what it does. Files may be named as arguments, which leaves types and style out; --long adds those under
// test/long, --tools runs those of test/tools alone, as far as their programs are there. A file that failed beside others is run
// once more, alone, and the end says so. Everything temporary lies in one folder that goes with the run, however it ends.

import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { faultyStatements, loadParser } from './support/account-statements.ts';
import { findBrowser } from './support/browser.ts';
import { findTool } from './support/find-tool.ts';
import { processorSeconds } from './support/note-time.js';
import { packProgram } from './support/packed-program.ts';
import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts';
import { runFolderParent } from './support/run-folder.ts';
import { makeTemplates } from './support/template-stores.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
// Long files first and short ones last, so that none is left to run alone at the end.
const patterns = [
  'test/faults/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/client/**/*.test.ts',
  'test/*.test.ts',
  'test/http/**/*.test.ts',
  'test/{store,scim}/**/*.test.ts',
  'src/**/*.test.ts',
];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const isLong = args.includes('--long');
const isTools = args.includes('--tools');
// Some files live longer then (D-702).
if (isLong) process.env.TEST_LONG = 'yes';
const fileTimeoutMs = (isLong ? 240 : 20) * 60_000;
// What fails because of the machine is rare: more files than these have another reason (D-404). A run has 90 minutes where it
// decides on a change, and these begin only while they must end within them.
const againFilesMax = 6;
const againTimeoutMs = (isLong ? 240 : 15) * 60_000;
const againUntilMs = (isLong ? 240 : 55) * 60_000;
/** Few files start the program as it stands; for many it is worth seconds to pack it (D-405). */
const packedFrom = 10;
const wanted =
  named.length > 0
    ? named
    : isTools
      ? toolFiles()
      : isLong
        ? ['test/long/**/*.test.ts', ...patterns]
        : patterns;
const files = [...new Set(wanted.flatMap((pattern) => globSync(pattern, { cwd: root })))];
if (files.length === 0)
  fail(isTools ? 'None of the tools is here.' : `No test file matches ${named.join(' ')}.`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
// What promises an answer within seconds while something is broken mostly waits: two of those run at once, and nothing else. What
// measures how long answers take under load runs alone: beside another file it would measure that (D-703).
const isTimed = (file: string): boolean => /[/\\]timed[/\\]/.test(file);
const isAlone = (file: string): boolean => /[/\\]alone[/\\]/.test(file);
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(join(runFolderParent(), 'soundings-run-'));
// PostgreSQL may run as another user, who must reach its own folder in this one.
chmodSync(folder, 0o711);
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;

// Every file is a process that loads much of the program: what Node has made of its modules is kept for the next one.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'node-compile-cache');

// What the services and commands of the tests say to PostgreSQL is looked through at the end.
const statements = join(folder, 'statements');
mkdirSync(statements);
process.env.TEST_STATEMENTS_FOLDER = statements;

// What each file takes is told at the end.
const times = join(folder, 'times');
mkdirSync(times);
process.env.TEST_TIMES_FOLDER = times;
const slowestShown = 15;

let server: PostgresServer | null = null;
let disposeTemplates = async (): Promise<void> => {};
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // More than once: a terminal tells everybody, and npm tells us again.
  process.on(signal, () => {
    if (!stopping.signal.aborted) say(`Stopped by ${signal}.`);
    stopping.abort();
  });
}
const startedAtMs = performance.now();
try {
  if (named.length === 0 && !isTools) {
    await runStep('types', 'tsc', ['--noEmit']);
    await runStep('types of the console', 'tsc', ['--noEmit', '-p', 'console']);
    await runStep('types of the pages', 'tsc', ['--noEmit', '-p', 'pages']);
    await runStep('types of the client', 'tsc', ['--noEmit', '-p', 'client']);
    await runStep('style', 'biome', ['check', '--error-on-warnings']);
  }
  if (process.env.DATABASE_URL_TEST === undefined) {
    say('Starting a PostgreSQL server for the tests ...');
    server = await createPostgresServer({ isSynced: false });
    await server.start();
    process.env.DATABASE_URL_TEST = server.url;
  } else say('Using the PostgreSQL server that DATABASE_URL_TEST names.');
  if (files.some((file) => file.includes('browser'))) {
    process.env.CHROME_PATH = await findBrowser(say);
    say(`Using the browser ${process.env.CHROME_PATH}.`);
  }
  if (files.length >= packedFrom) process.env.TEST_PROGRAM = await packProgram(join(folder, 'program'));
  if (files.some((file) => !file.startsWith('src')))
    disposeTemplates = await makeTemplates(join(folder, 'template'));
  say(`Running ${files.length} test files, both engines ...`);
  // The others wait for processes and clocks often enough to leave room for one more than there are processors.
  const outcomes = new Map([
    ...(await runFiles(
      files.filter((file) => !isTimed(file) && !isAlone(file)),
      availableParallelism() + 1,
    )),
    ...(await runFiles(files.filter(isTimed), Math.min(2, availableParallelism()))),
    ...(await runFiles(files.filter(isAlone), 1)),
  ]);
  const unsteady = await runFailedAgain(outcomes);
  for (const { passed, failed, skipped } of outcomes.values()) {
    counts.passed += passed.length;
    counts.failed += failed.length;
    counts.skipped += skipped;
  }
  await checkStatements();
  for (const line of unsteady) say(line);
} catch (error) {
  counts.failed += 1;
  say(`npm test: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  await disposeTemplates().catch(() => {});
  await server?.dispose();
}

if (!stopping.signal.aborted) {
  // What belongs to the run: compiled code, which Node keeps for the next process, the packed program, and statements.
  const ownNames = ['node-compile-cache', 'program', 'statements', 'template', 'times'];
  const left = readdirSync(folder).filter((name) => !ownNames.includes(name) && !isOfBrowser(name));
  if (left.length > 0) {
    counts.failed += 1;
    say(`Temporary files were left behind: ${left.join(', ')}`);
  }
}
tellSlowest();
removeFolder();
if (stopping.signal.aborted) {
  // A service whose test was broken off ends after it, and keeps what Node has made of its modules: in this folder.
  await new Promise((resume) => setTimeout(resume, 1_000));
  removeFolder();
}

say(`Took ${Math.round((performance.now() - startedAtMs) / 1000)} s.`);
// A skipped test is a promise that nobody held, so it fails the run like a broken one.
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
const isGood = counts.passed > 0 && counts.failed === 0 && counts.skipped === 0 && !stopping.signal.aborted;
process.exit(isGood ? 0 : 1);

function removeFolder(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Chromium leaves one of its own files now and then, when it is closed at the moment at which it writes it. */
function isOfBrowser(name: string): boolean {
  return name.startsWith('.org.chromium.');
}

/** A program whose exit status is a promise like a test's; a failure stops nothing else. */
async function runStep(name: string, program: string, programArgs: readonly string[]): Promise<void> {
  if (stopping.signal.aborted) return;
  const child = spawn(process.execPath, [join(root, 'node_modules', '.bin', program), ...programArgs], {
    cwd: root,
    stdio: 'inherit',
  });
  const status = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  say(`${status === 0 ? '✔' : '✖'} ${name}`);
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

/** How the tests of one file ended. A test counts once, where it stands: suites only gather. */
interface Outcome {
  /** By their names. */
  readonly passed: string[];
  readonly failed: string[];
  skipped: number;
}

/** The outcome of each file, by its path. */
async function runFiles(
  chosen: readonly string[],
  concurrency: number,
  timeout = fileTimeoutMs,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  if (chosen.length === 0 || stopping.signal.aborted) return outcomes;
  const paths = chosen.map((file) => fileURLToPath(new URL(file, `file://${root}`)));
  for (const path of paths) outcomes.set(path, { passed: [], failed: [], skipped: 0 });
  const execArgv = ['note-time', 'packed-threads'].flatMap((name) => [
    '--import',
    new URL(`./support/${name}.js`, import.meta.url).href,
  ]);
  const stream = run({ files: paths, concurrency, timeout, signal: stopping.signal, execArgv });
  // A test may stand in a file of test/support: `entryFile` is the one that was run. A file that died is told as a test of itself.
  const outcomeOf = ({ file = '', entryFile = file }: ToldTest): Outcome => {
    const outcome = outcomes.get(entryFile) ?? { passed: [], failed: [], skipped: 0 };
    outcomes.set(entryFile, outcome);
    return outcome;
  };
  const note = (test: ToldTest, how: 'passed' | 'failed'): void => {
    if (test.details.type === 'suite') return;
    if (test.skip !== undefined || test.todo !== undefined) outcomeOf(test).skipped += 1;
    else
      outcomeOf(test)[how].push(test.classname === undefined ? test.name : `${test.classname}: ${test.name}`);
  };
  stream.on('test:pass', (test) => note(test, 'passed'));
  stream.on('test:fail', (test) => note(test, 'failed'));
  let summed: number | null = null;
  stream.on('test:summary', ({ file, counts: { tests } }) => {
    if (file === undefined) summed = tests;
  });
  await new Promise((resolve, reject) =>
    stream.compose(spec()).on('end', resolve).on('error', reject).pipe(process.stdout, { end: false }),
  );
  const counted = [...outcomes.values()].reduce(
    (sum, { passed, failed, skipped }) => sum + passed.length + failed.length + skipped,
    0,
  );
  if (summed !== counted && !stopping.signal.aborted)
    throw new Error(`Node's runner tells of ${summed} tests, of which ${counted} were counted.`);
  return outcomes;
}

/** What the events of the runner say of a test; the types of Node do not know all of it. */
interface ToldTest {
  readonly name: string;
  /** Of the suite that it stands in. */
  readonly classname?: string;
  readonly file?: string | undefined;
  readonly entryFile?: string;
  readonly details: { readonly type?: string | undefined };
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
}

/**
 * A machine with other work lets a test fail that is right, and so does a test that is wrong now and then: the few files that
 * failed are run once more, alone, and what they do then counts. What is returned tells of each that was not the same twice,
 * so that nobody overlooks it (D-404).
 */
async function runFailedAgain(outcomes: Map<string, Outcome>): Promise<readonly string[]> {
  const failed = [...outcomes].filter(([, outcome]) => outcome.failed.length > 0);
  // Whoever runs one file looks at it: there was nobody beside it.
  if (failed.length === 0 || outcomes.size === 1 || stopping.signal.aborted) return [];
  if (failed.length > againFilesMax)
    return [
      `${failed.length} files failed, and none was run again: more than ${againFilesMax} have another reason than the machine.`,
    ];
  const lines: string[] = [];
  for (const [path, first] of failed) {
    const name = relative(root, path);
    if (performance.now() - startedAtMs > againUntilMs) {
      lines.push(`${name} failed, and was not run again: the run has taken too long already.`);
      continue;
    }
    say(`Running ${name} once more, alone: it failed ...`);
    const second = (await runFiles([path], 1, againTimeoutMs)).get(path);
    if (second === undefined || stopping.signal.aborted) return lines;
    outcomes.set(path, second);
    const unsteadily = isAlone(name)
      ? 'failed once, passed the second time'
      : 'failed beside others, passed alone';
    for (const test of first.failed) {
      // A file that died and then did not has no test of that name.
      const hasPassed = second.passed.includes(test) || (test === path && second.failed.length === 0);
      lines.push(
        hasPassed && !second.failed.includes(test)
          ? `unsteady: ${unsteadily}: ${name}: ${test}`
          : `failed both times: ${name}: ${test}`,
      );
    }
    for (const test of second.failed)
      if (!first.failed.includes(test)) lines.push(`failed the second time: ${name}: ${test}`);
  }
  return ['', 'Files that failed and were run once more:', ...lines, ''];
}

interface FileTime {
  readonly file: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number | null;
}

/** Which files took longest: by processor time, which other work on the machine changes little, where it is counted. */
function tellSlowest(): void {
  if (files.length <= 1) return;
  const noted = readdirSync(times).flatMap((name): FileTime | readonly [] => {
    const text = readFileSync(join(times, name), 'utf8');
    // A process that ends while it writes its own leaves part of it.
    return text.endsWith('}') ? (JSON.parse(text) as FileTime) : [];
  });
  const costOf = ({ wallSeconds, processorSeconds }: FileTime): number => processorSeconds ?? wallSeconds;
  const shown = noted.sort((one, other) => costOf(other) - costOf(one)).slice(0, slowestShown);
  const rounded = (seconds: number | null): string =>
    (seconds === null ? '-' : seconds.toFixed(1)).padStart(8);
  say(`Slowest files: seconds, seconds of processors, without the PostgreSQL that all share [D-700]`);
  for (const { file, wallSeconds, processorSeconds } of shown)
    say(`${rounded(wallSeconds)}${rounded(processorSeconds)}  ${relative(root, file)}`);
  const sum = noted.reduce((total, time) => total + (time.processorSeconds ?? 0), 0);
  say(`${rounded(null)}${rounded(sum)}  all files`);
  say(`${rounded(null)}${rounded(processorSeconds())}  everything, with that PostgreSQL, types and style`);
}

/** A file of test/tools has the name of the program that it needs; what this machine lacks is said. */
function toolFiles(): string[] {
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
