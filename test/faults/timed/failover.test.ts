// A standby takes over: what callers were answered is there, and they notice nothing but a pause.

import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { prepareFeedback } from '../../support/feedback.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { FeedbackLoad } from '../../support/feedback-load.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { ServerPair } from '../../support/server-pair.ts';
import { type Service, soundings, startProcess, tokenFor, until } from '../../support/service.ts';

const [, postgres] = engines;
const everything = 'from=2025-05-01&to=2025-07-31';

interface Page {
  readonly total: number;
  readonly hasMore: boolean;
  readonly items: readonly {
    readonly id: string;
    readonly responses: readonly { readonly answers: unknown }[];
  }[];
  readonly summary: { readonly latentScores: readonly { readonly id: string; readonly count: number }[] };
}

describe('a server and its standby', { concurrency: 1 }, () => {
  let pair: ServerPair;
  before(async () => {
    pair = await ServerPair.start();
  });
  after(() => pair?.dispose());

  describe('pages from the standby', () => {
    let service: FeedbackService;
    let token: string;
    let posted = 0;

    before(async () => {
      service = await startFeedback(postgres!, {
        catalogue: feedbackCatalogue,
        databaseUrl: pair.url,
        env: { DATABASE_URL_READ: pair.standby.url, SOUNDINGS_STORE_TIMEOUT_MS: '1500' },
      });
      service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
      token = await service.token(acme);
    });
    after(() => service?.stop());

    async function append(count: number, survey = 'acme-web'): Promise<void> {
      const bodies = Array.from({ length: count }, () => {
        posted += 1;
        return {
          surveyDefinitionId: survey,
          responseId: `r-${posted}`,
          submissionTimestamp: new Date(Date.UTC(2025, 4, 1 + ((posted * 7) % 40), 12)).toISOString(),
          responses: { 'Q-SAT-1': ['5'], 'Q-FOUND': ['A-NO'], 'Q-WHY': [`because of ${posted}`] },
        };
      });
      for (let first = 0; first < count; first += 50) {
        const answers = await Promise.all(
          bodies.slice(first, first + 50).map((body) => service.post(body, token)),
        );
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      }
    }

    /** All pages, each of which agrees with its own total. */
    async function walk(range = everything): Promise<string[]> {
      const ids: string[] = [];
      for (let offset = 0; ; offset += 1) {
        const page = await pageAt(offset, range);
        ids.push(...page.items.map(({ id }) => id));
        assert.equal(page.hasMore, ids.length < page.total);
        assert.equal(page.summary.latentScores.find(({ id }) => id === 'L-SAT')?.count, page.total);
        if (!page.hasMore) return ids;
      }
    }

    async function pageAt(offset: number, range = everything): Promise<Page> {
      const path = `/v1/measures/700/data?${range}&limit=50&offset=${offset}`;
      const { status, body, text } = await service.get(path, token);
      assert.equal(status, 200, text);
      return body as unknown as Page;
    }

    const kept = async (): Promise<string[]> => {
      const rows = await pair.ask(
        pair.writer,
        `select response_id from response where account_id = ${acme} order by source_id, seq`,
      );
      return rows.map(({ response_id: id }) => String(id));
    };
    const figure = async (name: string): Promise<number> => {
      // It is made anew after a moment, by the clock of the test.
      service.pass(100);
      const { text } = await exchange(`${service.baseUrl}/metrics`);
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const fromStandby = (): Promise<number> => figure('soundings_standby_pages_total');
    const doctor = async (more: Record<string, string> = {}): Promise<string> => {
      const env = { DATABASE_URL: pair.url, DATABASE_URL_READ: pair.standby.url, ...more };
      const { code, stdout } = await soundings(['doctor'], env);
      assert.equal(code, 0, stdout);
      return stdout;
    };

    it('full blocks are read from a standby that has them, row for row as from the writer, and the end from the writer [D-233]', async () => {
      await append(700);
      await pair.standby.untilAsFarAs(pair.writer);
      const all = await walk();
      assert.deepEqual(all, await kept());
      // 512 of 700 rows are in full blocks: ten pages of fifty have no other.
      assert.equal(await fromStandby(), 10);
      const path = `/v1/measures/700/data?${everything}&limit=50&offset=3`;
      const plain = await startFeedback(postgres!, {
        catalogue: feedbackCatalogue,
        databaseUrl: pair.url,
        nowMs: service.nowMs,
      });
      try {
        const own = await plain.get(path, await plain.token(acme));
        assert.equal((await service.get(path, token)).text, own.text);
      } finally {
        await plain.stop();
      }
      assert.match(await doctor(), /right +standby +answers, \d+\.\d s and \d+ bytes behind/);
    });

    it('a standby that stands still breaks no walk: what it lacks comes from the writer, and its lag is shown [D-233]', async () => {
      await pair.ask(pair.standby, 'select pg_wal_replay_pause()');
      await append(700);
      const before = await fromStandby();
      assert.deepEqual(await walk(), await kept());
      assert.equal((await fromStandby()) - before, 10);
      await until(
        () => figure('soundings_standby_lag_bytes'),
        (bytes) => bytes > 100_000,
      );
      assert.ok((await figure('soundings_standby_lag_seconds')) > 0);
    });

    it('what was erased or added on the writer is never shown as a lagging standby still has it [D-48] [D-233]', async () => {
      const [erased, tiered] = [(await pageAt(2)).items[17]!, (await pageAt(4)).items[5]!];
      assert.match(JSON.stringify(erased.responses), /because of/);
      await service.erase(acme, erased.id);
      await service.addExternal(acme, { [tiered.id]: { loyalty_tier: 'gold' } });
      assert.doesNotMatch(JSON.stringify((await pageAt(2)).items[17]!.responses), /because of/);
      assert.match(JSON.stringify((await pageAt(4)).items[5]), /gold/);
      // It stands still since the test before; from ten seconds on that is a fault.
      const isBehind =
        /warning +standby +The standby is \d+\.\d s and \d+ bytes behind, .*come from the writer: look at pg_stat_replication/;
      await until(doctor, (said) => isBehind.test(said), 60_000);
      await pair.ask(pair.standby, 'select pg_wal_replay_resume()');
      await pair.standby.untilAsFarAs(pair.writer);
      const before = await fromStandby();
      assert.doesNotMatch(JSON.stringify((await pageAt(2)).items[17]!.responses), /because of/);
      assert.match(JSON.stringify((await pageAt(4)).items[5]), /gold/);
      assert.equal((await fromStandby()) - before, 2);
    });

    it('a standby that is away costs a short wait once, and pages come from the writer; when it is back they come from it again [D-233]', async () => {
      await pair.standby.kill();
      assert.deepEqual(await walk(), await kept());
      assert.match(
        await doctor(),
        /warning +standby +The standby cannot be reached .*mend DATABASE_URL_READ/,
      );
      await until(
        () => figure('soundings_standby_up'),
        (up) => up === 0,
      );
      await pair.standby.start();
      await until(
        () => figure('soundings_standby_up'),
        (up) => up === 1,
      );
      const before = await fromStandby();
      await pageAt(0);
      assert.equal(await fromStandby(), before + 1);
    });

    it('a standby that takes connections and says nothing is asked by few, and every page is answered [D-233]', async () => {
      let asked = 0;
      const sockets = new Set<Socket>();
      const mute = createServer((socket) => {
        asked += 1;
        sockets.add(socket.on('error', () => {}));
      });
      await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
      const { port } = mute.address() as AddressInfo;
      const other = await startFeedback(postgres!, {
        catalogue: feedbackCatalogue,
        databaseUrl: pair.url,
        env: { DATABASE_URL_READ: `postgres://soundings@127.0.0.1:${port}/postgres` },
      });
      try {
        const ofOther = await other.token(acme);
        for (let offset = 0; offset < 10; offset += 1) {
          const path = `/v1/measures/700/data?${everything}&limit=50&offset=${offset}`;
          const { status, body } = await other.get(path, ofOther);
          assert.deepEqual([status, (body.items as unknown[]).length], [200, 50]);
        }
        assert.ok(asked <= 4, `It was asked ${asked} times.`);
      } finally {
        await other.stop();
        for (const socket of sockets) socket.destroy();
        mute.close();
      }
    });

    it('a pool that is too large for the server, or too small to keep changes and questions apart, is a sentence of doctor', async () => {
      assert.match(await doctor(), /right +connections +\d+ of 197 that the server allows/);
      assert.match(
        await doctor({ SOUNDINGS_POOL_SIZE: '200' }),
        /warning +connections .*may open 203 connections, and the server allows 197: raise its max_connections/,
      );
      assert.match(
        await doctor({ SOUNDINGS_POOL_SIZE: '2' }),
        /warning +connections .*raise it to 4 or more/,
      );
    });

    it('a promotion that lost rows shows no page of what was remembered: each row that is there once, and no other [D-159] [D-231]', async () => {
      await pair.standby.untilAsFarAs(pair.writer);
      const there = await kept();
      await pair.standby.stop('fast');
      await append(400);
      assert.equal((await walk()).length, there.length + 400);
      await walk('from=2025-05-05&to=2025-05-09');
      await pair.writer.kill();
      await pair.standby.start();
      await pair.standby.promote();
      [pair.writer, pair.standby] = [pair.standby, pair.writer];
      await until(
        async () => {
          service.pass(100);
          return (await exchange(`${service.baseUrl}/readyz`)).status;
        },
        (status) => status === 200,
      );
      assert.deepEqual(await walk(), there);
      await append(300);
      const after = await kept();
      assert.equal(after.length, there.length + 300);
      assert.deepEqual(await walk(), after);
      assert.equal(
        (await service.get(`/v1/measures/700/data?${everything}`, await service.token(bolt))).body.total,
        0,
      );
    });
  });

  failoverUnderLoad(() => pair);
});

function failoverUnderLoad(pairOf: () => ServerPair): void {
  describe('failover', { concurrency: 1 }, () => {
    let pair: ServerPair;
    let env: Record<string, string>;
    let services: Service[] = [];
    let load: FeedbackLoad;

    before(async () => {
      pair = pairOf();
      await pair.rejoin();
      await pair.ask(pair.writer, 'drop schema public cascade; create schema public');
      env = { DATABASE_URL: pair.url, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_STORE_TIMEOUT_MS: '1500' };
      const client = await prepareFeedback(env);
      services = await Promise.all([startProcess(env), startProcess(env)]);
      for (const service of services) service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
      const token = await tokenFor(services[0]!.baseUrl, client);
      load = new FeedbackLoad(() => services.map(({ baseUrl }) => baseUrl), token);
    });
    after(async () => {
      await Promise.all(services.map((service) => service.stop()));
    });

    /** How long each replica takes from now on until it is ready, without what it waited for a processor. */
    const readyAgain = (): Promise<number[]> =>
      Promise.all(
        services.map(({ baseUrl, pid }) => {
          const sincePromotedMs = fairClock(pid, process.pid);
          return until(
            async () => (await fetch(`${baseUrl}/readyz`)).status,
            (status) => status === 200,
          ).then(sincePromotedMs);
        }),
      );

    it('a standby that is promoted under load is found within two seconds by every replica; what was acknowledged is there once, and walks are whole [D-230] [D-231]', async () => {
      await pair.setSynchronous(true);
      load.start(8, 2);
      await load.untilMore(300);
      await pair.failOver();
      for (const tookMs of await readyAgain()) assert.ok(tookMs < 2_000, `It took ${tookMs} ms.`);
      await load.untilMore(300);
      await load.end();
      const kept = await load.walk();
      assert.deepEqual(kept.toSorted(), load.acknowledged.toSorted());
      assert.ok(load.walks > 0);
    });

    it('a server that was the writer and comes back with its old log is not taken for the writer [D-230]', async () => {
      const old = pair.standby;
      await old.start();
      assert.equal((await pair.ask(old, 'show transaction_read_only'))[0]?.transaction_read_only, 'off');
      const third = await startProcess(env);
      third.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
      try {
        assert.equal((await load.walk()).length, load.acknowledged.length);
        const { code, stdout } = await soundings(['doctor', '--json'], env);
        assert.equal(code, 0, stdout);
        services.push(third);
        load.start(6, 1);
        await load.untilMore(100);
        await load.end();
        const [row] = await pair.ask(pair.writer, 'select count(*) as n from response');
        assert.equal(Number(row?.n), load.acknowledged.length);
      } finally {
        await old.stop('immediate');
      }
    });

    it('a writer that takes connections and says nothing is left for the one that was promoted: nothing is lost, nothing doubled [D-230]', async () => {
      await pair.rejoin();
      await pair.setSynchronous(true);
      load.start(8, 2);
      await load.untilMore(200);
      await pair.failOver('frozen');
      try {
        // What was sent to the silent one must run out of its time before anybody looks for another.
        for (const tookMs of await readyAgain()) assert.ok(tookMs < 1_500 + 2_000, `It took ${tookMs} ms.`);
        await load.untilMore(200);
        await load.end();
        assert.deepEqual((await load.walk()).toSorted(), load.acknowledged.toSorted());
      } finally {
        await pair.standby.kill();
      }
    });

    it('without a server that takes changes, commands say of each host why, and the next step [D-230]', async () => {
      const hosts = pair.url.match(/@([^/]+)/)![1]!.split(',');
      await pair.writer.stop('fast');
      try {
        const { code, stderr } = await soundings(['client', 'list'], {
          ...env,
          SOUNDINGS_START_PATIENCE_SECONDS: '0',
        });
        assert.equal(code, 1);
        assert.ok(stderr.includes(`No server takes changes: ${hosts[0]} `), stderr);
        assert.match(stderr, /ECONNREFUSED.*Start it, or mend DATABASE_URL\.$/m);
      } finally {
        await pair.writer.start();
      }
    });
  });
}
