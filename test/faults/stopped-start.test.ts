// A service that is told to stop while it starts: at whatever moment that is, it ends in order and with status 0.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import pg from 'pg';
import { engines, type TestStore } from '../support/engines.ts';
import { createPostgresServer, freePort } from '../support/postgres-server.ts';
import { endingWithUs, environment, soundingsOk, startedProgram, startProcess } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

interface Start {
  readonly args?: readonly string[];
  /** Told to stop as soon as it has said this; null: somebody else tells it. */
  readonly stopAfter: RegExp | null;
}

/** A start, and how it ended. */
function startAndStop(
  env: Readonly<Record<string, string>>,
  { args = [], stopAfter }: Start,
): Promise<Ending> {
  const child = endingWithUs(
    spawn(process.execPath, [startedProgram, 'serve', '--port', '0', ...args], {
      env: environment({ SOUNDINGS_LOG_LEVEL: 'info', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let said = '';
  const hear = (text: string): void => {
    said += text;
    if (stopAfter?.test(said) && !child.killed) child.kill('SIGTERM');
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, said }));
  });
}

/** What it says when nothing is wrong with how it ends. */
function assertOrderly({ code, signal, said }: Ending, when: string): void {
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, `${when}: ${said}`);
  assert.doesNotMatch(said, /unsettled|should not have happened|"level":(50|60)/, when);
}

const counter = new URL('../support/stop-at-progress.ts', import.meta.url).href;
const serving = /Soundings answers on/;

/** The furthest that anybody came who counted. */
function furthest(notes: string): number {
  const counts = readdirSync(notes).filter((name) => name !== 'sent');
  return Math.max(...counts.map((name) => Number(readFileSync(join(notes, name), 'utf8'))));
}

const isLong = process.env.TEST_LONG !== undefined;
const lives = [
  { workers: '1', countsIn: 'first', points: isLong ? 40 : 8 },
  { workers: '2', countsIn: 'first', points: isLong ? 40 : 5 },
  { workers: '2', countsIn: 'worker', points: isLong ? 40 : 5 },
] as const;

for (const engine of engines) {
  describe(`a start on ${engine.name} that is told to stop`, () => {
    for (const { workers, countsIn, points } of lives)
      it(`ends with status 0 at any moment, with ${workers === '1' ? 'one process' : `workers, counted in a ${countsIn} process`} [D-855]`, async () => {
        const counted = async (store: TestStore, point: number, stopAfter: RegExp | null) => {
          const notes = temporaryFolder('progress');
          const ending = await startAndStop(
            {
              DATABASE_URL: store.databaseUrl,
              NODE_OPTIONS: `--import ${counter}`,
              STOP_IN: countsIn,
              STOP_AT: String(point),
              STOP_NOTES: notes,
            },
            { args: ['--workers', workers], stopAfter },
          );
          return { ending, progress: furthest(notes) };
        };
        // A store of its own for each: the schema is made within the start.
        const whole = await engine.newStore();
        const { ending, progress } = await counted(whole, 0, serving);
        assertOrderly(ending, 'told to stop as soon as it serves');
        await whole.dispose();
        for (let index = 0; index < points; index += 1) {
          // The very first moment, and more of the early ones than of the late ones.
          const point = 1 + Math.floor(progress * 0.9 * (index / points) ** 1.5);
          const store = await engine.newStore();
          const when = `at ${point} of ${progress}`;
          assertOrderly((await counted(store, point, null)).ending, when);
          await store.dispose();
        }
      });

    it('ends with status 0 while the demo is loaded, and the next start serves what is there [D-855]', async () => {
      const store = await engine.newStore();
      const env = { DATABASE_URL: store.databaseUrl };
      for (const stopAfter of [/Bringing the schema/, /Loading/])
        assertOrderly(await startAndStop(env, { args: ['--demo'], stopAfter }), String(stopAfter));
      const service = await startProcess(env);
      assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
      assert.equal(await service.stop(), 0);
      await soundingsOk(['demo'], env);
      await store.dispose();
    });

    it('ends with status 0 while it waits for somebody who holds the store [D-855]', async () => {
      const store = await engine.newStore();
      const env = { DATABASE_URL: store.databaseUrl };
      await soundingsOk(['migrate'], env);
      const release = await holdSchema(store);
      try {
        assertOrderly(await startAndStop(env, { stopAfter: /Bringing the schema/ }), 'held');
      } finally {
        await release();
      }
      const service = await startProcess(env);
      assert.equal(await service.stop(), 0);
      await store.dispose();
    });
  });
}

/** Makes one step of the schema pending, and holds the row that it needs. */
async function holdSchema({ databaseUrl }: TestStore): Promise<() => Promise<void>> {
  const forget = 'delete from schema_step where number = (select max(number) from schema_step)';
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    const step = db.prepare('select * from schema_step order by number desc limit 1').get()!;
    db.exec(forget);
    db.exec('begin immediate');
    return async () => {
      db.exec('rollback');
      db.prepare('insert into schema_step (number, name, applied_at) values (?, ?, ?)').run(
        step.number as number,
        step.name as string,
        step.applied_at as number,
      );
      db.close();
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select * from schema_step order by number desc limit 1');
  await client.query(forget);
  await client.query('begin');
  await client.query(`select * from lease where name = 'migration' for update`);
  return async () => {
    await client.query('rollback');
    await client.query('insert into schema_step (number, name, applied_at) values ($1, $2, $3)', [
      rows[0].number,
      rows[0].name,
      rows[0].applied_at,
    ]);
    await client.end();
  };
}

describe('a start that waits for PostgreSQL and is told to stop', () => {
  for (const workers of ['1', '2']) {
    it(`ends with status 0 where the server is away, --workers ${workers} [D-855]`, async () => {
      const env = { DATABASE_URL: `postgres://soundings@127.0.0.1:${await freePort()}/soundings` };
      const args = ['--workers', workers];
      assertOrderly(await startAndStop(env, { args, stopAfter: /Waiting for it/ }), 'away');
    });
  }

  it('ends with status 0 where the server hangs [D-855]', async () => {
    const server = await createPostgresServer();
    await server.start();
    try {
      await server.freeze();
      const env = { DATABASE_URL: server.url, NODE_OPTIONS: `--import ${counter}` };
      const notes = temporaryFolder('progress');
      const ending = await startAndStop(
        { ...env, STOP_IN: 'first', STOP_AT: '400', STOP_NOTES: notes },
        { stopAfter: /Waiting for it/ },
      );
      assertOrderly(ending, 'hanging');
    } finally {
      await server.dispose();
    }
  });
});
