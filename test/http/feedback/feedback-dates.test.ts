// Which responses a range of days has, for measures and for projects: UTC days of the submission, both ends included.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

// Each with the UTC day that it belongs to.
const submissions = [
  ['1990-01-01T00:00:00.000Z', '1990-01-01'],
  ['1999-12-31T23:59:59.999Z', '1999-12-31'],
  ['2000-01-01T00:00:00.000Z', '2000-01-01'],
  ['2000-02-29T12:00:00Z', '2000-02-29'],
  ['2023-02-28T23:59:59.999Z', '2023-02-28'],
  ['2023-03-01T00:00:00Z', '2023-03-01'],
  ['2024-02-28T23:59:59.999Z', '2024-02-28'],
  ['2024-02-29T00:00:00.000Z', '2024-02-29'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29'],
  ['2024-02-29T23:59:59.9999Z', '2024-02-29'],
  ['2024-03-01T00:00:00.000Z', '2024-03-01'],
  // Across midnight, both ways.
  ['2024-02-29T23:30:00-01:00', '2024-03-01'],
  ['2024-03-01T00:30:00+01:00', '2024-02-29'],
  ['2025-01-01T13:59:59.999+14:00', '2024-12-31'],
  ['2024-12-31T12:00:00-12:00', '2025-01-01'],
] as const;

const sources = [
  {
    path: '/v1/measures/700/data',
    body: { surveyDefinitionId: 'acme-web-older', responses: { 'Q-SAT-1': ['4'], 'Q-FOUND': ['1'] } },
  },
  { path: '/v1/projects/300/data', body: { surveyDefinitionId: 'acme-badge' } },
];

for (const engine of engines) {
  describe(`ranges of days on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
      for (const { path, body } of sources) {
        for (const [index, [submissionTimestamp]] of submissions.entries()) {
          const responseId = `${path} ${index}`;
          const { status, text } = await service.post({ ...body, responseId, submissionTimestamp }, token);
          assert.equal(status, 200, text);
        }
      }
    });
    after(() => service?.stop());

    const found = async (path: string, from: string, to: string) => {
      const { status, body, text } = await service.get(`${path}?from=${from}&to=${to}&limit=100`, token);
      assert.equal(status, 200, text);
      const items = body.items as { id: string; experienceDate: string }[];
      return { items, total: body.total, hasMore: body.hasMore, summary: body.summary };
    };

    it('a range has the responses of its days, both ends included, and no others [D-35] [D-39]', async () => {
      const ranges = [
        ['2024-02-29', '2024-02-29'],
        ['2024-02-28', '2024-02-29'],
        ['2024-02-29', '2024-03-01'],
        ['2024-03-01', '2024-03-01'],
        ['2023-02-28', '2023-02-28'],
        ['2023-03-01', '2023-03-01'],
        ['2000-02-29', '2000-02-29'],
        ['1999-12-31', '2000-01-01'],
        ['2024-12-31', '2024-12-31'],
        ['2025-01-01', '2025-01-01'],
        ['1990-01-01', '2039-12-31'],
        ['1990-01-01', '1990-01-01'],
        ['1980-01-01', '2030-01-01'],
        ['0001-01-01', '9999-12-31'],
      ] as const;
      for (const { path } of sources) {
        for (const [from, to] of ranges) {
          const expected = submissions.flatMap(([, day], index) =>
            from <= day && day <= to ? [[`${path} ${index}`, day]] : [],
          );
          const { items, total, hasMore } = await found(path, from, to);
          assert.deepEqual(
            items.map(({ id, experienceDate }) => [id, experienceDate]),
            expected,
            `${path} ${from} ${to}`,
          );
          assert.deepEqual([total, hasMore], [expected.length, false]);
        }
      }
    });

    it('an empty range has nothing: no items, total 0, scores null [D-34] [D-35]', async () => {
      for (const { path } of sources) {
        for (const [from, to] of [
          ['2024-03-02', '2024-12-30'],
          ['1970-01-01', '1989-12-31'],
          ['2025-01-02', '2075-01-01'],
        ] as const) {
          const { items, total, hasMore, summary } = await found(path, from, to);
          assert.deepEqual([items, total, hasMore], [[], 0, false]);
          const scores = (summary as { latentScores: { score: unknown; count: number }[] } | undefined)
            ?.latentScores;
          for (const { score, count } of scores ?? []) assert.deepEqual([score, count], [null, 0]);
        }
      }
    });

    it('the summary counts the same days as the pages do [D-34]', async () => {
      const { total, summary } = await found('/v1/measures/700/data', '2024-02-29', '2024-02-29');
      const { latentScores } = summary as { latentScores: { id: string; count: number; score: number }[] };
      const satisfaction = latentScores.find(({ id }) => id === 'L-SAT');
      assert.deepEqual([total, satisfaction?.count], [4, 4]);
      assert.ok(Math.abs((satisfaction?.score ?? 0) - (3 / 9) * 100) < 1e-6);
    });

    it('an impossible day, another form or a range that ends before it begins is refused by name [D-35]', async () => {
      const good = '2024-01-31';
      const bad = [
        '2023-02-29',
        '2024-02-30',
        '2024-13-01',
        '2024-00-10',
        '2024-01-00',
        '2024-1-1',
        '24-01-01',
        '2024/01/01',
        '20240101',
        '2024-01-01T00:00:00Z',
        ' 2024-01-01',
        '1900-02-29',
        '0000-01-01',
        'today',
        '',
      ];
      for (const { path } of sources) {
        const ask = async (from: string, to: string): Promise<[number, string]> => {
          const query = new URLSearchParams({ from, to });
          const { status, text } = await service.get(`${path}?${query}`, token);
          return [status, text];
        };
        for (const day of bad) {
          for (const [from, to, name] of [
            [day, good, 'from'],
            [good, day, 'to'],
          ] as const) {
            const [status, text] = await ask(from, to);
            assert.equal(status, 400, `${from} ${to}`);
            assert.match(text, new RegExp(`\\b${name}\\b`));
          }
        }
        const [status, text] = await ask('2024-02-01', '2024-01-31');
        assert.equal(status, 400);
        assert.match(text, /\bto\b/);
      }
    });
  });
}
