// Finds the rows of a log that are to be emptied, however long the log is: a slice of at most 1,000 at a time, by the
// blocks whose days are in question. Between a few dozen rows others get their turn.

import sql, { empty, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import { type Block, blockSize, placesInRange } from '../../domain/feedback/block.ts';
import type { ShownRow } from '../../domain/feedback/respondent.ts';
import { type Db, type Fields, limitOf } from '../engine/db.ts';
import { lookupColumn, responsesWith } from '../feedback/response-lookup.ts';
import type { EmptiedRow } from './emptied-rows.ts';
import { emptied } from './emptied-rows.ts';
import type { ErasableRow } from './erase.ts';

/** As many rows as are emptied in one transaction. */
export const sliceRows = 1_000;

export interface LogName {
  readonly accountId: number;
  readonly sourceId: number;
  readonly kind: 'measure' | 'project';
}

/** A part of a log: the rows of these days after one number and up to another. */
interface Stretch {
  readonly afterSeq: number;
  readonly lastSeq: number;
  readonly range: DateRange;
}

/** A row that may be chosen, with what it says. */
export interface ChoosableRow extends ShownRow {
  readonly surveyNumber: number;
  readonly values: string;
}

export interface SearchOptions {
  /** Which rows; all of them where it is absent. */
  readonly isChosen?: (row: ChoosableRow) => boolean;
  /** Only numbers are wanted, not what stays of the rows. */
  readonly isOnlyCount?: boolean;
  /** Called between small pieces of work. */
  readonly pause?: () => Promise<void> | void;
}

interface ErasableSlice {
  /** Empty where only numbers are wanted. */
  readonly rows: readonly EmptiedRow[];
  readonly count: number;
  /** Up to here the stretch has been looked through. */
  readonly throughSeq: number;
}

// What one call looks through at most, found or not, so that whoever calls can note how far it has come.
const placesMax = 20_000;
const blocksAtOnce = 16;
const blocksInSight = 1_024;
const rowsAtOnce = 128;
const rowsBetweenPauses = 32;
const bytesAtOnce = 1024 * 1024;

/** The next rows of a stretch that are not empty yet. */
export async function nextErasable(
  db: Db,
  log: LogName,
  { afterSeq, lastSeq, range }: Stretch,
  options: SearchOptions = {},
): Promise<ErasableSlice> {
  const rows: EmptiedRow[] = [];
  let count = 0;
  let looked = 0;
  let throughSeq = afterSeq;
  while (throughSeq < lastSeq && count < sliceRows && looked < placesMax) {
    const places = await placesAfter(db, log, { afterSeq: throughSeq, lastSeq, range });
    let isFull = false;
    for (let first = 0; first < places.seqs.length && !isFull; ) {
      const seqs = places.seqs.slice(first, first + Math.min(rowsAtOnce, sliceRows - count));
      const found = await readRows(db, log, seqs, options);
      rows.push(...found.rows);
      count += found.count;
      first += seqs.length;
      throughSeq = seqs.at(-1)!;
      isFull = count >= sliceRows;
    }
    if (!isFull) throughSeq = places.throughSeq;
    looked += places.seqs.length;
    await options.pause?.();
  }
  return { rows, count, throughSeq };
}

/** Numbers of rows in the range of days, of a few blocks, or of the rows behind the last full one. */
async function placesAfter(
  db: Db,
  { accountId, sourceId }: LogName,
  { afterSeq, lastSeq, range }: Stretch,
): Promise<{ readonly seqs: readonly number[]; readonly throughSeq: number }> {
  const { firstDay, lastDay } = range;
  const firstBlock = Math.floor(afterSeq / blockSize);
  const fullBlocks = Math.floor(lastSeq / blockSize);
  if (firstBlock >= fullBlocks) {
    const rows = await db.read<{ seq: number }>(sql`
      select seq
      from response
      where account_id = ${accountId} and source_id = ${sourceId} and seq > ${afterSeq} and seq <= ${lastSeq}
        and day between ${firstDay} and ${lastDay}
      order by seq
      limit ${limitOf(blockSize)}`);
    return { seqs: rows.map(({ seq }) => seq), throughSeq: lastSeq };
  }
  const endBlock = Math.min(fullBlocks, firstBlock + blocksInSight);
  const blocks = await db.read<Block & { block: number }>(sql`
    select block, day_min as "dayMin", day_max as "dayMax", days
    from log_block
    where account_id = ${accountId} and source_id = ${sourceId} and block >= ${firstBlock} and block < ${endBlock}
      and day_min <= ${lastDay} and day_max >= ${firstDay}
    order by block
    limit ${limitOf(blocksAtOnce)}`);
  const seqs = blocks.flatMap((block) =>
    placesInRange(block, range).map((place) => block.block * blockSize + place + 1),
  );
  const last = blocks.at(-1);
  const seenBlocks = last !== undefined && blocks.length === blocksAtOnce ? last.block + 1 : endBlock;
  return { seqs: seqs.filter((seq) => seq > afterSeq), throughSeq: seenBlocks * blockSize };
}

interface ReadRow extends ChoosableRow {
  readonly seq: number;
  readonly body: string | null;
}

const readColumns = {
  columns: ['seq', 'survey_no', 'response_id', 'submitted_at', 'row_values', 'body', 'external'],
  texts: ['row_values', 'body', 'external'],
  orderBy: 'seq',
};

/** Of these rows, those that are chosen and not empty; read in pieces that fit into memory, whatever the rows hold. */
async function readRows(
  db: Db,
  log: LogName,
  seqs: readonly number[],
  { isChosen, isOnlyCount = false, pause }: SearchOptions,
): Promise<{ readonly rows: readonly EmptiedRow[]; readonly count: number }> {
  const rows: EmptiedRow[] = [];
  let count = 0;
  let left = seqs;
  while (left.length > 0) {
    const query = rowsQuery(db, log, left, { hasBody: !isOnlyCount, hasExternal: isChosen !== undefined });
    const bounded = db.dialect.withinBytes({ query, ...readColumns }, bytesAtOnce);
    using answer = await db.readLarge(bounded, readRowOf, bytesAtOnce);
    let bytes = 0;
    let sincePause = 0;
    for (const row of answer.rows) {
      bytes += row.values.length + (row.body?.length ?? 0) + (row.external?.length ?? 0);
      if (isChosen !== undefined && !isChosen(row)) continue;
      count += 1;
      if (!isOnlyCount) rows.push(emptied(log.kind, row));
      sincePause += 1;
      if (sincePause < rowsBetweenPauses) continue;
      sincePause = 0;
      await pause?.();
    }
    const last = answer.rows.at(-1);
    // Lengths are counted in characters here and in bytes by a server: one more question is asked where it may be cut off.
    left = last === undefined || bytes < bytesAtOnce / 4 ? [] : left.filter((seq) => seq > last.seq);
  }
  return { rows, count };
}

function rowsQuery(
  db: Db,
  { accountId, sourceId }: LogName,
  seqs: readonly number[],
  { hasBody, hasExternal }: { hasBody: boolean; hasExternal: boolean },
): Sql {
  const body = hasBody ? lookupColumn(accountId, 'response_body', 'body') : sql`cast(null as text) as body`;
  const external = hasExternal
    ? lookupColumn(accountId, 'response_external', 'external')
    : sql`cast(null as text) as external`;
  return sql`
    select response.seq, survey_no, response_id, submitted_at, row_values, ${body}, ${external}
    from response
    where response.account_id = ${accountId} and response.source_id = ${sourceId} and hash is null
      and ${db.dialect.isAmong(sql`response.seq`, seqs, 'integer')}
    order by response.seq
    limit ${limitOf(seqs.length)}`;
}

function readRowOf(fields: Fields): ReadRow {
  return {
    seq: fields.integer(),
    surveyNumber: fields.integer(),
    responseId: fields.text(),
    submittedAtMs: fields.integer(),
    values: fields.text(),
    body: fields.textOrNull(),
    external: fields.textOrNull(),
  };
}

/** A response of a list, as it is now. */
interface ListedRow {
  readonly responseId: string;
  readonly sourceId: number;
  /** Null where it is empty already, or where only numbers are wanted. */
  readonly row: EmptiedRow | null;
  readonly isErased: boolean;
}

const listedAtOnce = 100;

/** Of these ids, those that the account has, or one of its sources. */
export async function listedRows(
  db: Db,
  accountId: number,
  ids: readonly string[],
  sourceId: number | null,
  isOnlyCount: boolean,
): Promise<readonly ListedRow[]> {
  const found: ListedRow[] = [];
  for (let first = 0; first < ids.length; first += listedAtOnce) {
    const rows = await db.read<ListedReading>(sql`
      select response_id, response.source_id, seq, hash, row_values, kind,
        ${isOnlyCount ? sql`cast(null as text) as body` : lookupColumn(accountId, 'response_body', 'body')}
      from ${responsesWith(db.dialect, accountId, ids.slice(first, first + listedAtOnce))}
      join source on source.account_id = ${accountId} and source.source_id = response.source_id
      where true ${sourceId === null ? empty : sql`and response.source_id = ${sourceId}`}
      order by response.source_id, seq
      limit ${limitOf(listedAtOnce)}`);
    for (const { response_id: responseId, source_id: ofSource, hash, ...row } of rows) {
      const isErased = hash !== null;
      const { seq, row_values: values, body, kind } = row;
      const left = isErased || isOnlyCount ? null : emptied(kind, { seq, values, body });
      found.push({ responseId, sourceId: ofSource, row: left, isErased });
    }
  }
  return found;
}

interface ListedReading extends ErasableRow {
  readonly response_id: string;
}

/** The number of the last row of a log; 0 where there is none. */
export async function lastSeqOf(db: Db, { accountId, sourceId }: Omit<LogName, 'kind'>): Promise<number> {
  const [row] = await db.read<{ last_seq: number }>(sql`
    select last_seq
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}`);
  return row?.last_seq ?? 0;
}
