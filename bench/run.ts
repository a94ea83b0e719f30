// npm run bench: what the service costs, held against the least that this platform can do.
//
//   npm run bench                         every bench, on SQLite, a few minutes
//   npm run bench -- token start          these alone
//   npm run bench -- --full               more rounds, longer ones, on both engines
//   npm run bench -- --engine postgres    on that engine (it starts a server of its own)
//   npm run bench -- --check              a goal that is missed, or a work that has become dearer, fails the run
//   npm run bench -- --against 0.2.0      the works of the meter, of this tree and of a release or commit in turn
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
import { ingestionGrowth, ingestionSpread } from './benches/ingestion.ts';
import { insight } from './benches/insight.ts';
import { longLog, longLogShuffled } from './benches/long-log.ts';
import { pages } from './benches/pages.ts';
import { retaining } from './benches/retention.ts';
import { scale } from './benches/scale.ts';
import { scim } from './benches/scim.ts';
import { startOfPackage } from './benches/start.ts';
import { surveyPage } from './benches/survey-page.ts';
import { surveyPaint } from './benches/survey-paint.ts';
import { users } from './benches/users.ts';
import { usersPeer } from './benches/users-peer.ts';
import { usersSearch } from './benches/users-search.ts';
import { usual } from './benches/usual.ts';
import { type EngineName, type Figure, isMet, tableOf } from './figures.ts';
import { describeMachine } from './machine.ts';
import { comparisons, measureByMeter, meteredNames, meterTable } from './meter/measure.ts';
import type { MeterFigure } from './meter/meter.ts';
import { type Tree, treeOf } from './meter/trees.ts';

const benches: readonly Bench[] = [
  consoleSession,
  consolePages,
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
  startOfPackage,
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
  /** Works of the meter, by their names. */
  readonly works: readonly string[];
  readonly against: readonly string[];
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

async function measure(choice: Choice): Promise<void> {
  const { works, benches: chosen, engines, mode, isCheck } = choice;
  const machine = describeMachine();
  const startedAt = new Date();
  say(
    `${machine.processor}, ${machine.cores} cores, ${machine.platform}, Node ${machine.node}; mode ${mode}.`,
  );
  const against: readonly Tree[] = choice.against.map((name) => treeOf(name, say));
  const figures: Figure[] = [];
  const metered: MeterFigure[] = [];
  for (const engine of engines) {
    const server = engine === 'postgres' ? await startPostgres() : null;
    try {
      const serverPid = server?.pid ?? null;
      metered.push(...(await measureByMeter({ names: works, engine, against, serverPid, say })));
      for (const bench of chosen.filter((candidate) => candidate.engines.includes(engine))) {
        say(`${bench.name} on ${engine}: ${bench.about} ...`);
        figures.push(...(await bench.run(engine, efforts[mode])));
      }
    } finally {
      await server?.dispose();
    }
  }
  if (figures.length > 0) say(`\n${tableOf(figures)}`);
  if (metered.length > 0) say(`\n${meterTable(metered)}`);
  const compared = comparisons(metered);
  say(['', ...compared.map(({ says }) => says), ''].join('\n'));
  const file = keep(
    { startedAt: startedAt.toISOString(), commit: commit(), mode, machine, figures, metered },
    startedAt,
  );
  const missed = figures.filter((figure) => !isMet(figure));
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  say(
    `${figures.length + metered.length} figures in ${seconds} s, ${missed.length} goals missed; kept in ${file}.`,
  );
  const dearer = compared.filter(({ isDearer }) => isDearer);
  if (isCheck && missed.length + dearer.length > 0) end(1);
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
      against: { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.help) return null;
  if (values.quick && values.full) throw new Error('--quick or --full, not both.');
  const mode = values.full ? 'full' : 'quick';
  // Whoever holds a tree against others wants to know what has become dearer; everything else takes much longer.
  const isAll = positionals.length === 0;
  return {
    works: isAll ? meteredNames : positionals.filter((name) => meteredNames.includes(name)),
    against: values.against,
    benches: isAll
      ? values.against.length > 0
        ? []
        : benches
      : positionals.filter((name) => !meteredNames.includes(name)).map(benchCalled),
    engines: values.engine?.map(engineCalled) ?? (mode === 'full' ? engineNames : ['sqlite']),
    mode,
    isCheck: values.check,
  };
}

function benchCalled(name: string): Bench {
  const bench = benches.find((candidate) => candidate.name === name);
  if (bench !== undefined) return bench;
  throw new Error(
    `There is no bench "${name}"; there are ${[...meteredNames, ...benches.map((known) => known.name)].join(', ')}.`,
  );
}

function engineCalled(name: string): EngineName {
  const engine = engineNames.find((candidate) => candidate === name);
  if (engine !== undefined) return engine;
  throw new Error(`There is no engine "${name}"; there are ${engineNames.join(' and ')}.`);
}

function usage(): void {
  say(
    'npm run bench -- [NAME...] [--quick | --full] [--engine sqlite] [--engine postgres] [--against COMMIT]... [--check]\n',
  );
  say(`By the meter: ${meteredNames.join(', ')}.`);
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
