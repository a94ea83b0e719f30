// What an identity provider does to the standard face: somebody joins a large group and a small one, and a whole
// directory arrives for the first time, each person looked for and then created.

import { Agent, request as httpRequest } from 'node:http';
import type { Bench, Effort } from '../bench.ts';
import { type EngineName, type Figure, median } from '../figures.ts';
import { populate } from '../population.ts';
import {
  accountId,
  type PreparedService,
  prepareStore,
  startFloor,
  startGenerator,
  startOn,
  type Target,
} from '../processes.ts';
import { takeTurns } from '../turns.ts';

const firstId = 1_000_000_001;
const groupSizes = { small: 10, large: 10_000 };
const joinsARound = 100;
// As many as a provider has under way at once.
const syncConnections = 8;

export const scim: Bench = {
  name: 'scim',
  about: 'joining a group of 10,000 against one of 10, and the first synchronisation against bare answers',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const store = await prepareStore(engine);
    await populate(store.env.DATABASE_URL!, accountId, groupSizes.large + 1);
    const service = await startOn(store);
    try {
      return [await joining(engine, effort, service), await synchronising(engine, effort, service)];
    } finally {
      await service.stop();
    }
  },
};

// ---- Joining a group

/** One connection, so that the time of an answer is the time of the change. */
async function joining(engine: EngineName, effort: Effort, service: PreparedService): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, body: object): Promise<string> =>
    call(agent, service, method, path, JSON.stringify(body));
  const makeGroup = async (size: number): Promise<string> => {
    const members = Array.from({ length: size }, (_, at) => ({ value: String(firstId + at) }));
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const made = await ask('POST', '/Groups', { schemas, displayName: `of ${size}`, members });
    return (JSON.parse(made) as { id: string }).id;
  };
  const someone = String(firstId + groupSizes.large);
  const patch = (operation: object): object => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  });
  const join = patch({ op: 'add', path: 'members', value: [{ value: someone }] });
  const leave = patch({ op: 'remove', path: `members[value eq "${someone}"]` });
  const msOf = async (group: string): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < joinsARound; at += 1) {
      const startedAtMs = performance.now();
      await ask('PATCH', `/Groups/${group}`, join);
      times.push(performance.now() - startedAtMs);
      await ask('PATCH', `/Groups/${group}`, leave);
    }
    return median(times);
  };
  try {
    const [small, large] = [await makeGroup(groupSizes.small), await makeGroup(groupSizes.large)];
    await msOf(small);
    await msOf(large);
    const rounds: { ours: number; floor: number }[] = [];
    for (let number = 0; number < effort.rounds; number += 1) {
      const floor = await msOf(small);
      rounds.push({ floor, ours: await msOf(large) });
    }
    const ratios = rounds.map(({ ours, floor }) => ours / floor);
    return {
      bench: 'scim',
      engine,
      what: 'one joins a group of 10,000 : of 10',
      ours: `${median(rounds.map(({ ours }) => ours)).toFixed(2)} ms`,
      floor: `${median(rounds.map(({ floor }) => floor)).toFixed(2)} ms`,
      value: median(ratios),
      unit: 'times',
      rounds: ratios,
      goal: { atMost: 1.5 },
    };
  } finally {
    agent.destroy();
  }
}

function call(
  agent: Agent,
  { port, token }: PreparedService,
  method: string,
  path: string,
  body: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/scim+json',
      'content-length': Buffer.byteLength(body),
    };
    const asking = httpRequest(
      { host: '127.0.0.1', port, agent, method, path: `/scim/v2${path}`, headers },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.once('end', () => {
          const text = Buffer.concat(pieces).toString();
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 400)}`));
        });
      },
    );
    asking.once('error', reject);
    asking.end(body);
  });
}

// ---- The first synchronisation

/**
 * What a provider does for each person: a filter that finds nobody, then a POST. Eight at a time play that sequence,
 * against the service and against a bare server that answers with the same bytes.
 */
async function synchronising(engine: EngineName, effort: Effort, service: PreparedService): Promise<Figure> {
  const filter = encodeURIComponent('userName eq "newcomer.000000000@example.com"');
  const person = JSON.stringify({
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-000000000',
    userName: 'newcomer.000000000@example.com',
    active: true,
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: 'newcomer.000000000@example.com' }],
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    title: 'Countess',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
  });
  const agent = new Agent();
  const floor = await startFloor(
    await call(agent, service, 'GET', `/Users?filter=${filter}`, ''),
    false,
    await call(agent, service, 'POST', '/Users', person),
  );
  const sequence = [
    wire(service.token, 'GET', `/Users?filter=${filter}`),
    wire(service.token, 'POST', '/Users', person),
  ];
  const generator = startGenerator();
  const play = (target: Target) => (measuredMs: number) =>
    generator.ask({
      port: target.port,
      serverPid: target.pid,
      request: '',
      sequence,
      connections: syncConnections,
      leadInMs: 300,
      measuredMs,
    });
  const what = 'first synchronisation (filter, then POST), 8 at a time : bare';
  const figure = { bench: 'scim', engine, what, goal: { atLeast: 0.25 } };
  try {
    return await takeTurns({ figure, ours: play(service), floor: play(floor), by: 'rate' }, effort);
  } finally {
    await generator.stop();
    await floor.stop();
  }
}

function wire(token: string, method: string, path: string, body = ''): string {
  const ofBody =
    body === '' ? [] : ['content-type: application/scim+json', `content-length: ${Buffer.byteLength(body)}`];
  const head = [
    `${method} /scim/v2${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'accept: application/scim+json',
  ];
  return [...head, ...ofBody, '', body].join('\r\n');
}
