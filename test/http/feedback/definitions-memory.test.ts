// Many surveys in use at once: what a replica remembers of them is bounded, and what it asks the store does not grow
// with their number. The clock of ages is the test's own.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type Mounted, mountedAccountId, startMounted } from '../../support/mounted.ts';
import { type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { setUp, tokenFor } from '../../support/service.ts';

const population = 300;
const memoryBytes = 2 * 1024 * 1024;
/** Longer than a replica may go without a look at the store. */
const rememberedMs = 5_000;

function accountOf(nameOf: (key: number) => string): { id: number; name: string } {
  const measures = Array.from({ length: population }, (_, index) => ({
    key: index + 1,
    name: nameOf(index + 1),
    surveys: [
      {
        id: `survey-${index + 1}`,
        modelInstanceId: `model ${index + 1}`,
        latents: [
          {
            id: 'L',
            name: 'Satisfaction',
            type: 'SATISFACTION',
            questions: Array.from({ length: 8 }, (_, question) => ({
              id: `Q-${question}`,
              name: `Question ${question} of ${index + 1}`,
              scale: { min: 1, max: 10 },
            })),
          },
        ],
        questions: [],
      },
    ],
  }));
  return { id: mountedAccountId, name: 'Many', measures } as { id: number; name: string };
}

for (const engine of engines) {
  describe(`many definitions on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let clock: MovingClock;
    let wide: Mounted;
    let narrow: Mounted;
    let questions = 0;
    const tokens = new Map<Mounted, string>();
    let nextId = 1;

    before(async () => {
      store = await engine.readyStore();
      clock = movingClock({ isStill: true });
      const settings = {
        databaseUrl: store.databaseUrl,
        now: clock.now,
        elapsedMs: clock.elapsedMs,
        account: accountOf((key) => `Measure ${key}`),
      };
      const env = { SOUNDINGS_STORE_TIMEOUT_MS: '30000' };
      wide = await startMounted({ ...settings, env });
      narrow = await startMounted({
        ...settings,
        env: { ...env, SOUNDINGS_DEFINITIONS_MEMORY_BYTES: String(memoryBytes) },
      });
      for (const one of [wide, narrow]) tokens.set(one, await tokenFor(one.baseUrl, await one.newClient()));
      const { db } = wide.context;
      const read = db.read.bind(db);
      db.read = (query) => {
        // What it asks about definitions: not the heartbeat, and not who is calling.
        if (/from (source|survey|survey_owner|log_counter|catalogue_generation)\b/.test(query.sql))
          questions += 1;
        return read(query);
      };
    });
    after(async () => {
      await wide?.stop();
      await narrow?.stop();
      await store?.dispose();
    });

    const post = (service: Mounted, key: number, rest: object = {}): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.get(service)}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          surveyDefinitionId: `survey-${key}`,
          responseId: `r-${nextId++}`,
          submissionTimestamp: '2025-05-05T05:05:05Z',
          responses: { 'Q-0': [String(1 + (key % 10))] },
          ...rest,
        }),
      });
    const dataOf = (service: Mounted, key: number): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/measures/${key}/data?from=2025-05-05&to=2025-05-05`, {
        headers: { authorization: `Bearer ${tokens.get(service)}`, accept: 'application/json' },
      });
    const each = async (ask: (key: number) => Promise<Answer>): Promise<readonly Answer[]> => {
      const answers: Answer[] = [];
      for (let first = 1; first <= population; first += 100)
        answers.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => ask(first + index)))));
      return answers;
    };
    const statusesOf = (answers: readonly Answer[]): readonly number[] => [
      ...new Set(answers.map(({ status }) => status)),
    ];
    const counted = async (work: () => Promise<unknown>): Promise<number> => {
      const before = questions;
      await work();
      return questions - before;
    };

    it('a definition is read once, and while no catalogue is applied one question in some seconds is all [D-182]', async () => {
      assert.deepEqual(statusesOf(await each((key) => post(wide, key))), [200]);
      for (let round = 0; round < 5; round += 1) {
        clock.pass(rememberedMs);
        const asked = await counted(async () =>
          assert.deepEqual(statusesOf(await each((key) => post(wide, key))), [200]),
        );
        assert.ok(asked <= 2, `${asked} questions for ${population} responses`);
      }
    });

    it('many who need the same definition at once ask for it once [D-182]', async () => {
      // Older than definitions may be.
      clock.pass(600_000);
      const asked = await counted(async () => {
        const answers = await Promise.all(Array.from({ length: 200 }, () => post(wide, 7)));
        assert.deepEqual(statusesOf(answers), [200]);
      });
      assert.ok(asked <= 6, `${asked} questions`);
    });

    it('after a catalogue was applied what is new is seen within 5 seconds, and what is not new is not read again [D-13] [D-182]', async () => {
      await each((key) => post(wide, key));
      const renamed = accountOf((key) => (key % 100 === 0 ? `Renamed ${key}` : `Measure ${key}`));
      await setUp(['apply', writeCatalogue({ accounts: [renamed] })], {
        DATABASE_URL: store.databaseUrl,
      });
      clock.pass(rememberedMs);
      const asked = await counted(async () =>
        assert.deepEqual(statusesOf(await each((key) => post(wide, key))), [200]),
      );
      // The generation, at most a revision each, fewer where some come together, and three definitions.
      assert.ok(asked <= population + 20, `${asked} questions`);
      for (const key of [99, 100, 101, 200]) {
        const definition = await exchange(`${wide.baseUrl}/v1/measures/${key}/definition`, {
          headers: { authorization: `Bearer ${tokens.get(wide)}`, accept: 'application/json' },
        });
        const name = key % 100 === 0 ? `Renamed ${key}` : `Measure ${key}`;
        assert.ok(definition.text.includes(name), definition.text.slice(0, 300));
      }
    });

    it('with little memory every response is kept and every page is right, and the memory stays within its bound [D-182]', async () => {
      for (let round = 0; round < 2; round += 1) {
        assert.deepEqual(statusesOf(await each((key) => post(narrow, key))), [200]);
        const pages = await each((key) => dataOf(narrow, key));
        assert.deepEqual(statusesOf(pages), [200]);
        for (const [index, { text }] of pages.entries()) {
          assert.ok(text.includes(`Question 0 of ${index + 1}"`), text.slice(0, 500));
          assert.ok(!text.includes(`Question 0 of ${index + 2}"`));
        }
        const { text } = await exchange(`${narrow.baseUrl}/metrics`);
        const bytes = Number(/^soundings_definitions_memory_bytes (\d+)$/m.exec(text)?.[1]);
        assert.ok(bytes > 0 && bytes <= memoryBytes, `${bytes} bytes`);
      }
    });

    it('a survey of another account or of nobody is not there, remembered or not', async () => {
      for (const service of [wide, narrow]) {
        const answer = await post(service, 1, { surveyDefinitionId: 'survey-0' });
        assert.deepEqual([answer.status, answer.body.errorCode], [404, 'SURVEY_NOT_FOUND']);
      }
    });
  });
}
