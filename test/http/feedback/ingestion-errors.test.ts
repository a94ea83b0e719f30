// What a refused post looks like: the ingestion error body on every failure, every fault at once, nothing half stored.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

const plain = { surveyDefinitionId: 'acme-web', responses: { 'Q-SAT-1': ['8'], 'Q-FOUND': ['A-YES'] } };
const limitBytes = 256 * 1024;

interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A body of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ ...plain, padding: '' });
  return JSON.stringify({ ...plain, padding: 'x'.repeat(bytes - empty.length) });
}

for (const engine of engines) {
  describe(`refused responses on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_THROTTLE_CLIENT_RATE: '1000000',
          SOUNDINGS_THROTTLE_CLIENT_BURST: '1000000',
          SOUNDINGS_THROTTLE_ACCOUNT_RATE: '1000000',
          SOUNDINGS_THROTTLE_ACCOUNT_BURST: '1000000',
          SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
          SOUNDINGS_THROTTLE_PUBLIC_BURST: '1',
        },
      });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const countOf = async (): Promise<unknown> =>
      (await storeRows(service.databaseUrl, 'select count(*) as count from response'))[0]?.count;
    const assertRefused = (answer: Answer, status: number, code: string): readonly Fault[] => {
      const { detailedErrors, errorCode, message, responseCode, responseType, timestamp, ...others } =
        answer.body;
      assert.deepEqual(
        [answer.status, errorCode, responseCode, responseType, timestamp, others],
        [status, code, status, 'ERROR', new Date(service.nowMs).toISOString(), {}],
      );
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assert.ok(typeof message === 'string' && message.length > 0);
      assert.ok(Array.isArray(detailedErrors));
      return detailedErrors as Fault[];
    };

    it('every failure has the ingestion error body: 400 to 429, other methods and paths below too [D-20] [D-22]', async () => {
      const url = `${service.baseUrl}/v1/surveys/ingestion`;
      const authorization = `Bearer ${token}`;
      const readOnly = await service.token(acme, ['r_cx_measures']);
      const kept = { ...plain, responseId: 'taken' };
      await service.post(kept, token);
      assertRefused(await service.post('[', token), 400, 'MALFORMED_JSON');
      assertRefused(await service.post({ responses: {} }, token), 400, 'INVALID_RESPONSE');
      assertRefused(await service.post(plain, 'wrong'), 401, 'INVALID_TOKEN');
      assertRefused(await service.post(plain, readOnly), 403, 'INSUFFICIENT_SCOPE');
      const nowhere = { ...plain, surveyDefinitionId: 'nothing' };
      assertRefused(await service.post(nowhere, token), 404, 'SURVEY_NOT_FOUND');
      assertRefused(await service.post(plain, token, { accept: 'text/html' }), 406, 'NOT_ACCEPTABLE');
      assertRefused(await service.post({ ...kept, url: 'x' }, token), 409, 'RESPONSE_CONFLICT');
      assertRefused(await service.post(bodyOf(limitBytes + 1), token), 413, 'BODY_TOO_LARGE');
      const xml = { 'content-type': 'application/xml' };
      assertRefused(await service.post(plain, token, xml), 415, 'UNSUPPORTED_MEDIA_TYPE');
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const refused = await exchange(url, { method, headers: { authorization } });
        assertRefused(refused, 405, 'METHOD_NOT_SUPPORTED');
        assert.match(String(refused.headers.allow), /POST/);
      }
      const below = await exchange(`${url}/more`, { method: 'POST', headers: { authorization } });
      assertRefused(below, 404, 'ROUTE_NOT_FOUND');
      const stray = await exchange(`${url}?dryRun=true`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(plain),
      });
      assertRefused(stray, 400, 'INVALID_REQUEST');
      await service.post('{', null);
      const throttled = await service.post('{', null);
      assertRefused(throttled, 429, 'THROTTLED');
      assert.match(String(throttled.headers['retry-after']), /^\d+$/);
      assert.equal(Number(await countOf()), 1);
    });

    it('every fault of form is named at once, with its path [D-22]', async () => {
      const before = await countOf();
      const faults = assertRefused(
        await service.post(
          {
            responseId: '',
            url: 5,
            completionTimeInMs: '12',
            submissionTimestamp: 'soon',
            isTest: 'yes',
            responses: { 'Q-FOUND': 'A-YES', 'Q-WHERE': ['W-MENU', 7, null] },
            deviceDetails: { isTablet: 'no', screenWidth: 1.5 },
            integrations: { googleAnalyticsId: {} },
            cpps: { properties: { p: ['a', 1] }, metrics: { m: '1' }, data: { d: [] } },
          },
          token,
        ),
        400,
        'INVALID_RESPONSE',
      );
      assert.deepEqual(
        faults.map(({ field }) => field).sort(),
        [
          'completionTimeInMs',
          'cpps.data.d',
          'cpps.metrics.m',
          'cpps.properties.p[1]',
          'deviceDetails.isTablet',
          'deviceDetails.screenWidth',
          'integrations.googleAnalyticsId',
          'isTest',
          'responseId',
          'responses.Q-FOUND',
          'responses.Q-WHERE[1]',
          'responses.Q-WHERE[2]',
          'submissionTimestamp',
          'surveyDefinitionId',
          'url',
        ].sort(),
      );
      for (const fault of faults) assert.ok(fault.code !== '' && fault.message !== '');
      assert.equal(await countOf(), before);
    });

    it('every fault of meaning is named at once, with its path, and nothing is half stored [D-22] [D-42]', async () => {
      const before = await countOf();
      const faults = assertRefused(
        await service.post(
          {
            surveyDefinitionId: 'acme-web',
            submissionTimestamp: '1980-01-01T00:00:00Z',
            responses: {
              'Q-NOBODY': ['x'],
              'Q-SAT-2': ['11'],
              'Q-LOOK-1': ['1', '2'],
              'Q-FOUND': ['A-PERHAPS'],
              'Q-WHERE': ['W-MENU', 'W-NOWHERE', 'W-HELP', 'x'],
              'Q-NPS': ['ten'],
            },
          },
          token,
        ),
        400,
        'INVALID_RESPONSE',
      );
      assert.deepEqual(
        faults.map(({ field, code }) => `${field} ${code}`).sort(),
        [
          'responses.Q-FOUND[0] UNKNOWN_ANSWER',
          'responses.Q-LOOK-1 TOO_MANY_ANSWERS',
          'responses.Q-NOBODY UNKNOWN_QUESTION',
          'responses.Q-NPS[0] UNKNOWN_ANSWER',
          'responses.Q-SAT-1 REQUIRED',
          'responses.Q-SAT-2[0] OFF_SCALE',
          'responses.Q-WHERE[1] UNKNOWN_ANSWER',
          'responses.Q-WHERE[3] UNKNOWN_ANSWER',
          'submissionTimestamp TOO_OLD',
        ].sort(),
      );
      assert.equal(await countOf(), before);
    });

    it('skip logic: a hidden question may not be answered, a visible required one must be [D-42]', async () => {
      const cases: [Record<string, string[]>, string[]][] = [
        [{ 'Q-SAT-1': ['1'], 'Q-FOUND': ['A-YES'] }, []],
        [{ 'Q-SAT-1': ['1'], 'Q-FOUND': ['2'], 'Q-WHY': ['Slow'] }, []],
        [{ 'Q-SAT-1': ['1'], 'Q-FOUND': ['A-NO'] }, ['responses.Q-WHY REQUIRED']],
        [{ 'Q-SAT-1': ['1'], 'Q-FOUND': ['A-NO'], 'Q-WHY': [' '] }, ['responses.Q-WHY REQUIRED']],
        [{ 'Q-SAT-1': ['1'], 'Q-FOUND': ['1'], 'Q-WHY': ['Slow'] }, ['responses.Q-WHY HIDDEN_QUESTION']],
        [
          { 'Q-SAT-1': ['1'], 'Q-FOUND': ['A-NO'], 'Q-WHY': ['x'.repeat(21)] },
          ['responses.Q-WHY[0] TEXT_TOO_LONG'],
        ],
        [{}, ['responses.Q-FOUND REQUIRED', 'responses.Q-SAT-1 REQUIRED']],
      ];
      for (const [responses, expected] of cases) {
        const { status, body } = await service.post({ ...plain, responses }, token);
        const faults = (body.detailedErrors ?? []) as Fault[];
        assert.deepEqual(faults.map(({ field, code }) => `${field} ${code}`).sort(), expected);
        assert.equal(status, expected.length === 0 ? 200 : 400);
      }
      const { responses: _responses, ...without } = plain;
      const faults = assertRefused(await service.post(without, token), 400, 'INVALID_RESPONSE');
      assert.equal(faults.length, 2);
    });

    it('a body of 256 KiB is taken and one byte more is not, counted or chunked [D-27]', async () => {
      const before = Number(await countOf());
      assert.equal((await service.post(bodyOf(limitBytes), token)).status, 200);
      assertRefused(await service.post(bodyOf(limitBytes + 1), token), 413, 'BODY_TOO_LARGE');
      const chunked = { 'transfer-encoding': 'chunked' };
      assert.equal((await service.post(bodyOf(limitBytes), token, chunked)).status, 200);
      assertRefused(await service.post(bodyOf(limitBytes + 1), token, chunked), 413, 'BODY_TOO_LARGE');
      assert.equal(Number(await countOf()), before + 2);
    });

    it('only application/json in UTF-8 is read [D-40]', async () => {
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON',
        'application/json;charset="UTF-8"',
      ])
        assert.equal((await service.post(plain, token, { 'content-type': type })).status, 200, type);
      for (const type of [
        'application/json; charset=utf-16',
        'application/scim+json',
        'application/x-www-form-urlencoded',
        'text/json',
        'nonsense',
      ]) {
        const refused = await service.post(plain, token, { 'content-type': type });
        assertRefused(refused, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const untyped = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(plain),
      });
      assertRefused(untyped, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it('JSON that an engine could not keep, or a reader would mistake, is refused alike on both [D-26]', async () => {
      const before = await countOf();
      const text = JSON.stringify(plain).slice(0, -1);
      const bodies = [
        `${text},"url":"\\u0000"}`,
        `${text},"a\\u0000b":1}`,
        `${text},"url":"\\ud800"}`,
        `${text},"cpps":{"metrics":{"m":1e999}}}`,
        `${text},"deep":${'['.repeat(40)}${']'.repeat(40)}}`,
        `${text},"__proto__":{}}`,
        `${text},"cpps":{"constructor":{}}}`,
        `\ufeff${text}}`,
        `${text},}`,
        `${text}} {}`,
        Buffer.concat([Buffer.from(`${text},"url":"`), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      ];
      for (const body of bodies) assertRefused(await service.post(body, token), 400, 'MALFORMED_JSON');
      for (const body of ['7', '"text"', 'null', '[]']) {
        const [fault] = assertRefused(await service.post(body, token), 400, 'INVALID_RESPONSE');
        assert.equal(fault?.code, 'INVALID_TYPE');
      }
      assertRefused(await service.post('', token), 400, 'INVALID_RESPONSE');
      assert.equal(await countOf(), before);
    });

    it('a body with more than a thousand faults is refused with a list that ends [D-22]', async () => {
      const responses = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [`Q${index}`, ['x']]));
      const answer = await service.post({ ...plain, responses }, token);
      const faults = assertRefused(answer, 400, 'INVALID_RESPONSE');
      assert.ok(faults.length <= 1_001);
      assert.equal(faults.at(-1)?.code, 'MORE_FAULTS');
    });

    it('no answer, address or token of a response reaches the log', async () => {
      const secret = 'a-word-nobody-else-uses';
      await service.post({ ...plain, url: secret, responses: { 'Q-WHY': [secret] } }, token);
      await service.post({ ...plain, url: secret }, token);
      assert.ok(!service.log().includes(secret));
      assert.ok(!service.log().includes(token));
    });
  });
}
