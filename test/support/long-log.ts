// A long log of the measure whose responses the benches have too: through the store's own append, many at a time, because a million
// requests would take too long. And when its figures have been added up.

import { insightBenchCatalogue, type insightBody, insightMeasure } from '../../bench/insight-data.ts';
import { judgeDraft } from '../../src/domain/feedback/judged-draft.ts';
import { readDraft } from '../../src/domain/feedback/response-draft.ts';
import { prepareSurvey } from '../../src/domain/feedback/survey.ts';
import { findSource } from '../../src/store/feedback/catalogue.ts';
import { appendResponses } from '../../src/store/feedback/log.ts';
import { newMark } from '../../src/store/feedback/log-history.ts';
import { openDb } from '../../src/store/open-db.ts';
import { until } from './service.ts';
import { storeRows } from './store-rows.ts';

const batchSize = 5_000;
const accountId = insightBenchCatalogue.accounts[0]!.id;

/** Fills the measure with bodies like those of `insightBody`. */
export async function fillMeasure(
  databaseUrl: string,
  count: number,
  bodyOf: typeof insightBody,
): Promise<void> {
  const db = await openDb(databaseUrl, { timeoutMs: 120_000, poolSize: 2 });
  const source = await findSource(db, { accountId, kind: 'measure', key: insightMeasure });
  const survey = source?.surveys[0];
  if (source === null || survey === undefined) throw new Error('The measure is not there.');
  const prepared = prepareSurvey(survey.definition, { kind: 'measure', active: true });
  for (let done = 0; done < count; done += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) => {
      const body = bodyOf('measure', done + index, count);
      const { draft } = readDraft(body);
      if (draft === null) throw new Error('The response is not valid.');
      const judged = judgeDraft({ source, survey, prepared }, draft, JSON.stringify(body), {
        nowMs: Date.now(),
        newId: () => '',
      });
      if (judged.item === null) throw new Error(`The response is refused: ${judged.faults[0]?.message}`);
      return judged.item;
    });
    await db.write(appendResponses, { items, mark: newMark() });
  }
  await db.close();
}

const rollUpPatienceMs = 30 * 60_000;

/** All sources together. */
export async function untilRolledUp(databaseUrl: string): Promise<void> {
  await until(
    async () =>
      (
        await storeRows(
          databaseUrl,
          `select
             (select coalesce(sum(last_seq), 0) from log_counter) as last_seq,
             (select coalesce(sum(rolled_seq), 0) from insight_cursor where rolled_seq > 0) as rolled_seq`,
        )
      )[0]!,
    ({ last_seq: last, rolled_seq: rolled }) => Number(rolled) >= Number(last),
    rollUpPatienceMs,
  );
}
