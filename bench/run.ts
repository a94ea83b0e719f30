// npm run bench: what the service costs, held against the least that this platform can do.
//
//   npm run bench                         everything, on SQLite; this takes an hour or more
//   npm run bench -- token start          these alone
//   npm run bench -- --engine postgres    on that engine (it starts a server of its own)
//   npm run bench -- slices --check       how long any request holds the event loop; more than 8 ms fails the run
//   npm run bench -- --against 0.2.0      this tree and a release, a commit or "package" in turn
//   npm run bench -- --check              a goal that is missed fails the run; with --against, a work that has become dearer
//   BENCH_ROWS=1000000 npm run bench -- page trend    with so many responses or users in the store
//
// The figures are printed as a table and kept as JSON in bench/results/.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type EngineName, engines } from '../test/support/engines.ts';
import { createPostgresServer, type PostgresServer } from '../test/support/postgres-server.ts';
import { comparisons, isMissed, measureByMeter, meterTable, subjects } from './meter/measure.ts';
import type { MeterFigure } from './meter/meter.ts';
import { type Tree, treeOf } from './meter/trees.ts';
import { measureSlices, type SliceFigure, sliceMaxMs, slicesTable } from './slices/slices.ts';

/** What is no work of the meter: held against a bound, not against a floor. */
const slicesName = 'slices';
const resultsFolder = fileURLToPath(new URL('./results/', import.meta.url));

interface Choice {
  readonly names: readonly string[];
  readonly against: readonly string[];
  readonly engines: readonly EngineName[];
  readonly isCheck: boolean;
  /** Of the slices, only those whose operation has a name that fits. */
  readonly only: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  const choice = readChoice(process.argv.slice(2));
  if (choice === null) usage();
  else await measure(choice);
} catch (error) {
  process.stderr.write(`npm run bench: ${error instanceof Error ? error.message : String(error)}\n`);
  end(1);
}

/** What starts services is shared with the tests, and Node's test runner would set a status of its own at the end. */
function end(status: number): never {
  process.exit(status);
}

async function measure(choice: Choice): Promise<void> {
  const machine = {
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    node: process.version,
  };
  const startedAt = new Date();
  say(`${machine.processor}, ${machine.cores} cores, ${machine.platform}, Node ${machine.node}.`);
  const against: Tree[] = [];
  for (const name of choice.against) against.push(await treeOf(name, say));
  const figures: MeterFigure[] = [];
  const slices: SliceFigure[] = [];
  for (const engine of choice.engines) {
    const server = engine === 'postgres' ? await startPostgres() : null;
    try {
      const serverPid = server?.pid ?? null;
      figures.push(...(await measureByMeter({ names: choice.names, engine, against, serverPid, say })));
      if (choice.names.includes(slicesName))
        slices.push(...(await measureSlices({ engine, only: choice.only, say })));
    } finally {
      await server?.dispose();
    }
  }
  const compared = comparisons(figures);
  if (figures.length > 0)
    say(['', meterTable(figures), '', ...compared.map(({ says }) => says), ''].join('\n'));
  if (slices.length > 0) say(`\n${slicesTable(slices)}\n`);
  const file = keep(
    { startedAt: startedAt.toISOString(), commit: commit(), machine, figures, slices },
    startedAt,
  );
  const missed = figures.filter(isMissed);
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  say(`${figures.length} figures in ${seconds} s, ${missed.length} goals missed; kept in ${file}.`);
  // Whoever holds a tree against others wants to know what has changed: a goal that both miss is no news.
  const isHeld = slices.some(({ ms }) => ms > sliceMaxMs);
  const isBad =
    isHeld || (against.length > 0 ? compared.some(({ isDearer }) => isDearer) : missed.length > 0);
  if (choice.isCheck && isBad) end(1);
}

function readChoice(args: readonly string[]): Choice | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true, default: ['sqlite'] },
      against: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', default: '' },
    },
  });
  if (values.help) return null;
  const all = [...subjects.map(({ name }) => name), slicesName];
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no work "${unknown}"; there are ${all.join(', ')}.`);
  return {
    names: positionals.length === 0 ? all : positionals,
    against: values.against,
    engines: values.engine.map(engineCalled),
    isCheck: values.check,
    only: values.only,
  };
}

function engineCalled(name: string): EngineName {
  const engine = engines.find((candidate) => candidate.name === name);
  if (engine !== undefined) return engine.name;
  throw new Error(
    `There is no engine "${name}"; there are ${engines.map((known) => known.name).join(' and ')}.`,
  );
}

function usage(): void {
  say(
    'npm run bench -- [NAME...] [--engine sqlite] [--engine postgres] [--against RELEASE|COMMIT|package]... [--only PATTERN] [--check]\n',
  );
  const width = Math.max(...subjects.map(({ name }) => name.length)) + 2;
  for (const { name, about } of subjects) say(`  ${name.padEnd(width)}${about}`);
  say(
    `  ${slicesName.padEnd(width)}the longest that any request holds the event loop (--only PATTERN: operations whose name fits)`,
  );
}

/** The server that DATABASE_URL_TEST names, else one of our own, gone at the end. */
async function startPostgres(): Promise<PostgresServer | null> {
  if (process.env.DATABASE_URL_TEST !== undefined) return null;
  say('Starting a PostgreSQL server ...');
  const server = await createPostgresServer();
  await server.start();
  process.env.DATABASE_URL_TEST = server.url;
  return server;
}

function keep(results: object, startedAt: Date): string {
  mkdirSync(resultsFolder, { recursive: true });
  const text = `${JSON.stringify(results, null, 2)}\n`;
  const name = `${startedAt.toISOString().replaceAll(':', '-').slice(0, 19)}.json`;
  writeFileSync(`${resultsFolder}${name}`, text);
  // The newest under a name that a script can know.
  writeFileSync(`${resultsFolder}latest.json`, text);
  return `bench/results/${name}`;
}

function commit(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return null;
  }
}
