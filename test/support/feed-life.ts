// A life of a measure under everything that can happen to it: responses, corrections and erasures from all sides, replicas
// that are killed in the middle, and a follower who reads pages of any size all the while. What was done is remembered, and
// in the end held against what the follower has seen.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/store/engine/db.ts';
import { eraseResponse } from '../../src/store/erasure/erase.ts';
import { appendExternal } from '../../src/store/feedback/external-parameters.ts';
import { assertInOrder, type Entry, type FeedItem, placesOf, warehouseOf } from './change-feed.ts';
import { type Answer, exchange } from './exchange.ts';
import { acme } from './feedback-catalogue.ts';
import type { Seeded } from './seeded.ts';
import { commandHereOk, type ServiceProcess, startProcess } from './service.ts';
import { temporaryFile } from './temporary-file.ts';

const writers = 6;
const changers = 2;
const source = 'measures/700';
const dayMs = 86_400_000;
/** Responses of earlier days are not kept. */
const firstKeptMs = Date.UTC(2025, 4, 8);
/** For the catalogue of the measure. */
export const feedRetainDays = Math.floor(Date.now() / dayMs) - firstKeptMs / dayMs;

export class FeedLife {
  readonly #env: Readonly<Record<string, string>>;
  readonly #db: Db;
  readonly #random: Seeded;
  readonly #services: ServiceProcess[] = [];
  #token = '';
  #isOver = false;
  #sent = 0;
  readonly #acknowledged: string[] = [];
  /** By single requests, and by a list at the end. */
  readonly #erased = new Set<string>();
  readonly #listed = new Set<string>();
  /** Too old to be kept. */
  readonly #old = new Set<string>();
  /** How often external parameters of a response were changed. */
  readonly #given = new Map<string, number>();
  readonly #seen: Entry[] = [];
  #cursor: string | null = null;

  constructor(env: Readonly<Record<string, string>>, db: Db, random: Seeded) {
    this.#env = env;
    this.#db = db;
    this.#random = random;
  }

  /** Replicas that are killed one after the other, so many times, while all goes on. */
  async live(
    token: (service: ServiceProcess) => Promise<string>,
    replicas: number,
    kills: number,
  ): Promise<void> {
    for (let replica = 0; replica < replicas; replica += 1) this.#services.push(await this.#start());
    this.#token = await token(this.#services[0]!);
    const loops = [
      ...Array.from({ length: writers }, () => this.#write()),
      ...Array.from({ length: changers }, () => this.#change()),
      this.#follow(),
    ];
    const all = Promise.all(loops);
    const killing = Promise.all([this.#kill(kills), this.#endOld()]);
    await Promise.race([killing, all]);
    await killing;
    this.#isOver = true;
    await all;
    await this.#eraseMany();
    await this.#endOld();
    await this.#readToTheEnd();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
  }

  /** What the follower has seen is what was done: everything, once, in one order. */
  async check(): Promise<void> {
    assertInOrder(this.#seen);
    const responses = this.#seen.filter(({ type }) => type === 'response');
    const ids = responses.map(({ item }) => item!.id);
    assert.deepEqual(ids.toSorted(), this.#acknowledged.toSorted());
    const emptiedBy = (kind: Entry['type']): readonly string[] =>
      this.#seen
        .filter(({ type }) => type === kind)
        .flatMap(({ from = 0, to = 0 }) =>
          Array.from({ length: to - from + 1 }, (_, more) => ids[from - 1 + more]!),
        );
    // Emptied once, by whoever came first.
    const [erased, retained] = [emptiedBy('erased'), emptiedBy('retained')];
    const emptied = new Set([...this.#erased, ...this.#listed, ...this.#old]);
    assert.deepEqual([...erased, ...retained].toSorted(), [...emptied].toSorted());
    assert.deepEqual(
      [...this.#erased].filter((id) => !erased.includes(id)),
      [],
    );
    assert.deepEqual(
      retained.filter((id) => !this.#old.has(id)),
      [],
    );
    const given = new Map<string, number>();
    for (const { type, item } of this.#seen)
      if (type === 'external') given.set(item!.id, (given.get(item!.id) ?? 0) + 1);
    assert.deepEqual([...given].toSorted(), [...this.#given].toSorted());
    assert.deepEqual(warehouseOf(this.#seen), await this.#data());
    const seen = this.#seen.splice(0);
    this.#cursor = null;
    await this.#readToTheEnd();
    assert.deepEqual(placesOf(this.#seen), placesOf(seen));
    // How much happens between the kills depends on the machine; that all of it happens does not.
    assert.ok(erased.length > 10 && retained.length > 5 && given.size > 2 && ids.length > 80);
  }

  async #kill(times: number): Promise<void> {
    for (let kill = 0; kill < times; kill += 1) {
      const until = this.#acknowledged.length + 40 + this.#random.below(80);
      while (this.#acknowledged.length < until) await pause();
      const at = this.#random.below(this.#services.length);
      await this.#services[at]!.kill();
      this.#services[at] = await this.#start();
    }
  }

  async #start(): Promise<ServiceProcess> {
    const service = await startProcess(this.#env);
    service.expectErrors('STORE_UNREACHABLE');
    return service;
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const responseId = `r-${this.#sent++}`;
      // Never near the first day that is kept, which moves on at midnight.
      const day = this.#random.percent(25) ? 1 + this.#random.below(5) : 10 + this.#random.below(18);
      const submittedMs = Date.UTC(2025, 4, day);
      const body = JSON.stringify({
        surveyDefinitionId: 'acme-web',
        responseId,
        submissionTimestamp: new Date(submittedMs).toISOString(),
        responses: { 'Q-SAT-1': [String(1 + this.#random.below(10))], 'Q-FOUND': ['A-YES'] },
      });
      // Sent again until it is acknowledged: a replica may have been killed between the commit and the answer.
      const { status, text } = await this.#insist('/v1/surveys/ingestion', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      assert.equal(status, 200, text);
      this.#acknowledged.push(responseId);
      if (submittedMs < firstKeptMs) this.#old.add(responseId);
    }
  }

  async #change(): Promise<void> {
    while (!this.#isOver) {
      const candidates = this.#acknowledged.filter((id) => !this.#erased.has(id));
      if (candidates.length < 20) {
        await pause();
        continue;
      }
      const stamp = { changeId: randomUUID(), nowMs: Date.now(), actor: 'test', accountId: acme };
      if (this.#random.percent(40)) {
        const responseId = this.#random.pick(candidates);
        if ((await this.#db.write(eraseResponse, { ...stamp, responseId })) === 'erased')
          this.#erased.add(responseId);
      } else {
        const ids = this.#random.some(candidates, 1 + this.#random.below(5));
        const values = [`tier ${this.#random.below(1_000_000)}`];
        const outcome = await this.#db.write(appendExternal, {
          ...stamp,
          sourceId: null,
          isReplacing: true,
          columns: ['loyalty_tier'],
          lines: ids.map((responseId, index) => ({ line: index, responseId, values })),
        });
        assert.deepEqual(outcome.faults, []);
        const skipped = new Set(outcome.skipped.map(({ responseId }) => responseId));
        assert.equal(outcome.changed, ids.length - skipped.size);
        for (const id of ids) if (!skipped.has(id)) this.#given.set(id, (this.#given.get(id) ?? 0) + 1);
      }
    }
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) await this.#readPage();
  }

  async #readToTheEnd(): Promise<void> {
    while (await this.#readPage());
  }

  /** One page, of any size, from any replica; whether there is more. */
  async #readPage(): Promise<boolean> {
    const query = `limit=${1 + this.#random.below(this.#random.percent(20) ? 1_000 : 40)}`;
    const after = this.#cursor === null ? '' : `&after=${this.#cursor}`;
    const { status, body, text } = await this.#insist(`/v1/${source}/changes?${query}${after}`);
    assert.equal(status, 200, text);
    this.#seen.push(...(body.items as Entry[]));
    this.#cursor = String(body.next);
    return body.hasMore === true;
  }

  /** Many at once, by the command line: neighbours are one entry. */
  async #eraseMany(): Promise<void> {
    const list = this.#acknowledged.slice(0, 100).filter((id) => !this.#erased.has(id));
    const file = temporaryFile('list.csv', `responseId\n${list.map((id) => `${id}\n`).join('')}`);
    await commandHereOk(['erase', '--account', String(acme), '--file', file], this.#env);
    for (const id of list) this.#listed.add(id);
  }

  /** What is too old is emptied, as the service does from time to time, too. */
  async #endOld(): Promise<void> {
    await commandHereOk(['retention', 'run'], this.#env);
  }

  async #data(): Promise<readonly FeedItem[]> {
    const items: FeedItem[] = [];
    for (let offset = 0; ; offset += 1) {
      const range = `from=2020-01-01&to=2035-12-31&limit=100&offset=${offset}`;
      const { body } = await this.#insist(`/v1/${source}/data?${range}`);
      items.push(...(body.items as FeedItem[]));
      if (body.hasMore !== true) return items;
    }
  }

  /** Asks one replica after the other until one answers. */
  async #insist(
    path: string,
    { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
  ): Promise<Answer> {
    for (;;) {
      const { baseUrl } = this.#random.pick(this.#services);
      try {
        const answer = await exchange(baseUrl + path, {
          method,
          headers: { accept: 'application/json', authorization: `Bearer ${this.#token}`, ...headers },
          ...(body === '' ? {} : { body }),
        });
        // A busy machine may not connect to PostgreSQL in time; a caller is told to try again, and does.
        if (answer.body.errorCode !== 'STORE_UNREACHABLE') return answer;
        await pause();
      } catch (error) {
        // Of a connection that broke; anything else is a finding.
        if ((error as { code?: string }).code === undefined) throw error;
        await pause();
      }
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 5));
}
