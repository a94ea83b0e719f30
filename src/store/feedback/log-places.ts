// Where the rows of a range are. A position is found through groups of blocks, then blocks, then the days of a block;
// behind the last full block by the days of the rows themselves. A full block never changes, so what was read from it is
// cached. One thing makes it wrong: a store may lose its last rows (a standby takes over without them) and give their
// numbers to other rows. So the cache keys belong to a snapshot of the log, and at every request the snapshot is compared
// with the marks that the store has now (D-159).

import sql, { raw, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import {
  type Block,
  type BlockGroupDays,
  blockGroupSize,
  blockSize,
  countInRange,
  countOfBlockGroup,
  packBlockGroup,
  placesInRange,
  readBlockGroup,
} from '../../domain/feedback/block.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { BatchLoader } from '../engine/work/batch-loader.ts';
import { Cache } from '../engine/work/cache.ts';
import type { Source } from './catalogue.ts';
import { closeBlockGroup } from './log-history.ts';

export type SourceId = Pick<Source, 'accountId' | 'sourceId'>;

/** The end of a log: the number of its last row, and the mark of the append that brought it. */
export interface LogEnd {
  readonly lastSeq: number;
  /** Null when a replica of an older release appended last. */
  readonly mark: string | null;
}

/** How far a log had come when this process last asked the store, and under which keys the caches have what was read. */
export interface LogSnapshot extends LogEnd {
  /**
   * The cache key of what was read from full blocks. The next snapshot has the same key if the store still has all of
   * these blocks, and a new one if it has lost some.
   */
  readonly blocksKey: number;
  /** The cache key of what was read from the end of the log; every snapshot has a new one. */
  readonly endKey: number;
  readonly fullBlocks: number;
  /** The mark of the last full block: while the store has it there, it has all blocks before it too. */
  readonly blockMark: string | null;
  readonly readAtMs: number;
}

/** What the store says of a log. */
export interface LogState extends LogEnd {
  /** Of the last full block. */
  readonly blockMark: string | null;
}

/** What the store has is not what was found a moment ago: rows or blocks are missing. */
export class LogChanged extends Error {
  constructor() {
    super('The log does not have the rows that its counters tell of.');
    this.name = 'LogChanged';
  }
}

// SQLite's driver binds numbers as floating-point ones, and a division by such a parameter is no whole number.
export const sizeText = raw(String(blockSize));

// A block of an older release has no mark; the id of its last row has to do.
export const markOfBlock = (accountId: number): Sql => sql`coalesce(log_block.mark, (
  select response_id
  from response
  where response.account_id = ${accountId} and response.source_id = log_block.source_id
    and response.seq = (log_block.block + 1) * ${sizeText}
))`;

/** The mark of the last full block of a log, as a value of a query over `log_counter`. */
export const markOfLastBlock = (accountId: number): Sql => sql`(
  select ${markOfBlock(accountId)}
  from log_block
  where log_block.account_id = ${accountId} and log_block.source_id = log_counter.source_id
    and log_block.block = log_counter.last_seq / ${sizeText} - 1
)`;

/** How far the logs have come. Requests of one tick for several logs of an account are one question to the store. */
const logStates = new BatchLoader<number, LogState>(async (db, accountId, sourceIds) => {
  const rows = await db.read<LogState & { sourceId: number }>(sql`
    select source_id as "sourceId", last_seq as "lastSeq", mark, ${markOfLastBlock(accountId)} as "blockMark"
    from log_counter
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`source_id`, sourceIds, 'integer')}`);
  return new Map(rows.map((row) => [row.sourceId, row]));
});

type Remembered = { readonly bytes: number } & (
  | { readonly kind: 'snapshot'; readonly snapshot: LogSnapshot }
  | { readonly kind: 'groups'; readonly before: readonly number[] }
  | { readonly kind: 'group'; readonly days: BlockGroupDays }
  | { readonly kind: 'blocks'; readonly blocks: readonly Block[] }
  | { readonly kind: 'counts'; readonly before: readonly number[] }
  | { readonly kind: 'tail'; readonly days: readonly number[] }
);

const bytesMax = 32 * 1024 * 1024;
const numberBytes = 8;
const blocksAtOnce = 512;
const groupsAtOnce = 32;
// Appends of a replica of an older release leave no mark by which lost rows would show, so its snapshots age instead.
const unmarkedAgeMaxMs = 4_000;

let lastCacheKey = 0;

export class LogPlaces {
  readonly #db: Db;
  readonly #remembered = new Cache<string, Remembered>({ bytesMax, bytesOf: ({ bytes }) => bytes });
  /** Groups whose days are being written down. */
  readonly #closing = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The log as it is now: the snapshot in the cache if the store still agrees with it, else a new one. */
  async snapshot(source: SourceId): Promise<LogSnapshot> {
    return this.snapshotOf(
      source,
      (await logStates.find(this.#db, source.accountId, source.sourceId)) ?? emptyLog,
    );
  }

  /** The same, where the store has said already how far the log has come. */
  async snapshotOf(source: SourceId, state: LogState): Promise<LogSnapshot> {
    const key = snapshotKey(source);
    const known = this.#rememberedSnapshot(key);
    if (known !== null && isSame(known, state)) return known;
    const snapshot: LogSnapshot = {
      lastSeq: state.lastSeq,
      mark: state.mark,
      blockMark: state.blockMark,
      fullBlocks: Math.floor(state.lastSeq / blockSize),
      blocksKey:
        known !== null && (await this.#isContinued(source, known, state)) ? known.blocksKey : ++lastCacheKey,
      endKey: ++lastCacheKey,
      readAtMs: performance.now(),
    };
    this.#remembered.set(key, { kind: 'snapshot', snapshot, bytes: 200 });
    return snapshot;
  }

  /** The log as it was when the store was asked last; null where nothing is remembered of it. */
  rememberedOf(source: SourceId): LogSnapshot | null {
    return this.#rememberedSnapshot(snapshotKey(source));
  }

  /** The days of the rows behind the last full block, where they came along with something else. */
  rememberTail({ endKey, fullBlocks, lastSeq }: LogSnapshot, days: readonly number[]): void {
    if (days.length !== lastSeq - fullBlocks * blockSize) return;
    this.#remembered.set(`tail ${endKey}`, { kind: 'tail', days, bytes: days.length * numberBytes });
  }

  /** Nothing that is cached of this log is used again. */
  forget(source: SourceId): void {
    this.#remembered.delete(snapshotKey(source));
  }

  /** The numbers of the rows at positions `skip` to `skip + take` of a range, up to the row `lastSeq` of the log. */
  async locate(
    source: SourceId,
    snapshot: LogSnapshot,
    lastSeq: number,
    range: DateRange,
    skip: number,
    take: number,
  ): Promise<number[]> {
    const seqs: number[] = [];
    const before = await this.#beforeGroups(source, snapshot, range);
    const openGroup = before.length - 1;
    let group = lastAtMost(before, skip);
    for (; group < openGroup && seqs.length < take; group += 1) {
      if (before[group + 1] === before[group]) continue;
      const counts = await this.#countsOf(source, snapshot, range, group);
      await this.#locateInGroup(source, snapshot, range, group, counts, {
        skip: Math.max(0, skip - before[group]!),
        take,
        seqs,
      });
    }
    if (seqs.length === take) return seqs;
    const counts = await this.#countsOf(source, snapshot, range, openGroup);
    const behindGroups = Math.max(0, skip - before[openGroup]!);
    const inBlocks = counts.at(-1)!;
    if (behindGroups < inBlocks)
      await this.#locateInGroup(source, snapshot, range, openGroup, counts, {
        skip: behindGroups,
        take,
        seqs,
      });
    if (seqs.length === take) return seqs;
    const days = await this.#tail(source, snapshot, lastSeq);
    let passed = Math.max(0, behindGroups - inBlocks);
    for (let place = 0; place < days.length && seqs.length < take; place += 1) {
      const day = days[place]!;
      if (day < range.firstDay || day > range.lastDay) continue;
      if (passed > 0) passed -= 1;
      else seqs.push(snapshot.fullBlocks * blockSize + place + 1);
    }
    return seqs;
  }

  /** How many rows of a range have a number of at most `seq`, in a log up to the row `lastSeq`. */
  async countUpTo(
    source: SourceId,
    snapshot: LogSnapshot,
    lastSeq: number,
    range: DateRange,
    seq: number,
  ): Promise<number> {
    const before = await this.#beforeGroups(source, snapshot, range);
    const block = Math.floor(seq / blockSize);
    const group = Math.min(Math.floor(block / blockGroupSize), before.length - 1);
    const counts = await this.#countsOf(source, snapshot, range, group);
    const inGroup = Math.min(block - group * blockGroupSize, counts.length - 1);
    const passed = before[group]! + counts[inGroup]!;
    if (block >= snapshot.fullBlocks) {
      const days = await this.#tail(source, snapshot, lastSeq);
      const upTo = days.slice(0, seq - snapshot.fullBlocks * blockSize);
      return passed + upTo.filter((day) => day >= range.firstDay && day <= range.lastDay).length;
    }
    const blocks = await this.#blocksOf(source, snapshot.blocksKey, group, inGroup + 1);
    const places = placesInRange(blocks[inGroup]!, range);
    return passed + places.filter((place) => place < seq - block * blockSize).length;
  }

  /** Whether the store still has the log that a snapshot was read from, longer or not. */
  async hasStill(source: SourceId, snapshot: LogSnapshot): Promise<boolean> {
    const state = (await logStates.find(this.#db, source.accountId, source.sourceId)) ?? emptyLog;
    if (state.lastSeq < snapshot.lastSeq) return false;
    if (state.lastSeq === snapshot.lastSeq) return state.mark === snapshot.mark;
    return this.#isContinued(source, snapshot, state);
  }

  #rememberedSnapshot(key: string): LogSnapshot | null {
    const known = this.#remembered.get(key);
    return known?.kind === 'snapshot' ? known.snapshot : null;
  }

  /** Whether every full block that was there when the snapshot was read is there still. */
  async #isContinued(
    source: SourceId,
    known: LogSnapshot,
    { lastSeq, blockMark }: LogState,
  ): Promise<boolean> {
    if (known.fullBlocks === 0) return true;
    const fullBlocks = Math.floor(lastSeq / blockSize);
    if (fullBlocks < known.fullBlocks) return false;
    if (fullBlocks === known.fullBlocks) return blockMark === known.blockMark;
    const { accountId, sourceId } = source;
    const [row] = await this.#db.read<{ mark: string | null }>(sql`
      select ${markOfBlock(accountId)} as mark
      from log_block
      where account_id = ${accountId} and source_id = ${sourceId} and block = ${known.fullBlocks - 1}`);
    return row !== undefined && row.mark === known.blockMark;
  }

  // ---- groups

  /** How many rows of the range lie before each full group, and behind the last one. */
  async #beforeGroups(
    source: SourceId,
    { blocksKey, fullBlocks }: LogSnapshot,
    range: DateRange,
  ): Promise<readonly number[]> {
    const fullGroups = Math.floor(fullBlocks / blockGroupSize);
    if (fullGroups === 0) return [0];
    const key = `before ${blocksKey} ${rangeKey(range)}`;
    const known = this.#remembered.get(key);
    const remembered = known?.kind === 'groups' ? known.before : [0];
    if (remembered.length === fullGroups + 1) return remembered;
    const before = remembered.slice(0, fullGroups + 1);
    while (before.length <= fullGroups) {
      const first = before.length - 1;
      const groups = await this.#groups(source, blocksKey, first, Math.min(fullGroups, first + groupsAtOnce));
      for (const group of groups) before.push(before.at(-1)! + countOfBlockGroup(group, range));
    }
    this.#remembered.set(key, { kind: 'groups', before, bytes: before.length * numberBytes });
    return before;
  }

  async #groups(source: SourceId, blocksKey: number, first: number, end: number): Promise<BlockGroupDays[]> {
    const { accountId, sourceId } = source;
    const groups = new Map<number, BlockGroupDays>();
    for (let group = first; group < end; group += 1) {
      const known = this.#remembered.get(`group ${blocksKey} ${group}`);
      if (known?.kind === 'group') groups.set(group, known.days);
    }
    if (groups.size < end - first) {
      const rows = await this.#db.read<{ group: number; days: string }>(sql`
        select block_group as "group", days
        from log_block_group
        where account_id = ${accountId} and source_id = ${sourceId}
          and block_group >= ${first} and block_group < ${end}
        order by block_group
        limit ${limitOf(groupsAtOnce)}`);
      for (const { group, days } of rows)
        groups.set(group, this.#rememberGroup(blocksKey, group, readBlockGroup(days)));
    }
    const inOrder: BlockGroupDays[] = [];
    for (let group = first; group < end; group += 1)
      inOrder.push(groups.get(group) ?? (await this.#groupOfBlocks(source, blocksKey, group)));
    return inOrder;
  }

  #rememberGroup(blocksKey: number, group: number, days: BlockGroupDays): BlockGroupDays {
    const bytes = 2 * days.days.length * numberBytes;
    this.#remembered.set(`group ${blocksKey} ${group}`, { kind: 'group', days, bytes });
    return days;
  }

  /** A log that was full of blocks before there were groups: its days are counted here, and written down for others. */
  async #groupOfBlocks(source: SourceId, blocksKey: number, group: number): Promise<BlockGroupDays> {
    const blocks = await this.#blocksOf(source, blocksKey, group, blockGroupSize);
    const { accountId, sourceId } = source;
    const key = `${accountId} ${sourceId} ${group}`;
    if (!this.#closing.has(key)) {
      this.#closing.add(key);
      const forget = (): void => void this.#closing.delete(key);
      // The request does not wait for this write, and its page is right without it.
      this.#db.write(closeBlockGroup, { accountId, sourceId, group }).then(forget, forget);
    }
    return this.#rememberGroup(blocksKey, group, readBlockGroup(packBlockGroup(blocks)));
  }

  // ---- blocks

  /** How many rows of the range lie before each full block of a group, and behind the last one. */
  async #countsOf(
    source: SourceId,
    { blocksKey, fullBlocks }: LogSnapshot,
    range: DateRange,
    group: number,
  ): Promise<readonly number[]> {
    const count = Math.min(blockGroupSize, fullBlocks - group * blockGroupSize);
    if (count === 0) return [0];
    const key = `counts ${blocksKey} ${rangeKey(range)} ${group}`;
    const known = this.#remembered.get(key);
    const before = known?.kind === 'counts' ? known.before : [0];
    if (before.length > count) return before.length === count + 1 ? before : before.slice(0, count + 1);
    const blocks = await this.#blocksOf(source, blocksKey, group, count);
    const counts = [...before];
    for (let block = counts.length - 1; block < count; block += 1)
      counts.push(counts[block]! + countInRange(blocks[block]!, range));
    this.#remembered.set(key, { kind: 'counts', before: counts, bytes: counts.length * numberBytes });
    return counts;
  }

  /** The first blocks of a group; all of them are full. */
  async #blocksOf(
    source: SourceId,
    blocksKey: number,
    group: number,
    count: number,
  ): Promise<readonly Block[]> {
    const key = `blocks ${blocksKey} ${group}`;
    const known = this.#remembered.get(key);
    if (known?.kind === 'blocks' && known.blocks.length >= count) return known.blocks;
    const blocks = known?.kind === 'blocks' ? [...known.blocks] : [];
    const { accountId, sourceId } = source;
    while (blocks.length < count) {
      const first = group * blockGroupSize + blocks.length;
      const end = group * blockGroupSize + Math.min(count, blocks.length + blocksAtOnce);
      const rows = await this.#db.read<Block>(sql`
        select day_min as "dayMin", day_max as "dayMax", days
        from log_block
        where account_id = ${accountId} and source_id = ${sourceId} and block >= ${first} and block < ${end}
        order by block
        limit ${limitOf(blocksAtOnce)}`);
      if (rows.length !== end - first) throw new LogChanged();
      blocks.push(...rows);
      // On the embedded engine that was some milliseconds of the event loop.
      if (blocks.length < count) await new Promise((resume) => setImmediate(resume));
    }
    const bytes = blocks.reduce((sum, { days }) => sum + 64 + days.length * 2, 0);
    this.#remembered.set(key, { kind: 'blocks', blocks, bytes });
    return blocks;
  }

  /** Adds the numbers of rows of one group, from a position in the group on, to the numbers found so far. */
  async #locateInGroup(
    source: SourceId,
    { blocksKey }: LogSnapshot,
    range: DateRange,
    group: number,
    before: readonly number[],
    { skip, take, seqs }: { readonly skip: number; readonly take: number; readonly seqs: number[] },
  ): Promise<void> {
    const fullBlocks = before.length - 1;
    let position = 0;
    let blocks: readonly Block[] | null = null;
    for (let block = lastAtMost(before, skip); block < fullBlocks && seqs.length < take; block += 1) {
      const count = before[block + 1]! - before[block]!;
      if (count === 0) continue;
      if (count < blockSize) blocks ??= await this.#blocksOf(source, blocksKey, group, fullBlocks);
      const places = count < blockSize ? placesInRange(blocks![block]!, range) : allPlaces;
      position = before[block]!;
      for (const place of places) {
        if (position >= skip && seqs.length < take)
          seqs.push((group * blockGroupSize + block) * blockSize + place + 1);
        position += 1;
      }
    }
  }

  // ---- behind the last full block

  /** The days of the rows behind the last full block, up to a row. */
  async #tail(source: SourceId, snapshot: LogSnapshot, lastSeq: number): Promise<readonly number[]> {
    const { accountId, sourceId } = source;
    const key = `tail ${snapshot.endKey}`;
    // With rows that came after the snapshot was read, the log has another end, which must not be cached under this key.
    const isOfSnapshot = lastSeq === snapshot.lastSeq;
    const known = isOfSnapshot ? this.#remembered.get(key) : undefined;
    if (known?.kind === 'tail') return known.days;
    const first = snapshot.fullBlocks * blockSize;
    using read = await this.#db.readLarge(
      sql`
        select day
        from response
        where account_id = ${accountId} and source_id = ${sourceId} and seq > ${first} and seq <= ${lastSeq}
        order by seq
        limit ${limitOf(Math.max(0, lastSeq - first))}`,
      (fields) => fields.integer(),
    );
    if (read.rows.length !== lastSeq - first) throw new LogChanged();
    const days = [...read.rows];
    if (isOfSnapshot) this.#remembered.set(key, { kind: 'tail', days, bytes: days.length * numberBytes });
    return days;
  }
}

const emptyLog: LogState = { lastSeq: 0, mark: null, blockMark: null };

function snapshotKey({ accountId, sourceId }: SourceId): string {
  return `snapshot ${accountId} ${sourceId}`;
}

function isSame(known: LogSnapshot, { lastSeq, mark }: LogState): boolean {
  if (known.lastSeq !== lastSeq || known.mark !== mark) return false;
  return mark !== null || lastSeq === 0 || performance.now() - known.readAtMs < unmarkedAgeMaxMs;
}

export function rangeKey({ firstDay, lastDay }: DateRange): string {
  return `${firstDay} ${lastDay}`;
}

const allPlaces = Array.from({ length: blockSize }, (_, place) => place);

/**
 * Binary search for the last index whose entry is at most the value, in a list sorted upwards. Equal neighbours
 * mean a block without a row in the range; the last of them is the block that has the next row.
 */
function lastAtMost(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
