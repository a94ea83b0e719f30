// POST /v1/surveys/ingestion: what is taken, what is refused and how, what is kept. Who may post is in
// ingestion-access.test.ts; what a refusal looks like is in ingestion-errors.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

const dayMs = 86_400_000;
const answers = { 'Q-SAT-1': ['8'], 'Q-FOUND': ['A-YES'] };
const plain = { surveyDefinitionId: 'acme-web', responses: answers };
const badge = { surveyDefinitionId: 'acme-badge', responses: { 'Q-STARS': ['4'] } };

// The fields of the interface, each with a value of its type.
const bodyFields = {
  url: 'https://shop.example/cart?x=1&y="2"',
  locale: 'fr-CA',
  referrer: 'search.example',
  referrerUrl: 'https://search.example/?q=ü',
  pageVisits: '7',
  completionTimeInMs: 9_007_199_254_740_991,
};
const deviceFields = {
  deviceType: 'Mobile',
  deviceName: 'Fern',
  deviceVersion: '9',
  brandName: 'Moss',
  browser: 'Lichen 4',
  browserName: 'Lichen',
  browserVersion: '4.0.1',
  os: 'Peat 2',
  osName: 'Peat',
  osVersion: '2',
  resolution: '1170x2532',
  browserVendor: 'Heath',
  screen: '390x844',
  wurflId: 'moss_fern_9',
  screenWidth: 390,
  screenHeight: 844,
  resolutionWidth: 1170,
  resolutionHeight: 2532,
  pointingMethod: 'touchscreen',
  isDualOrientation: true,
  isTablet: false,
};
const everyField = {
  ...plain,
  ...bodyFields,
  responses: {
    'Q-LOOK-1': ['Q-LOOK-1-DK'],
    'Q-SAT-1': ['Q-SAT-1-10'],
    'Q-SAT-2': ['1'],
    'Q-FOUND': ['2'],
    'Q-WHY': ['No "search"\nhere \u{1f600}'],
    'Q-WHERE': ['W-HELP', 's'],
    'Q-NPS': ['0'],
  },
  deviceDetails: deviceFields,
  integrations: { googleAnalyticsId: 'GA-1.2.3' },
  cpps: {
    properties: { basket: ['apples', 'pears'] },
    metrics: { cart_value: 12.5 },
    data: { campaign: 'späth' },
  },
  isTest: false,
};

for (const engine of engines) {
  describe(`ingestion on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let nextId = 1;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const post = (body: object | string): Promise<Answer> => service.post(body, token);
    const newId = (): string => `response-${nextId++}`;

    interface Item {
      readonly id: string;
      readonly responseTime: string;
      readonly experienceDate: string;
      readonly latentScores: readonly { id: string; score: number | null }[];
      readonly responses: readonly { id: string; type: string; answers: readonly string[] }[];
    }
    const items = async (source = 'measures/700'): Promise<readonly Item[]> => {
      const all: Item[] = [];
      for (let page = 0; ; page += 1) {
        const offset = source.startsWith('measures') ? page : page * 100;
        const query = `from=1990-01-01&to=2100-01-01&limit=100&offset=${offset}`;
        const { status, body } = await service.get(`/v1/${source}/data?${query}`, token);
        assert.equal(status, 200);
        all.push(...(body.items as Item[]));
        if (body.hasMore !== true) return all;
      }
    };
    const itemsWith = async (id: string, source?: string): Promise<readonly Item[]> =>
      (await items(source)).filter((item) => item.id === id);
    const logRows = (): Promise<readonly unknown[]> =>
      Promise.all(
        ['response', 'response_body', 'log_counter', 'log_day', 'log_day_latent'].map((table) =>
          storeRows(service.databaseUrl, `select * from ${table} order by 1, 2, 3`),
        ),
      );
    const assertSuccess = ({ status, body, text }: Answer): string => {
      assert.equal(status, 200, text);
      const { message, responseCode, responseId, responseType, timestamp, ...others } = body;
      assert.deepEqual([responseCode, responseType, others], [200, 'SUCCESS', {}]);
      assert.equal(typeof message, 'string');
      assert.equal(timestamp, new Date(service.nowMs).toISOString());
      return String(responseId);
    };

    it('takes every field of the interface, and shows each one in the data [D-37] [D-40]', async () => {
      const responseId = newId();
      const submissionTimestamp = '2025-03-01T09:00:00.250+02:00';
      const answer = await post({ ...everyField, responseId, submissionTimestamp });
      assert.equal(assertSuccess(answer), responseId);
      const [item] = await itemsWith(responseId);
      assert.equal(item?.responseTime, '2025-03-01T07:00:00.250Z');
      const shown = Object.fromEntries(item.responses.map(({ id, answers: given }) => [id, given]));
      const { locale, ...otherFields } = bodyFields;
      const asTexts = Object.entries({ ...otherFields, ...deviceFields }).map(([name, value]) => [
        name,
        [String(value)],
      ]);
      assert.deepEqual(shown, {
        'Q-LOOK-1': ["Don't know"],
        'Q-SAT-1': ['10'],
        'Q-SAT-2': ['1'],
        'Q-FOUND': ['2'],
        'Q-WHY': ['No "search"\nhere \u{1f600}'],
        'Q-WHERE': ['In the help', 's'],
        'Q-NPS': ['0'],
        'CPP-CART': ['12.5'],
        'CPP-LANG': [locale],
        ...Object.fromEntries(asTexts),
        googleAnalyticsId: ['GA-1.2.3'],
        basket: ['apples', 'pears'],
        campaign: ['späth'],
      });
      assert.deepEqual(
        item.latentScores.map(({ id, score }) => [id, score]),
        [['L-SAT', 75]],
      );
    });

    it('a response without an id gets a UUIDv7 of its own, and is kept under it [D-40]', async () => {
      const ids = [assertSuccess(await post(plain)), assertSuccess(await post(plain))];
      assert.notEqual(ids[0], ids[1]);
      for (const id of ids) {
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.equal((await itemsWith(id)).length, 1);
      }
    });

    it('the same response again is the same success and one row, however it is spelt [D-41]', async () => {
      const responseId = newId();
      const first = { ...everyField, responseId };
      const { isTest: _isTest, ...withoutTest } = first;
      const backwards = Object.fromEntries(Object.entries(withoutTest).reverse());
      const spellings = [first, withoutTest, backwards].map((body) => JSON.stringify(body));
      spellings.push(
        JSON.stringify(first, null, 2),
        JSON.stringify(first).replace('{', '{"locale":"overwritten",'),
        JSON.stringify(first).replaceAll('\u{1f600}', '\\ud83d\\ude00'),
      );
      assertSuccess(await post(first));
      // It came without a timestamp: a retry is still a retry when the clock has moved on.
      service.pass(3_600_000);
      for (const text of spellings) assert.equal(assertSuccess(await post(text)), responseId);
      assert.equal((await itemsWith(responseId)).length, 1);
    });

    it('the same id with other content is a conflict, and the first stays [D-41]', async () => {
      const responseId = newId();
      assertSuccess(await post({ ...plain, responseId }));
      const before = await logRows();
      const others = [
        { ...plain, responses: { ...answers, 'Q-SAT-1': ['9'] } },
        { ...plain, url: 'https://a.example' },
        { ...plain, submissionTimestamp: '2025-01-01T00:00:00Z' },
        { ...plain, unheardOf: 1 },
        { ...plain, responses: {} },
        badge,
      ];
      for (const other of others) {
        const { status, body } = await post({ ...other, responseId });
        assert.deepEqual([status, body.errorCode], [409, 'RESPONSE_CONFLICT']);
      }
      assert.deepEqual(await logRows(), before);
    });

    it('a response id has 1 to 128 characters, of any script, and is unique in its account alone [D-41]', async () => {
      const longest = '\u{1f600}'.repeat(128);
      assert.equal(assertSuccess(await post({ ...plain, responseId: longest })), longest);
      for (const responseId of ['', `${longest}x`, 7, null]) {
        const { status, body } = await post({ ...plain, responseId });
        assert.deepEqual([status, body.errorCode], [400, 'INVALID_RESPONSE']);
      }
      const foreign = { surveyDefinitionId: 'bolt-web', responses: { 'Q-SAT-1': ['1'] } };
      const theirs = await service.post({ ...foreign, responseId: longest }, await service.token(bolt));
      assert.equal(assertSuccess(theirs), longest);
    });

    it('a retry holds for ever: when its version is closed, and when the measure is inactive [D-41]', async () => {
      const responseId = newId();
      const survey = (more: object) => ({
        id: 'acme-season',
        modelInstanceId: 'season',
        questions: [{ id: 'Q-1', name: 'One', responseType: 'TEXT' }],
        ...more,
      });
      const apply = (active: boolean, more: object) =>
        service.apply({
          accounts: [
            {
              id: acme,
              name: 'Acme',
              measures: [{ key: 760, name: 'Season', active, surveys: [survey(more)] }],
            },
          ],
        });
      const body = { surveyDefinitionId: 'acme-season', responses: { 'Q-1': ['x'] } };
      await apply(true, {});
      assertSuccess(await post({ ...body, responseId }));
      for (const [active, more] of [
        [true, { closed: true }],
        [false, {}],
      ] as const) {
        await apply(active, more);
        assert.equal(assertSuccess(await post({ ...body, responseId })), responseId);
        const other = await post({ ...body, responses: { 'Q-1': ['y'] }, responseId });
        assert.equal(other.body.errorCode, 'RESPONSE_CONFLICT');
        const fresh = await post({ ...body, responseId: newId() });
        assert.equal(fresh.body.errorCode, 'INVALID_RESPONSE');
      }
      assert.equal((await items('measures/760')).length, 1);
    });

    it('members that nobody knows are kept with the response, not used, and named [D-43]', async () => {
      const responseId = newId();
      const body = {
        ...plain,
        responseId,
        mood: { deep: ['er'] },
        deviceDetails: { isTablet: true, battery: 0.5 },
        integrations: { other: 'x' },
        cpps: { flags: [1] },
      };
      const text = JSON.stringify(body, null, 1);
      const answer = await post(text);
      assertSuccess(answer);
      for (const name of ['mood', 'deviceDetails.battery', 'integrations.other', 'cpps.flags'])
        assert.ok(String(answer.body.message).includes(name), String(answer.body.message));
      assert.ok(!String(answer.body.message).includes('isTablet'));
      const [kept] = await storeRows(
        service.databaseUrl,
        `select body from response join response_body using (account_id, source_id, seq)
         where response_id = '${responseId}'`,
      );
      assert.equal(kept?.body, text);
      const [item] = await itemsWith(responseId);
      assert.deepEqual(
        item?.responses.filter(({ type }) => type === 'CPP').map(({ id }) => id),
        ['isTablet'],
      );
    });

    it('without a timestamp it was submitted now; any offset is understood and turned into UTC [D-44]', async () => {
      const cases = [
        [undefined, new Date(service.nowMs).toISOString()],
        ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
        ['2025-01-01T00:30:00+14:00', '2024-12-31T10:30:00.000Z'],
        ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
        ['2024-06-01T12:00:00', '2024-06-01T12:00:00.000Z'],
        ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
        [new Date(service.nowMs + dayMs).toISOString(), new Date(service.nowMs + dayMs).toISOString()],
      ] as const;
      for (const [submissionTimestamp, responseTime] of cases) {
        const responseId = newId();
        assertSuccess(await post({ ...plain, responseId, submissionTimestamp }));
        const [item] = await itemsWith(responseId);
        assert.deepEqual(
          [item?.responseTime, item?.experienceDate],
          [responseTime, responseTime.slice(0, 10)],
        );
      }
    });

    it('a timestamp more than 24 hours ahead, before 1990 or not ISO 8601 is refused by name [D-44]', async () => {
      const cases = [
        [new Date(service.nowMs + dayMs + 1).toISOString(), 'IN_THE_FUTURE'],
        ['1989-12-31T23:59:59.999Z', 'TOO_OLD'],
        ['1990-01-01T00:00:00+00:01', 'TOO_OLD'],
        ['2025-02-29T00:00:00Z', 'INVALID_TIMESTAMP'],
        ['2025-01-01', 'INVALID_TIMESTAMP'],
        ['yesterday', 'INVALID_TIMESTAMP'],
        [1_735_689_600_000, 'INVALID_TIMESTAMP'],
      ] as const;
      for (const [submissionTimestamp, code] of cases) {
        const { status, body } = await post({ ...plain, submissionTimestamp });
        const [fault] = body.detailedErrors as { field: string; code: string }[];
        assert.deepEqual([status, fault?.field, fault?.code], [400, 'submissionTimestamp', code]);
      }
    });

    it('a test response is judged and answered like a real one, told its scores, and never kept [D-45]', async () => {
      const before = await logRows();
      const responseId = newId();
      const answer = await post({ ...everyField, responseId, isTest: true });
      assert.equal(answer.status, 200);
      const { preview, message, ...rest } = answer.body;
      assert.deepEqual(rest, {
        responseCode: 200,
        responseId,
        responseType: 'SUCCESS',
        timestamp: new Date(service.nowMs).toISOString(),
      });
      assert.match(String(message), /test/);
      assert.deepEqual(preview, {
        latentScores: [
          { id: 'L-LOOK', name: 'Look and feel', type: 'ELEMENTS', score: null },
          { id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION', score: 75 },
          { id: 'L-RETURN', name: 'Return', type: 'FUTURE_BEHAVIOR', score: null },
        ],
      });
      const refused = await post({ ...plain, responses: {}, isTest: true });
      assert.equal(refused.body.errorCode, 'INVALID_RESPONSE');
      assert.equal((await post({ surveyDefinitionId: 'acme-draft', isTest: true })).status, 200);
      const coloured = await post({ surveyDefinitionId: 'acme-draft', isTest: true, colour: 'red' });
      assert.match(String(coloured.body.message), /not kept\. Not known and not used: colour\.$/);
      assert.deepEqual(await logRows(), before);
      // The id of a test is not taken: the real one may have it.
      assertSuccess(await post({ ...plain, responseId }));
    });

    it('an unknown survey is not found; closed, inactive and draft are validation errors [D-46]', async () => {
      const before = await logRows();
      const cases = [
        ['acme-nothing', 404, 'SURVEY_NOT_FOUND', undefined],
        ['acme-web-closed', 400, 'INVALID_RESPONSE', 'SURVEY_CLOSED'],
        ['acme-quiet', 400, 'INVALID_RESPONSE', 'MEASURE_INACTIVE'],
        ['acme-idle', 400, 'INVALID_RESPONSE', 'PROJECT_INACTIVE'],
        ['acme-draft', 400, 'INVALID_RESPONSE', 'PROJECT_DRAFT'],
      ] as const;
      for (const [surveyDefinitionId, status, errorCode, fault] of cases) {
        const answer = await post({ surveyDefinitionId, responses: { 'Q-SAT-1': ['5'] } });
        const [first] = answer.body.detailedErrors as { field: string; code: string }[];
        assert.deepEqual([answer.status, answer.body.errorCode, first?.code], [status, errorCode, fault]);
      }
      assert.deepEqual(await logRows(), before);
    });

    it('a response is judged and scored by the version it names, not by the current one [D-30] [D-33]', async () => {
      const responseId = newId();
      const older = { surveyDefinitionId: 'acme-web-older', responseId };
      const wrong = await post({ ...older, responses: { ...answers, 'Q-LOOK-1': ['1'] } });
      const [fault] = wrong.body.detailedErrors as { field: string; code: string }[];
      assert.deepEqual([fault?.field, fault?.code], ['responses.Q-LOOK-1', 'UNKNOWN_QUESTION']);
      assertSuccess(await post({ ...older, responses: { ...answers, 'Q-PRICE': ['4'] } }));
      const [item] = await itemsWith(responseId);
      assert.deepEqual(
        item?.latentScores.map(({ id, score }) => [id, score]),
        [
          ['L-PRICE', ((4 - 1) / 9) * 100],
          ['L-SAT', ((8 - 1) / 9) * 100],
        ],
      );
    });
  });
}
