// The measures of an account: list, definition, and the respondents of a range in pages. Which days a range has is in
// feedback-dates.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const range = 'from=2025-05-01&to=2025-05-31';
const responseCount = 60;

interface Row {
  readonly id: string;
  readonly type: string;
  readonly answers: readonly string[];
}
interface Respondent {
  readonly id: string;
  readonly modelInstanceId: string;
  readonly latentScores?: readonly { id: string; name: string; type: string; score: number | null }[];
  readonly responses?: readonly Row[];
}
interface Page {
  readonly hasMore: boolean;
  readonly total: number;
  readonly items: readonly Respondent[];
  readonly summary: { readonly latentScores?: readonly { id: string; name: string; count: number }[] };
}

/** Every third one answers the older version; each one has another satisfaction. */
function bodyOf(index: number): object {
  const isOlder = index % 3 === 2;
  return {
    surveyDefinitionId: isOlder ? 'acme-web-older' : 'acme-web',
    responseId: `r-${index}`,
    submissionTimestamp: `2025-05-${String((index % 31) + 1).padStart(2, '0')}T10:00:00Z`,
    url: `https://shop.example/${index}`,
    responses: {
      'Q-SAT-1': [String((index % 10) + 1)],
      'Q-FOUND': [index % 2 === 0 ? 'A-YES' : '2'],
      ...(isOlder ? { 'Q-PRICE': ['1'] } : { 'Q-LOOK-2': ['5'] }),
      ...(isOlder || index % 2 === 0 ? {} : { 'Q-WHY': [`because ${index}`] }),
    },
    cpps: { metrics: { cart_value: index } },
  };
}

for (const engine of engines) {
  describe(`measures on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
      for (let index = 0; index < responseCount; index += 1) {
        const { status, text } = await service.post(bodyOf(index), token);
        assert.equal(status, 200, text);
      }
      await service.addExternal(acme, { 'r-0': { loyalty_tier: 'gold "1"' } });
    });
    after(() => service?.stop());

    const get = async (path: string): Promise<Answer> => {
      const answer = await service.get(path, token);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    };
    const page = async (more = ''): Promise<Page> =>
      (await get(`/v1/measures/700/data?${range}${more}`)).body as unknown as Page;
    const refused = async (path: string): Promise<[number, unknown, string[]]> => {
      const { status, body } = await service.get(path, token);
      const faults = body.detailedErrors as { field: string }[];
      return [status, body.errorCode, faults.map(({ field }) => field)];
    };
    const hrefsOf = (links: unknown): Record<string, string> =>
      Object.fromEntries((links as { rel: string; href: string }[]).map(({ rel, href }) => [rel, href]));

    it('a measure of the list has these members, and its links work when followed [D-31]', async () => {
      const { items } = (await get('/v1/measures')).body as { items: Record<string, unknown>[] };
      const { dateCreated, links, ...first } = items[0]!;
      assert.deepEqual(first, {
        id: 700,
        name: 'Acme web',
        active: true,
        channel: 'WEB',
        factType: 'NON_HIERARCHY',
        modelInstanceId: 'model-web-3',
      });
      assert.match(String(dateCreated), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(
        items.map(({ id, active }) => [id, active]),
        [
          [700, true],
          [701, false],
          [702, true],
          [703, true],
          [704, true],
        ],
      );
      const hrefs = hrefsOf(links);
      assert.deepEqual(Object.keys(hrefs), ['MEASURE_DEFINITION', 'MEASURE_DATA']);
      for (const href of Object.values(hrefs)) await get(href.slice(service.baseUrl.length));
      const today = Math.floor(service.nowMs / 86_400_000) * 86_400_000;
      const days = new URL(hrefs.MEASURE_DATA!).searchParams;
      assert.equal(days.get('to'), new Date(today).toISOString().slice(0, 10));
      assert.equal(days.get('from'), new Date(today - 29 * 86_400_000).toISOString().slice(0, 10));
    });

    it('the definition shows the current version: latents, questions, answers, rules, parameters [D-32]', async () => {
      const { links, MQ, CQ, CPP, EPP, ...rest } = (await get('/v1/measures/700/definition')).body;
      assert.deepEqual(rest, { id: 700, name: 'Acme web', modelInstanceId: 'model-web-3', version: 3 });
      const hrefs = hrefsOf(links);
      assert.deepEqual(Object.keys(hrefs).sort(), ['MEASURE_DATA', 'self']);
      for (const href of Object.values(hrefs)) await get(href.slice(service.baseUrl.length));
      const { latents } = MQ as {
        latents: { id: string; name: string; type: string; questions: object[] }[];
      };
      assert.deepEqual(
        latents.map(({ id, name, type, questions }) => [id, name, type, questions.length]),
        [
          ['L-LOOK', 'Look and feel', 'ELEMENTS', 2],
          ['L-SAT', 'Satisfaction', 'SATISFACTION', 2],
          ['L-RETURN', 'Return', 'FUTURE_BEHAVIOR', 1],
        ],
      );
      const answer = (value: number) => ({
        id: `Q-LOOK-1-${value}`,
        text: String(value),
        label: String(value),
        value,
      });
      assert.deepEqual(latents[0]?.questions[0], {
        id: 'Q-LOOK-1',
        name: 'How clear is it?',
        phrase: 'How clear is it?',
        type: 'MQ',
        label: 'How clear is it?',
        responseType: 'MEASURED_QUESTION',
        required: false,
        scale: { min: 1, max: 5 },
        weight: 1,
        answers: [
          ...[1, 2, 3, 4, 5].map(answer),
          { id: 'Q-LOOK-1-DK', text: "Don't know", label: "Don't know", value: null },
        ],
      });
      assert.deepEqual((CQ as object[])[1], {
        id: 'Q-WHY',
        name: 'What went wrong?',
        phrase: 'What went wrong?',
        type: 'CQ',
        label: 'What went wrong?',
        responseType: 'TEXT_AREA',
        required: true,
        maxLength: 20,
        answers: [],
        rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
      });
      const parameters = (list: unknown) =>
        (list as { id: string; name: string; type: string; label: string }[]).map(
          ({ id, name, type, label }) => [id, name, type, label],
        );
      assert.deepEqual(parameters(CPP), [
        ['CPP-CART', 'cart_value', 'CPP', 'cart_value'],
        ['CPP-LANG', 'locale', 'CPP', 'Language'],
      ]);
      assert.deepEqual(parameters(EPP), [['EPP-TIER', 'loyalty_tier', 'EPP', 'loyalty_tier']]);
    });

    it('excludeAnswers drops the answers; excludeQuestions drops the questions, and parameters stay [D-32]', async () => {
      const ask = async (query: string) =>
        (await get(`/v1/measures/700/definition${query}`)).body as {
          MQ: { latents: { id: string; questions?: object[] }[] };
          CQ: object[];
          CPP: object[];
          EPP: object[];
        };
      const whole = await ask('');
      assert.deepEqual(await ask('?excludeQuestions=false&excludeAnswers=false'), whole);
      const withoutAnswers = await ask('?excludeAnswers=true');
      assert.ok(!JSON.stringify(withoutAnswers).includes('"answers"'));
      assert.equal(withoutAnswers.CQ.length, whole.CQ.length);
      assert.deepEqual(
        withoutAnswers.MQ.latents.map(({ questions }) => questions?.length),
        whole.MQ.latents.map(({ questions }) => questions?.length),
      );
      for (const query of [
        '?excludeQuestions=true',
        '?excludeQuestions=True',
        '?excludeQuestions=TRUE&excludeAnswers=False',
        '?excludeQuestions=true&excludeAnswers=true',
      ]) {
        const { MQ, CQ, CPP, EPP } = await ask(query);
        assert.deepEqual(
          MQ.latents.map((latent) => Object.keys(latent)),
          Array.from({ length: 3 }, () => ['id', 'name', 'type']),
        );
        assert.deepEqual([CQ, CPP, EPP], [[], whole.CPP, whole.EPP]);
      }
    });

    it('a measure without a version has an empty definition and no respondents [D-107]', async () => {
      const { links: _links, ...definition } = (await get('/v1/measures/702/definition')).body;
      assert.deepEqual(definition, {
        id: 702,
        name: 'Acme to come',
        modelInstanceId: null,
        version: null,
        MQ: { latents: [] },
        CQ: [],
        CPP: [],
        EPP: [],
      });
      const { body } = await get(`/v1/measures/702/data?${range}`);
      assert.deepEqual(body, { hasMore: false, items: [], total: 0, summary: { latentScores: [] } });
    });

    it('respondents stand in the order of arrival, 25 a page unless asked otherwise [D-35]', async () => {
      const first = await page();
      assert.deepEqual([first.items.length, first.hasMore, first.total], [25, true, responseCount]);
      const ids = [...first.items, ...(await page('&offset=1')).items, ...(await page('&offset=2')).items];
      assert.deepEqual(
        ids.map(({ id }) => id),
        Array.from({ length: responseCount }, (_, index) => `r-${index}`),
      );
    });

    it('the last page never says hasMore, exactly full or not, and one behind it is empty with the true total [D-35]', async () => {
      const cases = [
        ['&limit=30&offset=1', 30, false],
        ['&limit=30&offset=0', 30, true],
        ['&limit=59&offset=1', 1, false],
        ['&limit=60', 60, false],
        ['&limit=100', 60, false],
        ['&limit=30&offset=2', 0, false],
        ['&limit=100&offset=2147483647', 0, false],
      ] as const;
      for (const [query, count, hasMore] of cases) {
        const found = await page(query);
        assert.deepEqual([found.items.length, found.hasMore, found.total], [count, hasMore, responseCount]);
      }
    });

    it('Link leads from page to page with everything else that was asked for, and ends with the last [D-35]', async () => {
      const seen: string[] = [];
      let path: string | null = `/v1/measures/700/data?${range}&limit=17&excludeResponseDetails=true`;
      while (path !== null) {
        const { body, headers } = await get(path);
        const { items, hasMore } = body as unknown as Page;
        assert.ok(items.every((item) => !('responses' in item)));
        seen.push(...items.map(({ id }) => id));
        const next: RegExpMatchArray | null = String(headers.link ?? '').match(/^<([^>]+)>; rel="next"$/);
        assert.equal(next !== null, hasMore);
        path = next === null ? null : next[1]!.slice(service.baseUrl.length);
      }
      assert.deepEqual(
        seen,
        Array.from({ length: responseCount }, (_, index) => `r-${index}`),
      );
    });

    it('a respondent shows rows in the order MQ, CQ, CPP, EPP, by the version that it answered [D-36]', async () => {
      const { items } = await page();
      assert.deepEqual(
        items[0]?.responses?.map(({ id, type, answers }) => [id, type, ...answers]),
        [
          ['Q-LOOK-2', 'MQ', '5'],
          ['Q-SAT-1', 'MQ', '1'],
          ['Q-FOUND', 'CQ', '1'],
          ['CPP-CART', 'CPP', '0'],
          ['url', 'CPP', 'https://shop.example/0'],
          ['EPP-TIER', 'EPP', 'gold "1"'],
        ],
      );
      assert.deepEqual(
        [items[2]?.modelInstanceId, items[2]?.latentScores?.map(({ name }) => name)],
        ['model-web-2', ['Prices', 'Contentment']],
      );
      // It is not declared there, so it stands under its name.
      assert.ok(items[2]?.responses?.some(({ id }) => id === 'cart_value'));
    });

    it('each toggle leaves out what it names and nothing else [D-36]', async () => {
      const whole = await page('&limit=100');
      const types: Record<string, readonly string[]> = {
        excludeMQ: ['MQ'],
        excludeCQ: ['CQ'],
        excludePassedParams: ['CPP', 'EPP'],
      };
      for (const [toggle, left] of Object.entries(types)) {
        const items = whole.items.map((item) => ({
          ...item,
          responses: item.responses?.filter(({ type }) => !left.includes(type)),
        }));
        assert.deepEqual(await page(`&limit=100&${toggle}=true`), { ...whole, items });
      }
      const withoutDetails = whole.items.map(({ responses: _responses, ...item }) => item);
      assert.deepEqual(await page('&limit=100&excludeResponseDetails=true&excludeMQ=true'), {
        ...whole,
        items: withoutDetails,
      });
      const withoutScores = whole.items.map(({ latentScores: _scores, ...item }) => item);
      assert.deepEqual(await page('&limit=100&excludeLatentScores=true'), {
        ...whole,
        items: withoutScores,
        summary: {},
      });
    });

    it('the summary is of the whole range: the latents of now, then older ones that have data [D-34]', async () => {
      const { summary } = await page('&limit=1&offset=5');
      const older = Math.floor(responseCount / 3);
      assert.deepEqual(
        summary.latentScores?.map(({ id, name, count }) => [id, name, count]),
        [
          ['L-LOOK', 'Look and feel', responseCount - older],
          ['L-SAT', 'Satisfaction', responseCount],
          ['L-RETURN', 'Return', 0],
          ['L-PRICE', 'Prices', older],
        ],
      );
      const empty = (await get('/v1/measures/700/data?from=2024-01-01&to=2024-01-02')).body;
      const scores = (empty.summary as { latentScores: object[] }).latentScores;
      assert.deepEqual(scores[1], {
        id: 'L-SAT',
        name: 'Satisfaction',
        type: 'SATISFACTION',
        score: null,
        count: 0,
      });
      assert.equal(scores.length, 3);
    });

    it('wrong parameters are refused and name themselves, all at once [D-24] [D-35]', async () => {
      const data = '/v1/measures/700/data';
      const cases: [string, string[]][] = [
        [`${data}?from=2025-05-01`, ['to']],
        [data, ['from', 'to']],
        [`${data}?${range}&limit=0`, ['limit']],
        [`${data}?${range}&limit=101`, ['limit']],
        [`${data}?${range}&limit=1.5&offset=1e3`, ['limit', 'offset']],
        [`${data}?${range}&offset=-1`, ['offset']],
        [`${data}?${range}&limit=`, ['limit']],
        [`${data}?${range}&excludeMQ=yes&excludeCQ=1`, ['excludeMQ', 'excludeCQ']],
        [`${data}?${range}&limit=5&limit=6`, ['limit']],
        [`${data}?${range}&pageSize=5`, ['pageSize']],
        [`/v1/measures/x/data?${range}`, ['measurementKey']],
        [`/v1/measures/2147483648/data?${range}`, ['measurementKey']],
        ['/v1/measures/700/definition?excludeQuestions=1', ['excludeQuestions']],
        ['/v1/measures/700/definition?excludeMQ=true', ['excludeMQ']],
        ['/v1/measures?limit=101&offset=x', ['limit', 'offset']],
      ];
      for (const [path, names] of cases) {
        const [status, code, fields] = await refused(path);
        assert.deepEqual([status, code, fields.sort()], [400, 'INVALID_REQUEST', names.sort()], path);
      }
    });

    it('what does not exist is not found, after the parameters were judged [D-24b]', async () => {
      for (const path of ['/v1/measures/7/definition', `/v1/measures/7/data?${range}`])
        assert.deepEqual((await refused(path)).slice(0, 2), [404, 'MEASURE_NOT_FOUND']);
      assert.equal((await refused('/v1/measures/7/data?from=x&to=y'))[0], 400);
      // A project is no measure, whatever its number.
      assert.equal((await refused('/v1/measures/300/definition'))[0], 404);
    });

    it('Accept is required, a token too, and its grant [D-11] [D-25]', async () => {
      for (const path of ['/v1/measures', '/v1/measures/700/definition', `/v1/measures/700/data?${range}`]) {
        const bare = await exchange(`${service.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.deepEqual([bare.status, bare.body.errorCode], [400, 'ACCEPT_REQUIRED']);
        const other = await service.get(path, token, { accept: 'text/csv' });
        assert.deepEqual([other.status, other.body.errorCode], [406, 'NOT_ACCEPTABLE']);
        assert.equal((await service.get(path, null)).status, 401);
        const narrow = await service.token(acme, ['r_cx_projects', 'w_cx_responses']);
        assert.equal((await service.get(path, narrow)).body.errorCode, 'INSUFFICIENT_SCOPE');
      }
    });
  });
}
