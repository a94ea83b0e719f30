// Commands: processor time from the start of the program to its end, against a bare program that only reads or copies the same bytes.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EngineName, engines } from '../../test/support/engines.ts';
import { manyAccounts, ndjsonOf } from '../../test/support/many-accounts.ts';
import type { Program } from '../../test/support/service.ts';
import { temporaryFile, temporaryFolder } from '../../test/support/temporary-file.ts';
import { feedbackCatalogue } from '../feedback-data.ts';
import { figureOf, type MeterFigure } from './meter.ts';
import { comeToRest, endedChildrenSeconds, processorSecondsOf } from './processor-time.ts';
import { commandOk, type StoreContent, type TreeStore } from './sides.ts';
import { leaveOut } from './trees.ts';
import { log } from './works-feedback.ts';

/** One run: what is typed on which store, and what a bare program does instead. */
interface CommandRun {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly bare: readonly string[];
  readonly bytes: number;
  tidy(): Promise<void> | void;
}

export interface Command {
  readonly name: string;
  readonly about: string;
  readonly engines: readonly EngineName[];
  readonly content: StoreContent;
  prepare(store: TreeStore, engine: EngineName): Promise<CommandRun>;
}

const accounts = 2_000;
const accountsText = `a catalogue of ${accounts.toLocaleString('en')} accounts with three measures each`;
const plain: StoreContent = { catalogue: feedbackCatalogue };
let catalogueFile: string | undefined;

async function prepareApply({ env }: TreeStore, engineName: EngineName): Promise<CommandRun> {
  catalogueFile ??= temporaryFile('many.ndjson', ndjsonOf(manyAccounts(accounts)));
  const store = await engines.find(({ name }) => name === engineName)!.newStore();
  return {
    words: ['apply', catalogueFile],
    env: { ...env, DATABASE_URL: store.databaseUrl },
    bare: ['read', catalogueFile],
    bytes: statSync(catalogueFile).size,
    tidy: () => store.dispose(),
  };
}

const apply: Command = {
  name: 'apply',
  about: `soundings apply of ${accountsText} to an empty store`,
  engines: ['sqlite', 'postgres'],
  content: plain,
  prepare: prepareApply,
};

const applyAgain: Command = {
  ...apply,
  name: 'apply-again',
  about: `soundings apply of ${accountsText} to a store that has them`,
  async prepare(store, engine) {
    const run = await prepareApply(store, engine);
    await commandOk(store.tree.program, run.words, run.env);
    return run;
  },
};

const backup: Command = {
  name: 'backup',
  about: 'soundings backup of a store with a log, copied and checked',
  // Elsewhere the server's own tools make it.
  engines: ['sqlite'],
  content: log,
  async prepare({ env }) {
    const folder = temporaryFolder('backup');
    const file = env.DATABASE_URL!.slice('sqlite:'.length);
    return {
      words: ['backup', join(folder, 'backup.db')],
      env,
      bare: ['copy', file, join(folder, 'copy.db')],
      bytes: statSync(file).size,
      tidy: () => rmSync(folder, { recursive: true }),
    };
  },
};

export const commands: readonly Command[] = [backup, apply, applyAgain];

const rounds = 7;
const bareProgram: Program = {
  command: [process.execPath, fileURLToPath(new URL('../bare-command.js', import.meta.url))],
  folder: process.cwd(),
};

interface CommandOrder {
  readonly engine: EngineName;
  readonly serverPid: number | null;
  readonly say: (line: string) => void;
}

/** In microseconds. */
interface CommandCost {
  readonly service: number;
  readonly withServer: number;
}

export async function meterCommand(
  command: Command,
  allStores: readonly TreeStore[],
  { engine, serverPid, say }: CommandOrder,
): Promise<readonly MeterFigure[]> {
  const runOnce = async (store: TreeStore): Promise<{ ours: CommandCost; floor: number; bytes: number }> => {
    const run = await command.prepare(store, engine);
    try {
      const floor = await costOf(bareProgram, run.bare, run.env, null);
      const ours = await costOf(store.tree.program, run.words, run.env, serverPid);
      return { ours, floor: floor.service, bytes: run.bytes };
    } finally {
      await run.tidy();
    }
  };
  // The first run brings files and compiled code into the caches, and says who can.
  const stores: TreeStore[] = [];
  for (const store of allStores)
    await runOnce(store).then(
      () => stores.push(store),
      (error: unknown) => leaveOut(store.tree, error, say),
    );
  const runs: (readonly Awaited<ReturnType<typeof runOnce>>[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [];
    for (const store of stores) turns.push(await runOnce(store));
    runs.push(turns);
  }
  const readings = serverPid === null ? (['service'] as const) : (['service', 'withServer'] as const);
  return stores.flatMap(({ tree: { name: side } }, index) =>
    readings.map((reading) =>
      figureOf(
        { work: command.name, engine, side, reading },
        runs.map((turns) => turns[index]!.ours[reading]),
        runs.map((turns) => turns[index]!.floor),
        { bytes: runs[0]![index]!.bytes },
      ),
    ),
  );
}

async function costOf(
  program: Program,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  serverPid: number | null,
): Promise<CommandCost> {
  const server = serverPid === null ? [] : [serverPid];
  await comeToRest(server);
  const serverSeconds = (): number => server.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const before = { own: endedChildrenSeconds(), server: serverSeconds() };
  await commandOk(program, words, env);
  const service = endedChildrenSeconds() - before.own;
  await comeToRest(server);
  return { service: service * 1e6, withServer: (service + serverSeconds() - before.server) * 1e6 };
}
