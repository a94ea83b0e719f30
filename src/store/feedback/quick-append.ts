// The append of nearly every batch on PostgreSQL as one statement that commits by itself: one way to the server instead
// of three. It takes the sources whose counters are free, whose definition is the one that their responses were judged
// by, that do not fill a block, and none of whose ids is known; the others are left to the long way (log.ts).
//
// All parts of a statement see the same moment, so this one could miss an id that was committed while it waited; it does
// not wait for counters, and the unique index refuses such an id, so that the whole is made again the long way. A counter
// that was changed a moment before it was locked is read as it is then: the row is looked at again once it is held.

import sql, { type Sql } from 'sql-template-tag';
import { blockSize } from '../../domain/feedback/block.ts';
import type { AppendItem } from '../../domain/feedback/judged-draft.ts';
import { arrayOf } from '../engine/postgres-lists.ts';

/** The responses of one source, in their order. */
export interface SourceItems {
  readonly accountId: number;
  readonly sourceId: number;
  readonly revision: number;
  readonly items: readonly AppendItem[];
}

/** What the statement tells of a source that it held: those that are missing were held by another transaction. */
export interface QuickRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly is_kept: number;
}

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

export function quickAppend(sources: readonly SourceItems[], mark: string): Sql {
  const rows = sources.flatMap(({ items }) => items.map((item, index) => ({ item, place: index + 1 })));
  const column = (type: 'integer' | 'text', read: (row: (typeof rows)[number]) => number | string): Sql =>
    arrayOf(rows.map(read), type);
  const ofSource = (read: (source: SourceItems) => number): Sql => arrayOf(sources.map(read), 'integer');
  return sql`
    with wanted as (
      select *
      from unnest(
        ${ofSource(({ accountId }) => accountId)},
        ${ofSource(({ sourceId }) => sourceId)},
        ${ofSource(({ revision }) => revision)},
        ${ofSource(({ items }) => items.length)}
      ) as wanted (account_id, source_id, revision, added)
    ),
    held as materialized (
      select log_counter.account_id, log_counter.source_id, log_counter.last_seq, wanted.added,
        log_counter.revision = wanted.revision and log_counter.open_seq = log_counter.last_seq
          and log_counter.last_seq % ${blockSize} + wanted.added < ${blockSize} as fits
      from wanted
      join log_counter on log_counter.account_id = wanted.account_id and log_counter.source_id = wanted.source_id
      order by log_counter.account_id, log_counter.source_id
      for update of log_counter skip locked
    ),
    ${knownPart(rows.map(({ item }) => item))}
    fit as materialized (
      select account_id, source_id, last_seq, added
      from held
      where fits and (account_id, source_id) not in (select account_id, source_id from known)
    ),
    item as materialized (
      select *
      from unnest(
        ${column('integer', ({ item }) => item.accountId)},
        ${column('integer', ({ item }) => item.sourceId)},
        ${column('integer', ({ place }) => place)},
        ${column('integer', ({ item }) => item.day)},
        ${column('text', ({ item }) => item.responseId)},
        ${column('integer', ({ item }) => item.surveyNumber)},
        ${column('integer', ({ item }) => item.submittedAtMs)},
        ${column('text', ({ item }) => item.values)},
        ${column('text', ({ item }) => item.body)}
      ) as item (account_id, source_id, place, day, response_id, survey_no, submitted_at, row_values, body)
      join fit using (account_id, source_id)
    ),
    rows_kept as (
      insert into response
        (account_id, source_id, seq, day, response_id, survey_no, submitted_at, row_values)
      select account_id, source_id, last_seq + place, day, response_id, survey_no, submitted_at, row_values
      from item
    ),
    bodies_kept as (
      insert into response_body (account_id, source_id, seq, body)
      select account_id, source_id, last_seq + place, body
      from item
    ),
    used_kept as (
      insert into survey_used (account_id, survey_id)
      select distinct account_id, survey_id
      from unnest(
        ${column('integer', ({ item }) => item.accountId)},
        ${column('integer', ({ item }) => item.sourceId)},
        ${column('text', ({ item }) => item.surveyId)}
      ) as used (account_id, source_id, survey_id)
      join fit using (account_id, source_id)
      on conflict (account_id, survey_id) do nothing
    ),
    counters_kept as (
      update log_counter
      set last_seq = log_counter.last_seq + fit.added, open_seq = log_counter.last_seq + fit.added, mark = ${mark}
      from fit
      where log_counter.account_id = fit.account_id and log_counter.source_id = fit.source_id
    )
    select held.account_id, held.source_id, fit.account_id is not null as is_kept
    from held
    left join fit on fit.account_id = held.account_id and fit.source_id = held.source_id`;
}

/** The sources of which an id is known already; ids that were made here a moment ago are not asked for. */
function knownPart(items: readonly AppendItem[]): Sql {
  const sent = items.filter(({ isFreshId }) => !isFreshId);
  // Not a join: without statistics PostgreSQL might read all responses for it (D-126).
  return sql`
    known as materialized (
      select distinct account_id, source_id
      from unnest(
        ${arrayOf(
          sent.map(({ accountId }) => accountId),
          'integer',
        )},
        ${arrayOf(
          sent.map(({ sourceId }) => sourceId),
          'integer',
        )},
        ${arrayOf(
          sent.map(({ responseId }) => responseId),
          'text',
        )}
      ) as sent (account_id, source_id, response_id)
      where (
        select response.seq
        from response
        where response.account_id = sent.account_id and response.response_id = sent.response_id
      ) is not null
    ),`;
}
