// User provisioning as a caller sees it: a service of its own, two accounts, and one function to call with.

import assert from 'node:assert/strict';
import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { grants } from '../../src/domain/access/account.ts';
import { writeCatalogue } from './catalogue.ts';
import type { Engine, TestStore } from './engines.ts';
import { exchange, headerOf } from './exchange.ts';
import { userSchema } from './schema-urns.ts';
import { createClient, type Service, tokenFor } from './service.ts';
import { startService, withStoreHere } from './service-here.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly baseUrl?: string;
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

export interface ProvisioningService {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly service: Service;
  /** Calls below /v1/scim with a token of account 1, unless another is given. */
  readonly call: Call;
  /** Of account 1. */
  readonly token: string;
  /** Of account 2, with the same grants. */
  readonly foreignToken: string;
  /** A token of account 1 with these grants alone. */
  tokenWith(grants: readonly string[]): Promise<string>;
  /** Another service on the same store. */
  another(): Promise<Service>;
  close(): Promise<void>;
}

export async function startProvisioning(
  engine: Engine,
  settings: Readonly<Record<string, string>> = {},
  /** Where it is about the process, such as its memory or its environment: startProcess. */
  start: (env: Readonly<Record<string, string>>) => Promise<Service> = startService,
): Promise<ProvisioningService> {
  const store = await engine.readyStore();
  const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...settings };
  const file = writeCatalogue({
    accounts: [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ],
  });
  const [own, foreign] = await withStoreHere(env, async (context) => {
    await applyFile(context, await readCatalogueFile(file, 'test'), false);
    return [
      await addApiClient(context, 1, 'test', grants),
      await addApiClient(context, 2, 'test', grants),
    ] as const;
  });
  const services = [await start(env)];
  const service = services[0]!;
  const token = await tokenFor(service.baseUrl, own);
  return {
    store,
    env,
    service,
    token,
    foreignToken: await tokenFor(service.baseUrl, foreign),
    call: (method, path, options = {}) => callUsers(service.baseUrl, token, method, path, options),
    tokenWith: async (granted) => tokenFor(service.baseUrl, await createClient(env, 1, granted)),
    async another() {
      const other = await start(env);
      services.push(other);
      return other;
    },
    async close() {
      await Promise.all(services.map((one) => one.stop()));
      await store.dispose();
    },
  };
}

export function callUsers(
  baseUrl: string,
  token: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  return callFace({ baseUrl, face: '/v1/scim', type: 'application/json', token }, method, path, options);
}

/** A face of user provisioning, and the type of the bodies that it is sent. */
interface Face {
  readonly baseUrl: string;
  readonly face: '/v1/scim' | '/scim/v2';
  readonly type: string;
  readonly token: string;
}

export async function callFace(
  { baseUrl, face, type, token }: Face,
  method: string,
  path: string,
  { body, headers = {}, ...options }: CallOptions,
): Promise<Answer> {
  const answer = await exchange(`${options.baseUrl ?? baseUrl}${face}${path}`, {
    method,
    headers: {
      accept: '*/*',
      authorization: `Bearer ${options.token ?? token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const get = (name: string): string | null => headerOf(answer.headers, name.toLowerCase()) ?? null;
  const isJson = (get('content-type') ?? '').includes('json') && answer.text !== '';
  return {
    status: answer.status,
    headers: { get },
    text: answer.text,
    get body() {
      return isJson ? answer.json : null;
    },
  };
}

/** A body that create and replace accept, with what the test is about. */
export function userBody(userName: string, rest: Readonly<Record<string, unknown>> = {}): object {
  return {
    schemas: [userSchema],
    userName,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `${userName.replaceAll(/[^a-z0-9]/gi, '')}@example.com`, type: 'work', primary: true }],
    meta: {},
    ...rest,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a user as JSON.
export async function create(call: Call, userName: string, rest: object = {}): Promise<any> {
  const answer = await call('POST', '/Users', { body: userBody(userName, { ...rest }) });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

export const patchBody = (...operations: readonly object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  operations,
});

export const addressPath = (address: string | number): string =>
  `/Users/${encodeURIComponent(String(address))}`;
