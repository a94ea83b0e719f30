// Load, a kill at a random moment, and a look at what is left: over and over. Shared by npm test, which does it some
// times, and by the long tests, which do it a thousand times.

import assert from 'node:assert/strict';
import pg from 'pg';
import { writeCatalogue } from './catalogue.ts';
import { type Answer, exchange } from './exchange.ts';
import { feedbackCatalogue } from './feedback-catalogue.ts';
import type { ResponseBody } from './feedback-model.ts';
import { disagreements } from './log-agreement.ts';
import type { PostgresServer } from './postgres-server.ts';
import { createClient, type ServiceProcess, setUp, startProcess, tokenFor, until } from './service.ts';
import { storeRows } from './store-rows.ts';

const writers = 8;
const accountId = 4001;
// The kill comes after this many answers at most, so it meets cold and warm processes alike.
const answersMax = 250;

/** A store with the catalogue of feedback, and everything that was ever sent to it. */
export class KillRounds {
  readonly databaseUrl: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #random: () => number;
  /** Answered with success: these must be there for ever. */
  readonly #acknowledged = new Map<string, ResponseBody>();
  /** Sent with an id, and the answer never came: they may be there, once. */
  readonly #doubtful = new Map<string, ResponseBody>();
  #token = '';
  #sent = 0;

  /** The seed decides what is sent and when it is killed; the rest is the machine's chance. */
  constructor(databaseUrl: string, seed: number) {
    this.databaseUrl = databaseUrl;
    this.#env = {
      DATABASE_URL: databaseUrl,
      SOUNDINGS_THROTTLE: 'off',
      SOUNDINGS_LOG_LEVEL: 'error',
      // A busy machine is no dead store.
      SOUNDINGS_STORE_TIMEOUT_MS: '10000',
    };
    this.#random = seededRandom(seed);
  }

  async prepare(): Promise<void> {
    await setUp(['apply', writeCatalogue(feedbackCatalogue)], this.#env);
    const client = await createClient(this.#env, accountId);
    const service = await this.#start();
    this.#token = await tokenFor(service.baseUrl, client);
    await service.kill();
  }

  /** Kills the serving process under load, and holds what is left against what was answered. */
  async killService(): Promise<void> {
    const service = await this.#start();
    await this.#settleDoubts(service);
    await this.#load(service, () => service.kill());
    await this.#check();
  }

  /** Kills the database server under load and starts it again; the service lives on. */
  async killServers(server: PostgresServer, rounds: number): Promise<void> {
    const service = await this.#start();
    try {
      for (let round = 0; round < rounds; round += 1) {
        await this.#settleDoubts(service);
        await this.#load(service, async () => {
          await server.kill();
        });
        await server.start();
        await this.#check();
      }
      await this.#settleDoubts(service);
    } finally {
      await service.stop();
    }
    await this.#check();
  }

  /** The service adds up all that is there, and what it has added up in all these lives is what the rows say. */
  async checkFigures(): Promise<void> {
    const service = await this.#start();
    await until(
      async () => JSON.parse(await setUp(['insight', 'status', '--json'], this.#env)) as { behind: number }[],
      (accounts) => accounts.every(({ behind }) => behind === 0),
    );
    await setUp(['insight', 'verify'], this.#env);
    assert.equal(await service.stop(), 0);
  }

  /** At the end, by the interface: every response that was acknowledged once, and nothing that was never sent. */
  async checkOverHttp(): Promise<void> {
    const service = await this.#start();
    await this.#settleDoubts(service);
    const seen: string[] = [];
    for (let offset = 0, hasMore = true; hasMore; offset += 1000) {
      const { body } = await this.#get(
        service,
        `/v1/projects/300/data?from=2020-01-01&to=2030-01-01&limit=1000&offset=${offset}`,
      );
      seen.push(...(body.items as { id: string }[]).map(({ id }) => id));
      hasMore = body.hasMore === true;
    }
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      const { body } = await this.#get(
        service,
        `/v1/measures/700/data?from=2020-01-01&to=2030-01-01&limit=100&offset=${page}`,
      );
      seen.push(...(body.items as { id: string }[]).map(({ id }) => id));
      hasMore = body.hasMore === true;
    }
    assert.equal(await service.stop(), 0);
    assert.equal(new Set(seen).size, seen.length);
    const there = new Set(seen);
    const lost = [...this.#acknowledged.keys()].filter((id) => !there.has(id));
    assert.deepEqual(lost, []);
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  async #start(): Promise<ServiceProcess> {
    const service = await startProcess(this.#env);
    // A server that was killed is away for a moment.
    if (!this.databaseUrl.startsWith('sqlite:')) service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
    return service;
  }

  #get(service: ServiceProcess, path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}`, accept: 'application/json' };
    return exchange(`${service.baseUrl}${path}`, { headers });
  }

  #post(service: ServiceProcess, body: ResponseBody): Promise<Answer> {
    return exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Whoever had no answer sends the same once more, with the same id, and is served. */
  async #settleDoubts(service: ServiceProcess): Promise<void> {
    const doubts = [...this.#doubtful.values()];
    await Promise.all(
      doubts.map(async (body) => {
        const answer = await until(
          () => this.#post(service, body),
          ({ status }) => status !== 502 && status !== 503,
        );
        assert.equal(answer.status, 200, answer.text);
        this.#acknowledged.set(String(body.responseId), body);
        this.#doubtful.delete(String(body.responseId));
      }),
    );
  }

  /** Writes with several writers until the killer has struck, at a random number of answers. */
  async #load(service: ServiceProcess, kill: () => Promise<void>): Promise<void> {
    const target = Math.floor(this.#random() * answersMax);
    let answers = 0;
    let isOver = false;
    let killing: Promise<void> | null = null;
    const write = async (): Promise<void> => {
      while (!isOver) {
        const body = this.#newBody();
        const { responseId } = body;
        if (responseId !== undefined) this.#doubtful.set(responseId, body);
        // Not awaited: the others go on writing while the signal is on its way.
        if (answers >= target) {
          killing ??= kill().finally(() => {
            isOver = true;
          });
        }
        const answer = await this.#post(service, body).catch(() => null);
        if (answer === null || answer.status === 502 || answer.status === 503) {
          await killing;
          continue;
        }
        assert.equal(answer.status, 200, answer.text);
        answers += 1;
        const kept = String(answer.body.responseId);
        this.#acknowledged.set(kept, body);
        this.#doubtful.delete(kept);
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    await killing;
  }

  #newBody(): ResponseBody {
    const number = ++this.#sent;
    const moment = Date.UTC(2025, 0, 1) + Math.floor(this.#random() * 20 * 86_400_000);
    const value = String(1 + Math.floor(this.#random() * 10));
    return {
      surveyDefinitionId: number % 3 === 0 ? 'acme-badge' : 'acme-web-older',
      // Some come without an id, as from a browser; nobody can send those again.
      ...(number % 5 === 0 ? {} : { responseId: `sent-${number}` }),
      submissionTimestamp: new Date(moment).toISOString(),
      responses:
        number % 3 === 0
          ? { 'Q-STARS': ['3'] }
          : { 'Q-SAT-1': [value], 'Q-FOUND': ['A-YES'], 'Q-PRICE': [value] },
    };
  }

  /** The store opens clean, counts agree with rows, and what was answered is there once, as it was sent. */
  async #check(): Promise<void> {
    if (!this.databaseUrl.startsWith('sqlite:')) await untilQuiet(this.databaseUrl);
    assert.deepEqual(await disagreements(this.databaseUrl), []);
    const rows = await storeRows(
      this.databaseUrl,
      `select response_id, body from response
       join response_body using (account_id, source_id, seq)`,
    );
    const kept = new Map(rows.map((row) => [String(row.response_id), String(row.body)]));
    const lost = [...this.#acknowledged].filter(([id, body]) => kept.get(id) !== JSON.stringify(body));
    assert.deepEqual(lost, []);
    await setUp(['insight', 'verify'], this.#env);
  }
}

/** A server goes on with what a dead client had asked of it; the rows are counted when it has finished. */
async function untilQuiet(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await until(
      async () =>
        (
          await client.query(`select pid from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
        ).rowCount,
      (count) => count === 0,
    );
  } finally {
    await client.end();
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
