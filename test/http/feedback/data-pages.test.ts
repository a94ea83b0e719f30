// Pages of data under strain: sums and rows larger than life, and what a page must be then all the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

interface Score {
  readonly id: string;
  readonly score: number | null;
  readonly count?: number;
}
interface Page {
  readonly hasMore: boolean;
  readonly total: number;
  readonly items: readonly { readonly id: string; readonly latentScores: readonly Score[] }[];
  readonly summary: { readonly latentScores: readonly Score[] };
}

for (const engine of engines) {
  describe(`pages of data under strain on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const page = async (query: string): Promise<Page> => {
      const { status, body, text } = await service.get(`/v1/measures/700/data?${query}`, token);
      assert.equal(status, 200, text);
      return body as unknown as Page;
    };

    it('a respondent shows the scores that are there, and the summary says null for what nobody answered [D-33]', async () => {
      const answers = [{}, { 'Q-LOOK-2': ['5'] }, { 'Q-LOOK-1': ['Q-LOOK-1-DK'] }, { 'Q-LOOK-1': ['1'] }];
      for (const [index, responses] of answers.entries()) {
        const body = {
          surveyDefinitionId: 'acme-web',
          responseId: `scored-${index}`,
          submissionTimestamp: '2025-01-01T00:00:00Z',
          responses: { ...responses, 'Q-SAT-1': ['8'], 'Q-FOUND': ['A-YES'] },
        };
        const { status, text } = await service.post(body, token);
        assert.equal(status, 200, text);
      }
      const { items, summary } = await page('from=2025-01-01&to=2025-01-01');
      assert.deepEqual(
        items.map(({ latentScores }) => latentScores.map(({ id }) => id)),
        [['L-SAT'], ['L-LOOK', 'L-SAT'], ['L-SAT'], ['L-LOOK', 'L-SAT']],
      );
      assert.ok(
        items.every(({ latentScores }) => latentScores.every(({ score }) => typeof score === 'number')),
      );
      const unanswered = summary.latentScores.find(({ id }) => id === 'L-RETURN');
      assert.deepEqual([unanswered?.score, unanswered?.count], [null, 0]);
    });

    it('the mean of a range is right however large its sums are [D-34]', async () => {
      const [source] = await storeRows(
        service.databaseUrl,
        `select source_id from source where account_id = ${acme} and kind = 'measure' and source_key = 700`,
      );
      // Each of these days is just within 64 bits, and all of them together far beyond.
      const scored = 92_000_000_000n;
      const days = Array.from({ length: 300 }, (_, index) => 8_000 + index);
      const rows = days.map(
        (day) => `(${acme}, ${source?.source_id}, ${day}, 'L-SAT', ${scored * 100_000_000n}, ${scored})`,
      );
      await storeRows(
        service.databaseUrl,
        `insert into log_day_latent (account_id, source_id, day, latent_id, micros, scored) values ${rows.join(', ')}`,
      );
      const { summary } = await page('from=1991-01-01&to=1992-12-31');
      const satisfaction = summary.latentScores.find(({ id }) => id === 'L-SAT');
      assert.equal(satisfaction?.count, Number(scored) * days.length);
      assert.ok(Math.abs((satisfaction?.score ?? 0) - 100) < 1e-9, String(satisfaction?.score));
    });
  });
}
