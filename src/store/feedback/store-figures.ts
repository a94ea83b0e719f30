// The figures of all days of a store: what is kept of them, continued by the rows behind it, or all of it from the rows.

import sql from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { SourceFigures } from '../../domain/feedback/day-figures.ts';
import { DayDigests } from '../../domain/feedback/digest.ts';
import type { Db } from '../engine/db.ts';
import { rowDigests } from './day-digests.ts';

interface FigureOptions {
  /** Only of this account; null for all of them. */
  readonly accountId: number | null;
  /** Whether to work out everything from the rows, instead of trusting what is kept. */
  readonly isFromRows: boolean;
  /** Told of the rows that were read; it may throw to end the work. */
  readonly onRows: (count: number) => void;
}

/** In the order of accounts, kinds and keys. */
export async function* figuresOfStore(db: Db, options: FigureOptions): AsyncGenerator<SourceFigures> {
  for await (const accountId of accountsOf(db, options.accountId)) {
    const sources = await db.read<{ source_id: number; kind: SourceName['kind']; source_key: number }>(sql`
      select source_id, kind, source_key
      from source
      where account_id = ${accountId}
      order by kind, source_key`);
    for (const { source_id: sourceId, kind, source_key: key } of sources)
      yield { accountId, kind, key, ...(await figuresOf(db, { accountId, sourceId }, options)) };
  }
}

const accountsAtOnce = 1_000;

async function* accountsOf(db: Db, only: number | null): AsyncGenerator<number> {
  if (only !== null) return yield only;
  for (let last = 0; ; ) {
    const rows = await db.read<{ id: number }>(sql`
      select id from account where id > ${last} order by id limit ${accountsAtOnce}`);
    for (const { id } of rows) yield id;
    if (rows.length < accountsAtOnce) return;
    last = rows.at(-1)!.id;
  }
}

async function figuresOf(
  db: Db,
  source: { readonly accountId: number; readonly sourceId: number },
  { isFromRows, onRows }: FigureOptions,
): Promise<Pick<SourceFigures, 'position' | 'days'>> {
  const ofSource = sql`account_id = ${source.accountId} and source_id = ${source.sourceId}`;
  // One statement, so that the digests and the end that they go to are of one moment; the rows behind never change.
  const rows = await db.read<{ kind: 'day' | 'end'; day: number; count: number; digest: string }>(sql`
    select 'day' as kind, day, digested as count, digest
    from log_day
    where ${ofSource} and digested > 0
    union all
    select 'end', last_seq, digested_seq, ''
    from log_counter
    where ${ofSource}`);
  const end = rows.find(({ kind }) => kind === 'end');
  const lastSeq = end?.day ?? 0;
  const kept = isFromRows ? [] : rows.filter(({ kind }) => kind === 'day');
  const days = new DayDigests(kept.map(({ day, digest, count }) => [day, { digest, count }] as const));
  const range = [isFromRows ? 0 : (end?.count ?? 0), lastSeq] as const;
  for await (const some of rowDigests(db, source, range, async () => {})) {
    for (const row of some) days.add(row);
    onRows(some.length);
  }
  return { position: lastSeq, days: days.entries() };
}
