// The digests of days that a store keeps, held against its rows: by those of backups on SQLite, and here on either engine.

import assert from 'node:assert/strict';
import { DayDigests, digestOfBody, digestOfContentHash } from '../../src/domain/feedback/digest.ts';
import { storeRows } from './store-rows.ts';

export async function assertDigests(databaseUrl: string): Promise<void> {
  const counters = await storeRows(
    databaseUrl,
    'select account_id, source_id, digested_seq from log_counter where last_seq > 0',
  );
  for (const { account_id: accountId, source_id: sourceId, digested_seq: digestedSeq } of counters) {
    const ofSource = `account_id = ${accountId} and source_id = ${sourceId}`;
    const bodies = await storeRows(databaseUrl, `select seq, body from response_body where ${ofSource}`);
    const bodyOf = new Map(bodies.map(({ seq, body }) => [Number(seq), String(body)]));
    const rows = await storeRows(
      databaseUrl,
      `select seq, day, digest, hash from response where ${ofSource} and seq <= ${digestedSeq} order by seq`,
    );
    const digests = new DayDigests();
    for (const { seq, day, digest, hash } of rows) {
      const own = digest ?? (hash === null ? null : digestOfContentHash(String(hash)));
      digests.add({ day: Number(day), digest: String(own ?? digestOfBody(bodyOf.get(Number(seq))!)) });
    }
    const kept = await storeRows(
      databaseUrl,
      `select day, digest, digested from log_day where ${ofSource} and digested > 0 order by day`,
    );
    assert.deepEqual(
      kept.map(({ day, digest, digested }) => [Number(day), { digest, count: Number(digested) }]),
      digests.entries(),
      `source ${sourceId} of account ${accountId}`,
    );
  }
}
