// What becomes of values on their way in: scores stay on their scale, numbers are what was sent or refused, and rules
// look at everything that names an answer.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { operatorAside } from '../../support/console.ts';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { readExport } from '../../support/export-reader.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { readParquet } from '../../support/parquet.ts';
import { storeRows } from '../../support/store-rows.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

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

    it('an int64 is kept and given back digit for digit, wherever the response is shown [D-886]', async () => {
      const [token] = tokens as [string];
      const sent = {
        completionTimeInMs: '9223372036854775807',
        screenHeight: '9007199254740993',
        screenWidth: '-9223372036854775808',
      };
      const bodyOf = ({ completionTimeInMs, screenHeight, screenWidth }: typeof sent): string =>
        `{"surveyDefinitionId":"values-1","responseId":"digits","submissionTimestamp":"2026-05-20T12:00:00Z",
          "completionTimeInMs":${completionTimeInMs},
          "deviceDetails":{"screenWidth":${screenWidth},"screenHeight":${screenHeight},"resolutionWidth":1e3},
          "unknown":{"completionTimeInMs":9223372036854775807}}`;
      assert.equal((await service.post(bodyOf(sent), token)).status, 200);

      const shown = { ...sent, resolutionWidth: '1000' };
      const may = 'from=2026-05-01&to=2026-05-31';
      type Item = { responses: { name: string; answers: string[] }[] };
      const digitsOf = ({ responses }: Item): object =>
        Object.fromEntries(
          responses.filter(({ name }) => name in shown).map(({ name, answers }) => [name, answers[0]]),
        );
      const data = await service.get(`/v1/measures/100/data?${may}`, token);
      assert.deepEqual((data.body.items as Item[]).map(digitsOf), [shown]);
      const one = await service.get('/v1/measures/100/responses/digits', token);
      assert.deepEqual(digitsOf(one.body as unknown as Item), shown);
      const feed = await service.get('/v1/measures/100/changes?limit=1000', token);
      const last = (feed.body.items as { id: string; item: Item }[]).at(-1)!;
      assert.ok(JSON.stringify(last).includes('"digits"'));
      for (const digits of Object.values(shown)) assert.ok(JSON.stringify(last).includes(`"${digits}"`));

      const fileOf = (format: string) =>
        readExport(`${service.baseUrl}/v1/measures/100/export?${may}&format=${format}`, token);
      assert.deepEqual(digitsOf(JSON.parse((await fileOf('ndjson')).bytes.toString()) as Item), shown);
      const [header, row] = (await fileOf('csv')).bytes.toString().split(/\r?\n/);
      const cells = row!.split(',');
      const columns = header!.split(',');
      const file = join(temporaryFolder(), 'digits.parquet');
      writeFileSync(file, (await fileOf('parquet')).bytes);
      const parquet = await readParquet(file);
      for (const [name, digits] of Object.entries(shown)) {
        assert.equal(cells[columns.indexOf(name)], digits, name);
        const column = parquet.columns.findIndex((one) => one.name === name);
        assert.equal(parquet.rows[0]![column], digits, name);
      }

      const cookie = await operatorAside(service.databaseUrl, { enteredAccountId: 1 });
      const page = '/console/api/measures/100/responses/digits';
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const [view, asked] = await Promise.all(
        [page, `${page}/asked`].map((path) => exchange(service.baseUrl + path, { headers })),
      );
      assert.deepEqual(digitsOf(view!.body as unknown as Item), shown);
      assert.equal(asked!.body.body, bodyOf(sent));
    });

    it('the same digits are the same response and other digits are not, also once it is erased [D-886] [D-41]', async () => {
      const [, token] = tokens as [string, string];
      const send = async (time: string, width: string): Promise<number> =>
        (
          await service.post(
            `{"surveyDefinitionId":"values-2","responseId":"again","submissionTimestamp":"2026-05-20T12:00:00Z",
              "completionTimeInMs":${time},"deviceDetails":{"screenWidth":${width}}}`,
            token,
          )
        ).status;
      const outcomes = async (): Promise<readonly number[]> => [
        await send('9007199254740993', '9223372036854775807'),
        await send('9007199254740992', '9223372036854775807'),
        await send('9007199254740993', '9223372036854775806'),
      ];
      assert.deepEqual(await outcomes(), [200, 409, 409]);
      await service.erase(2, 'again');
      assert.deepEqual(await outcomes(), [200, 409, 409]);
    });

    it('beyond int64, or not in digits, it is refused by name, and nothing is kept of it [D-886]', async () => {
      for (const value of ['9223372036854775808', '-9223372036854775809', '1e18', '1e300', '1.5', '"7"']) {
        const { status, body } = await service.post(
          `{"surveyDefinitionId":"values-1","responseId":"beyond","completionTimeInMs":${value},
            "deviceDetails":{"resolutionHeight":${value}}}`,
          tokens[0]!,
        );
        assert.equal(status, 400, value);
        assert.deepEqual(
          (body.detailedErrors as { field: string; message: string }[]).map(({ field, message }) => [
            field,
            message.includes('9223372036854775807'),
          ]),
          [
            ['completionTimeInMs', true],
            ['deviceDetails.resolutionHeight', true],
          ],
        );
      }
      assert.equal((await service.get('/v1/measures/100/responses/beyond', tokens[0]!)).status, 404);
    });

    it('a time below 0 is kept as it was sent, and no figure of time counts it [D-887]', async () => {
      const times = [4_000, -5, 9_000, 6_000];
      for (const [at, completionTimeInMs] of times.entries())
        await post(1, { submissionTimestamp: `2026-06-0${at + 1}T12:00:00Z`, completionTimeInMs });
      const june = 'from=2026-06-01&to=2026-06-30';
      const { body: page } = await service.get(`/v1/measures/100/data?${june}`, tokens[0]!);
      const kept = (page.items as { responses: { name: string; answers: string[] }[] }[]).map(
        ({ responses }) => responses.find(({ name }) => name === 'completionTimeInMs')?.answers[0],
      );
      assert.deepEqual(kept, ['4000', '-5', '9000', '6000']);
      const { body } = await service.get(`/v1/measures/100/distribution?${june}`, tokens[0]!);
      const { count, median } = body.completionTimes as { count: number; median: number };
      assert.deepEqual([count, median > 4_000], [3, true]);
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
