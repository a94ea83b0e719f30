// Whether the log of each source agrees with what is counted beside it, in a file that nobody writes to. Everything is
// counted once more from the rows (the sums of scores are not: they are made from the rows whenever a block is full).

import { blockSize } from '../../domain/feedback/block.ts';
import type { StoreSnapshot } from '../engine/sqlite/store-snapshot.ts';
import { digestsAgainstRows } from './snapshot-figures.ts';

// A sentence for the first few says enough.
const namedMax = 3;

interface CounterRow {
  readonly accountId: number;
  readonly sourceId: number;
  readonly lastSeq: number;
}

interface RowsOfSource {
  readonly accountId: number;
  readonly sourceId: number;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** Every check by its name, so that whoever carries them out can say how far it has come; each answers with faults. */
export const logChecks: Readonly<Record<string, (snapshot: StoreSnapshot) => readonly string[]>> = {
  'counters against rows': countersAgainstRows,
  'the last response of each source': lastResponses,
  'bodies against rows': bodiesAgainstRows,
  'daily counts against rows': daysAgainstRows,
  'blocks against rows': blocksAgainstRows,
  'digests of days against bodies': (snapshot) => firstOf(digestsAgainstRows(snapshot)),
};

function countersOf(snapshot: StoreSnapshot): readonly CounterRow[] {
  return snapshot.rows<CounterRow>(`
    select account_id as "accountId", source_id as "sourceId", last_seq as "lastSeq"
    from log_counter
    order by account_id, source_id`);
}

function countersAgainstRows(snapshot: StoreSnapshot): string[] {
  const rows = snapshot.rows<RowsOfSource>(`
    select account_id as "accountId", source_id as "sourceId", count(*) as count, min(seq) as first, max(seq) as last
    from response
    group by account_id, source_id`);
  const found = new Map(rows.map((row) => [`${row.accountId} ${row.sourceId}`, row]));
  const faults: string[] = [];
  for (const { accountId, sourceId, lastSeq } of countersOf(snapshot)) {
    const of = found.get(`${accountId} ${sourceId}`) ?? { count: 0, first: 1, last: 0 };
    found.delete(`${accountId} ${sourceId}`);
    if (of.count !== lastSeq || of.last !== lastSeq || of.first !== 1)
      faults.push(
        `${nameOf({ accountId, sourceId })} counts ${lastSeq} responses, and has ${of.count}, the last with the number ${of.last}`,
      );
  }
  for (const row of found.values()) faults.push(`${nameOf(row)} has responses and no counter`);
  return firstOf(faults);
}

function lastResponses(snapshot: StoreSnapshot): string[] {
  const rows = snapshot.rows<{
    accountId: number;
    sourceId: number;
    id: string | null;
    body: string | null;
  }>(`
    select log_counter.account_id as "accountId", log_counter.source_id as "sourceId",
      response.response_id as id, response_body.body as body
    from log_counter
    left join response on response.account_id = log_counter.account_id
      and response.source_id = log_counter.source_id and response.seq = log_counter.last_seq
    left join response_body on response_body.account_id = log_counter.account_id
      and response_body.source_id = log_counter.source_id and response_body.seq = log_counter.last_seq
    where log_counter.last_seq > 0`);
  return firstOf(
    rows
      .filter(({ id, body }) => id === null || id === '' || (body !== null && !isJson(body)))
      .map((row) => `the last response of ${nameOf(row)} cannot be read`),
  );
}

/** A response has its body until it is erased; then it has a hash instead (D-48). */
function bodiesAgainstRows(snapshot: StoreSnapshot): string[] {
  const [row] = snapshot.rows<{ missing: number; extra: number }>(`
    select
      (
        select count(*)
        from response
        where hash is null and not exists (
          select 1
          from response_body
          where response_body.account_id = response.account_id
            and response_body.source_id = response.source_id and response_body.seq = response.seq
        )
      ) as missing,
      (
        select count(*)
        from response_body
        where not exists (
          select 1
          from response
          where response.account_id = response_body.account_id
            and response.source_id = response_body.source_id and response.seq = response_body.seq
        )
      ) as extra`);
  const { missing = 0, extra = 0 } = row ?? {};
  return [
    ...(missing > 0 ? [`${missing} responses have no body`] : []),
    ...(extra > 0 ? [`${extra} bodies have no response`] : []),
  ];
}

/** Rows behind the last full block are in no sum yet (D-188); stores of before have all of them in their sums. */
function daysAgainstRows(snapshot: StoreSnapshot): string[] {
  const isSummed = snapshot.hasColumn('log_counter', 'summed_seq')
    ? 'where response.seq <= log_counter.summed_seq or response.seq > log_counter.open_seq'
    : '';
  const counted = `
    select response.account_id, response.source_id, response.day, count(*) as responses
    from response
    join log_counter on log_counter.account_id = response.account_id
      and log_counter.source_id = response.source_id
    ${isSummed}
    group by response.account_id, response.source_id, response.day`;
  const rows = snapshot.rows<{ accountId: number; sourceId: number; day: number }>(`
    with counted as materialized (${counted}),
      kept as (select account_id, source_id, day, responses from log_day where responses <> 0)
    select account_id as "accountId", source_id as "sourceId", day
    from (
      select * from (select * from counted except select * from kept)
      union
      select * from (select * from kept except select * from counted)
    )
    group by account_id, source_id, day
    order by account_id, source_id, day
    limit ${namedMax + 1}`);
  return firstOf(
    rows.map((row) => `the count of ${dayText(row.day)} of ${nameOf(row)} is not that of its rows`),
  );
}

function blocksAgainstRows(snapshot: StoreSnapshot): string[] {
  const rows = snapshot.rows<{ accountId: number; sourceId: number; blocks: number; lastSeq: number }>(`
    select log_counter.account_id as "accountId", log_counter.source_id as "sourceId",
      count(log_block.block) as blocks, log_counter.last_seq as "lastSeq"
    from log_counter
    left join log_block on log_block.account_id = log_counter.account_id
      and log_block.source_id = log_counter.source_id
    group by log_counter.account_id, log_counter.source_id
    having count(log_block.block) <> log_counter.last_seq / ${blockSize}
    limit ${namedMax + 1}`);
  return firstOf(rows.map((row) => `${nameOf(row)} has ${row.blocks} blocks for ${row.lastSeq} responses`));
}

function nameOf({ accountId, sourceId }: { readonly accountId: number; readonly sourceId: number }): string {
  return `source ${sourceId} of account ${accountId}`;
}

function firstOf(faults: readonly string[]): string[] {
  if (faults.length <= namedMax) return [...faults];
  return [...faults.slice(0, namedMax), 'and more like these'];
}

function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
