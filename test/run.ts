// npm test: starts PostgreSQL once, finds a browser, runs every test on Node's own runner, and says what it does.
// Files may be named as arguments; --long adds those under test/long.

import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './support/browser.ts';
import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const patterns = ['src/**/*.test.ts', 'test/*.test.ts', 'test/{store,http,cli,browser,faults}/**/*.test.ts'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const isLong = args.includes('--long');
const fileTimeoutMs = (isLong ? 240 : 20) * 60_000;
const files = globSync(
  named.length > 0 ? named : isLong ? [...patterns, 'test/long/**/*.test.ts'] : patterns,
  { cwd: root },
);
if (files.length === 0) fail(`No test file matches ${named.join(' ')}.`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
let server: PostgresServer | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void (server?.dispose() ?? Promise.resolve()).finally(() => process.exit(1)));
}
try {
  if (process.env.DATABASE_URL_TEST === undefined) {
    say('Starting a PostgreSQL server for the tests ...');
    server = await createPostgresServer();
    await server.start();
    process.env.DATABASE_URL_TEST = server.url;
  } else say('Using the PostgreSQL server that DATABASE_URL_TEST names.');
  if (files.some((file) => file.includes('browser'))) {
    process.env.CHROME_PATH = await findBrowser(say);
    say(`Using the browser ${process.env.CHROME_PATH}.`);
  }
} catch (error) {
  await server?.dispose();
  fail(error instanceof Error ? error.message : String(error));
}

say(`Running ${files.length} test files, both engines ...`);
const startedAtMs = performance.now();
const counts = { passed: 0, failed: 0, skipped: 0 };
// What promises an answer within seconds while something is broken runs alone: beside another file it would measure that.
const isFault = (file: string): boolean => /[/\\]faults[/\\]/.test(file);
await runFiles(
  files.filter((file) => !isFault(file)),
  Math.max(2, availableParallelism()),
);
await runFiles(files.filter(isFault), 1);
await server?.dispose();

say(`Took ${Math.round((performance.now() - startedAtMs) / 1000)} s.`);
// A skipped test is a promise that nobody held, so it fails the run like a broken one.
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.passed > 0 && counts.failed === 0 && counts.skipped === 0 ? 0 : 1);

async function runFiles(chosen: readonly string[], concurrency: number): Promise<void> {
  if (chosen.length === 0) return;
  const stream = run({
    files: chosen.map((file) => fileURLToPath(new URL(file, `file://${root}`))),
    concurrency,
    timeout: fileTimeoutMs,
  });
  // A test counts once, where it stands: suites and files only gather.
  stream.on('test:summary', ({ file, counts: summary }) => {
    if (file !== undefined) return;
    counts.passed += summary.passed;
    counts.failed += summary.tests - summary.passed - summary.skipped - summary.todo;
    counts.skipped += summary.skipped + summary.todo;
  });
  await new Promise((resolve, reject) =>
    stream.compose(spec()).on('end', resolve).on('error', reject).pipe(process.stdout, { end: false }),
  );
}

function fail(message: string): never {
  process.stderr.write(`npm test: ${message}\n`);
  process.exit(1);
}
