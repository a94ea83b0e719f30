// What one account can do at its worst: the largest, the slowest, the most. Others are to be served meanwhile (noisy-neighbours.ts), and
// the memory of the service is to stay within its bound (bench/meter/loads.ts).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { writeCatalogue } from './catalogue.ts';
import type { Engine, TestStore } from './engines.ts';
import { type Answer, exchange } from './exchange.ts';
import { populate } from './many-users.ts';
import { addClients, tokenAside } from './quick-clients.ts';
import { groupSchema, patchSchema } from './schema-urns.ts';
import { createClient, type ServiceProcess, setUp, startProcess, tokenFor, until } from './service.ts';

const loud = 4001;
const quiet = 4002;
const groupsOfEach = 300;
const usersOfPage = 200;
const surveys = 60;

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

interface NoisyParts {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly service: ServiceProcess;
  readonly loudToken: string;
  readonly quietToken: string;
}

export class NoisyAccount {
  readonly store: TestStore;
  readonly service: ServiceProcess;
  readonly loudToken: string;
  /** Of another account. */
  readonly quietToken: string;
  readonly #parts: NoisyParts;

  constructor(parts: NoisyParts) {
    this.#parts = parts;
    ({
      store: this.store,
      service: this.service,
      loudToken: this.loudToken,
      quietToken: this.quietToken,
    } = parts);
  }

  /** The same on a service that has just started; the one before is stopped. */
  async startedAnew(): Promise<NoisyAccount> {
    await this.service.stop();
    return new NoisyAccount({ ...this.#parts, service: await startProcess(this.#parts.env) });
  }

  /** Reads an answer to its end without keeping it; an answer that is broken off fails. */
  async ask(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.loudToken}`, accept: '*/*' };
    const answer = await fetch(`${this.service.baseUrl}${path}`, { headers });
    if (answer.body !== null) for await (const _part of answer.body);
    return answer.status;
  }

  send(method: string, path: string, body: object): Promise<Answer> {
    return exchange(`${this.service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.loudToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.store.dispose();
  }
}

export interface Noise {
  readonly name: string;
  /** What is done, in words that follow "while". */
  readonly about: string;
  /** It never reaches the store. */
  readonly isOfService?: true;
  make(noisy: NoisyAccount, times: number): Promise<void>;
}

/** In this order: those that come later read what the first ones wrote. */
export const noises: readonly Noise[] = [
  {
    name: 'largest-pages',
    about: 'responses as large as they may be are posted, and their pages read',
    async make(noisy) {
      const posted = await allAtOnce(8, 96, () =>
        noisy.send('POST', '/v1/surveys/ingestion', largestResponse()),
      );
      assert.deepEqual(new Set(posted.map(({ status }) => status)), new Set([200]));
      const today = new Date().toISOString().slice(0, 10);
      const page = `/v1/projects/3000/data?from=${today}&to=${today}&limit=1000`;
      assert.deepEqual(await allAtOnce(4, 8, () => noisy.ask(page)), Array(8).fill(200));
    },
  },
  {
    name: 'exports',
    about: 'the same responses are exported in every format, two files at a time',
    async make(noisy) {
      const today = new Date().toISOString().slice(0, 10);
      const formats = ['ndjson', 'csv', 'parquet'];
      const statuses = await allAtOnce(2, 6, (index) =>
        noisy.ask(`/v1/projects/3000/export?from=${today}&to=${today}&format=${formats[index % 3]}`),
      );
      assert.deepEqual(statuses, Array(6).fill(200));
    },
  },
  {
    name: 'scans-at-once',
    about: 'a hundred scans at once look through the same responses, for parts of their texts [D-492]',
    async make(noisy) {
      const today = new Date().toISOString().slice(0, 10);
      const filter = encodeURIComponent('contains,question:Q-TEXT,nirgends;not,cpp:basket,größer');
      const by = ['question:Q-TEXT', 'page', 'weekday', 'cpp:basket'];
      const statuses = await allAtOnce(100, 300, (index) =>
        noisy.ask(
          `/v1/projects/3000/breakdown?from=${today}&to=${today}&by=${by[index % by.length]}&filter=${filter}`,
        ),
      );
      for (const status of statuses) assert.ok([200, 429].includes(status), String(status));
      assert.ok(statuses.includes(200));
    },
  },
  {
    name: 'pages-unread',
    about: 'a page is asked for by many who do not read it',
    async make(noisy) {
      const today = new Date().toISOString().slice(0, 10);
      const path = `/v1/projects/3000/data?from=${today}&to=${today}&limit=1000`;
      const readers = await Promise.all(
        Array.from({ length: 200 }, () => opened(noisy.service, request('GET', path, noisy.loudToken))),
      );
      await setTimeout(4_000);
      for (const reader of readers) reader.destroy();
    },
  },
  {
    name: 'user-filters',
    about: 'filters and orders that no index leads are asked for, ten at once',
    async make(noisy, times) {
      const filters = [
        'phoneNumbers.value co "4711"',
        'name.familyName co "e"',
        'not (userName sw "user.1")',
        'emails[type eq "work" and value co "77"]',
        'title pr or nickName eq "x"',
      ];
      const paths = filters.map((filter) => `/scim/v2/Users?count=10&filter=${encodeURIComponent(filter)}`);
      paths.push('/scim/v2/Users?count=10&sortBy=phoneNumbers.value', '/scim/v2/Users?sortBy=title');
      const statuses = await allAtOnce(10, 15 * times, (index) => noisy.ask(paths[index % paths.length]!));
      for (const status of statuses) assert.ok([200, 400, 429, 503].includes(status), String(status));
      assert.ok(statuses.includes(200));
    },
  },
  {
    name: 'group-conditions',
    about: 'members of a large group are removed by a thousand conditions',
    async make(noisy, times) {
      const found = await exchange(
        `${noisy.service.baseUrl}/scim/v2/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Everybody"')}`,
        { headers: { authorization: `Bearer ${noisy.loudToken}` } },
      );
      const [group] = (found.body as { Resources: { id: string }[] }).Resources;
      const Operations = Array.from({ length: 1_000 }, (_, index) => ({
        op: 'remove',
        path: `members[display co "nobody-${index}" and type eq "User" and value co "x${'9'.repeat(700)}"]`,
      }));
      const answers = await allAtOnce(2, 4 * times, () =>
        noisy.send('PATCH', `/scim/v2/Groups/${group!.id}`, { schemas: [patchSchema], Operations }),
      );
      for (const { status } of answers) assert.ok([200, 204, 400].includes(status), String(status));
    },
  },
  {
    name: 'group-pages',
    about: 'a group of all of them is read, and users in three hundred groups each',
    async make(noisy, times) {
      const statuses = await allAtOnce(4, 16 * times, (index) =>
        noisy.ask(
          index % 2 === 0
            ? `/scim/v2/Groups?filter=${encodeURIComponent('displayName eq "Everybody"')}`
            : `/scim/v2/Users?count=${usersOfPage}`,
        ),
      );
      assert.deepEqual(statuses, Array(16 * times).fill(200));
    },
  },
  {
    name: 'bulk',
    about: 'bulk requests of a thousand operations come one after the other',
    async make(noisy, times) {
      const answers = await allAtOnce(2, 2 * times, (round) =>
        noisy.send('POST', '/scim/v2/Bulk', {
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
    },
  },
  {
    name: 'ranges',
    about: 'data is asked for by a hundred ranges in turn',
    async make(noisy) {
      const day = (back: number): string =>
        new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
      const statuses = await allAtOnce(8, 800, (index) =>
        noisy.ask(`/v1/projects/3001/data?from=${day(1 + (index % 100))}&to=${day(0)}&limit=100`),
      );
      assert.deepEqual(new Set(statuses), new Set([200]));
    },
  },
  {
    name: 'waiting',
    about: 'a thousand requests wait for changes, and when all of them are answered at once [D-259]',
    async make(noisy) {
      const clients = await addClients(noisy.store.databaseUrl, Array(101).fill(loud));
      const tokens: string[] = [];
      for (const client of clients) tokens.push(await tokenAside(noisy.store.databaseUrl, client));
      const get = (query: string, token: string): Promise<Answer> =>
        exchange(`${noisy.service.baseUrl}/v1/projects/3001/changes?limit=1000&${query}`, {
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        });
      const { next, hasMore } = (await get('', noisy.loudToken)).body;
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
        const behind = await opened(
          noisy.service,
          request('GET', '/livez', noisy.loudToken, ['Connection: close']),
        );
        await once(behind.resume(), 'close');
      }
      await until(
        () => get(`after=${next}&wait=1`, tokens[100]!),
        ({ status }) => status === 429,
        60_000,
      );
      const posted = await noisy.send('POST', '/v1/surveys/ingestion', {
        surveyDefinitionId: 'loud-1',
        responses: { 'Q-TEXT': ['short'] },
      });
      assert.equal(posted.status, 200, posted.text);
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set([1]));
    },
  },
  {
    name: 'external-parameters',
    about: 'external parameters come in bodies as large as they may be [D-260]',
    async make(noisy) {
      const value = 'v'.repeat(50);
      const lines = Array.from(
        { length: 40_000 },
        (_, index) => `{"responseId":"r-${index}","tier":"${value}"}\n`,
      );
      const answers = await allAtOnce(3, 90, () =>
        exchange(`${noisy.service.baseUrl}/v1/measures/50/external-parameters`, {
          method: 'POST',
          headers: { authorization: `Bearer ${noisy.loudToken}`, 'content-type': 'application/x-ndjson' },
          body: lines.join(''),
        }),
      );
      for (const { status } of answers) assert.ok([200, 429].includes(status), String(status));
      assert.ok(answers.some(({ body }) => body.skippedCount === 40_000));
    },
  },
  {
    name: 'idle-connections',
    about: 'two thousand connections are open and say nothing',
    isOfService: true,
    async make(noisy) {
      const idle = await Promise.all(Array.from({ length: 2_000 }, () => opened(noisy.service, '')));
      await setTimeout(3_000);
      for (const socket of idle) socket.destroy();
    },
  },
  {
    name: 'slow-bodies',
    about: 'five hundred bodies arrive very slowly',
    isOfService: true,
    async make(noisy) {
      const head = request('POST', '/v1/surveys/ingestion', noisy.loudToken, [
        'Content-Type: application/json',
        'Content-Length: 250000',
      ]);
      const senders = await Promise.all(Array.from({ length: 500 }, () => opened(noisy.service, head)));
      for (let round = 0; round < 10; round += 1) {
        for (const sender of senders) if (sender.writable) sender.write(' '.repeat(2_000));
        await setTimeout(300);
      }
      for (const sender of senders) sender.destroy();
    },
  },
];

/** A store in which one account has so many users, all of them members of one group, and a service on it. */
export async function prepareNoise(engine: Engine, users: number): Promise<NoisyAccount> {
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
  return new NoisyAccount({ store, env, service, loudToken, quietToken });
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
async function opened({ baseUrl }: ServiceProcess, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}
