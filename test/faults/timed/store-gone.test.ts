// The store goes away while the service runs, and comes back. Nobody restarts the service for that.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { atExit } from '../../support/at-exit.ts';
import { engines, sqlite, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { keptResponses, postResponse, prepareFeedback } from '../../support/feedback.ts';
import { addRoute, beat, type Mounted, startMounted } from '../../support/mounted.ts';
import { createPostgresServer, type PostgresServer } from '../../support/postgres-server.ts';
import {
  type ApiClientCredentials,
  requestToken,
  type ServiceProcess,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';
import { type HeldLock, holdWriteLock } from '../../support/write-lock.ts';

const answerWithinMs = 2_000;
// What the service has unless it is told otherwise; other tests give a busy machine more.
const impatience = { SOUNDINGS_STORE_TIMEOUT_MS: '1500' };
const livezWithinMs = 100;
// A test of hanging must not hang itself.
const patience = { timeout: 90_000 };

interface Timed {
  readonly status: number;
  readonly code: unknown;
  readonly ms: number;
}

/** Asks, and measures the time that the service and we had; see fairClock. */
async function timed({ pid }: { pid: number }, ask: Ask): Promise<Timed> {
  const elapsedMs = fairClock(pid, process.pid);
  const { status, body } = await ask();
  const code = (body as { errorCode?: unknown }).errorCode;
  return { status, code, ms: elapsedMs() };
}

type Ask = () => Promise<{ status: number; body: unknown }>;

/** Every kind of request that needs the store each time. */
function questions(
  baseUrl: string,
  token: string,
): Readonly<Record<'measures' | 'projects' | 'ingestion', Ask>> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return {
    measures: () => exchange(`${baseUrl}/v1/measures`, { headers }),
    projects: () => exchange(`${baseUrl}/v1/projects`, { headers }),
    ingestion: () => postResponse(baseUrl, token, randomUUID()),
  };
}

/** A no is never said from memory, so this needs the store too: it may say 401 only when it has looked. */
function wrongSecret(baseUrl: string, { clientId }: ApiClientCredentials): Ask {
  return async () => {
    const answer = await requestToken(baseUrl, { clientId, clientSecret: 'wrong', scopes: [] }, 'r_cx_basic');
    return { status: answer.status, body: answer.json };
  };
}

/**
 * Asks /livez all the while something is done: it must answer every time, and within 100 ms. One answer may be late,
 * because a machine may stand still for a moment, which fairClock cannot see; a service that is held up is late often.
 */
async function whileAlive(service: ServiceProcess, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const tookMs: number[] = [];
  let failures = 0;
  const watching = (async () => {
    while (!isOver) {
      const answer = await timed(service, () => exchange(`${service.baseUrl}/livez`)).catch(() => null);
      if (answer === null || answer.status !== 200) failures += 1;
      else tookMs.push(answer.ms);
      await new Promise((resume) => setTimeout(resume, 20));
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  assert.equal(failures, 0);
  assert.ok(tookMs.length > 10);
  const [slowest = 0, nextSlowest = 0] = tookMs.sort((a, b) => b - a);
  assert.ok(nextSlowest < livezWithinMs, `/livez took ${slowest} and ${nextSlowest} ms.`);
}

function assertDownstream(answers: readonly (Timed & { what: string })[]): void {
  for (const { what, status, code, ms } of answers) {
    assert.equal(status, 502, `${what}: ${status} ${String(code)}`);
    // The bodies of projects have numbers for codes.
    assert.ok(['STORE_UNREACHABLE', 'STORE_TIMEOUT', 50201, 50202].includes(code as string), String(code));
    assert.ok(ms < answerWithinMs, `${what} took ${ms} ms.`);
  }
}

describe('PostgreSQL goes away while serving', () => {
  let server: PostgresServer;
  let service: ServiceProcess;
  let client: ApiClientCredentials;
  let token: string;
  const kept: string[] = [];

  before(async () => {
    server = await createPostgresServer();
    await server.start();
    const env = { DATABASE_URL: server.url, SOUNDINGS_THROTTLE: 'off', ...impatience };
    client = await prepareFeedback(env);
    service = await startProcess(env);
    service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
    token = await tokenFor(service.baseUrl, client);
  });
  after(async () => {
    await service?.kill();
    await server?.dispose();
  });

  /** Stops the postmaster and every process of it where they stand; nothing is closed, nothing answers. */
  async function freeze(): Promise<() => void> {
    const connection = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 5_000 });
    connection.on('error', () => {});
    await connection.connect();
    // From here on no process is added, so the list is whole.
    server.signal('SIGSTOP');
    const { rows } = await connection.query<{ pid: number; own: boolean }>(
      'select pid, pid = pg_backend_pid() as own from pg_stat_activity',
    );
    const pids = rows.sort((a, b) => Number(a.own) - Number(b.own)).map(({ pid }) => pid);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      server.signal('SIGCONT');
      void connection.end().catch(() => {});
    };
  }

  const ways: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
    'stopped in order': async () => {
      await server.stop('fast');
      return () => server.start();
    },
    'stopped as by a crash': async () => {
      await server.stop('immediate');
      return () => server.start();
    },
    frozen: async () => {
      const thaw = await freeze();
      return async () => thaw();
    },
  };

  async function goAndComeBack(takeAway: () => Promise<() => Promise<void>>): Promise<void> {
    const asking = questions(service.baseUrl, token);
    const signIn = wrongSecret(service.baseUrl, client);
    assert.equal((await signIn()).status, 401);
    // It goes away under load: some of these are in the middle of a transaction.
    let isGone = false;
    const load = Array.from({ length: 12 }, async (_, index) => {
      const seen: (Timed & { what: string })[] = [];
      while (!isGone) {
        const id = randomUUID();
        const isWriting = index % 2 === 0;
        const answer = await timed(service, () =>
          isWriting ? postResponse(service.baseUrl, token, id) : asking.measures(),
        );
        if (answer.status === 200 && isWriting) kept.push(id);
        seen.push({ what: isWriting ? 'ingestion under load' : 'measures under load', ...answer });
      }
      return seen;
    });
    const already = kept.length;
    await until(
      async () => kept.length,
      (count) => count > already + 50,
    );
    await whileAlive(service, async () => {
      const bringBack = await takeAway();
      try {
        isGone = true;
        const failed = (await Promise.all(load)).flat().filter(({ status }) => status !== 200);
        assertDownstream(failed);

        // Three times as many as there are connections, all at once.
        const many = await Promise.all(
          Object.entries({ ...asking, signIn }).flatMap(([what, ask]) =>
            Array.from({ length: 8 }, async () => ({ what, ...(await timed(service, ask)) })),
          ),
        );
        assertDownstream(many);
        const ready = await timed(service, () => exchange(`${service.baseUrl}/readyz`));
        assert.equal(ready.status, 503);
        assert.ok(ready.ms < answerWithinMs, `/readyz took ${ready.ms} ms.`);
      } finally {
        isGone = true;
        await bringBack();
      }
      for (const ask of Object.values(asking)) {
        await until(
          async () => (await ask()).status,
          (status) => status === 200,
        );
      }
      assert.equal((await signIn()).status, 401);
      assert.equal((await requestToken(service.baseUrl, client, 'r_cx_basic')).status, 200);
      await until(
        async () => (await exchange(`${service.baseUrl}/readyz`)).status,
        (status) => status === 200,
      );
    });
  }

  for (const [way, takeAway] of Object.entries(ways)) {
    it(
      `${way}: every request says so within 2 s, /readyz is false, /livez answers, and it mends itself [D-20] [D-23]`,
      patience,
      () => goAndComeBack(takeAway),
    );
  }

  it('nothing that was answered is lost [D-40]', async () => {
    const present = new Set(await keptResponses(service.baseUrl, token));
    assert.deepEqual(
      kept.filter((id) => !present.has(id)),
      [],
    );
  });

  it('a service that is told to stop while the store is frozen still stops', async () => {
    const thaw = await freeze();
    const startedAtMs = performance.now();
    const status = await service.stop();
    const ms = performance.now() - startedAtMs;
    thaw();
    assert.equal(status, 0, service.output());
    assert.ok(ms < 8_000, `It took ${ms} ms.`);
  });
});

describe('another process holds the write lock of SQLite', () => {
  let store: TestStore;
  let service: ServiceProcess;
  let client: ApiClientCredentials;
  let token: string;
  let lock: HeldLock;

  before(async () => {
    store = await sqlite.newStore();
    const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...impatience };
    client = await prepareFeedback(env);
    service = await startProcess(env);
    service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
    token = await tokenFor(service.baseUrl, client);
  });
  after(async () => {
    await service?.kill();
    await store?.dispose();
  });

  it('writing says so within 2 s, whenever it is asked; reading goes on; /livez answers; it mends itself [D-20] [D-23]', async () => {
    const asking = questions(service.baseUrl, token);
    for (const ask of Object.values(asking)) assert.equal((await ask()).status, 200);
    // What is loaded when it is first used has been loaded then.
    assert.equal((await exchange(`${service.baseUrl}/metrics`)).status, 200);
    lock = await holdWriteLock(store.databaseUrl);
    await whileAlive(service, async () => {
      try {
        // One after another, so that the later ones find the earlier ones waiting.
        const writing: Promise<Timed & { what: string }>[] = [];
        for (let count = 0; count < 15; count += 1) {
          writing.push(timed(service, asking.ingestion).then((answer) => ({ what: 'ingestion', ...answer })));
          for (const what of ['measures', 'projects'] as const)
            assert.equal((await asking[what]()).status, 200, what);
          await new Promise((resume) => setTimeout(resume, 200));
        }
        assertDownstream(await Promise.all(writing));
        const ready = await timed(service, () => exchange(`${service.baseUrl}/readyz`));
        assert.equal(ready.status, 503);
        assert.ok(ready.ms < answerWithinMs);
      } finally {
        await lock.release();
      }
      await until(
        async () => (await asking.ingestion()).status,
        (status) => status === 200,
      );
      await until(
        async () => (await exchange(`${service.baseUrl}/readyz`)).status,
        (status) => status === 200,
      );
    });
  });

  it('what was refused was not kept, and a retry keeps it once [D-23] [D-41]', async () => {
    const before = await keptResponses(service.baseUrl, token);
    const ids = Array.from({ length: 20 }, () => randomUUID());
    lock = await holdWriteLock(store.databaseUrl);
    const refused = await Promise.all(ids.map((id) => postResponse(service.baseUrl, token, id)));
    await lock.release();
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], [502]);
    assert.deepEqual(await keptResponses(service.baseUrl, token), before);
    for (const id of ids) assert.equal((await postResponse(service.baseUrl, token, id)).status, 200);
    assert.deepEqual(new Set(await keptResponses(service.baseUrl, token)), new Set([...before, ...ids]));
  });
});

describe('the disk of SQLite is full', () => {
  interface Disk {
    readonly databaseUrl: string;
    readonly env: Readonly<Record<string, string>>;
    fill(): void;
    free(): void;
    dispose(): void;
  }

  /** A store that may not grow while a file is there: any machine can do that. */
  function limitedStore(): Disk {
    const folder = temporaryFolder('full');
    const marker = join(folder, 'full');
    const preload = fileURLToPath(new URL('../../support/small-disk.ts', import.meta.url));
    return {
      databaseUrl: `sqlite:${join(folder, 'store.db')}`,
      env: { SMALL_DISK: marker, NODE_OPTIONS: `--require ${preload}` },
      fill: () => writeFileSync(marker, ''),
      free: () => rmSync(marker),
      dispose: () => rmSync(folder, { recursive: true, force: true }),
    };
  }

  /** A real disk of 24 MiB, where we may mount one. */
  function realDisk(): Disk | null {
    const folder = temporaryFolder('disk');
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
    if (mounted.status !== 0) {
      rmSync(folder, { recursive: true, force: true });
      return null;
    }
    atExit(() => spawnSync('umount', ['-l', folder]));
    const filler = join(folder, 'filler');
    return {
      databaseUrl: `sqlite:${join(folder, 'store.db')}`,
      env: {},
      fill() {
        // In ever smaller pieces, until not one byte is left.
        for (let size = 4 * 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
          try {
            for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
          } catch {
            // The disk is full for pieces of this size.
          }
        }
      },
      free: () => rmSync(filler),
      dispose() {
        spawnSync('umount', [folder]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  // Where no disk may be mounted, the store that may not grow shows what is promised.
  const disks = {
    'a store that may not grow': limitedStore,
    'a real disk': () => realDisk() ?? limitedStore(),
  };
  for (const [what, makeDisk] of Object.entries(disks)) {
    describe(what, () => {
      let disk: Disk;
      let service: ServiceProcess;
      let client: ApiClientCredentials;
      let token: string;
      const kept: string[] = [];
      const text = 'It was slow. '.repeat(70);

      before(async () => {
        disk = makeDisk();
        const env = { DATABASE_URL: disk.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...impatience };
        client = await prepareFeedback(env);
        service = await startProcess({ ...env, ...disk.env });
        service.expectErrors('STORE_FULL');
        token = await tokenFor(service.baseUrl, client);
      });
      after(async () => {
        await service?.kill();
        disk?.dispose();
      });

      const post = async (): Promise<Answer> => {
        const id = randomUUID();
        const answer = await postResponse(service.baseUrl, token, id, text);
        if (answer.status === 200) kept.push(id);
        return answer;
      };

      it('writing is unavailable and says when to come back; reading goes on; it recovers without a restart [D-20]', async () => {
        const asking = questions(service.baseUrl, token);
        for (let round = 1; round <= 2; round += 1) {
          await until(
            async () => (await post()).status,
            (status) => status === 200,
          );
          disk.fill();
          // The log of the store has some room of its own, which is used up first.
          const refused = await until(post, ({ status }) => status !== 200, 30_000);
          assert.equal(refused.status, 503, refused.text);
          assert.equal(refused.body.errorCode, 'STORE_FULL');
          assert.match(String(refused.headers['retry-after']), /^\d+$/);
          assert.doesNotMatch(refused.text, /SQLITE|disk image|\.db/);
          for (let count = 0; count < 20; count += 1) {
            const { status } = await post();
            assert.ok(status === 503 || status === 200, String(status));
          }
          for (const read of ['measures', 'projects'] as const)
            assert.equal((await asking[read]()).status, 200, read);
          assert.equal((await exchange(`${service.baseUrl}/livez`)).status, 200);
          disk.free();
          await until(
            async () => (await post()).status,
            (status) => status === 200,
          );
        }
      });

      it('what was answered is kept, and what was refused is not [D-40]', async () => {
        assert.deepEqual(new Set(await keptResponses(service.baseUrl, token)), new Set(kept));
        assert.equal(await service.stop(), 0);
      });
    });
  }
});

for (const engine of engines) {
  describe(`the queue of changes is full on ${engine.name}`, () => {
    let store: TestStore;
    let service: Mounted;

    before(async () => {
      store = await engine.newStore();
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        env: impatience,
        mount(app, context) {
          const write = (replica: string): Promise<void> =>
            context.db.write(beat, { replica, nowMs: 1, forgetBeforeMs: 0 });
          const shared = { method: 'POST', area: 'service', access: 'anyone' } as const;
          addRoute(app, {
            ...shared,
            path: '/mounted/write',
            async handle() {
              await write('one');
              return {};
            },
          });
          addRoute(app, {
            ...shared,
            path: '/mounted/flood',
            async handle() {
              for (let count = 0; count < 10_000; count += 1) write('flood').catch(() => {});
              await write('one more');
              return {};
            },
          });
        },
      });
      service.expectErrors('WRITE_QUEUE_FULL');
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const post = (path: string): Promise<Answer> => exchange(service.baseUrl + path, { method: 'POST' });

    /** Keeps every change of the table from ending. */
    async function hold(): Promise<() => Promise<void>> {
      if (engine.name === 'sqlite') {
        const lock = await holdWriteLock(store.databaseUrl);
        return () => lock.release();
      }
      const connection = new pg.Client({ connectionString: store.databaseUrl });
      await connection.connect();
      await connection.query('begin; lock table heartbeat in access exclusive mode');
      return () => connection.end();
    }

    it('one more is refused at once, and taken again when there is room [D-20]', async () => {
      assert.equal((await post('/mounted/write')).status, 200);
      const letGo = await hold();
      const refused = await post('/mounted/flood');
      await letGo();
      assert.equal(refused.body.errorCode, 'WRITE_QUEUE_FULL');
      assert.equal(refused.status, 503);
      // Those who wait are served first, which may take ten times the setting.
      await until(
        async () => (await post('/mounted/write')).status,
        (status) => status === 200,
        60_000,
      );
    });
  });
}
