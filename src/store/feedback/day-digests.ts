// The digests of the days of a log, as they are read, and how a log that is behind catches up (D-252).
//
// The digests that are kept go over the rows up to `digested_seq`, which is the end of the last full block. The rows behind
// it are folded in here, when somebody asks. A log is further behind where it was there before there were digests, or
// where replicas of before have filled blocks. Then its digests are brought up to date block by block, by the background
// task or by whoever asks first. The rows are read before the transaction, so that nothing waits for it: their digests
// never change, and it is held against the marks of their blocks that they are the same rows.

import sql from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import { blockSize } from '../../domain/feedback/block.ts';
import { type DayDigest, DayDigests } from '../../domain/feedback/digest.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { dayRows, digestsAfter, type FoldedDays, type SeqRange } from './day-sums.ts';
import { LogChanged, type LogEnd, markOfBlock } from './log-places.ts';
import { bodyOf, digestOf } from './response-lookup.ts';

export interface DigestsAtEnd extends LogEnd {
  /** The days of the range that have responses, in their order. */
  readonly days: readonly (readonly [day: number, digest: DayDigest])[];
}

/** Between small pieces of work; it throws where the work is to end. */
export type Pause = () => Promise<void>;

/** So many rows behind the digests are folded in by whoever asks; mostly there are less than those of a block. */
const openRowsMax = 2 * blockSize;
/** A body of more bytes is not read together with others, because the embedded engine reads on the event loop. */
const smallBodyBytes = 4096;
const blocksAtOnce = 4;
const attemptsMax = 3;

/** The digests of a range of days, with the end of the log at which they are true; null where they are too far behind. */
export async function readDayDigests(
  db: Db,
  source: SourceKey,
  { firstDay, lastDay }: DateRange,
  pause: Pause,
): Promise<DigestsAtEnd | null> {
  const { accountId, sourceId } = source;
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  const digestedSeq = sql`(select digested_seq from log_counter where ${ofSource})`;
  // One statement, so that the digests, the rows behind them and the end of the log are of one moment.
  const rows = await db.read<DayRowOrEnd>(sql`
    select 'day' as kind, 0 as seq, day, digested as count, digest as text
    from log_day
    where ${ofSource} and day between ${firstDay} and ${lastDay} and digested > 0
    union all
    select 'end', last_seq, 0, digested_seq, mark
    from log_counter
    where ${ofSource}
    union all
    select 'row', seq, day, 0, ${digestIfSmall(db.dialect, accountId)}
    from response
    where ${ofSource} and seq > ${digestedSeq} and seq <= ${digestedSeq} + ${openRowsMax}
      and day between ${firstDay} and ${lastDay}`);
  const end = rows.find(({ kind }) => kind === 'end');
  if (end === undefined) return { days: [], lastSeq: 0, mark: null };
  if (end.seq - end.count > openRowsMax) return null;
  const days = new DayDigests(
    rows.flatMap(({ kind, day, count, text }) =>
      kind === 'day' ? [[day, { digest: text ?? '', count }] as const] : [],
    ),
  );
  const open = rows.filter(({ kind }) => kind === 'row').sort((one, other) => one.seq - other.seq);
  for (const { seq, day, text } of open) {
    days.add({ day, digest: text ?? (await digestOfLarge(db, source, seq, pause)) });
  }
  return { days: days.entries(), lastSeq: end.seq, mark: end.text };
}

interface DayRowOrEnd {
  readonly kind: 'day' | 'end' | 'row';
  /** Of the end: the number of the last row. */
  readonly seq: number;
  readonly day: number;
  /** Of a day: the rows that its digest goes over. Of the end: the number of the last row that is in the digests. */
  readonly count: number;
  /** Of the end: its mark. */
  readonly text: string | null;
}

function digestIfSmall(dialect: Dialect, accountId: number) {
  return sql`case
    when octet_length(${bodyOf(accountId)}) <= ${smallBodyBytes} then ${digestOf(dialect, accountId)}
  end`;
}

async function digestOfLarge(db: Db, source: SourceKey, seq: number, pause: Pause): Promise<string> {
  const { accountId, sourceId } = source;
  await pause();
  const [row] = await db.read<{ digest: string }>(sql`
    select ${digestOf(db.dialect, accountId)} as digest
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and seq = ${seq}`);
  // A standby that took over meanwhile may lack the last rows.
  if (row === undefined) throw new LogChanged();
  return row.digest;
}

interface RowDigest {
  readonly seq: number;
  readonly day: number;
  readonly digest: string;
}

/** The digests of rows in their order, block by block. */
export async function* rowDigests(
  db: Db,
  source: SourceKey,
  [afterSeq, lastSeq]: SeqRange,
  pause: Pause,
): AsyncGenerator<readonly RowDigest[]> {
  const { accountId, sourceId } = source;
  for (let after = afterSeq; after < lastSeq; after += blockSize) {
    await pause();
    const rows = await db.read<Omit<RowDigest, 'digest'> & { digest: string | null }>(sql`
      select seq, day, ${digestIfSmall(db.dialect, accountId)} as digest
      from response
      where account_id = ${accountId} and source_id = ${sourceId}
        and seq > ${after} and seq <= ${Math.min(after + blockSize, lastSeq)}
      order by seq
      limit ${limitOf(blockSize)}`);
    if (rows.length !== Math.min(blockSize, lastSeq - after)) throw new LogChanged();
    const whole: RowDigest[] = [];
    for (const row of rows)
      whole.push({ ...row, digest: row.digest ?? (await digestOfLarge(db, source, row.seq, pause)) });
    yield whole;
  }
}

/** How far the digests of a log have come. */
export interface DigestsReached {
  readonly digestedSeq: number;
  /** The end of the last full block, which is where they should be. */
  readonly fullSeq: number;
}

/** Brings the digests of a log some blocks further. Several who do it at once share the work, and nothing is counted twice. */
export async function advanceDigests(db: Db, source: SourceKey, pause: Pause): Promise<DigestsReached> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reached = await reachedBy(db, source);
      if (reached.digestedSeq >= reached.fullSeq) return reached;
      const lastSeq = Math.min(reached.fullSeq, reached.digestedSeq + blocksAtOnce * blockSize);
      // Where somebody else was first, the next look shows how far they have come.
      const isKept = await fold(db, source, [reached.digestedSeq, lastSeq], pause);
      return isKept ? { ...reached, digestedSeq: lastSeq } : reached;
    } catch (error) {
      if (!(error instanceof LogChanged) || attempt === attemptsMax) throw error;
    }
  }
}

async function reachedBy(db: Db, { accountId, sourceId }: SourceKey): Promise<DigestsReached> {
  const [row] = await db.read<{ last_seq: number; digested_seq: number }>(sql`
    select last_seq, digested_seq
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}`);
  if (row === undefined) return { digestedSeq: 0, fullSeq: 0 };
  return {
    digestedSeq: row.digested_seq,
    fullSeq: Math.floor(row.last_seq / blockSize) * blockSize,
  };
}

async function fold(db: Db, source: SourceKey, range: SeqRange, pause: Pause): Promise<boolean> {
  const { accountId, sourceId } = source;
  const marks = (await db.read<{ mark: string }>(selectMarks(source, range))).map(({ mark }) => mark);
  const rows: RowDigest[] = [];
  for await (const some of rowDigests(db, source, range, pause)) rows.push(...some);
  const known = await db.read<{ day: number; digested: number; digest: string }>(sql`
    select day, digested, digest
    from log_day
    where account_id = ${accountId} and source_id = ${sourceId} and digested > 0
      and ${db.dialect.isAmong(sql`day`, [...new Set(rows.map(({ day }) => day))], 'integer')}`);
  const days = known.map(({ day, digested, digest }) => [day, { digest, count: digested }] as const);
  return db.write(foldDigests, { ...source, range, marks, days: digestsAfter({ rows, days }) });
}

function selectMarks({ accountId, sourceId }: SourceKey, [afterSeq, lastSeq]: SeqRange) {
  return sql`
    select ${markOfBlock(accountId)} as mark
    from log_block
    where account_id = ${accountId} and source_id = ${sourceId}
      and block >= ${afterSeq / blockSize} and block < ${lastSeq / blockSize}
    order by block`;
}

interface FoldDigests extends SourceKey {
  /** From the end of one block to the end of another. */
  readonly range: SeqRange;
  /** Of the blocks, when their rows were read. */
  readonly marks: readonly string[];
  readonly days: FoldedDays;
}

/** Keeps what rows make of the digests of their days; false where somebody else has kept it, or the rows are others now. */
export function* foldDigests(
  { range, marks, days, ...source }: FoldDigests,
  dialect: Dialect,
): Steps<boolean> {
  const { accountId, sourceId } = source;
  const [counter] = yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: [[accountId, sourceId]],
    columns: ['digested_seq'],
    mayWait: true,
  });
  if (counter?.digested_seq !== range[0]) return false;
  const { rows } = yield selectMarks(source, range);
  const isSame = rows.length === marks.length && rows.every(({ mark }, at) => mark === marks[at]);
  if (!isSame) return false;
  yield dayRows(source, new Map(), days);
  yield sql`
    update log_counter
    set digested_seq = ${range[1]}
    where account_id = ${accountId} and source_id = ${sourceId}`;
  return true;
}
