// Stores as earlier releases left them: what is put into one before it is kept under test/fixtures/stores, and how it is
// brought back. A kept store is never made anew: it is the proof that what people have on their disks can be upgraded.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { schemaStatus } from '../../src/store/engine/migrate.ts';
import {
  functionsToSpread,
  spreadFunction,
  spreadTable,
  tablesToSpread,
} from '../../src/store/engine/postgres/citus.ts';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from './catalogue.ts';
import type { Engine, TestStore } from './engines.ts';
import { exchange } from './exchange.ts';
import { acme, feedbackCatalogue } from './feedback-catalogue.ts';
import { patient } from './open-db.ts';
import { callStandard, group, make, patchOf, standardUser } from './scim.ts';
import { type ApiClientCredentials, createClient, type Service, setUp, tokenFor } from './service.ts';
import type { Call } from './users.ts';

export const keptResponses = 300;
export const keptUsers = 40;

const folder = fileURLToPath(new URL('../fixtures/stores/', import.meta.url));

export interface KeptFiles {
  readonly sqlite: string;
  readonly postgres: string;
  readonly expected: string;
}

/** The files of the store that a release with this many steps left behind. */
export function keptFiles(step: number): KeptFiles {
  return filesOf(`schema-${step}`);
}

/** Those of the store with some of everything, by release. */
export function releaseFiles(release: string, engine: Engine['name']): KeptFiles {
  const files = filesOf(`release-${release}`);
  return { ...files, expected: files.expected.replace(/json$/, `${engine}.json`) };
}

function filesOf(name: string): KeptFiles {
  return {
    sqlite: `${folder}${name}.db.gz`,
    postgres: `${folder}${name}.sql`,
    expected: `${folder}${name}.json`,
  };
}

/** A store of an earlier release, as it would stand on somebody's machine. */
export async function restoreStore(
  engine: Engine,
  step: number,
  files: KeptFiles = keptFiles(step),
): Promise<TestStore> {
  const store = await engine.newStore();
  if (engine.name === 'sqlite') {
    const path = store.databaseUrl.slice('sqlite:'.length);
    writeFileSync(path, gunzipSync(readFileSync(files.sqlite)));
    return store;
  }
  const client = new pg.Client({ connectionString: store.databaseUrl });
  await client.connect();
  try {
    await client.query(readFileSync(files.postgres, 'utf8'));
  } finally {
    await client.end();
  }
  if (step >= firstSpreadStep) await spreadAsBefore(store);
  return store;
}

/** Where DATABASE_URL_TEST names a Citus, a release that knew of it had spread its tables; older ones are spread by the upgrade. */
const firstSpreadStep = 13;
async function spreadAsBefore({ databaseUrl }: TestStore): Promise<void> {
  const db = await openDb(databaseUrl, patient);
  try {
    // What kind of server it is, it says with the first answer.
    await schemaStatus(db);
    for (const spreading of await tablesToSpread(db)) await db.write(spreadTable, spreading);
    for (const name of await functionsToSpread(db)) await db.write(spreadFunction, { name });
  } finally {
    await db.close();
  }
}

export interface KeptView {
  readonly client: ApiClientCredentials;
  readonly seen: StoreView;
}

/** What callers see of the store, in a form that later releases show alike. */
export interface StoreView {
  readonly respondents: readonly string[];
  readonly scores: readonly (readonly [respondent: string, latent: string, score: number])[];
  readonly summary: readonly (readonly [latent: string, count: number, score: number])[];
  readonly entries: readonly string[];
  readonly users: readonly (readonly [userName: string, active: boolean, familyName: string])[];
  readonly groups: readonly (readonly [name: string, members: number])[];
}

/** Fills a new store with feedback, users and groups, through the interface alone. */
export async function fillStore(
  env: Readonly<Record<string, string>>,
  start: () => Promise<Service>,
): Promise<KeptView> {
  await setUp(['apply', writeCatalogue(feedbackCatalogue)], env);
  const client = await createClient(env, acme);
  const service = await start();
  const token = await tokenFor(service.baseUrl, client);
  for (let index = 0; index < keptResponses; index += 1) await post(service, token, measureResponse(index));
  for (let index = 0; index < 30; index += 1) await post(service, token, projectResponse(index));
  const call = standardOf(service, token);
  const ids: string[] = [];
  for (let index = 0; index < keptUsers; index += 1) {
    const name = { givenName: `Given ${index}`, familyName: `Family ${index % 7}` };
    const body = standardUser(
      `kept-${index}`,
      index % 2 === 0 ? { name, externalId: `x-${index}` } : { name },
    );
    ids.push((await make(call, '/Users', body)).id);
  }
  const patch = (path: string, operation: object): ReturnType<Call> =>
    call('PATCH', path, { body: patchOf(operation) });
  for (let index = 0; index < keptUsers; index += 5)
    await patch(`/Users/${ids[index]}`, { op: 'replace', path: 'active', value: false });
  for (let index = 1; index < keptUsers; index += 5)
    await patch(`/Users/${ids[index]}`, { op: 'replace', path: 'name.familyName', value: 'Renamed' });
  for (const id of ids.slice(-3)) assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
  await make(call, '/Groups', group('kept even', ids.filter((_, at) => at % 2 === 0).slice(0, 15)));
  await make(call, '/Groups', group('kept empty'));
  return { client, seen: await viewOf(service, token) };
}

export async function viewOf(service: Service, token: string): Promise<StoreView> {
  const call = standardOf(service, token);
  const respondents: Respondent[] = [];
  let summary: StoreView['summary'] = [];
  for (let page = 0, isMore = true; isMore; page += 1) {
    const query = `from=2025-05-01&to=2025-05-31&limit=100&offset=${page}`;
    const { body } = await read(service, token, `/v1/measures/700/data?${query}`);
    const { items, hasMore, summary: scores } = body as unknown as MeasurePage;
    respondents.push(...items);
    summary = scores.latentScores.map(({ id, count, score }) => [id, count, score]);
    isMore = hasMore;
  }
  const entries = await read(service, token, '/v1/projects/300/data?from=2025-05-01&to=2025-05-31&limit=100');
  const users = await call('GET', '/Users?sortBy=userName&count=200');
  const groups = await call('GET', '/Groups?sortBy=displayName');
  return {
    respondents: respondents.map(({ id }) => id),
    scores: respondents.flatMap(({ id, latentScores }) =>
      latentScores.flatMap((latent) =>
        latent.score === null ? [] : [[id, latent.id, latent.score] as const],
      ),
    ),
    summary,
    entries: (entries.body as unknown as { items: { id: string }[] }).items.map(({ id }) => id),
    users: users.body.Resources.map((user: KeptUser) => [user.userName, user.active, user.name.familyName]),
    groups: await Promise.all(
      groups.body.Resources.map(async ({ id, displayName }: { id: string; displayName: string }) => [
        displayName,
        (await call('GET', `/Groups/${id}`)).body.members.length,
      ]),
    ),
  };
}

interface Respondent {
  readonly id: string;
  readonly latentScores: readonly { readonly id: string; readonly score: number | null }[];
}

interface MeasurePage {
  readonly hasMore: boolean;
  readonly items: readonly Respondent[];
  readonly summary: {
    readonly latentScores: readonly { readonly id: string; readonly count: number; readonly score: number }[];
  };
}

interface KeptUser {
  readonly userName: string;
  readonly active: boolean;
  readonly name: { readonly familyName: string };
}

export function standardOf(service: Service, token: string): Call {
  return (method, path, options = {}) => callStandard(service.baseUrl, token, method, path, options);
}

export async function post(service: Service, token: string, body: object): Promise<void> {
  const answer = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, answer.text);
}

async function read(service: Service, token: string, path: string): ReturnType<typeof exchange> {
  const answer = await exchange(`${service.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** Of May 2025; every third one answers an older version of the survey. */
export function measureResponse(index: number): object {
  const isOlder = index % 3 === 2;
  return {
    surveyDefinitionId: isOlder ? 'acme-web-older' : 'acme-web',
    responseId: `m-${index}`,
    submissionTimestamp: `2025-05-${String((index % 31) + 1).padStart(2, '0')}T10:00:00Z`,
    url: `https://shop.example/${index}`,
    responses: {
      'Q-SAT-1': [String((index % 10) + 1)],
      'Q-FOUND': ['A-YES'],
      ...(isOlder ? { 'Q-PRICE': [String((index % 9) + 1)] } : { 'Q-LOOK-2': [String((index % 5) + 1)] }),
    },
    cpps: { metrics: { cart_value: index } },
  };
}

function projectResponse(index: number): object {
  return {
    surveyDefinitionId: 'acme-badge',
    responseId: `p-${index}`,
    submissionTimestamp: `2025-05-${String(index + 1).padStart(2, '0')}T12:00:00Z`,
    responses: { 'Q-STARS': [String((index % 5) + 1)], 'Q-WORDS': [`words ${index}`] },
  };
}
