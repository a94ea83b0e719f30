// A log with thousands of responses, appended and rolled up as the service does it in the background: through the store, because
// thousands of requests would take a minute.

import assert from 'node:assert/strict';
import { form } from '../../src/domain/insight/layout.ts';
import { appendResponses } from '../../src/store/feedback/log.ts';
import { newMark } from '../../src/store/feedback/log-history.ts';
import { type Indexing, indexComments } from '../../src/store/insight/comment-index.ts';
import { rollUpSome } from '../../src/store/insight/roll-up.ts';
import { versionsOf } from '../../src/store/insight/roll-up-task.ts';
import { commentNowMs, type SentResponse } from './comment-population.ts';
import type { OpenedLog } from './open-feedback-log.ts';
import { storeRows } from './store-rows.ts';

const atOnce = 500;

export async function appendComments(log: OpenedLog, responses: readonly SentResponse[]): Promise<void> {
  for (let at = 0; at < responses.length; at += atOnce) {
    const items = [];
    for (const { body } of responses.slice(at, at + atOnce)) items.push(await log.item(body));
    const outcomes = await log.db.write(appendResponses, { items, mark: newMark() });
    assert.ok(outcomes.every((outcome) => outcome === 'kept'));
  }
}

/** Everything that is there now is rolled up and indexed. Says what was made of it while one segment may be left for later. */
export async function rollUpComments({ db, databaseUrl }: OpenedLog): Promise<readonly Indexing[]> {
  const whileBusy: Indexing[] = [];
  for (const row of await storeRows(databaseUrl, 'select account_id, source_id from log_counter')) {
    const source = { accountId: Number(row.account_id), sourceId: Number(row.source_id) };
    const options = { versions: versionsOf(db), nowMs: commentNowMs };
    for (;;) if ((await rollUpSome(db, source, options)).outcome === 'end') break;
    whileBusy.push(await indexComments(db, source, form, { leave: 1 }));
    // Spans of one segment, because a log with one of sixteen takes long to write.
    for (;;) if ((await indexComments(db, source, form, { level: 0 })) === 'none') break;
  }
  return whileBusy;
}
