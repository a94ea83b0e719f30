// Who is measured: a bare server, and the service of each tree on a store of its own, all of them up at once and asked in turn.

import { writeCatalogue } from '../../test/support/catalogue.ts';
import { engines } from '../../test/support/engines.ts';
import {
  type ApiClientCredentials,
  type Program,
  type Service,
  soundings,
  startProcess,
  tokenFor,
} from '../../test/support/service.ts';
import type { EngineName } from '../figures.ts';
import { accountId, serviceSettings } from '../processes.ts';
import type { Tree } from './trees.ts';

export interface Side {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  readonly client: ApiClientCredentials;
  readonly token: string;
  stop(): Promise<void>;
}

/** A store that a tree has made by its own commands. */
export interface TreeStore {
  readonly env: Readonly<Record<string, string>>;
  readonly client: ApiClientCredentials;
  dispose(): Promise<void>;
}

export async function prepareStoreOf(
  { program }: Tree,
  engineName: EngineName,
  catalogue: object,
): Promise<TreeStore> {
  const engine = engines.find(({ name }) => name === engineName)!;
  const store = await engine.newStore();
  const env = { ...serviceSettings, DATABASE_URL: store.databaseUrl };
  await commandOk(program, ['apply', writeCatalogue(catalogue)], env);
  const words = ['client', 'create', '--account', String(accountId), '--name', 'bench', '--json'];
  const client = JSON.parse(await commandOk(program, words, env)) as ApiClientCredentials;
  return { env, client, dispose: () => store.dispose() };
}

export async function startSide(tree: Tree, engine: EngineName, catalogue: object): Promise<Side> {
  const store = await prepareStoreOf(tree, engine, catalogue);
  const service: Service = await startProcess(store.env, [], tree.program);
  const endWithUs = (): boolean => process.kill(service.pid, 'SIGKILL');
  process.on('exit', endWithUs);
  return {
    name: tree.name,
    pid: service.pid,
    port: Number(new URL(service.baseUrl).port),
    baseUrl: service.baseUrl,
    client: store.client,
    token: await tokenFor(service.baseUrl, store.client),
    async stop() {
      process.off('exit', endWithUs);
      await service.stop();
      await store.dispose();
    },
  };
}

async function commandOk(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, stdout, stderr } = await soundings(args, env, '', program);
  if (code !== 0) throw new Error(`soundings ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}
