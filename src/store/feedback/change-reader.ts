// Following a source: its responses and what happened to them later, in one order that never shifts.
//
// A response stands at its own number in the log. A change stands behind the response that was the last one when it was
// committed, and changes stand in the order of their numbers (change-log.ts). Later changes have larger numbers, and
// positions that are not before those of earlier ones, so a place is two numbers: the last response and the last change
// that were read. The counter is read first; everything up to its two numbers is there by then.
//
// A place also has a fingerprint of the log up to there: the mark of the append that filled the last full block, the ids of
// the rows behind that block, and the mark of the last change. A store that was restored, or a standby that took over
// without the last rows, may give the same numbers to others; then the fingerprint differs, and the reader is told (D-258).
//
// The oldest changes end (change-end.ts). Whoever has read them goes on. Who has not is told, unless they have no response yet: these
// are all read as they are now, with what the changes have made of them (D-895).

import sql, { raw } from 'sql-template-tag';
import { blockSize } from '../../domain/feedback/block.ts';
import {
  type FeedCursor,
  type FeedPlace,
  feedStart,
  fingerprint,
} from '../../domain/feedback/feed-cursor.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { changeEndName, changeEndScope, markOfEnded, readEndedChange } from './change-end.ts';
import type { ChangeKind } from './change-log.ts';
import { type FeedEnd, type FeedEntry, FeedPage } from './feed-page.ts';
import { LogChanged, type SourceId } from './log-places.ts';
import type { ReadableSource } from './log-reader.ts';

/** What was read before is no longer in the store. */
export class FeedLost extends Error {
  readonly end: FeedPlace;

  constructor(end: FeedPlace) {
    super('The log does not have what the cursor has seen.');
    this.name = 'FeedLost';
    this.end = end;
  }
}

/** Changes that were not read yet have ended. */
export class FeedEnded extends Error {
  constructor() {
    super('The log no longer has changes that the cursor has not seen.');
    this.name = 'FeedEnded';
  }
}

const attemptsMax = 3;

export class ChangeReader {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Where the log ends now, once it is known to have all that the cursor has seen. */
  async endFor(source: SourceId, cursor: FeedCursor): Promise<FeedEnd> {
    // Before the end, so that a change which has ended since then is known to have.
    const history = await this.#historyOf(source, cursor);
    const end = await this.#end(source);
    if (end.seq < cursor.seq || end.changeNo < cursor.changeNo) throw new FeedLost(end);
    if (changesAfter(cursor, end) < end.ended.changeNo) throw new FeedEnded();
    if (history !== cursor.history) throw new FeedLost(end);
    return end;
  }

  /**
   * Hands over the page behind a cursor, up to an end, of which no row is read yet. Where a row turns out not to be there,
   * everything is asked anew, and another page handed over.
   */
  async read<T>(
    source: ReadableSource,
    cursor: FeedCursor,
    end: FeedEnd,
    limit: number,
    use: (page: FeedPage) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const endNow = attempt === 1 ? end : await this.endFor(source, cursor);
        return await use(await this.#page(source, cursor, endNow, limit));
      } catch (error) {
        if (!(error instanceof LogChanged) || attempt === attemptsMax) throw error;
      }
    }
  }

  /** A cursor behind the response with this number: changes that were committed before the one after it are behind it. */
  async cursorAt(source: SourceId, seq: number): Promise<FeedCursor> {
    if (seq === 0) return { ...feedStart, history: await this.#historyOf(source, feedStart) };
    const { accountId, sourceId } = source;
    const [row] = await this.#db.read<{ changeNo: number }>(sql`
      select change_no as "changeNo"
      from log_change
      where account_id = ${accountId} and source_id = ${sourceId} and position < ${seq}
      order by position desc, change_no desc
      limit 1`);
    const end = await this.#end(source);
    if (end.seq < seq) throw new FeedLost(end);
    const { ended } = end;
    if (ended.position >= seq) throw new FeedEnded();
    const place = { seq, changeNo: Math.max(row?.changeNo ?? 0, ended.changeNo) };
    return { ...place, history: await this.#historyOf(source, place) };
  }

  async #page(source: ReadableSource, cursor: FeedCursor, end: FeedEnd, limit: number): Promise<FeedPage> {
    const after = changesAfter(cursor, end);
    const changes = end.changeNo === after ? [] : await this.#changes(source, after, end, limit);
    const entries = merged(changes, cursor.seq, end.seq, limit);
    const place = {
      seq: entries.findLast(({ kind }) => kind === 'response')?.firstSeq ?? cursor.seq,
      changeNo: entries.findLast((entry) => 'changeNo' in entry)?.changeNo ?? after,
    };
    const hasMore = place.seq < end.seq || place.changeNo < end.changeNo;
    const next = { ...place, history: await this.#historyOf(source, place) };
    return new FeedPage(this.#db, source, end, entries, next, hasMore);
  }

  async #end(source: SourceId): Promise<FeedEnd> {
    const { accountId, scope } = changeEndScope(source);
    const [row] = await this.#db.read<Omit<FeedEnd, 'ended'> & { cursor: string | null }>(sql`
      select last_seq as seq, change_no as "changeNo", revision, background_task.cursor
      from log_counter
      left join background_task on background_task.account_id = ${accountId}
        and background_task.name = ${changeEndName} and background_task.scope = ${scope}
      where log_counter.account_id = ${accountId} and log_counter.source_id = ${source.sourceId}`);
    const { cursor, ...end } = row ?? { ...feedStart, revision: 0, cursor: null };
    return { ...end, ended: readEndedChange(cursor ?? '') };
  }

  async #changes(
    { accountId, sourceId }: SourceId,
    after: number,
    end: FeedPlace,
    limit: number,
  ): Promise<readonly ChangeRow[]> {
    const rows = await this.#db.read<ChangeRow>(sql`
      select change_no as "changeNo", position, kind, first_seq as "firstSeq", last_seq as "lastSeq", at as "atMs",
        case when kind <> 'external' and first_seq = last_seq then (
          select response_id
          from response
          where response.account_id = ${accountId} and response.source_id = ${sourceId}
            and response.seq = log_change.first_seq
        ) end as "responseId"
      from log_change
      where account_id = ${accountId} and source_id = ${sourceId}
        and change_no > ${after} and change_no <= ${end.changeNo}
      order by change_no
      limit ${limitOf(limit)}`);
    if (rows.length !== Math.min(limit, end.changeNo - after)) throw new LogChanged();
    return rows;
  }

  async #historyOf(source: SourceId, { seq, changeNo }: FeedPlace): Promise<string> {
    const { accountId, sourceId } = source;
    const fullBlocks = Math.floor(seq / blockSize);
    const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
    const rows = await this.#db.read<{ place: number; text: string }>(sql`
      select ${raw(String(changePlace))} as place, mark as text
      from log_change
      where ${ofSource} and change_no = ${changeNo}
      union all
      select ${raw(String(endedPlace))}, cursor
      from background_task
      where account_id = ${accountId} and name = ${changeEndName} and scope = ${changeEndScope(source).scope}
        and cursor like ${`${changeNo} %`}
      union all
      select -1, coalesce(log_block.filled_mark, (
        select response_id
        from response
        where response.account_id = ${accountId} and response.source_id = ${sourceId}
          and response.seq = (log_block.block + 1) * ${raw(String(blockSize))}
      ))
      from log_block
      where ${ofSource} and block = ${fullBlocks - 1}
      union all
      select seq, response_id
      from response
      where ${ofSource} and seq > ${fullBlocks * blockSize} and seq <= ${seq}
      order by 1`);
    const texts = rows.map(({ place, text }) =>
      place === endedPlace ? `${changePlace} ${markOfEnded(text)}` : `${place} ${text}`,
    );
    return fingerprint([String(sourceId), ...texts]);
  }
}

/** Where the mark of the last change stands in a fingerprint, and where it is read from when that change has ended. */
const changePlace = -2;
const endedPlace = -3;

/** The number behind which changes are read: whoever has no response yet needs none of those that have ended. */
function changesAfter(cursor: FeedPlace, { ended }: FeedEnd): number {
  return cursor.seq === 0 ? Math.max(cursor.changeNo, ended.changeNo) : cursor.changeNo;
}

interface ChangeRow {
  readonly changeNo: number;
  readonly position: number;
  readonly kind: ChangeKind;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly atMs: number;
  /** Where it concerns one response, and does not show it. */
  readonly responseId: string | null;
}

/** Responses behind `afterSeq` and changes, in their one order: a response comes before the changes at its position. */
function merged(
  changes: readonly ChangeRow[],
  afterSeq: number,
  lastSeq: number,
  limit: number,
): readonly FeedEntry[] {
  const entries: FeedEntry[] = [];
  let seq = afterSeq;
  let next = 0;
  while (entries.length < limit) {
    const change = changes[next];
    if (change !== undefined && (change.position <= seq || seq === lastSeq)) {
      entries.push(change);
      next += 1;
    } else if (seq < lastSeq) {
      seq += 1;
      entries.push({ kind: 'response', position: seq, firstSeq: seq });
    } else break;
  }
  return entries;
}

export interface FollowedSource extends SourceId, FeedPlace {}

/** Where the logs of many sources, of any accounts, end now: one statement for all of them. */
export async function feedEnds(db: Db, sources: readonly SourceId[]): Promise<readonly FollowedSource[]> {
  if (db.dialect.isSpread) return feedEndsOfAccounts(db, sources);
  return db.read<FollowedSource>(sql`
    select ${endColumns}
    from ${db.dialect.rowsWithKeys({
      table: 'log_counter',
      key: [
        ['account_id', 'integer'],
        ['source_id', 'integer'],
      ],
      keys: sources.map(({ accountId, sourceId }) => [accountId, sourceId]),
    })}`);
}

/** Where accounts are spread over machines each account is asked for by itself; one that cannot be asked has no end. */
async function feedEndsOfAccounts(db: Db, sources: readonly SourceId[]): Promise<readonly FollowedSource[]> {
  const answers = await Promise.allSettled(
    [...Map.groupBy(sources, ({ accountId }) => accountId)].map(([accountId, ofAccount]) => {
      const sourceIds = ofAccount.map(({ sourceId }) => sourceId);
      return db.read<FollowedSource>(sql`
        select ${endColumns}
        from log_counter
        where account_id = ${accountId} and ${db.dialect.isAmong(sql`source_id`, sourceIds, 'integer')}`);
    }),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

const endColumns = sql`
  log_counter.account_id as "accountId", log_counter.source_id as "sourceId", log_counter.last_seq as seq,
  log_counter.change_no as "changeNo"`;
