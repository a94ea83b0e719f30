// Who is measured: the service of each tree on a store of its own, made and filled by that tree, all of them up at once.

import { writeCatalogue } from '../../test/support/catalogue.ts';
import { type EngineName, engines } from '../../test/support/engines.ts';
import {
  type ApiClientCredentials,
  type Program,
  soundings,
  startProcess,
  tokenFor,
} from '../../test/support/service.ts';
import { storeRows } from '../../test/support/store-rows.ts';
import { accountId } from '../feedback-data.ts';
import { comeToRest } from './processor-time.ts';
import type { Tree } from './trees.ts';

/** As shipped, but for the throttle: a bench asks more often than any caller may. */
const serviceSettings = { SOUNDINGS_THROTTLE: 'off' };

/** What a store holds before it is measured. */
export interface StoreContent {
  readonly catalogue: object;
  /** What is sent to the service of the side. */
  fill?(side: Side): Promise<void>;
}

/** A store that a tree has made by its own commands. */
export interface TreeStore {
  readonly tree: Tree;
  readonly env: Readonly<Record<string, string>>;
  readonly client: ApiClientCredentials;
  dispose(): Promise<void>;
}

export interface Side {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly client: ApiClientCredentials;
  readonly token: string;
  /** Runs a command of the tree on the store of the side; what it printed. */
  command(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

export async function prepareStore(
  tree: Tree,
  engineName: EngineName,
  { catalogue, fill }: StoreContent,
): Promise<TreeStore> {
  const engine = engines.find(({ name }) => name === engineName)!;
  const store = await engine.newStore();
  try {
    const env = { ...serviceSettings, DATABASE_URL: store.databaseUrl };
    await commandOk(tree.program, ['apply', writeCatalogue(catalogue)], env);
    const words = ['client', 'create', '--account', String(accountId), '--name', 'bench', '--json'];
    const client = JSON.parse(await commandOk(tree.program, words, env)) as ApiClientCredentials;
    const prepared = { tree, env, client, dispose: () => store.dispose() };
    if (fill === undefined) return prepared;
    const side = await startSide(prepared);
    try {
      await fill(side);
      while (!(await comeToRest([side.pid])));
    } finally {
      await side.stop();
    }
    // What a server does by itself after a while, so that its plans are those of a server that has run for a while.
    if (engineName === 'postgres') await storeRows(store.databaseUrl, 'analyze');
    return prepared;
  } catch (error) {
    await store.dispose();
    throw error;
  }
}

export async function startSide({ tree, env, client }: TreeStore): Promise<Side> {
  const { pid, baseUrl, stop } = await startProcess(env, [], tree.program);
  return {
    name: tree.name,
    pid,
    port: Number(new URL(baseUrl).port),
    client,
    token: await tokenFor(baseUrl, client),
    command: (...args) => commandOk(tree.program, args, env),
    stop: async () => void (await stop()),
  };
}

/** Runs a command to its end; what it printed. */
export async function commandOk(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, stdout, stderr } = await soundings(args, env, '', program);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}
