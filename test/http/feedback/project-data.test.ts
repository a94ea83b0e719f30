// The feedback projects of an account: list, definition, entries by row, and the two error bodies of their own.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const range = 'from=2025-05-01&to=2025-05-31';
const entryCount = 130;

interface Entry {
  readonly id: string;
  readonly rating: number | null;
  readonly topic: string | null;
}
interface Page {
  readonly hasMore: boolean;
  readonly total: number;
  readonly items: readonly Entry[];
}

function bodyOf(index: number): object {
  return {
    surveyDefinitionId: 'acme-badge',
    responseId: `e-${index}`,
    submissionTimestamp: `2025-05-${String((index % 31) + 1).padStart(2, '0')}T12:00:00+02:00`,
    ...(index % 2 === 0 ? { url: `https://a.example/${index}`, locale: 'de' } : {}),
    responses: {
      ...(index % 5 === 0 ? {} : { 'Q-STARS': [String(index % 5)] }),
      ...(index % 3 === 0 ? { 'Q-TOPIC': [index % 2 === 0 ? 'T-TECH' : '9'] } : {}),
    },
  };
}

for (const engine of engines) {
  describe(`projects on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
      for (let index = 0; index < entryCount; index += 1) {
        const { status, text } = await service.post(bodyOf(index), token);
        assert.equal(status, 200, text);
      }
    });
    after(() => service?.stop());

    const get = async (path: string): Promise<Answer> => {
      const answer = await service.get(path, token);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    };
    const page = async (more = ''): Promise<Page> =>
      (await get(`/v1/projects/300/data?${range}${more}`)).body as unknown as Page;
    const ids = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, index) => `e-${from + index}`);

    it('the list is a bare array of all projects, ordered by id, CQ included [D-38]', async () => {
      const projects = JSON.parse((await get('/v1/projects')).text) as Record<string, unknown>[];
      assert.ok(Array.isArray(projects));
      assert.deepEqual(
        projects.map(({ id, name, status, siteKey, description, modelInstanceId, CQ }) => [
          id,
          name,
          status,
          siteKey,
          description,
          modelInstanceId,
          (CQ as object[]).length,
        ]),
        [
          [300, 'Badge', 'ACTIVE', 'acme-site', 'Always on', 'model of acme-badge', 3],
          [301, 'Draft', 'DRAFT', '', '', 'model of acme-draft', 3],
          [302, 'Idle', 'INACTIVE', '', '', 'model of acme-idle', 3],
          [303, 'To come', 'ACTIVE', '', '', null, 0],
        ],
      );
      assert.equal(projects[0]?.createdDateTime, '2020-02-29T10:00:00.000Z');
      for (const project of projects) {
        const definition = (await get(`/v1/projects/${project.id}/definition`)).body;
        assert.deepEqual(definition, project);
        assert.match(String(project.createdDateTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    });

    it('a definition has the members of the interface, and topic marks the question of that role [D-38]', async () => {
      const { CQ, ...project } = (await get('/v1/projects/300/definition')).body;
      assert.deepEqual(Object.keys(project).sort(), [
        'createdDateTime',
        'description',
        'id',
        'modelInstanceId',
        'name',
        'siteKey',
        'status',
      ]);
      const questions = CQ as { id: string; topic?: boolean; answers: { id: string; value: unknown }[] }[];
      assert.deepEqual(
        questions.map(({ id, topic, answers }) => [id, topic, answers.map(({ value }) => value)]),
        [
          ['Q-STARS', undefined, [1, 2, 3, 4, 5]],
          ['Q-TOPIC', true, [null, 9]],
          ['Q-WORDS', undefined, []],
        ],
      );
    });

    it('an entry has its rating and topic, or null, and its rows [D-39]', async () => {
      const { items } = await page();
      const { responses: rows, ...entry } = items[0] as Entry & { responses: { id: string }[] };
      assert.deepEqual(entry, {
        id: 'e-0',
        responseTime: '2025-05-01T10:00:00.000Z',
        experienceDate: '2025-05-01',
        modelInstanceId: 'model of acme-badge',
        url: 'https://a.example/0',
        locale: 'de',
        rating: null,
        topic: 'Technical issue',
      });
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['Q-TOPIC', 'locale', 'url'],
      );
      assert.deepEqual([items[3]?.rating, items[3]?.topic], [3, 'Something else']);
      assert.deepEqual([items[1]?.rating, items[1]?.topic], [1, null]);
    });

    it('offset counts rows, from any row; 100 a page unless asked otherwise, 1000 at most [D-39]', async () => {
      const cases = [
        ['', 0, 100, true],
        ['&offset=100', 100, 130, false],
        ['&offset=7&limit=5', 7, 12, true],
        ['&limit=130', 0, 130, false],
        ['&limit=129', 0, 129, true],
        ['&limit=1000', 0, 130, false],
        ['&offset=129&limit=1', 129, 130, false],
        ['&offset=130', 130, 130, false],
        ['&offset=2147483647', 130, 130, false],
      ] as const;
      for (const [query, from, to, hasMore] of cases) {
        const found = await page(query);
        assert.deepEqual(
          [found.items.map(({ id }) => id), found.hasMore, found.total],
          [ids(from, to), hasMore, entryCount],
        );
      }
    });

    it('Link leads through every entry once, and ends with the last page [D-39]', async () => {
      const seen: string[] = [];
      let path: string | null = `/v1/projects/300/data?${range}&limit=27&offset=4`;
      while (path !== null) {
        const { body, headers } = await get(path);
        seen.push(...(body as unknown as Page).items.map(({ id }) => id));
        const next: RegExpMatchArray | null = String(headers.link ?? '').match(/^<([^>]+)>; rel="next"$/);
        assert.equal(next !== null, body.hasMore);
        path = next === null ? null : next[1]!.slice(service.baseUrl.length);
      }
      assert.deepEqual(seen, ids(4, entryCount));
    });

    it('list and definition errors have an integer code and a message, and nothing else [D-21] [D-22]', async () => {
      const cases: [Answer, number, number, RegExp][] = [
        [await service.get('/v1/projects/7/definition', token), 404, 40403, /./],
        [await service.get('/v1/projects/x/definition', token), 400, 40001, /projectId/],
        ...(await Promise.all(
          ['9223372036854775807', '-9223372036854775808', '9007199254740993'].map(
            async (id): Promise<[Answer, number, number, RegExp]> => [
              await service.get(`/v1/projects/${id}/definition`, token),
              404,
              40403,
              new RegExp(` ${id}\\.$`),
            ],
          ),
        )),
        [await service.get('/v1/projects/9223372036854775808/definition', token), 400, 40001, /projectId/],
        [await service.get('/v1/projects/-9223372036854775809/definition', token), 400, 40001, /projectId/],
        [await service.get('/v1/projects?page=2', token), 400, 40001, /page/],
        [await service.get('/v1/projects', null), 401, 40101, /./],
        [await service.get('/v1/projects', 'wrong'), 401, 40103, /./],
        [await service.get('/v1/projects', token, { accept: 'text/html' }), 406, 40601, /./],
        [
          await service.get('/v1/projects', await service.token(acme, ['r_cx_measures'])),
          403,
          40301,
          /r_cx_projects/,
        ],
        [await service.get('/v1/projects/7', token), 404, 40401, /./],
        [
          await exchange(`${service.baseUrl}/v1/projects`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
          }),
          405,
          40501,
          /GET/,
        ],
      ];
      for (const [{ status, body }, expected, errorCode, message] of cases) {
        assert.deepEqual(
          [status, body.errorCode, Object.keys(body).sort()],
          [expected, errorCode, ['errorCode', 'message']],
        );
        assert.match(String(body.message), message);
      }
    });

    it('data errors have timestamp, status and a message that names every fault, and nothing else [D-22] [D-24]', async () => {
      const data = '/v1/projects/300/data';
      const cases: [string, number, readonly string[]][] = [
        [data, 400, ['from', 'to']],
        [`${data}?${range}&limit=0`, 400, ['limit']],
        [`${data}?${range}&limit=1001&offset=-1`, 400, ['limit', 'offset']],
        [`${data}?${range}&excludeMQ=true`, 400, ['excludeMQ']],
        [`${data}?from=2025-02-30&to=05/01/2025`, 400, ['from', 'to']],
        [`${data}?from=2025-02-02&to=2025-02-01`, 400, ['to']],
        [`/v1/projects/7/data?${range}`, 404, []],
        ['/v1/projects/7/data?from=x&to=y', 400, ['from', 'to']],
        [`/v1/projects/1.5/data?${range}`, 400, ['projectId']],
        [`${data}/more`, 404, []],
      ];
      for (const [path, expected, names] of cases) {
        const { status, body } = await service.get(path, token);
        assert.deepEqual(
          [status, Object.keys(body).sort()],
          [expected, ['message', 'status', 'timestamp']],
          path,
        );
        assert.deepEqual([body.status, body.timestamp], [expected, new Date(service.nowMs).toISOString()]);
        for (const name of names) assert.match(String(body.message), new RegExp(`\\b${name}\\b`));
      }
      const unauthorised = await service.get(`${data}?${range}`, null);
      assert.deepEqual(
        [unauthorised.status, Object.keys(unauthorised.body).sort()],
        [401, ['message', 'status', 'timestamp']],
      );
      const narrow = await service.get(`${data}?${range}`, await service.token(acme, ['r_cx_measures']));
      assert.deepEqual([narrow.status, narrow.body.status], [403, 403]);
      const deleted = await exchange(`${service.baseUrl}${data}`, { method: 'DELETE' });
      assert.deepEqual(
        [deleted.status, deleted.body.status, deleted.headers.allow],
        [405, 405, 'GET, HEAD, OPTIONS'],
      );
    });

    it('Accept may be missing here [D-25]', async () => {
      for (const path of ['/v1/projects', '/v1/projects/300/definition', `/v1/projects/300/data?${range}`]) {
        const { status } = await exchange(`${service.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.equal(status, 200);
      }
    });
  });
}
