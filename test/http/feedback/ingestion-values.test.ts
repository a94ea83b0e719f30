// What becomes of values on their way in: scores stay on their scale, numbers are what was sent or refused, and rules
// look at everything that names an answer.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

const weights = [0.06, 0.57, 0.37, 0.1, 0.7, 0.2, 1e-9, 3, 1e12, 0.333];
const submissionTimestamp = '2026-03-20T12:00:00Z';
const range = 'from=2026-03-01&to=2026-03-31';

const survey = (account: number) => ({
  id: `values-${account}`,
  version: 1,
  current: true,
  latents: [
    {
      id: 'THREE',
      name: 'Three weights',
      type: 'SATISFACTION',
      questions: weights.slice(0, 3).map((weight, at) => ({
        id: `T${at}`,
        name: `T${at}`,
        weight,
        scale: { min: 1, max: 10 },
      })),
    },
    {
      id: 'MANY',
      name: 'Many weights',
      type: 'ELEMENTS',
      questions: weights.map((weight, at) => ({
        id: `M${at}`,
        name: `M${at}`,
        weight,
        scale: { min: 0, max: 10 },
      })),
    },
  ],
  questions: [
    {
      id: 'BOXES',
      name: 'Boxes',
      responseType: 'CHECKBOX',
      answers: [
        { id: 'B-1', text: 'First' },
        { id: 'B-2', text: 'Second' },
        { id: 'B-3', text: 'Third', value: 'b-2' },
        { id: 'B-22', text: 'In der STRAẞE' },
      ],
    },
    {
      id: 'BY-ID',
      name: 'Asked after B-2',
      responseType: 'TEXT',
      rules: [{ question: 'BOXES', operator: 'contains', answer: 'B-2' }],
    },
    {
      id: 'BY-TEXT',
      name: 'Asked after a street',
      responseType: 'TEXT',
      rules: [{ question: 'BOXES', operator: 'contains', answer: 'straße' }],
    },
  ],
});

const catalogue = {
  accounts: [1, 2].map((id) => ({
    id,
    name: `Account ${id}`,
    measures: [{ key: id * 100, name: 'Values', surveys: [survey(id)] }],
  })),
};

for (const engine of engines) {
  describe(`values of responses on ${engine.name}`, () => {
    let service: FeedbackService;
    let tokens: readonly string[];

    before(async () => {
      service = await startFeedback(engine, { catalogue, env: { SOUNDINGS_THROTTLE: 'off' } });
      tokens = [await service.token(1), await service.token(2)];
    });
    after(() => service?.stop());

    const post = (account: number, members: object) =>
      service.post(
        { surveyDefinitionId: `values-${account}`, submissionTimestamp, ...members },
        tokens[account - 1]!,
      );
    const keptMetrics = async (account: number): Promise<number> => {
      const rows = await storeRows(
        service.databaseUrl,
        `select body from response_body where account_id = ${account}`,
      );
      return rows.filter(({ body }) => String(body).includes('metrics')).length;
    };

    it('no score leaves 0 to 100, whatever the weights and the answers [D-33]', async () => {
      const answers = (count: number, name: string, from: number, at: (place: number) => number) =>
        Object.fromEntries(
          Array.from({ length: count }, (_, place) => [`${name}${place}`, [`${from + at(place)}`]]),
        );
      const bodies = Array.from({ length: 200 }, (_, number) => ({
        // Every third one is all tens, every other third all lowest, the rest a mixture.
        responses: {
          ...answers(3, 'T', 1, (place) => [9, 0, (number * 7 + place * 3) % 10][number % 3]!),
          ...answers(weights.length, 'M', 0, (place) => [10, 0, (number * 5 + place) % 11][number % 3]!),
        },
      }));
      const statuses = await Promise.all(bodies.map((body, at) => post((at % 2) + 1, body)));
      assert.ok(statuses.every(({ status }) => status === 200));
      for (const account of [1, 2]) {
        const { body } = await service.get(
          `/v1/measures/${account * 100}/data?${range}&limit=100`,
          tokens[account - 1]!,
        );
        const items = body.items as { latentScores: { score: number }[] }[];
        const scores = items.flatMap(({ latentScores }) => latentScores.map(({ score }) => score));
        assert.equal(scores.length, 200);
        assert.ok(scores.filter((score) => score === 100).length >= 66);
        assert.ok(scores.filter((score) => score === 0).length >= 66);
        assert.deepEqual(
          scores.filter((score) => !(score >= 0 && score <= 100)),
          [],
        );
      }
    });

    it('a metric beyond 2^53 - 1 is refused by name, not changed, and nothing is kept of it [D-185]', async () => {
      const metrics =
        '{"spend":12.5,"id":9007199254740993,"low":-9007199254740992,"most":9007199254740991,"huge":1e300}';
      const refused = await service.post(
        `{"surveyDefinitionId":"values-1","responseId":"m-1","cpps":{"metrics":${metrics}}}`,
        tokens[0]!,
      );
      assert.equal(refused.status, 400);
      assert.deepEqual(
        (refused.body.detailedErrors as { field: string; code: string }[]).map(({ field, code }) => [
          field,
          code,
        ]),
        [
          ['cpps.metrics.id', 'INVALID_TYPE'],
          ['cpps.metrics.low', 'INVALID_TYPE'],
          ['cpps.metrics.huge', 'INVALID_TYPE'],
        ],
      );
      assert.equal(await keptMetrics(1), 0);
      const whole = {
        responseId: 'm-1',
        cpps: { metrics: { most: 9007199254740991, least: -9007199254740991 } },
      };
      assert.equal((await post(1, whole)).status, 200);
      assert.equal(await keptMetrics(1), 1);
    });

    it('contains is true of an answer with this id, this value or this text, without regard to case [D-42]', async () => {
      const told = async (boxes: string[], asked: string): Promise<number> =>
        (await post(2, { isTest: true, responses: { BOXES: boxes, [asked]: ['x'] } })).status;
      assert.equal(await told(['B-2'], 'BY-ID'), 200);
      assert.equal(await told(['B-1', 'B-3'], 'BY-ID'), 200);
      assert.equal(await told(['B-22'], 'BY-ID'), 400);
      assert.equal(await told(['B-1'], 'BY-ID'), 400);
      assert.equal(await told(['B-22'], 'BY-TEXT'), 200);
      assert.equal(await told(['B-2'], 'BY-TEXT'), 400);
    });
  });
}
