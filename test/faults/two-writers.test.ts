// Two processes on one store, appending to one source at the same time, and somebody who looks on. On PostgreSQL that
// is two replicas; on SQLite it is a second service on the same file, as during a careless restart.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Db } from '../../src/store/engine/db.ts';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { type Answer, exchange } from '../support/exchange.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import type { ResponseBody } from '../support/feedback-model.ts';
import { disagreements } from '../support/log-agreement.ts';
import { createClient, type Service, setUp, startProcess, tokenFor } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';

const range = 'from=2025-01-01&to=2025-12-31';

function bodyOf(responseId: string | undefined, number: number, survey = 'acme-web-older'): ResponseBody {
  return {
    surveyDefinitionId: survey,
    ...(responseId === undefined ? {} : { responseId }),
    submissionTimestamp: new Date(Date.UTC(2025, 0, 1 + (number % 40), 12)).toISOString(),
    responses:
      survey === 'acme-badge'
        ? { 'Q-STARS': ['3'] }
        : { 'Q-SAT-1': [String((number % 10) + 1)], 'Q-FOUND': ['A-YES'] },
  };
}

for (const engine of engines) {
  describe(`two processes on one store of ${engine.name}`, () => {
    let store: TestStore;
    let services: readonly Service[] = [];
    let watcher: Db;
    let headers: Readonly<Record<string, string>>;

    before(async () => {
      store = await engine.readyStore();
      const env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        // A busy machine is no dead store.
        SOUNDINGS_STORE_TIMEOUT_MS: '20000',
      };
      await setUp(['apply', writeCatalogue(feedbackCatalogue)], env);
      const client = await createClient(env, acme);
      services = await Promise.all([startProcess(env), startProcess(env)]);
      watcher = await openDb(store.databaseUrl, { timeoutMs: 20_000, poolSize: 2 });
      const token = await tokenFor(services[0]!.baseUrl, client);
      headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    });
    after(async () => {
      await Promise.all(services.map((service) => service.stop()));
      await watcher?.close();
      await store?.dispose();
    });

    const post = (service: Service, body: ResponseBody): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const postToBoth = async (one: ResponseBody, other: ResponseBody): Promise<number[]> => {
      const answers = await Promise.all([post(services[0]!, one), post(services[1]!, other)]);
      return answers.map(({ status }) => status).sort();
    };
    const rowsWith = async (id: string): Promise<number> =>
      (await storeRows(store.databaseUrl, `select seq from response where response_id = '${id}'`)).length;

    /** Looks on until the work is done: dense at every moment, in the store and in the pages of both processes. */
    const watch = async (work: Promise<unknown>): Promise<number> => {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      let looks = 0;
      let total = 0;
      for (; !isDone || looks === 0; looks += 1) {
        const rows = await watcher.read<{ source_id: number; seq: number }>(sql`
          select source_id, seq
          from response
          where account_id = ${acme}
          order by source_id, seq`);
        for (const [source, log] of Map.groupBy(rows, ({ source_id: id }) => id)) {
          const hole = log.findIndex(({ seq }, index) => seq !== index + 1);
          assert.equal(hole, -1, `Source ${source} has ${log[hole]?.seq} at place ${hole + 1}.`);
        }
        const page = Math.floor(total / 100);
        const path = `/v1/measures/700/data?${range}&limit=100&offset=${page}&excludeResponseDetails=true`;
        const { body } = await exchange(`${services[looks % 2]!.baseUrl}${path}`, { headers });
        assert.ok(Number(body.total) >= total);
        total = Number(body.total);
        assert.equal((body.items as unknown[]).length, Math.min(100, total - page * 100));
        await setImmediate();
      }
      await done;
      return looks;
    };

    it('both append to one source: dense at every moment, no hole, no double, no failed neighbour [D-35]', async () => {
      const write = async (service: Service, name: string): Promise<void> => {
        for (let number = 0; number < 60; number += 1) {
          const answer = await post(
            service,
            bodyOf(number % 3 === 0 ? undefined : `${name} ${number}`, number),
          );
          assert.equal(answer.status, 200, answer.text);
        }
      };
      const writers = services.flatMap((service, index) =>
        [1, 2, 3, 4].map((writer) => write(service, `${index}-${writer}`)),
      );
      const looks = await watch(Promise.all(writers));
      assert.ok(looks > 1);
      assert.deepEqual(await disagreements(store.databaseUrl), []);
      const { body } = await exchange(`${services[0]!.baseUrl}/v1/measures/700/data?${range}&limit=1`, {
        headers,
      });
      assert.equal(body.total, 480);
    });

    it('the same response sent to both at once is kept once, and both answer with success [D-41]', async () => {
      const send = async (writer: number): Promise<void> => {
        for (let number = 0; number < 15; number += 1) {
          const body = bodyOf(`same ${writer} ${number}`, number);
          assert.deepEqual(await postToBoth(body, body), [200, 200]);
        }
      };
      await watch(Promise.all([1, 2, 3, 4].map(send)));
      for (let number = 0; number < 15; number += 1) assert.equal(await rowsWith(`same 1 ${number}`), 1);
      assert.deepEqual(await disagreements(store.databaseUrl), []);
    });

    it('one id with two contents sent to both at once: one is kept, the other is told so, in one source or in two [D-41]', async () => {
      const send = async (writer: number): Promise<void> => {
        for (let number = 0; number < 15; number += 1) {
          const id = `apart ${writer} ${number}`;
          const other = writer % 2 === 0 ? bodyOf(id, number + 1) : bodyOf(id, number, 'acme-badge');
          assert.deepEqual(await postToBoth(bodyOf(id, number), other), [200, 409]);
          // Neighbours in the same batches.
          const [one, two] = [bodyOf(`${id} one`, number), bodyOf(`${id} two`, number, 'acme-badge')];
          assert.deepEqual(await postToBoth(one, two), [200, 200]);
        }
      };
      await watch(Promise.all([1, 2, 3, 4].map(send)));
      for (let number = 0; number < 15; number += 1) assert.equal(await rowsWith(`apart 1 ${number}`), 1);
      assert.deepEqual(await disagreements(store.databaseUrl), []);
    });
  });
}
