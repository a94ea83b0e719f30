// npm run bench: what the service costs, held against the least that this platform can do.
//
//   npm run bench                         every bench, on SQLite, a few minutes
//   npm run bench -- token start          these alone
//   npm run bench -- --full               more rounds, longer ones, on both engines
//   npm run bench -- --engine postgres    on that engine (it starts a server of its own)
//   npm run bench -- --check              a goal that is missed fails the run
//
// The figures are printed as a table and kept as JSON in bench/results/.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPostgresServer, type PostgresServer } from '../test/support/postgres-server.ts';
import type { Bench, Effort } from './bench.ts';
import { applying } from './benches/apply.ts';
import { backingUp } from './benches/backup.ts';
import { changeFeed } from './benches/change-feed.ts';
import { consoleSession } from './benches/console.ts';
import { consolePages } from './benches/console-pages.ts';
import { exporting } from './benches/export.ts';
import { ingestion, ingestionGrowth, ingestionSpread } from './benches/ingestion.ts';
import { insight } from './benches/insight.ts';
import { longLog, longLogShuffled } from './benches/long-log.ts';
import { measures } from './benches/measures.ts';
import { memory } from './benches/memory.ts';
import { pages } from './benches/pages.ts';
import { retaining } from './benches/retention.ts';
import { scale } from './benches/scale.ts';
import { scim } from './benches/scim.ts';
import { start } from './benches/start.ts';
import { surveyPage } from './benches/survey-page.ts';
import { surveyPaint } from './benches/survey-paint.ts';
import { token } from './benches/token.ts';
import { users } from './benches/users.ts';
import { usersPeer } from './benches/users-peer.ts';
import { usersSearch } from './benches/users-search.ts';
import { usual } from './benches/usual.ts';
import { type EngineName, type Figure, isMet, tableOf } from './figures.ts';
import { describeMachine } from './machine.ts';

const benches: readonly Bench[] = [
  token,
  measures,
  consoleSession,
  consolePages,
  ingestion,
  ingestionGrowth,
  ingestionSpread,
  surveyPage,
  surveyPaint,
  pages,
  longLog,
  longLogShuffled,
  usual,
  exporting,
  changeFeed,
  insight,
  applying,
  backingUp,
  retaining,
  scale,
  users,
  usersPeer,
  usersSearch,
  scim,
  start,
  memory,
];
const engineNames: readonly EngineName[] = ['sqlite', 'postgres'];
const efforts: Readonly<Record<'quick' | 'full', Effort>> = {
  quick: {
    rounds: 9,
    warmUpMs: 4_000,
    measuredMs: 1_400,
    starts: 7,
    longLog: 1_000_000,
    insightLog: 200_000,
  },
  full: {
    rounds: 11,
    warmUpMs: 8_000,
    measuredMs: 6_000,
    starts: 21,
    longLog: 10_000_000,
    insightLog: 1_000_000,
  },
};
const resultsFolder = fileURLToPath(new URL('./results/', import.meta.url));

interface Choice {
  readonly benches: readonly Bench[];
  readonly engines: readonly EngineName[];
  readonly mode: keyof typeof efforts;
  readonly isCheck: boolean;
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

async function measure({ benches: chosen, engines, mode, isCheck }: Choice): Promise<void> {
  const machine = describeMachine();
  const startedAt = new Date();
  say(
    `${machine.processor}, ${machine.cores} cores, ${machine.platform}, Node ${machine.node}; mode ${mode}.`,
  );
  const figures: Figure[] = [];
  for (const engine of engines) {
    const server = engine === 'postgres' ? await startPostgres() : null;
    try {
      for (const bench of chosen.filter((candidate) => candidate.engines.includes(engine))) {
        say(`${bench.name} on ${engine}: ${bench.about} ...`);
        figures.push(...(await bench.run(engine, efforts[mode])));
      }
    } finally {
      await server?.dispose();
    }
  }
  say(`\n${tableOf(figures)}\n`);
  const file = keep(
    { startedAt: startedAt.toISOString(), commit: commit(), mode, machine, figures },
    startedAt,
  );
  const missed = figures.filter((figure) => !isMet(figure));
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  say(`${figures.length} figures in ${seconds} s, ${missed.length} goals missed; kept in ${file}.`);
  if (isCheck && missed.length > 0) end(1);
}

function readChoice(args: readonly string[]): Choice | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true },
    },
  });
  if (values.help) return null;
  if (values.quick && values.full) throw new Error('--quick or --full, not both.');
  const mode = values.full ? 'full' : 'quick';
  return {
    benches: positionals.length === 0 ? benches : positionals.map(benchCalled),
    engines: values.engine?.map(engineCalled) ?? (mode === 'full' ? engineNames : ['sqlite']),
    mode,
    isCheck: values.check,
  };
}

function benchCalled(name: string): Bench {
  const bench = benches.find((candidate) => candidate.name === name);
  if (bench !== undefined) return bench;
  throw new Error(`There is no bench "${name}"; there are ${benches.map((known) => known.name).join(', ')}.`);
}

function engineCalled(name: string): EngineName {
  const engine = engineNames.find((candidate) => candidate === name);
  if (engine !== undefined) return engine;
  throw new Error(`There is no engine "${name}"; there are ${engineNames.join(' and ')}.`);
}

function usage(): void {
  say('npm run bench -- [NAME...] [--quick | --full] [--engine sqlite] [--engine postgres] [--check]\n');
  const width = Math.max(...benches.map(({ name }) => name.length)) + 2;
  for (const { name, about } of benches) say(`  ${name.padEnd(width)}${about}`);
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
