// Finds the rows whose comments may answer a question, newest first, a stretch of the log at a time (D-498). Each statement says
// itself whether what it read still counts: the cursor of the roll-up must stand behind the rows, at the moment of the statement.
// What was rolled up may be dropped, and another form may take its place, while somebody reads page by page.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import {
  blockSeqs,
  firstSeqOf,
  firstSeqOfSpan,
  groupOf,
  numberOfSpan,
  partHashes,
  partLength,
  placesOf,
  segmentOf,
  segmentsOfSpan,
  spanLevel,
  spanLevelMax,
  spanOfNumber,
} from '../../domain/insight/comment-parts.ts';
import { readableForms } from '../../domain/insight/layout.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { isSmallComment } from './comments.ts';
import { LogStretches, type Stretch } from './log-stretches.ts';
import { isOfForm } from './roll-up.ts';

export interface CommentConditions {
  /** Folded; null for all comments. */
  readonly part: string | null;
  readonly questionId: string | null;
  readonly range: DateRange | null;
}

/** The rows of a stretch that may be meant, newest first. */
interface Candidates extends Stretch {
  readonly seqs: readonly number[];
}

const rolledSlice = { first: 1024, min: 64, max: 65_536 };
/** Rows that nobody has rolled up yet are read whole. */
const openSlice = 128;
/** No more are found at once, and first what a page wants; the stretch ends before the others. */
const foundAtOnceMax = 256;
/** So many times what a page wants is compared at once, and no more than this. */
const checkedForOne = blockSeqs;
const checkedAtOnce = 1_024;
const segmentsAtOnce = { first: 2, min: 1, max: 64 };
/** Where fewer were found in some lists, the next ones are this many times as many. */
const rareFound = 4;
const rareGrowth = 8;
const segmentsKnownAtOnce = 256;
/** Where a part may be in more blocks of a span, its segments are asked, which lead to the rows themselves. */
const blocksMax = 400;
/** More of a long part narrows nothing further: what is found is compared whole in any case. */
const hashesAskedMax = 12;
/** A span is asked for so many groups first, and for the others where more of its blocks have these (D-778). */
const hashesAskedFirst = 3;
const fewBlocks = 32;

interface SegmentRow {
  readonly segment: number;
  readonly group_bits: number | null;
}

/** What was rolled up, when it was last looked at. */
interface RolledUp {
  readonly form: number;
  readonly rolledSeq: number;
}

const nothingRolledUp: RolledUp = { form: 0, rolledSeq: 0 };

export class CommentCandidates {
  readonly #db: Db;
  readonly #source: SourceKey;
  readonly #conditions: CommentConditions;
  readonly #hashes: readonly number[];
  /** Some of them, from all of the part. */
  readonly #hashesFirst: readonly number[];
  readonly #wanted: number;
  #foundAtOnce: number;
  #rolledUp: RolledUp | null = null;
  /** By segment or span, how it is indexed; null for one without lists. Those that are not in it are not indexed. */
  #segments = new Map<number, number | null>();
  /** By segment, the number of the span that has it. */
  #spans = new Map<number, number>();
  /** By span, the rows to look at, newest first. They only become fewer while somebody reads, so they are read once. */
  #rowsOfSpans = new Map<number, readonly number[]>();
  #spansKnownFrom = Number.POSITIVE_INFINITY;
  /** A search goes down the log, so what lies above is asked for no more. */
  #segmentsKnownFrom = Number.POSITIVE_INFINITY;
  #sliceSeqs = rolledSlice.first;
  #sliceSegments = segmentsAtOnce.first;
  readonly #stretches: LogStretches;

  /** Of those that are found about so many are wanted. */
  constructor(
    db: Db,
    source: SourceKey,
    conditions: CommentConditions,
    lastSeq: number,
    wanted = Number.POSITIVE_INFINITY,
  ) {
    this.#db = db;
    this.#wanted = wanted;
    this.#foundAtOnce = Math.min(foundAtOnceMax, wanted);
    this.#source = source;
    this.#conditions = conditions;
    this.#stretches = new LogStretches(db, source, conditions.range, lastSeq);
    const { part } = conditions;
    this.#hashes =
      part === null || part.length < partLength ? [] : spread([...partHashes(part)], hashesAskedMax);
    this.#hashesFirst = spread(this.#hashes, hashesAskedFirst);
  }

  /** The candidates at and below a row, in a stretch that begins there or where the days do; null when there is nothing below. */
  async next(top: number): Promise<Candidates | null> {
    const stretch = await this.#stretches.below(top);
    if (stretch === null) return null;
    if (this.#rolledUp === null) await this.#lookAgain();
    const rolledSeq = this.#rolledUp!.rolledSeq;
    if (stretch.top > rolledSeq) {
      const bottom = Math.max(stretch.bottom, stretch.top - openSlice + 1, rolledSeq + 1);
      return { top: stretch.top, bottom, seqs: fromTo(stretch.top, bottom) };
    }
    const startedMs = performance.now();
    const found = (await this.#byLists(stretch)) ?? (await this.#byLooking(stretch));
    if (found === null) {
      // What was rolled up counts no more: the same stretch is read in another way.
      this.#rolledUp = null;
      return { top: stretch.top, bottom: stretch.top + 1, seqs: [] };
    }
    this.#took(found, performance.now() - startedMs);
    return found.candidates;
  }

  #took({ isByLists, candidates }: Found, ms: number): void {
    const { atLeast, atMost } = this.#db.dialect.sliceMs;
    const next = (
      size: number,
      { min, max }: { readonly min: number; readonly max: number },
      by: number,
    ): number => (ms > atMost ? Math.max(min, size >> 1) : ms < atLeast ? Math.min(max, size * by) : size);
    if (!isByLists) this.#sliceSeqs = next(this.#sliceSeqs, rolledSlice, 2);
    // Who has found nearly nothing is about to read many lists: in few questions, each of which is a way to a server.
    else
      this.#sliceSegments = next(
        this.#sliceSegments,
        segmentsAtOnce,
        candidates.seqs.length < rareFound ? rareGrowth : 2,
      );
  }

  async #lookAgain(): Promise<void> {
    const { accountId, sourceId } = this.#source;
    // Where the response at the cursor is another one, the store has lost rows since, and what was rolled up is of others.
    const [row] = await this.#db.read<RolledUp>(sql`
      select form, rolled_seq as "rolledSeq"
      from insight_cursor
      where account_id = ${accountId} and source_id = ${sourceId}
        and ${isOfForm(sql`form`, readableForms)} and rolled_id = (
          select response_id
          from response
          where response.account_id = ${accountId} and response.source_id = ${sourceId}
            and response.seq = insight_cursor.rolled_seq
        )
      order by rolled_seq desc, form desc
      limit 1`);
    this.#rolledUp = row ?? nothingRolledUp;
    this.#segments = new Map();
    this.#spans = new Map();
    this.#rowsOfSpans = new Map();
    this.#spansKnownFrom = Number.POSITIVE_INFINITY;
    this.#segmentsKnownFrom = Number.POSITIVE_INFINITY;
  }

  get #ofForm(): Sql {
    const { accountId, sourceId } = this.#source;
    return sql`account_id = ${accountId} and source_id = ${sourceId} and form = ${this.#rolledUp!.form}`;
  }

  /** One row where everything up to a row of the log is rolled up, at the moment of the statement. */
  #stillCounts(top: number, columns: Sql): Sql {
    return sql`select ${columns} from insight_cursor where ${this.#ofForm} and rolled_seq >= ${top}`;
  }

  // ---- by the index

  /** Null where the part is too short, or the segment has no lists, or what is rolled up counts no more. */
  async #byLists({ top, bottom }: Stretch): Promise<Found | null> {
    if (this.#hashes.length === 0) return null;
    const numbers: number[] = [];
    let lowest = top + 1;
    while (numbers.length < this.#sliceSegments && lowest > bottom) {
      const segment = segmentOf(lowest - 1);
      await this.#knowSpans(segment);
      const number = this.#spans.get(segment) ?? segment;
      if (number >= 0) await this.#knowSegments(number);
      if ((this.#segments.get(number) ?? null) === null) break;
      numbers.push(number);
      lowest = firstSeqUnder(number);
    }
    if (numbers.length === 0) return null;
    const unread = numbers.filter((number) => !this.#rowsOfSpans.has(number));
    const lists = await this.#readLists(top, unread, (number) =>
      number < 0 ? this.#hashesFirst : this.#hashes,
    );
    if (lists === null || !(await this.#findBlocks(top, unread, lists))) return null;
    // A span that says too little is asked by its segments next, and what lies above it comes first.
    const forgotten = numbers.findIndex((number) => number < 0 && !this.#rowsOfSpans.has(number));
    const known = forgotten < 0 ? numbers : numbers.slice(0, forgotten);
    if (known.length === 0) return this.#byLists({ top, bottom });
    const seqs: number[] = [];
    const most = Math.min(checkedAtOnce, this.#wanted * checkedForOne);
    for (const number of known) {
      for (const seq of this.#rowsOfSpans.get(number) ?? this.#seqsOf(number, lists))
        if (seq <= top && seq >= bottom) seqs.push(seq);
      lowest = Math.max(bottom, firstSeqUnder(number));
      if (seqs.length > most) break;
    }
    const checked = await this.#check(top, seqs, most);
    if (checked === null) return null;
    return { isByLists: true, candidates: { top, bottom: checked.bottom ?? lowest, seqs: checked.seqs } };
  }

  /** Which spans have lists, among those of this segment and of some below it, and which of the last segments have some. */
  async #knowSpans(segment: number): Promise<void> {
    if (segment >= this.#spansKnownFrom) return;
    const first = Math.max(0, segment - segmentsKnownAtOnce + 1);
    const lowest = numberOfSpan({ level: spanLevelMax, index: segment >> spanLevel });
    const highest = numberOfSpan({ level: 0, index: first >> spanLevel });
    // Those that no span has yet; mostly no other is ever asked for.
    const lastOnes = Math.max(first, segment - 2 ** spanLevel);
    const rows = await this.#db.read<SegmentRow>(sql`
      select segment, group_bits
      from comment_segment
      where ${this.#ofForm} and segment between ${lastOnes} and ${segment}
      union all
      select segment, group_bits
      from comment_segment
      where ${this.#ofForm} and segment between ${lowest} and ${highest} and group_bits is not null`);
    for (const row of rows)
      if (row.segment >= 0) this.#segments.set(row.segment, row.group_bits);
      else this.#knowSpan(row.segment, row.group_bits, first, segment);
    this.#spansKnownFrom = first;
    this.#segmentsKnownFrom = Math.min(this.#segmentsKnownFrom, lastOnes);
  }

  /** Which segments are indexed, at this one and below it. */
  async #knowSegments(segment: number): Promise<void> {
    if (segment >= this.#segmentsKnownFrom) return;
    const first = Math.max(0, segment - segmentsKnownAtOnce + 1);
    const rows = await this.#db.read<SegmentRow>(sql`
      select segment, group_bits
      from comment_segment
      where ${this.#ofForm} and segment between ${first} and ${segment}`);
    for (const row of rows) this.#segments.set(row.segment, row.group_bits);
    this.#segmentsKnownFrom = first;
  }

  #knowSpan(number: number, groupBits: number | null, first: number, last: number): void {
    const [from, end] = segmentsOfSpan(spanOfNumber(number));
    if (end <= first || from > last) return;
    this.#segments.set(number, groupBits);
    for (let segment = from; segment < end; segment += 1) this.#spans.set(segment, number);
  }

  #forgetSpan(number: number): void {
    const [first, end] = segmentsOfSpan(spanOfNumber(number));
    for (let segment = first; segment < end; segment += 1) this.#spans.delete(segment);
  }

  /** Notes which rows of spans may be meant; false where what is rolled up counts no more. */
  async #findBlocks(top: number, numbers: readonly number[], lists: Map<string, string>): Promise<boolean> {
    const found = new Map<number, readonly number[]>();
    for (const number of numbers)
      if (number < 0) found.set(number, this.#placesOf(number, lists, this.#hashesFirst));
    if (this.#hashes.length > this.#hashesFirst.length) {
      const many = [...found.keys()].filter((number) => found.get(number)!.length > fewBlocks);
      const others = this.#hashes.filter((hash) => !this.#hashesFirst.includes(hash));
      const more = await this.#readLists(top, many, () => others);
      if (more === null) return false;
      for (const number of many)
        found.set(number, both(found.get(number)!, this.#placesOf(number, more, others)));
    }
    for (const [number, blocks] of found)
      if (blocks.length > blocksMax) this.#forgetSpan(number);
      else this.#rowsOfSpans.set(number, rowsOfBlocks(number, blocks));
    return true;
  }

  /** By segment and group, the rows of the index that have the lists of some groups of characters. */
  async #readLists(
    top: number,
    numbers: readonly number[],
    hashesOf: (number: number) => readonly number[],
  ): Promise<Map<string, string> | null> {
    if (numbers.length === 0) return new Map();
    const { dialect } = this.#db;
    const alike = Map.groupBy(numbers, (number) => `${number < 0} ${this.#segments.get(number)!}`);
    const questions = [...alike.values()].map((some) => {
      const groupBits = this.#segments.get(some[0]!)!;
      const groups = [...new Set(hashesOf(some[0]!).map((hash) => groupOf(hash, groupBits)))];
      return sql`
        select segment, part_group, parts
        from comment_part
        where ${this.#ofForm} and ${dialect.isAmong(sql`segment`, some, 'integer')}
          and ${dialect.isAmong(sql`part_group`, groups, 'integer')}`;
    });
    const still = this.#stillCounts(top, sql`0 as segment, -1 as part_group, '' as parts`);
    const rows = await this.#db.read<{ segment: number; part_group: number; parts: string }>(
      join([still, ...questions], ' union all '),
    );
    if (!rows.some(({ part_group: group }) => group < 0)) return null;
    return new Map(rows.map(({ segment, part_group: group, parts }) => [`${segment} ${group}`, parts]));
  }

  /** The rows of a segment that have all groups of characters, newest first. */
  #seqsOf(segment: number, lists: ReadonlyMap<string, string>): readonly number[] {
    const first = firstSeqOf(segment);
    return this.#placesOf(segment, lists, this.#hashes)
      .map((place) => first + place)
      .reverse();
  }

  /** The places of a segment, or blocks of a span, that have all groups of characters. */
  #placesOf(
    number: number,
    lists: ReadonlyMap<string, string>,
    hashes: readonly number[],
  ): readonly number[] {
    const groupBits = this.#segments.get(number)!;
    let places: readonly number[] | null = null;
    for (const hash of hashes) {
      const found = placesOf(lists.get(`${number} ${groupOf(hash, groupBits)}`) ?? '', hash);
      places = places === null ? found : both(places, found);
      if (places.length === 0) return [];
    }
    return places ?? [];
  }

  /** Those of the rows whose comments contain the part. Where they are many, it ends before some of them and says where. */
  async #check(
    top: number,
    seqs: readonly number[],
    most: number,
  ): Promise<{ readonly seqs: readonly number[]; readonly bottom: number | null } | null> {
    if (seqs.length === 0) return { seqs: [], bottom: null };
    const some = seqs.slice(0, most);
    const found = await this.#found(
      top,
      sql`seq between ${some.at(-1)!} and ${some[0]!} and ${this.#db.dialect.isAmong(sql`seq`, some, 'integer')}`,
      some.length,
    );
    return found === null ? null : { seqs: found, bottom: some.length < seqs.length ? some.at(-1)! : null };
  }

  // ---- by looking through the comments

  async #byLooking({ top, bottom }: Stretch): Promise<Found | null> {
    // A segment below may have lists.
    const least = this.#hashes.length === 0 ? bottom : Math.max(bottom, firstSeqOf(segmentOf(top)));
    const lowest = Math.max(least, top - this.#sliceSeqs + 1);
    const most = this.#foundAtOnce;
    const seqs = await this.#found(top, sql`seq between ${lowest} and ${top}`, most);
    if (seqs === null) return null;
    const isCut = seqs.length === most;
    // Where these were not enough, a filter lets few of them pass.
    this.#foundAtOnce = Math.min(foundAtOnceMax, most * 4);
    return { isByLists: false, candidates: { top, bottom: isCut ? seqs.at(-1)! : lowest, seqs } };
  }

  async #found(top: number, rows: Sql, count: number): Promise<readonly number[] | null> {
    const { part, questionId, range } = this.#conditions;
    const found = await this.#db.read<{ seq: number }>(sql`
      ${this.#stillCounts(top, sql`-1 as seq`)}
      union all
      select seq
      from (
        select distinct seq
        from comment
        where ${this.#ofForm} and ${rows}
          ${range === null ? empty : sql`and day between ${range.firstDay} and ${range.lastDay}`}
          ${questionId === null ? empty : sql`and question_id = ${questionId}`}
          ${part === null ? empty : sql`and case when ${isSmallComment} then ${this.#db.dialect.contains(sql`folded_text`, part)} else 1 = 1 end`}
        order by seq desc
        limit ${limitOf(count)}
      ) as found`);
    const seqs = found.map(({ seq }) => seq).sort((one, other) => other - one);
    return seqs.pop() === -1 ? seqs : null;
  }
}

/** The first row of a segment or span. */
function firstSeqUnder(number: number): number {
  return number < 0 ? firstSeqOfSpan(spanOfNumber(number)) : firstSeqOf(number);
}

/** Newest first. */
function rowsOfBlocks(number: number, blocks: readonly number[]): readonly number[] {
  const first = firstSeqUnder(number);
  return blocks.toReversed().flatMap((block) => {
    const top = first + (block + 1) * blockSeqs - 1;
    return fromTo(top, top - blockSeqs + 1);
  });
}

interface Found {
  readonly isByLists: boolean;
  readonly candidates: Candidates;
}

/** At most so many of a list, from all of it. */
function spread(all: readonly number[], most: number): readonly number[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * (all.length - 1)) / (most - 1))]!);
}

/** What two lists in ascending order have in common. */
function both(ones: readonly number[], others: readonly number[]): readonly number[] {
  const common: number[] = [];
  let other = 0;
  for (const one of ones) {
    while (other < others.length && others[other]! < one) other += 1;
    if (others[other] === one) common.push(one);
  }
  return common;
}

function fromTo(top: number, bottom: number): readonly number[] {
  return Array.from({ length: top - bottom + 1 }, (_, below) => top - below);
}
