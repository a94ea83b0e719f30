// An answer means that the response will still be there after a power cut. A kill cannot show that, because the
// operating system keeps what a dead process wrote; so the settings of every commit are looked at, and commits are
// held up to see that the answers wait for them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, plainPostgres, type TestStore } from '../support/engines.ts';
import { type Answer, exchange } from '../support/exchange.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import {
  createClient,
  type ServiceProcess,
  setUp,
  soundingsOk,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { holdWriteLock } from '../support/write-lock.ts';

const [sqlite] = engines;
const patience = { SOUNDINGS_THROTTLE: 'off', SOUNDINGS_STORE_TIMEOUT_MS: '30000' };

/** A service on a store with the catalogue, and what a test does with it. */
class Subject {
  readonly #service: ServiceProcess;
  readonly #headers: Record<string, string>;

  private constructor(service: ServiceProcess, token: string) {
    this.#service = service;
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  }

  static async start(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Subject> {
    const settings = { DATABASE_URL: databaseUrl, ...patience };
    await setUp(['apply', writeCatalogue(feedbackCatalogue)], settings);
    const client = await createClient(settings, acme);
    const service = await startProcess({ ...settings, ...env });
    return new Subject(service, await tokenFor(service.baseUrl, client));
  }

  /** Posts, and says at any time whether the answer is there. */
  post(responseId: string): { readonly answer: Promise<Answer>; isAnswered: () => boolean } {
    let isAnswered = false;
    const body = {
      surveyDefinitionId: 'acme-badge',
      responseId,
      submissionTimestamp: '2025-01-01T12:00:00Z',
    };
    const answer = exchange(`${this.#service.baseUrl}/v1/surveys/ingestion`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).finally(() => {
      isAnswered = true;
    });
    return { answer, isAnswered: () => isAnswered };
  }

  /** Posts while commits are held up: the answer waits for the release, and so does everybody's sight of it. */
  async assertWaits(
    responseId: string,
    isHeldUp: () => Promise<boolean>,
    release: () => Promise<void>,
  ): Promise<void> {
    const total = await this.total();
    const { answer, isAnswered } = this.post(responseId);
    try {
      await until(isHeldUp, (isHeld) => isHeld);
      // Readers are served meanwhile, and see what was committed.
      for (let poll = 0; poll < 10; poll += 1) assert.equal(await this.total(), total);
      assert.equal(isAnswered(), false);
    } finally {
      await release();
    }
    assert.equal((await answer).status, 200);
    assert.equal(await this.total(), Number(total) + 1);
  }

  async total(): Promise<unknown> {
    const path = '/v1/projects/300/data?from=2025-01-01&to=2025-01-01';
    const { status, body, text } = await exchange(`${this.#service.baseUrl}${path}`, {
      headers: this.#headers,
    });
    assert.equal(status, 200, text);
    return body.total;
  }

  async writesWaiting(): Promise<number> {
    const { text } = await exchange(`${this.#service.baseUrl}/metrics`);
    return Number(text.match(/^soundings_store_writes_waiting (\d+)$/m)?.[1] ?? 0);
  }

  stop(): Promise<number | null> {
    return this.#service.stop();
  }
}

describe('an answer on sqlite', () => {
  let store: TestStore;
  let folder: string;
  let subject: Subject;

  before(async () => {
    folder = temporaryFolder('commits');
    store = await sqlite!.newStore();
    subject = await Subject.start(store.databaseUrl, {
      NODE_OPTIONS: `--require="${fileURLToPath(new URL('../support/watch-commits.ts', import.meta.url))}"`,
      WATCH_COMMITS_FOLDER: folder,
    });
  });
  after(async () => {
    await subject?.stop();
    await store?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('follows a commit with synchronous = FULL, as every commit of the service has it [D-40]', async () => {
    const commits = (): string[] =>
      existsSync(join(folder, 'commits'))
        ? readFileSync(join(folder, 'commits'), 'utf8').trim().split('\n')
        : [];
    const before = commits().length;
    for (let index = 0; index < 5; index += 1)
      assert.equal((await subject.post(`full-${index}`).answer).status, 200);
    assert.ok(commits().length >= before + 5);
    assert.deepEqual([...new Set(commits())], ['2']);
  });

  it('waits for a commit that hangs on the disk, and nobody sees the response before it [D-40]', async () => {
    writeFileSync(join(folder, 'stall'), '');
    await subject.assertWaits(
      'stalled',
      async () => existsSync(join(folder, 'stalled')),
      async () => rmSync(join(folder, 'stall')),
    );
  });

  it('waits while another process holds the write lock [D-40]', async () => {
    const lock = await holdWriteLock(store.databaseUrl);
    await subject.assertWaits(
      'locked out',
      async () => (await subject.writesWaiting()) > 0,
      () => lock.release(),
    );
  });
});

describe('an answer on postgres', () => {
  let store: TestStore;
  let subject: Subject;
  let holder: pg.Client;

  before(async () => {
    // Triggers tell, and a Citus has none on tables that are spread; what its workers are set to, doctor looks at.
    store = await plainPostgres.newStore();
    await soundingsOk(['migrate'], { DATABASE_URL: store.databaseUrl });
    const database = new URL(store.databaseUrl).pathname.slice(1);
    await storeRows(store.databaseUrl, `alter database ${database} set synchronous_commit = off`);
    await watchCommits(store.databaseUrl);
    subject = await Subject.start(store.databaseUrl);
    holder = new pg.Client({ connectionString: store.databaseUrl });
    await holder.connect();
  });
  after(async () => {
    await holder?.end();
    await subject?.stop();
    await store?.dispose();
  });

  it('follows a transaction with synchronous_commit = on, as every writing one has it, though the server says off [D-40]', async () => {
    for (let index = 0; index < 5; index += 1)
      assert.equal((await subject.post(`on-${index}`).answer).status, 200);
    const [outside] = await storeRows(store.databaseUrl, 'show synchronous_commit');
    assert.equal(outside?.synchronous_commit, 'off');
    // What responses change, and what the commands and the pulse of the service change beside them.
    const tables = ['response', 'log_counter', 'response_body', 'survey', 'api_client', 'audit', 'heartbeat'];
    const seen = await until(
      () => storeRows(store.databaseUrl, 'select setting, changed from seen group by 1, 2'),
      (rows) => tables.every((table) => rows.some(({ changed }) => changed === table)),
    );
    assert.deepEqual([...new Set(seen.map(({ setting }) => setting))], ['on']);
  });

  it('waits for a commit that is held up, and nobody sees the response before it [D-40]', async () => {
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`;
    await holder.query('select pg_advisory_lock(42)');
    // Once somebody waits for this lock, all statements are done: it is the commit that waits.
    await subject.assertWaits(
      'stalled',
      async () => (await storeRows(store.databaseUrl, waiting)).length > 0,
      async () => void (await holder.query('select pg_advisory_unlock(42)')),
    );
  });
});

/** Every change of every table notes the setting it is made under; and whoever holds lock 42 holds up commits. */
async function watchCommits(databaseUrl: string): Promise<void> {
  await storeRows(databaseUrl, 'create table seen (setting text not null, changed text not null)');
  await storeRows(
    databaseUrl,
    `create function note() returns trigger language plpgsql as $$
     begin
       insert into seen values (current_setting('synchronous_commit'), tg_table_name);
       return null;
     end $$`,
  );
  await storeRows(
    databaseUrl,
    `do $$
     declare name text;
     begin
       for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'seen' loop
         execute format('create trigger note after insert or update or delete on %I
           for each statement execute function note()', name);
       end loop;
     end $$`,
  );
  await storeRows(
    databaseUrl,
    `create function hold_up() returns trigger language plpgsql as $$
     begin
       perform pg_advisory_xact_lock(42);
       return null;
     end $$`,
  );
  await storeRows(
    databaseUrl,
    `create constraint trigger hold_up after insert on response deferrable initially deferred
     for each row execute function hold_up()`,
  );
}
