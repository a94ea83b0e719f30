// Feedback over HTTP for tests: the real server on a real store and a real port, in the process of the test, so that
// the clock is the test's own and a catalogue is applied in milliseconds.

import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { type Grant, grants } from '../../src/domain/access/account.ts';
import { eraseResponse } from '../../src/store/erasure/erase.ts';
import { appendExternal } from '../../src/store/feedback/external-parameters.ts';
import { writeCatalogue } from './catalogue.ts';
import type { Engine } from './engines.ts';
import { type Answer, exchange } from './exchange.ts';
import { startMounted } from './mounted.ts';
import { tokenFor } from './service.ts';

export interface FeedbackService {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** The clock of the service; it stands still until a test sets it. */
  nowMs: number;
  /** Time passes: the clock moves on, and what is remembered grows older. */
  pass(ms: number): void;
  /** Every line of the log so far. */
  log(): string;
  /** From here on its log may hold errors with these codes; any other fails the test. */
  expectErrors(...codes: readonly string[]): void;
  /** Switches maintenance through the store, and waits until the service has heard of it. */
  setMaintenance(on: boolean): Promise<void>;
  /** Applies a catalogue and lets the time pass that replicas may take to see it. */
  apply(catalogue: object): Promise<void>;
  /** External parameters for responses that are kept: by response id, then by the name of the parameter. */
  addExternal(accountId: number, values: ExternalValues, isReplacing?: boolean): Promise<void>;
  /** Empties what a respondent said, as `soundings erase` does. */
  erase(accountId: number, responseId: string): Promise<void>;
  /** A token of an account, for some of the grants; for all of them unless narrowed. */
  token(accountId: number, granted?: readonly Grant[]): Promise<string>;
  get(path: string, token: string | null, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Posts a body to ingestion: an object as JSON, a text or bytes as they are. */
  post(
    body: object | string | Uint8Array,
    token: string | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  stop(): Promise<void>;
}

export type ExternalValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface FeedbackOptions {
  readonly catalogue: { readonly accounts: readonly { readonly id: number; readonly name: string }[] };
  readonly env?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
  /** Instead of a new store; left alone at the end. */
  readonly databaseUrl?: string;
}

// Longer than a replica may remember a definition (src/store/feedback/sources.ts).
const rememberedMs = 5_000;

export async function startFeedback(
  engine: Engine,
  { catalogue, env = {}, nowMs = Date.now(), databaseUrl }: FeedbackOptions,
): Promise<FeedbackService> {
  const clock = { nowMs, elapsedMs: 1_000 };
  const store =
    databaseUrl === undefined ? await engine.readyStore() : { databaseUrl, dispose: async () => {} };
  const mounted = await startMounted({
    databaseUrl: store.databaseUrl,
    // A busy machine is no dead store.
    env: { SOUNDINGS_STORE_TIMEOUT_MS: '10000', ...env },
    account: catalogue.accounts[0]!,
    now: () => clock.nowMs,
    elapsedMs: () => clock.elapsedMs,
  });
  const { baseUrl, context } = mounted;
  const pass = (ms: number): void => {
    clock.nowMs += ms;
    clock.elapsedMs += ms;
  };
  const apply = async (wanted: object): Promise<void> => {
    await applyFile(context, await readCatalogueFile(writeCatalogue(wanted), 'test'), false);
    pass(rememberedMs);
  };
  await apply(catalogue);
  const authorization = (token: string | null): Record<string, string> =>
    token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    baseUrl,
    databaseUrl: store.databaseUrl,
    get nowMs() {
      return clock.nowMs;
    },
    set nowMs(value) {
      clock.nowMs = value;
    },
    pass,
    log: mounted.log,
    expectErrors: mounted.expectErrors,
    setMaintenance: mounted.setMaintenance,
    apply,
    async addExternal(accountId, values, isReplacing) {
      const columns = [...new Set(Object.values(values).flatMap((row) => Object.keys(row)))].sort();
      const lines = Object.entries(values).map(([responseId, row], index) => ({
        line: index + 2,
        responseId,
        values: columns.map((column) => row[column] ?? ''),
      }));
      const order = { changeId: context.newId(), nowMs: clock.nowMs, actor: 'test' };
      const outcome = await context.db.write(appendExternal, {
        ...order,
        accountId,
        sourceId: null,
        isReplacing: isReplacing ?? false,
        columns,
        lines,
      });
      if (outcome.faults.length + outcome.skipped.length > 0) throw new Error(JSON.stringify(outcome));
    },
    async erase(accountId, responseId) {
      const order = {
        changeId: context.newId(),
        nowMs: clock.nowMs,
        actor: 'test',
      };
      const outcome = await context.db.write(eraseResponse, { ...order, accountId, responseId });
      if (outcome === 'unknown') throw new Error(`There is no response ${responseId}.`);
    },
    token: async (accountId, granted = grants) =>
      tokenFor(baseUrl, await addApiClient(context, accountId, 'test', granted)),
    get: (path, token, headers = {}) =>
      exchange(`${baseUrl}${path}`, {
        headers: { accept: 'application/json', ...authorization(token), ...headers },
      }),
    post: (body, token, headers = {}) =>
      exchange(`${baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization(token), ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    async stop() {
      await mounted.stop();
      await store.dispose();
    },
  };
}
