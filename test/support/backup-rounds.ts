// A service under as much ingestion as it takes, backups of its store meanwhile, and what each of them must hold when it
// is restored: everything that was acknowledged before it was begun, row by row as the store has it.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { backupsIn } from './backups.ts';
import { postResponse, prepareFeedback } from './feedback.ts';
import { disagreements } from './log-agreement.ts';
import { type Service, soundings, soundingsOk, startProcess, tokenFor } from './service.ts';
import { storeRows } from './store-rows.ts';
import { temporaryFolder } from './temporary-file.ts';

const writers = 8;
/** From here on they pause after each: a store that grows as fast as it can while a slow machine works is only more of the same. */
const quickly = process.env.TEST_LONG === undefined ? 2_000 : Number.POSITIVE_INFINITY;
const pauseMs = 40;

export class BackupRounds {
  readonly storePath: string;
  readonly folder = temporaryFolder('backups');
  readonly env: Readonly<Record<string, string>>;
  /** What was answered with success, and its text. */
  readonly acknowledged = new Map<string, string>();
  service!: Service;
  #token = '';
  #sent = 0;
  #isOver = false;
  /** What the writers wait for before they go on. */
  #pause: Promise<unknown> = Promise.resolve();
  #load: Promise<unknown> = Promise.resolve();

  constructor(databaseUrl: string, env: Readonly<Record<string, string>> = {}) {
    this.storePath = databaseUrl.slice('sqlite:'.length);
    this.env = { DATABASE_URL: databaseUrl, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_LOG_LEVEL: 'error', ...env };
  }

  async start(): Promise<void> {
    const client = await prepareFeedback(this.env);
    this.service = await startProcess(this.env);
    this.#token = await tokenFor(this.service.baseUrl, client);
    this.#load = Promise.all(Array.from({ length: writers }, () => this.#write()));
    // A failure is told by stop(), and must not end the process before.
    this.#load.catch(() => {});
  }

  async #write(): Promise<void> {
    for (;;) {
      await this.#pause;
      if (this.#isOver) return;
      const number = ++this.#sent;
      const [id, text] = [`sent-${number}`, `Some words of ${number}. `.repeat(1 + (number % 40))];
      const answer = await postResponse(this.service.baseUrl, this.#token, id, text);
      assert.equal(answer.status, 200, answer.text);
      this.acknowledged.set(id, text);
      if (number > quickly) await setTimeout(pauseMs);
    }
  }

  /** Makes a backup under load, restores it elsewhere, and compares. */
  async round(): Promise<void> {
    const before = new Map(this.acknowledged);
    const { code, stdout, stderr } = await soundings(['backup', this.folder, '--keep', '2'], this.env);
    assert.equal(code, 0, stderr);
    assert.ok(this.acknowledged.size > before.size, 'Nothing was taken while the backup was made.');
    await this.compare(stdout.trim(), before);
  }

  /** Nothing is taken meanwhile: what is compared is what was taken before. */
  async compare(file: string, before: ReadonlyMap<string, string>): Promise<void> {
    await this.resting(() => this.#compare(file, before));
  }

  /** Does something while the writers rest: it has nothing to do with the load, and would share the processors with it. */
  async resting<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = promise;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  async #compare(file: string, before: ReadonlyMap<string, string>): Promise<void> {
    const restored = join(temporaryFolder(), 'restored.db');
    await soundingsOk(['restore', file, '--to', restored]);
    assert.deepEqual(await disagreements(`sqlite:${restored}`), []);
    const rows = await rowsOf(`sqlite:${restored}`);
    const kept = new Map(rows.map(({ response_id: id, body }) => [String(id), textOf(String(body))]));
    const lost = [...before].filter(([id, text]) => kept.get(id) !== text).map(([id]) => id);
    assert.deepEqual(lost, []);
    // The store has gone on since: all rows of the backup are its first ones, as they are.
    assert.deepEqual(rows, await rowsOf(this.env.DATABASE_URL!, rows.length));
    rmSync(restored);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#load;
    await this.service?.stop();
  }

  get backups(): readonly string[] {
    return backupsIn(this.folder);
  }
}

function rowsOf(databaseUrl: string, count = -1): ReturnType<typeof storeRows> {
  return storeRows(
    databaseUrl,
    `select response.*, body
     from response
     join response_body using (account_id, source_id, seq)
     order by account_id, source_id, seq
     limit ${count}`,
  );
}

function textOf(body: string): string {
  const { responses } = JSON.parse(body) as { responses: Readonly<Record<string, readonly string[]>> };
  return responses['Q-TEXT']?.[0] ?? '';
}
