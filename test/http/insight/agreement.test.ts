// Every figure of every insight endpoint, held against a plain recount of the bodies that were sent (support/insight-model.ts), on
// both engines and beside another account.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type Days, measureTrend } from '../../support/insight-model.ts';
import {
  firstDay,
  type InsightSource,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../../support/insight-population.ts';
import { assertNear } from '../../support/near.ts';

const sources = insightPopulation();
const whole: Days = { from: firstDay, to: lastDay };
const everything = () => true;

for (const engine of engines) {
  describe(`insight on ${engine.name}`, () => {
    let service: FeedbackService;
    const tokens = new Map<number, string>();

    before(async () => {
      service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      for (const account of [insightAcme, insightBolt]) tokens.set(account, await service.token(account));
      await sendInsight(service, sources);
    });
    after(() => service?.stop());

    const get = async (source: InsightSource, path: string) => {
      const { status, body, text } = await service.get(
        `/v1/${source.path}/${path}`,
        tokens.get(source.accountId)!,
      );
      assert.equal(status, 200, text);
      return body;
    };

    it('the recount has the latents and scores of the summary of data', async () => {
      for (const source of sources.filter(({ kind }) => kind === 'measure'))
        for (const { from, to } of [whole, { from: '2026-02-10', to: '2026-02-20' }]) {
          const { summary, total } = await get(source, `data?from=${from}&to=${to}&limit=1`);
          const latents = measureTrend(source, { from, to }, { unit: 'day', keep: everything });
          const scores = (latents as { total: { mean: number | null; count: number } }[]).map(
            ({ total: { mean, count }, ...latent }) => ({ ...latent, score: mean, count }),
          );
          const shown = scores.map((score) => ({ ...score, points: undefined }));
          const { latentScores } = summary as { latentScores: object[] };
          assertNear(
            latentScores.map((score) => ({ ...score, points: undefined })),
            shown,
          );
          const within = source.responses.filter(({ submittedAtMs }) => {
            const day = new Date(submittedAtMs).toISOString().slice(0, 10);
            return from <= day && day <= to;
          });
          assert.equal(total, within.length);
        }
    });
  });
}
