// Requests that no honest client sends, to every operation of both API documents: each begins as one that the service carries
// out, with credentials and ids that are there, and has something wrong with it. So they come past the first refusal, into
// validation and into what stands behind it. The same seed sends the same.

import assert from 'node:assert/strict';
import { documentedOperations, type Operation } from './api-document.ts';
import { apiDocuments, consoleDocumentDeclared, interfaceDocument } from './declared-operations.ts';
import type { Engine } from './engines.ts';
import { type Answer, exchange } from './exchange.ts';
import { canary, hostileValue, mutateBody, mutateText } from './malformed-values.ts';
import {
  addressOf,
  aloneOnes,
  doneStatuses,
  isJson,
  MeantRequests,
  nameOf,
  neverDone,
  type MeantRequest as Request,
  raw,
  weightOf,
} from './meant-requests.ts';
import type { Watch } from './neighbour.ts';
import { patience } from './patience.ts';
import { type Seeded, seeded } from './seeded.ts';
import { type ServiceProcess, startProcess } from './service.ts';

const atOnce = 6;
/** How many requests later what some of them have deleted is made again. */
const roundLength = 600;
const silenceMs = 120_000;

export interface Tally {
  sent: number;
  /** Answers to what was carried out: 2xx, and where somebody is led on. */
  done: number;
  /** Answers to what is not valid, not there, or not now. */
  refused: number;
  readonly statuses: Map<number, number>;
}

/** Every operation is called, and nothing is answered with 5xx, with silence, or with a text of ours in the log. */
export async function floodOfMalformed(
  engine: Engine,
  count: number,
  seed: number,
  watch: Watch = (_service, work) => work(),
): Promise<ReadonlyMap<string, Tally>> {
  const store = await engine.readyStore();
  const service = await startProcess(
    { DATABASE_URL: store.databaseUrl, ...patience, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_LOG_LEVEL: 'info' },
    ['--demo'],
  );
  try {
    const flood = new Flood(service, store.databaseUrl, seed);
    await watch(service, () => flood.run(count));
    return flood.tallies;
  } finally {
    await service.stop();
    await store.dispose();
  }
}

class Flood {
  readonly tallies = new Map<string, Tally>();
  readonly #service: ServiceProcess;
  readonly #chance: Seeded;
  readonly #meant: MeantRequests;
  #closed = 0;
  readonly #faults: string[] = [];

  constructor(service: ServiceProcess, databaseUrl: string, seed: number) {
    this.#service = service;
    this.#chance = seeded(seed);
    this.#meant = new MeantRequests(service, databaseUrl, this.#chance);
  }

  async run(count: number): Promise<void> {
    const operations = [
      ...documentedOperations(interfaceDocument).map((operation) => ({ operation, isConsole: false })),
      ...documentedOperations(consoleDocumentDeclared).map((operation) => ({ operation, isConsole: true })),
    ];
    await this.#meant.signIn();
    await this.#meant.prepare();
    // Each as it is meant first, so that all are known to be reached; those that take something away last.
    const order = operations.toSorted((one, other) => weightOf(one.operation) - weightOf(other.operation));
    for (const { operation, isConsole } of order) await this.#send(operation, isConsole, false);
    let left: typeof operations = [];
    // Whatever was found is told after its round.
    for (let sent = operations.length; sent < count && this.#faults.length === 0; sent += roundLength) {
      await this.#meant.signIn();
      await this.#meant.makeWorld();
      const round = Array.from({ length: Math.min(roundLength, count - sent) }, () => {
        if (left.length === 0) left = this.#chance.shuffle(operations);
        return left.pop()!;
      });
      const together = round.filter(({ operation }) => !aloneOnes.has(operation.operationId));
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let one = together[next++]; one !== undefined; one = together[next++])
          await this.#send(one.operation, one.isConsole, true);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      for (const one of round.filter(({ operation }) => aloneOnes.has(operation.operationId)))
        await this.#send(one.operation, one.isConsole, true);
    }
    this.#assertQuiet();
  }

  async #send(operation: Operation, isConsole: boolean, isMutated: boolean): Promise<void> {
    const { operationId } = operation;
    await this.#meant.makeFor(operationId, operation.path);
    const meant = this.#meant.request(operation, isConsole, isMutated);
    const request = isMutated ? mutated(meant, this.#chance) : meant;
    const url = this.#service.baseUrl + addressOf(request);
    const { 'content-type': type } = request.headers;
    const body = bodyOf(request, type, isMutated ? this.#chance : null);
    const headers = {
      ...(await this.#meant.credentials(operation, isConsole)),
      ...request.headers,
    };
    const told = `${operationId}: ${request.method} ${addressOf(request)} ${JSON.stringify(request.headers)} ${String(body).slice(0, 500)}`;
    const answer = await this.#answerTo(url, { method: request.method, headers, body }, told);
    if (answer === null) return;
    if (aloneOnes.has(operationId)) await this.#meant.setRight();
    const isExpected = isMutated || (neverDone[operationId] ?? doneStatuses).includes(answer.status);
    if (answer.status >= 500 || !isExpected)
      this.#faults.push(`${answer.status} for ${told}: ${answer.text.slice(0, 500)}`);
    const name = nameOf(operation);
    const tally = this.tallies.get(name) ?? { sent: 0, done: 0, refused: 0, statuses: new Map() };
    this.tallies.set(name, tally);
    tally.sent += 1;
    tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 400) tally.done += 1;
    else if (![401, 403, 405].includes(answer.status)) tally.refused += 1;
    if (answer.status === 401) await this.#meant.signIn();
  }

  /** Null where Node itself does not send such a thing, and where the connection was closed. */
  async #answerTo(
    url: string,
    request: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Uint8Array | undefined;
    },
    told: string,
  ): Promise<Answer | null> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer to ${told}`)), silenceMs);
    });
    try {
      const { body, ...rest } = request;
      return await Promise.race([exchange(url, body === undefined ? rest : { ...rest, body }), silence]);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code.startsWith('ERR_')) return null;
      // The connection is closed on whoever sends more than is read, and on whoever was quiet on it for long.
      if (!['ECONNRESET', 'EPIPE'].includes(code)) throw error;
      this.#closed += 1;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  // ---- what was logged

  #assertQuiet(): void {
    assert.deepEqual(this.#faults.slice(0, 40), [], `${this.#faults.length} answers`);
    const sent = [...this.tallies.values()].reduce((sum, tally) => sum + tally.sent, 0);
    assert.ok(this.#closed <= sent / 1_000, `${this.#closed} connections were closed`);
    const lines = this.#service.output().split('\n');
    const told = lines.filter(
      (line) => line.toLowerCase().includes(canary) && !/^\{"level":[12]0,/.test(line),
    );
    assert.deepEqual(told.slice(0, 5), [], `${told.length} lines of the log have a text of a request`);
    const failures = lines.filter((line) => /^\{"level":[56]0,/.test(line));
    assert.deepEqual(failures.slice(0, 5), []);
  }
}

function bodyOf(
  { body }: Request,
  type: string | undefined,
  chance: Seeded | null,
): string | Uint8Array | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return body;
  const text = typeof body === 'string' && !isJson(type) ? body : JSON.stringify(body);
  return chance?.percent(15) ? mutateText(text, chance) : text;
}

/** One or two things are wrong with it; now and then none, so that there is something for the others to meet. */
function mutated(request: Request, chance: Seeded): Request {
  let found = request;
  for (let left = chance.pick([0, 1, 1, 1, 1, 1, 1, 2, 2, 3]); left > 0; left -= 1)
    found = changed(found, chance);
  return found;
}

const strangeHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'text/html'],
  ['accept', `application/${canary}`],
  ['accept', '*/*;q=0'],
  ['accept-language', `${canary}, de;q=x`],
  ['accept-encoding', 'gzip;q=2, br'],
  ['content-type', 'text/plain'],
  ['content-type', `application/json; charset=${canary}`],
  ['content-type', canary],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-encoding', 'gzip'],
  ['if-match', `W/"${canary}"`],
  ['if-none-match', canary],
  ['range', 'bytes=0-1'],
  ['origin', `https://${canary}.example`],
  ['sec-fetch-site', 'cross-site'],
  ['x-request-id', canary],
  ['x-forwarded-for', canary],
  ['traceparent', `00-${canary}`],
  ['soundings-page-token', canary],
  ['user-agent', canary.repeat(300)],
  ['cookie', `soundings=${canary}`],
  ['prefer', canary],
];

function changed(request: Request, chance: Seeded): Request {
  const names = { params: Object.keys(request.params), query: Object.keys(request.query) };
  const text = (): string => String(hostileValue(chance));
  const ways: (() => Request)[] = [
    () => {
      const [name, value] = chance.pick(strangeHeaders);
      return { ...request, headers: { ...request.headers, [name]: value } };
    },
    () => ({
      ...request,
      query: { ...request.query, [chance.pick([canary, '', 'filter', raw('%ff')])]: text() },
    }),
  ];
  if (names.query.length > 0)
    ways.push(
      () => ({ ...request, query: { ...request.query, [chance.pick(names.query)]: text() } }),
      () => ({
        ...request,
        query: {
          ...request.query,
          [chance.pick(names.query)]: raw(chance.pick(['%', '%zz', '%ff', '%00', '+', '%ed%a0%80'])),
        },
      }),
      () => {
        const { [chance.pick(names.query)]: _left, ...rest } = request.query;
        return { ...request, query: rest };
      },
      () => {
        const name = chance.pick(names.query);
        return { ...request, query: { ...request.query, [raw(`${name}=1&${name}`)]: '2' } };
      },
    );
  if (names.params.length > 0)
    ways.push(
      () => ({ ...request, params: { ...request.params, [chance.pick(names.params)]: text() } }),
      () => ({
        ...request,
        params: {
          ...request.params,
          [chance.pick(names.params)]: raw(
            chance.pick(['%2e%2e%2f', '%00', '%', '%252e', `${canary}%2f`, '%ff%fe', canary.repeat(60)]),
          ),
        },
      }),
    );
  const { body } = request;
  if (body !== undefined) {
    const whole = (): Request => ({ ...request, body: hostileValue(chance) });
    const inside = (): Request => ({
      ...request,
      body: typeof body === 'string' ? mutateText(body, chance) : mutateBody(body, chance),
    });
    ways.push(inside, inside, inside, inside, inside, inside, whole);
  }
  return chance.pick(ways)();
}

/** Below so many requests it is left to chance whether one that needs nothing has been refused something. */
const manyRequests = 50;

/** Every operation of both documents was carried out at least once, and refused something that it reads. */
export function assertReached(tallies: ReadonlyMap<string, Tally>): void {
  const operations = apiDocuments.flatMap(documentedOperations);
  const unreached = operations.filter((operation) => {
    const { operationId, parameters, requestBody } = operation;
    const { sent, done, refused } = tallies.get(nameOf(operation))!;
    const hasInput = requestBody !== undefined || parameters.some((one) => one.in !== 'header');
    return (done === 0 && !(operationId in neverDone)) || (hasInput && sent >= manyRequests && refused === 0);
  });
  assert.deepEqual(unreached.map(nameOf), []);
}

export function summaryOf(tallies: ReadonlyMap<string, Tally>): string {
  const all = [...tallies.values()];
  const sum = (of: (tally: Tally) => number): number => all.reduce((total, tally) => total + of(tally), 0);
  const fewest = Math.min(...all.map(({ sent }) => sent));
  const statuses = new Map<number, number>();
  for (const tally of all)
    for (const [status, times] of tally.statuses) statuses.set(status, (statuses.get(status) ?? 0) + times);
  const told = [...statuses].toSorted(([one], [other]) => one - other).map((pair) => pair.join(': '));
  return `${all.length} operations, ${fewest} requests to each at least; ${sum(({ sent }) => sent)} sent, ${sum(({ done }) => done)} carried out, ${sum(({ refused }) => refused)} refused behind the first check; statuses ${told.join(', ')}`;
}
