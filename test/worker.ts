// A process that runs test files, one after the other, as the runner hands them out (run.ts). Whatever the files have in common is loaded
// once, and what is guarded in every test of every file is guarded here.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { type EngineName, runOnEngines } from './support/engines.ts';
import { processorSeconds } from './support/processor-time.ts';
import { enableRunnerHook } from './support/runner-hook.js';

export interface FileJob {
  /** For people. */
  readonly name: string;
  /** Its whole path. */
  readonly file: string;
  readonly engines: readonly EngineName[];
}

/** How the tests of a file ended. A test counts once, where it stands: suites only gather. */
export interface FileOutcome {
  /** By their names. */
  readonly passed: readonly string[];
  readonly failed: readonly FailedTest[];
  readonly skipped: number;
  /** What a person reads of it. */
  readonly report: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number | null;
  /** What still keeps the process alive: nobody else can be run in it. */
  readonly left: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  /** The beginning of it, for the end of a run, where the report is far away. */
  readonly reason: string;
}

type TestEvent = { readonly type: string; readonly data: ToldTest };

/** What the events of the runner say of a test; the types of Node do not know all of it. */
interface ToldTest {
  readonly name?: string;
  /** Of the suite that it stands in. */
  readonly classname?: string;
  readonly nesting?: number;
  readonly details?: {
    readonly type?: string | undefined;
    readonly error?: Error & { readonly failureType?: string };
  };
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
}

const guards = new URL('./support/guards.ts', import.meta.url).href;
const runnerHook = new URL('./support/runner-hook.js', import.meta.url).href;
const endOfFile = 'end of the file';
let jobs = 0;

async function runFile({ name, file, engines }: FileJob): Promise<FileOutcome> {
  const before = { wallMs: performance.now(), seconds: processorSeconds(), left: keptAlive() };
  runOnEngines(engines);
  const events = await eventsOf(name, file);
  const left = await leftOpen(before.left);
  if (left.length > 0) events.push(...failure(`keeps the process alive with ${left.join(', ')}`));
  const tests = events.filter(({ type, data }) => isOutcome(type) && (!isSuite(data) || isFailedHook(data)));
  const isSkipped = ({ data }: TestEvent): boolean => data.skip !== undefined || data.todo !== undefined;
  const ended = (type: string): TestEvent[] =>
    tests.filter((event) => event.type === type && !isSkipped(event));
  const nameOf = ({ data: { classname = '', name: test = '' } }: TestEvent): string => {
    // The suite of the file itself stands before all others.
    const suite = classname.slice(name.length).replace(/^\./, '');
    return suite === '' ? test : `${suite}: ${test}`;
  };
  const seconds = processorSeconds();
  return {
    passed: ended('test:pass').map(nameOf),
    failed: ended('test:fail').map((event) => ({ name: nameOf(event), reason: reasonOf(event.data) })),
    skipped: tests.filter(isSkipped).length,
    report: await reportOf(events),
    wallSeconds: (performance.now() - before.wallMs) / 1_000,
    processorSeconds: seconds === null || before.seconds === null ? null : seconds - before.seconds,
    left,
  };
}

const reasonMax = { lines: 4, characters: 200 };

function reasonOf({ details }: ToldTest): string {
  const error = details?.error;
  const cause = error?.cause ?? error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text
    .split('\n')
    .slice(0, reasonMax.lines)
    .map((line) => `    ${line.slice(0, reasonMax.characters)}`.trimEnd())
    .join('\n');
}

function isSuite({ details }: ToldTest): boolean {
  return details?.type === 'suite';
}

/** A suite that failed by itself, before or after its tests: none of them tells of it. */
function isFailedHook({ details }: ToldTest): boolean {
  return details?.error !== undefined && details.error.failureType !== 'subtestsFailed';
}

function isOutcome(type: string): boolean {
  return type === 'test:pass' || type === 'test:fail';
}

/**
 * Node's runner would read all files before it runs the first one, and its second run in a process tells of no end: so each file is
 * wrapped into a suite, which has an end, and a test of our own comes after it. A file may come a second time, on another engine.
 */
async function eventsOf(name: string, file: string): Promise<TestEvent[]> {
  jobs += 1;
  const wrapper = join(tmpdir(), 'wrappers', `${process.pid}-${jobs}.mjs`);
  writeFileSync(
    wrapper,
    `import { describe, test } from 'node:test';
import { disableRunnerHook } from ${JSON.stringify(runnerHook)};
import { guardTests } from ${JSON.stringify(guards)};
describe(${JSON.stringify(name)}, async () => {
  guardTests();
  try { await import(${JSON.stringify(`${pathToFileURL(file).href}?${jobs}`)}); }
  catch (error) { test('the file is read', () => { throw error; }); }
  disableRunnerHook();
});
test(${JSON.stringify(endOfFile)}, () => {});
`,
  );
  const events: TestEvent[] = [];
  enableRunnerHook();
  await new Promise<void>((resolve) =>
    run({ files: [wrapper], isolation: 'none' }).on('data', (event: TestEvent) => {
      const { type, data } = event;
      const isEnd = data.name === endOfFile && data.nesting === 0;
      if (!isEnd) events.push(event);
      // The wrapper is told of by its own name where it cannot be read, as when a guard refuses to be loaded.
      if (isOutcome(type) && (isEnd || data.name === wrapper)) resolve();
    }),
  );
  return events;
}

async function reportOf(events: readonly TestEvent[]): Promise<string> {
  let text = '';
  for await (const piece of Readable.from(events).compose(spec())) text += String(piece);
  return text;
}

/** A test of our own that failed. */
function failure(message: string): readonly TestEvent[] {
  const error = new Error(message);
  const details = { type: 'test', duration_ms: 0, error };
  const data = { name: 'leaves nothing open', nesting: 0, testNumber: 0, details };
  return [{ type: 'test:fail', data }];
}

/** What a file has left open has this many looks to be closed; each lets the process do all that it has to do. */
const looks = 200;
const lookMs = 50;

async function leftOpen(before: readonly string[]): Promise<readonly string[]> {
  for (let look = 0; ; look += 1) {
    const left = keptAlive();
    for (const known of before) {
      const at = left.indexOf(known);
      if (at >= 0) left.splice(at, 1);
    }
    if (left.length === 0 || look === looks) return left;
    await new Promise((resume) => setTimeout(resume, lookMs));
  }
}

function keptAlive(): string[] {
  return process.getActiveResourcesInfo();
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
process.on('message', (job: FileJob) => {
  void runFile(job).then((outcome) => process.send!(outcome));
});
// Whoever is told to end in the middle of a test tidies up what it has begun (at-exit.ts).
process.once('disconnect', () => process.exit(1));
process.send!('ready');
