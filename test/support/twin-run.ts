// A sequence of random requests to both engines, and a look at all that is there when it is over.

import assert from 'node:assert/strict';
import { feedbackCatalogue } from './feedback-catalogue.ts';
import { type RandomRequest, RandomRequests } from './random-requests.ts';
import { seeded } from './seeded.ts';
import { Twins } from './twins.ts';

const population = 200;

/** Which statuses were answered to which kinds of request, and how often. */
export type Tally = ReadonlyMap<string, number>;

export async function playTwins(seed: number, count: number): Promise<Tally> {
  const twins = new Twins();
  const tally = new Map<string, number>();
  try {
    await twins.start();
    const requests = new RandomRequests(seeded(seed));
    for (let number = 0; number < count; number += 1) {
      const request = number < population ? requests.populate() : requests.next();
      try {
        const { status, text } = await twins.ask(request);
        requests.learn(request, status, text);
        const key = `${request.kind} ${status}`;
        tally.set(key, (tally.get(key) ?? 0) + 1);
      } catch (error) {
        throw new Error(`Request ${number} of seed ${seed}: ${described(request)}`, { cause: error });
      }
    }
    await compareEnd(twins);
  } finally {
    await twins.stop();
  }
  return tally;
}

/** Everything that can be read is read, page by page: the ends must be the same as well. */
async function compareEnd(twins: Twins): Promise<void> {
  const get = (path: string, as: RandomRequest['as'] = 'own') =>
    twins.ask({ kind: 'end', method: 'GET', path, headers: { accept: 'application/json' }, as });
  for (const as of ['own', 'foreign'] as const) {
    for (const type of ['/v1/scim/Users', '/scim/v2/Users', '/scim/v2/Groups']) {
      for (let start = 1, total = 1; start <= total; ) {
        const { body } = await get(`${type}?startIndex=${start}&count=200`, as);
        total = Number(body.totalResults);
        start += Math.max(1, Number(body.itemsPerPage));
      }
    }
    for (const path of ['/v1/measures', '/v1/projects']) await get(path, as);
  }
  const range = 'from=1990-01-01&to=2100-12-31';
  const [account] = feedbackCatalogue.accounts;
  for (const { key } of account!.measures) {
    for (let page = 0, hasMore = true; hasMore; page += 1)
      hasMore =
        (await get(`/v1/measures/${key}/data?${range}&limit=100&offset=${page}`)).body.hasMore === true;
  }
  for (const { id } of account!.projects) {
    for (let skip = 0, hasMore = true; hasMore; skip += 500)
      hasMore =
        (await get(`/v1/projects/${id}/data?${range}&limit=500&offset=${skip}`)).body.hasMore === true;
  }
}

function described({ method, path, as, headers, body }: RandomRequest): string {
  const shown =
    body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  return `${method} ${path} as ${as} ${JSON.stringify(headers)} ${shown}`;
}

const mattering = [
  'ingestion',
  'data page',
  'definition',
  'create user',
  'read user',
  'replace user',
  'patch user',
  'search users',
  'create group',
  'patch group',
  'bulk',
  'token',
];

/** Chance must not have missed what matters: requests that were taken, and requests that were refused. */
export function assertBroad(tally: Tally): void {
  const has = (kind: string, matches: (status: number) => boolean): boolean =>
    [...tally.keys()].some((key) => key.startsWith(`${kind} `) && matches(Number(key.split(' ').at(-1))));
  const missed = mattering.filter(
    (kind) => !has(kind, (status) => status < 300) || !has(kind, (status) => status >= 400),
  );
  assert.deepEqual(missed, []);
}
