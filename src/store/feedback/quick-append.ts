// The append of nearly every batch on PostgreSQL as one call that commits by itself: one way to the server instead of
// three. It takes the sources whose counters are free, whose definition is the one that their responses were judged by,
// that do not fill a block, and none of whose ids is known; the others are left to the long way (log.ts). What the
// function does stands in engine/migrations/0010-append-function.ts, and that of Citus in 0027-append-beside-moves.ts.
//
// It does not wait for counters, and an id that is committed after it has looked is refused by the unique index, so that
// the whole is made again the long way. A counter that was changed a moment before it was locked is read as it is then:
// the row is looked at again once it is held.

import sql, { type Sql } from 'sql-template-tag';
import { blockSize } from '../../domain/feedback/block.ts';
import type { AppendItem } from '../../domain/feedback/judged-draft.ts';
import type { Row } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { arrayOf } from '../engine/postgres/postgres-lists.ts';

/** The responses of one source, in their order. */
interface SourceItems {
  readonly accountId: number;
  readonly sourceId: number;
  readonly revision: number;
  readonly items: readonly AppendItem[];
}

/** What became of the responses of a source, by the numbers that the function has for it. */
const outcomeNames = ['left', 'kept', 'held'] as const;

/** `left` to the long way; `held` by another transaction. */
export type QuickOutcome = (typeof outcomeNames)[number];

/** The batch by source; null when it needs the long way in any case. */
export function quickSources(items: readonly AppendItem[]): readonly SourceItems[] | null {
  const sources = new Map<string, { revision: number; items: AppendItem[] }>();
  const ids = new Set<string>();
  for (const item of items) {
    const id = `${item.accountId} ${item.responseId}`;
    if (ids.has(id)) return null;
    ids.add(id);
    const key = `${item.accountId} ${item.sourceId}`;
    const source = sources.get(key);
    if (source === undefined) sources.set(key, { revision: item.revision, items: [item] });
    else if (source.revision !== item.revision) return null;
    else source.items.push(item);
  }
  return [...sources.values()].map(({ revision, items: ofSource }) => {
    const { accountId, sourceId } = ofSource[0]!;
    return { accountId, sourceId, revision, items: ofSource };
  });
}

export function quickAppend(dialect: Dialect, sources: readonly SourceItems[], mark: string): Sql {
  const rows = sources.flatMap(({ items }, index) =>
    items.map((item, at): PlacedItem => ({ item, source: index + 1, place: at + 1 })),
  );
  // Ids that were made here a moment ago are not asked for.
  const sent = rows.filter(({ item }) => !item.isFreshId);
  const used = surveysOf(rows);
  const ofSources = (read: (source: SourceItems) => number): Sql => arrayOf(sources.map(read), 'integer');
  const integers = (all: readonly PlacedItem[], read: (row: PlacedItem) => number): Sql =>
    arrayOf(all.map(read), 'integer');
  const texts = (all: readonly PlacedItem[], read: (row: PlacedItem) => string): Sql =>
    arrayOf(all.map(read), 'text');
  const ofRows = sql`
    ${ofSources(({ sourceId }) => sourceId)},
    ${ofSources(({ revision }) => revision)},
    ${ofSources(({ items }) => items.length)},
    ${integers(rows, ({ source }) => source)},
    ${integers(rows, ({ place }) => place)},
    ${integers(rows, ({ item }) => item.day)},
    ${texts(rows, ({ item }) => item.responseId)},
    ${integers(rows, ({ item }) => item.surveyNumber)},
    ${integers(rows, ({ item }) => item.submittedAtMs)},
    ${texts(rows, ({ item }) => item.values)},
    ${texts(rows, ({ item }) => item.body)}`;
  const sentIds = texts(sent, ({ item }) => item.responseId);
  const usedVersions = sql`
    ${integers(used, ({ source }) => source)},
    ${texts(used, ({ item }) => item.surveyId)}`;
  // Where accounts are spread over machines a batch is of one account, and done by the machine that has it.
  if (dialect.isSpread)
    return sql`
      select append_account_responses(
        ${sources[0]!.accountId}, ${blockSize}, ${mark}, ${ofRows}, ${sentIds}, ${usedVersions}
      ) as outcomes`;
  return sql`
    select append_responses(
      ${blockSize}, ${mark}, ${ofSources(({ accountId }) => accountId)}, ${ofRows},
      ${integers(sent, ({ source }) => source)}, ${sentIds}, ${usedVersions}
    ) as outcomes`;
}

/** In the order of the sources. */
export function quickOutcomes(rows: readonly Row[]): readonly QuickOutcome[] {
  const [row] = rows as unknown as readonly { readonly outcomes: readonly number[] }[];
  return row!.outcomes.map((outcome) => outcomeNames[outcome]!);
}

interface PlacedItem {
  readonly item: AppendItem;
  /** The places of its source, and of itself within it, from 1 on. */
  readonly source: number;
  readonly place: number;
}

/** One item of each survey. */
function surveysOf(rows: readonly PlacedItem[]): readonly PlacedItem[] {
  return [...new Map(rows.map((row) => [`${row.source} ${row.item.surveyId}`, row])).values()];
}
