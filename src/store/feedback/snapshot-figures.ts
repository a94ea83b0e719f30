// The figures of days in a file that nobody writes to, such as a backup: always from its rows, so that they tell what
// is in it and not what was once counted. Files of every schema are read.

import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { SourceFigures } from '../../domain/feedback/day-figures.ts';
import { DayDigests, digestOfBody, digestOfContentHash } from '../../domain/feedback/digest.ts';
import type { StoreSnapshot } from '../engine/sqlite/store-snapshot.ts';

const rowsAtOnce = 256;

interface SnapshotSource extends SourceName {
  readonly sourceId: number;
}

/** In the order of accounts, kinds and keys. */
export function* figuresOfSnapshot(
  snapshot: StoreSnapshot,
  accountId: number | null,
  onRows: (count: number) => void,
): Generator<SourceFigures> {
  const sources = snapshot.rows<SnapshotSource>(`
    select account_id as "accountId", kind, source_key as key, source_id as "sourceId"
    from source
    order by account_id, kind, source_key`);
  for (const { sourceId, ...name } of sources) {
    if (accountId !== null && name.accountId !== accountId) continue;
    const digests = new DayDigests();
    let position = 0;
    for (const row of rowsOf(snapshot, { ...name, sourceId }, onRows)) {
      digests.add(row);
      position = row.seq;
    }
    yield { ...name, position, days: digests.entries() };
  }
}

/** Whether the digests that are kept are those of the rows, as far as they go; a sentence for each day that differs. */
export function digestsAgainstRows(snapshot: StoreSnapshot): string[] {
  if (!snapshot.hasColumn('log_counter', 'digested_seq')) return [];
  const faults: string[] = [];
  const counters = snapshot.rows<{ accountId: number; sourceId: number; digestedSeq: number }>(`
    select account_id as "accountId", source_id as "sourceId", digested_seq as "digestedSeq"
    from log_counter
    where digested_seq > 0
    order by account_id, source_id`);
  for (const { accountId, sourceId, digestedSeq } of counters) {
    const kept = snapshot.rows<{ day: number; digested: number; digest: string }>(
      'select day, digested, digest from log_day where account_id = ? and source_id = ? and digested > 0',
      accountId,
      sourceId,
    );
    const digests = new DayDigests();
    for (const row of rowsOf(snapshot, { accountId, sourceId }, () => {}))
      if (row.seq <= digestedSeq) digests.add(row);
    const counted = new Map(digests.entries());
    const days = new Set([...kept.map(({ day }) => day), ...counted.keys()]);
    const known = new Map(kept.map((of) => [of.day, of]));
    for (const day of days) {
      const [is, should] = [known.get(day), counted.get(day)];
      if (is?.digested === should?.count && is?.digest === should?.digest) continue;
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      faults.push(
        `the digest of ${text} of source ${sourceId} of account ${accountId} is not that of its rows`,
      );
    }
  }
  return faults;
}

interface SnapshotRow {
  readonly seq: number;
  readonly day: number;
  readonly digest: string;
}

function* rowsOf(
  snapshot: StoreSnapshot,
  { accountId, sourceId }: { readonly accountId: number; readonly sourceId: number },
  onRows: (count: number) => void,
): Generator<SnapshotRow> {
  const digest = snapshot.hasColumn('response', 'digest') ? 'response.digest' : 'null';
  for (let after = 0; ; ) {
    const rows = snapshot.rows<
      Omit<SnapshotRow, 'digest'> & Record<'digest' | 'hash' | 'body', string | null>
    >(
      `select response.seq, response.day, ${digest} as digest, response.hash, response_body.body
       from response
       left join response_body on response_body.account_id = response.account_id
         and response_body.source_id = response.source_id and response_body.seq = response.seq
       where response.account_id = ? and response.source_id = ? and response.seq > ?
       order by response.seq
       limit ${rowsAtOnce}`,
      accountId,
      sourceId,
      after,
    );
    for (const { seq, day, digest: kept, hash, body } of rows)
      yield {
        seq,
        day,
        digest: kept ?? (hash === null ? digestOfBody(body ?? '{}') : digestOfContentHash(hash)),
      };
    onRows(rows.length);
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.seq;
  }
}
