// One account does the worst that a caller can do: the largest, the slowest, the most. Another account's requests and
// the health checks are answered in time all the while, on old and on new connections, and memory stays bounded. With fewer
// users in every run, and with as many as an account may have in test/long (D-702).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { writeCatalogue } from './catalogue.ts';
import type { Engine, TestStore } from './engines.ts';
import { type Answer, exchange } from './exchange.ts';
import { populate } from './many-users.ts';
import { neighbourIsServedWhile } from './neighbour.ts';
import { addClients, tokenAside } from './quick-clients.ts';
import { groupSchema, patchSchema } from './schema-urns.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from './service.ts';

const loud = 4001;
const quiet = 4002;
const groupsOfEach = 300;
const usersOfPage = 200;
const surveys = 60;
// A test of being held up must not be held up itself.
const patience = { timeout: 900_000 };

const survey = (id: string) => ({
  id,
  modelInstanceId: `model-${id}`,
  current: true,
  public: true,
  questions: [{ id: 'Q-TEXT', name: 'Why?', responseType: 'TEXT_AREA' }],
});

const catalogue = {
  accounts: [
    {
      id: loud,
      name: 'Loud',
      measures: [
        {
          key: 50,
          name: 'Measure',
          surveys: [
            { ...survey('loud-measure'), parameters: { external: [{ id: 'EPP-TIER', name: 'tier' }] } },
          ],
        },
      ],
      projects: Array.from({ length: surveys }, (_, index) => ({
        id: 3000 + index,
        name: `Project ${index}`,
        status: 'ACTIVE',
        surveys: [survey(`loud-${index}`)],
      })),
    },
    {
      id: quiet,
      name: 'Quiet',
      measures: Array.from({ length: 20 }, (_, index) => ({ key: 100 + index, name: `Measure ${index}` })),
    },
  ],
};

/** How much noise: all users are members of one group, and each kind of noise is made so many times. */
export interface Noise {
  readonly users: number;
  readonly times: 1 | 2;
}

/** What neighbours are promised on one engine, as the tests of a suite. */
export function neighboursAreServed(engine: Engine, { users, times }: Noise): void {
  describe(`an account of ${users} users`, patience, () => {
    let store: TestStore;
    let service: Service;
    let loudToken: string;
    let quietToken: string;

    before(async () => {
      ({ store, service, loudToken, quietToken } = await prepare(engine, users));
    }, patience);

    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const served = (work: () => Promise<void>): Promise<void> =>
      neighbourIsServedWhile(service, quietToken, work);
    const ask = (path: string): Promise<number> => drained(`${service.baseUrl}${path}`, loudToken);
    const send = (method: string, path: string, body: object): Promise<Answer> =>
      exchange(`${service.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${loudToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    it('are served while nobody is noisy, so that the measurement itself is known to be quick [D-403]', () =>
      served(() => setTimeout(1_500)));

    // What never reaches a store is the same on both engines: in every run it is tried on one of them (D-702).
    const ofService = (promise: string, hold: () => Promise<void>): void => {
      if (times > 1 || engine.name === 'sqlite') it(promise, hold);
    };

    ofService(
      'are late when the service stands still a few times, so that the measurement is known to notice [D-403]',
      () =>
        assert.rejects(
          served(async () => {
            for (let time = 0; time < 5; time += 1) {
              process.kill(service.pid, 'SIGSTOP');
              await setTimeout(500);
              process.kill(service.pid, 'SIGCONT');
              await setTimeout(100);
            }
          }),
          /answers took longer than|answers were measured/,
        ),
    );

    it('are served while responses as large as they may be are posted, and their pages read', () =>
      served(async () => {
        const posted = await allAtOnce(8, 96, () => send('POST', '/v1/surveys/ingestion', largestResponse()));
        assert.deepEqual(new Set(posted.map(({ status }) => status)), new Set([200]));
        const today = new Date().toISOString().slice(0, 10);
        const page = `/v1/projects/3000/data?from=${today}&to=${today}&limit=1000`;
        assert.deepEqual(await allAtOnce(4, 8, () => ask(page)), Array(8).fill(200));
      }));

    it('are served while the same responses are exported in every format, two files at a time', () =>
      served(async () => {
        const today = new Date().toISOString().slice(0, 10);
        const formats = ['ndjson', 'csv', 'parquet'];
        const statuses = await allAtOnce(2, 6, (index) =>
          ask(`/v1/projects/3000/export?from=${today}&to=${today}&format=${formats[index % 3]}`),
        );
        assert.deepEqual(statuses, Array(6).fill(200));
      }));

    it('are served while a hundred scans at once look through the same responses, for parts of their texts [D-492]', () =>
      served(async () => {
        const today = new Date().toISOString().slice(0, 10);
        const filter = encodeURIComponent('contains,question:Q-TEXT,nirgends;not,cpp:basket,größer');
        const by = ['question:Q-TEXT', 'page', 'weekday', 'cpp:basket'];
        const statuses = await allAtOnce(100, 300, (index) =>
          ask(
            `/v1/projects/3000/breakdown?from=${today}&to=${today}&by=${by[index % by.length]}&filter=${filter}`,
          ),
        );
        for (const status of statuses) assert.ok([200, 429].includes(status), String(status));
        assert.ok(statuses.includes(200));
      }));

    it('are served while a page is asked for by many who do not read it', () =>
      served(async () => {
        const today = new Date().toISOString().slice(0, 10);
        const path = `/v1/projects/3000/data?from=${today}&to=${today}&limit=1000`;
        const readers = await Promise.all(
          Array.from({ length: 200 }, () => opened(service, request('GET', path, loudToken))),
        );
        await setTimeout(4_000);
        for (const reader of readers) reader.destroy();
      }));

    it('are served while filters and orders that no index leads are asked for, ten at once', () =>
      served(async () => {
        const filters = [
          'phoneNumbers.value co "4711"',
          'name.familyName co "e"',
          'not (userName sw "user.1")',
          'emails[type eq "work" and value co "77"]',
          'title pr or nickName eq "x"',
        ];
        const paths = filters.map((filter) => `/scim/v2/Users?count=10&filter=${encodeURIComponent(filter)}`);
        paths.push('/scim/v2/Users?count=10&sortBy=phoneNumbers.value', '/scim/v2/Users?sortBy=title');
        const statuses = await allAtOnce(10, 15 * times, (index) => ask(paths[index % paths.length]!));
        for (const status of statuses) assert.ok([200, 400, 429, 503].includes(status), String(status));
        assert.ok(statuses.includes(200));
      }));

    it('are served while members of a large group are removed by a thousand conditions', () =>
      served(async () => {
        const found = await exchange(
          `${service.baseUrl}/scim/v2/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Everybody"')}`,
          { headers: { authorization: `Bearer ${loudToken}` } },
        );
        const [group] = (found.body as { Resources: { id: string }[] }).Resources;
        const Operations = Array.from({ length: 1_000 }, (_, index) => ({
          op: 'remove',
          path: `members[display co "nobody-${index}" and type eq "User" and value co "x${'9'.repeat(700)}"]`,
        }));
        const answers = await allAtOnce(2, 4 * times, () =>
          send('PATCH', `/scim/v2/Groups/${group!.id}`, { schemas: [patchSchema], Operations }),
        );
        for (const { status } of answers) assert.ok([200, 204, 400].includes(status), String(status));
      }));

    it('are served while a group of all of them is read, and users in three hundred groups each', () =>
      served(async () => {
        const statuses = await allAtOnce(4, 16 * times, (index) =>
          ask(
            index % 2 === 0
              ? `/scim/v2/Groups?filter=${encodeURIComponent('displayName eq "Everybody"')}`
              : `/scim/v2/Users?count=${usersOfPage}`,
          ),
        );
        assert.deepEqual(statuses, Array(16 * times).fill(200));
      }));

    it('are served while bulk requests of a thousand operations come one after the other', () =>
      served(async () => {
        const answers = await allAtOnce(2, 2 * times, (round) =>
          send('POST', '/scim/v2/Bulk', {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
            Operations: Array.from({ length: 1_000 }, (_, index) => ({
              method: 'POST',
              path: '/Users',
              bulkId: `b${index}`,
              data: {
                schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
                userName: `bulk.${round}.${index}`,
              },
            })),
          }),
        );
        for (const { status } of answers) assert.ok([200, 429].includes(status), String(status));
        assert.ok(answers.some(({ status }) => status === 200));
      }));

    it('are served while data is asked for by a hundred ranges in turn', () =>
      served(async () => {
        const day = (back: number): string =>
          new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
        const statuses = await allAtOnce(8, 800, (index) =>
          ask(`/v1/projects/3001/data?from=${day(1 + (index % 100))}&to=${day(0)}&limit=100`),
        );
        assert.deepEqual(new Set(statuses), new Set([200]));
      }));

    it('are served while a thousand requests wait for changes, and when all of them are answered at once [D-259]', async () => {
      const clients = await addClients(store.databaseUrl, Array(101).fill(loud));
      const tokens: string[] = [];
      for (const client of clients) tokens.push(await tokenAside(store.databaseUrl, client));
      await served(async () => {
        const get = (query: string, token: string): Promise<Answer> =>
          exchange(`${service.baseUrl}/v1/projects/3001/changes?limit=1000&${query}`, {
            headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
          });
        const { next, hasMore } = (await get('', loudToken)).body;
        assert.equal(hasMore, false);
        /** As a follower does: asks again while there is nothing. */
        const follow = async (token: string): Promise<unknown> => {
          for (;;) {
            const { status, body } = await get(`after=${next}&wait=20`, token);
            if (status === 200 && (body.items as object[]).length > 0) return (body.items as object[]).length;
            // When all of them are answered at once some are told to come back in a second.
            assert.ok([200, 429, 503].includes(status), String(status));
            if (status !== 200) await setTimeout(1_000);
          }
        };
        const waiting: Promise<unknown>[] = [];
        // New connections are taken in the order in which they come, and the neighbour's would stand behind a thousand: so ten
        // more come when those before are taken, as an answer on a connection behind theirs shows.
        for (const token of tokens.slice(0, 100)) {
          for (let one = 0; one < 10; one += 1) waiting.push(follow(token));
          const behind = await opened(service, request('GET', '/livez', loudToken, ['Connection: close']));
          await once(behind.resume(), 'close');
        }
        await until(
          () => get(`after=${next}&wait=1`, tokens[100]!),
          ({ status }) => status === 429,
          60_000,
        );
        const posted = await send('POST', '/v1/surveys/ingestion', {
          surveyDefinitionId: 'loud-1',
          responses: { 'Q-TEXT': ['short'] },
        });
        assert.equal(posted.status, 200, posted.text);
        assert.deepEqual(new Set(await Promise.all(waiting)), new Set([1]));
      });
    });

    it('are served while external parameters come in bodies as large as they may be [D-260]', () =>
      served(async () => {
        const value = 'v'.repeat(50);
        const lines = Array.from(
          { length: 40_000 },
          (_, index) => `{"responseId":"r-${index}","tier":"${value}"}\n`,
        );
        const answers = await allAtOnce(3, 90, () =>
          exchange(`${service.baseUrl}/v1/measures/50/external-parameters`, {
            method: 'POST',
            headers: { authorization: `Bearer ${loudToken}`, 'content-type': 'application/x-ndjson' },
            body: lines.join(''),
          }),
        );
        for (const { status } of answers) assert.ok([200, 429].includes(status), String(status));
        assert.ok(answers.some(({ body }) => body.skippedCount === 40_000));
      }));

    ofService('are served while two thousand connections are open and say nothing', () =>
      served(async () => {
        const idle = await Promise.all(Array.from({ length: 2_000 }, () => opened(service, '')));
        await setTimeout(3_000);
        for (const socket of idle) socket.destroy();
      }),
    );

    ofService('are served while five hundred bodies arrive very slowly', () =>
      served(async () => {
        const head = request('POST', '/v1/surveys/ingestion', loudToken, [
          'Content-Type: application/json',
          'Content-Length: 250000',
        ]);
        const senders = await Promise.all(Array.from({ length: 500 }, () => opened(service, head)));
        for (let round = 0; round < 10; round += 1) {
          for (const sender of senders) if (sender.writable) sender.write(' '.repeat(2_000));
          await setTimeout(300);
        }
        for (const sender of senders) sender.destroy();
      }),
    );
  });
}

async function prepare(engine: Engine, users: number) {
  const store = await engine.readyStore();
  const env = {
    DATABASE_URL: store.databaseUrl,
    SOUNDINGS_THROTTLE: 'off',
    SOUNDINGS_STORE_TIMEOUT_MS: '30000',
  };
  await setUp(['apply', writeCatalogue(catalogue)], env);
  await populate(store.databaseUrl, loud, users);
  const [loudClient, quietClient] = [await createClient(env, loud), await createClient(env, quiet)];
  const service = await startProcess(env);
  const loudToken = await tokenFor(service.baseUrl, loudClient);
  const quietToken = await tokenFor(service.baseUrl, quietClient);
  const headers = { authorization: `Bearer ${loudToken}`, 'content-type': 'application/json' };
  const firstId = 1_000_000_001;
  const groupBody = (displayName: string, from: number, count: number): string =>
    JSON.stringify({
      schemas: [groupSchema],
      displayName,
      members: Array.from({ length: count }, (_, index) => ({ value: String(firstId + from + index) })),
    });
  const post = async (body: string): Promise<Answer> => {
    const answer = await exchange(`${service.baseUrl}/scim/v2/Groups`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, answer.text.slice(0, 300));
    return answer;
  };
  const half = users / 2;
  const everybody = await post(groupBody('Everybody', 0, half));
  const joined = await exchange(`${service.baseUrl}/scim/v2/Groups/${everybody.body.id as string}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({
      schemas: [patchSchema],
      Operations: [
        {
          op: 'add',
          path: 'members',
          value: Array.from({ length: half }, (_, index) => ({ value: String(firstId + half + index) })),
        },
      ],
    }),
  });
  assert.ok([200, 204].includes(joined.status), joined.text.slice(0, 300));
  await allAtOnce(4, groupsOfEach, (index) => post(groupBody(`Group ${index}`, 0, usersOfPage)));
  await allAtOnce(8, 600, async (index) => {
    const answer = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        surveyDefinitionId: 'loud-1',
        submissionTimestamp: new Date(Date.now() - (index % 100) * 86_400_000).toISOString(),
        responses: { 'Q-TEXT': ['short'] },
      }),
    });
    assert.equal(answer.status, 200, answer.text);
  });
  return { store, service, loudToken, quietToken };
}

/** As much as a response of an API client may hold: so many parameters, with names and values as long as they may be. */
function largestResponse(): object {
  const data: Record<string, string> = {};
  for (let index = 0; index < 60; index += 1) data[`p${index}-`.padEnd(120, 'n')] = 'v'.repeat(4_000);
  return { surveyDefinitionId: 'loud-0', responses: { 'Q-TEXT': ['long'] }, cpps: { data } };
}

async function allAtOnce<T>(
  atOnce: number,
  count: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const outcomes: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const index = next++;
        outcomes[index] = await work(index);
      }
    }),
  );
  return outcomes;
}

/** Reads an answer to its end without keeping it; an answer that is broken off fails. */
async function drained(url: string, token: string): Promise<number> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: '*/*' } });
  if (answer.body !== null) for await (const _part of answer.body);
  return answer.status;
}

function request(method: string, path: string, token: string, headers: readonly string[] = []): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: soundings.test',
    `Authorization: Bearer ${token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}

/** A connection that has sent these bytes and reads nothing. */
async function opened({ baseUrl }: Service, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}
