// The changes of a source when things go wrong: replicas that are killed, stores that are restored, processes that stop.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { follow, type GetPage, pageOf } from '../support/change-feed.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { type Answer, exchange } from '../support/exchange.ts';
import { FeedLife, feedRetainDays } from '../support/feed-life.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { patient } from '../support/open-db.ts';
import { seeded } from '../support/seeded.ts';
import {
  type ApiClientCredentials,
  createClient,
  type Service,
  setUp,
  soundingsOk,
  startProcess,
  tokenFor,
} from '../support/service.ts';
import { copyStore } from '../support/store-copy.ts';

const seed = Math.floor(Math.random() * 2 ** 31);
const replicas = { sqlite: 1, postgres: 2 };
const [first, ...others] = feedbackCatalogue.accounts;
/** What people said in the measure has an end. */
const catalogue = {
  accounts: [
    {
      ...first!,
      measures: first!.measures.map((measure) =>
        measure.key === 700 ? { ...measure, retainDays: feedRetainDays } : measure,
      ),
    },
    ...others,
  ],
};
const kills = { sqlite: process.env.TEST_LONG === undefined ? 2 : 3, postgres: 2 };

for (const engine of engines) {
  describe(`the changes of a source under faults on ${engine.name}, seed ${seed}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let client: ApiClientCredentials;

    before(async () => {
      store = await engine.readyStore();
      env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_STORE_TIMEOUT_MS: '10000',
      };
      await setUp(['apply', writeCatalogue(catalogue)], env);
      client = await createClient(env, acme);
    });
    after(() => store?.dispose());

    const getAt =
      (service: Service, token: string): GetPage =>
      (query) =>
        exchange(`${service.baseUrl}/v1/measures/700/changes?${query}`, {
          headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        });
    const post = async (service: Service, token: string, ids: readonly string[]): Promise<void> => {
      for (const responseId of ids) {
        const { status, text } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({
            surveyDefinitionId: 'acme-web',
            responseId,
            responses: { 'Q-SAT-1': ['7'], 'Q-FOUND': ['A-YES'] },
          }),
        });
        assert.equal(status, 200, text);
      }
    };

    it(`${replicas[engine.name]} replicas killed ${kills[engine.name]} times: a follower sees every response, correction, erasure and end of keeping once, in one order [D-257] [D-258]`, async () => {
      const db = await openDb(store.databaseUrl, patient);
      const life = new FeedLife(env, db, seeded(seed));
      try {
        await life.live(
          ({ baseUrl }) => tokenFor(baseUrl, client),
          replicas[engine.name],
          kills[engine.name],
        );
        await life.check();
      } finally {
        await life.stop();
        await db.close();
      }
    });

    it('a restored older copy answers 410 to who has seen more, also when it has grown again, and the way back works [D-258]', async () => {
      let service = await startProcess(env);
      const token = await tokenFor(service.baseUrl, client);
      const old = await follow(getAt(service, token), () => 1_000);
      const end = old.entries.filter(({ type }) => type === 'response').length;
      await service.stop();
      const copy = await copyStore(store.databaseUrl);
      try {
        service = await startProcess(env);
        await post(service, token, ['lost 1', 'lost 2', 'lost 3']);
        const one = await pageOf(getAt(service, token), `after=${old.next}&limit=1`);
        const all = await follow(getAt(service, token), () => 1_000, old.next);
        await soundingsOk(['erase', '--account', String(acme), '--response', 'lost 1'], env);
        const erased = await follow(getAt(service, token), () => 1_000, all.next);
        await service.stop();

        service = await startProcess({ ...env, DATABASE_URL: copy.databaseUrl });
        const get = getAt(service, token);
        const gone = async (cursor: string): Promise<Answer> => {
          const answer = await get(`after=${cursor}`);
          assert.deepEqual([answer.status, answer.body.errorCode], [410, 'CHANGES_GONE']);
          return answer;
        };
        for (const { next } of [one, all, erased]) await gone(next);
        assert.match(String((await gone(all.next)).body.message), new RegExp(`ends at position ${end} now`));
        assert.equal((await get(`position=${end + 1}`)).status, 410);
        // The same numbers again, for other responses: one of them even under an id that was there.
        await post(service, token, ['new 1', 'lost 2', 'new 3', 'new 4']);
        for (const { next } of [one, all, erased]) await gone(next);
        const back = await pageOf(get, `position=${end}&limit=1000`);
        const later = await pageOf(get, `after=${old.next}`);
        for (const { items } of [back, later])
          assert.deepEqual(
            items.filter(({ type }) => type === 'response').map(({ item }) => item!.id),
            ['new 1', 'lost 2', 'new 3', 'new 4'],
          );
      } finally {
        await service.stop();
        await copy.dispose();
      }
    });

    it('a process that stops answers those who wait with an empty page, and no request fails [D-259]', async () => {
      const service = await startProcess(env);
      const token = await tokenFor(service.baseUrl, client);
      const get = getAt(service, token);
      const { next } = await follow(get, () => 1_000);
      const waiting = Array.from({ length: 8 }, () => get(`after=${next}&wait=20`));
      // Answered on another connection while they wait, so that they have arrived.
      await get(`after=${next}&wait=1`);
      const status = await service.stop();
      for (const { status: answered, body } of await Promise.all(waiting))
        assert.deepEqual([answered, body.items, body.next], [200, [], next]);
      assert.equal(status, 0);
    });
  });
}
