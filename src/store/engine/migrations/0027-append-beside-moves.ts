import type { Step } from './steps.ts';

// The function of step 13 again, safe while Citus moves accounts between workers. There the counter was changed last, and
// holding its row does not make a move wait: a move that ended between the rows and the counter left the rows behind on the
// old worker, and counted them on the new one. Now the counter is changed first. To change it Citus takes a lock that a
// move waits for, and waits itself for a move that has begun; after that it is certain where the account is. If that is
// another worker nothing is kept, and the batch is made again, the long way (appender.ts).
export const appendBesideMoves: Step = {
  number: 27,
  name: 'append of the responses of one account beside its move',
  statements: ({ engine }) => (engine === 'sqlite' ? [] : [appendAccountResponses]),
};

const appendAccountResponses = `
create or replace function append_account_responses(
  account bigint, block_size bigint, new_mark text,
  sources bigint[], revisions bigint[], added bigint[],
  item_sources bigint[], places bigint[], days bigint[], response_ids text[], survey_numbers bigint[],
  moments bigint[], all_values text[], bodies text[],
  sent_ids text[], used_sources bigint[], used_surveys text[]
) returns integer[] language plpgsql as $$
declare
  outcomes integer[] := array_fill(2, array[cardinality(sources)]);
  last_seqs bigint[] := array_fill(-1, array[cardinality(sources)]);
  is_here boolean;
  held record;
  at integer;
begin
  -- The coordinator cannot set it for the worker.
  perform set_config('synchronous_commit', 'on', true);
  for held in
    select source_id, last_seq, revision, open_seq
    from log_counter
    where account_id = account and source_id = any(sources)
    order by source_id
    for update skip locked
  loop
    at := array_position(sources, held.source_id);
    outcomes[at] := 0;
    if held.revision = revisions[at] and held.open_seq = held.last_seq
      and held.last_seq % block_size + added[at] < block_size then
      outcomes[at] := 1;
      last_seqs[at] := held.last_seq;
    end if;
  end loop;
  select exists (
    select 1
    from pg_dist_placement
    join pg_dist_local_group on pg_dist_local_group.groupid = pg_dist_placement.groupid
    where pg_dist_placement.shardid = get_shard_id_for_distribution_column('response', account)
  ) into is_here;
  if not is_here or exists (
    select 1
    from response
    where account_id = account and response_id = any(sent_ids)
  ) then
    return array_replace(outcomes, 1, 0);
  end if;
  for at in 1..cardinality(sources) loop
    if last_seqs[at] >= 0 then
      update log_counter
      set last_seq = last_seqs[at] + added[at], open_seq = last_seqs[at] + added[at], mark = new_mark
      where account_id = account and source_id = sources[at];
    end if;
  end loop;
  -- From here on a move of the account waits for this transaction; one that was quicker has been waited for.
  select exists (
    select 1
    from pg_dist_placement
    join pg_dist_local_group on pg_dist_local_group.groupid = pg_dist_placement.groupid
    where pg_dist_placement.shardid = get_shard_id_for_distribution_column('response', account)
  ) into is_here;
  if not is_here then
    raise unique_violation using message = 'The account has been moved to another worker.';
  end if;
  execute format('
    with kept_body as (
      insert into %s (account_id, source_id, seq, body)
      select $1, $2[item.source], $3[item.source] + item.place, item.body
      from unnest($4, $5, $6) as item (source, place, body)
      where $3[item.source] >= 0
    ), used as (
      insert into %s (account_id, survey_id)
      select $1, version.survey_id
      from unnest($7, $8) as version (source, survey_id)
      where $3[version.source] >= 0
      on conflict (account_id, survey_id) do nothing
    )
    insert into %s (account_id, source_id, seq, day, response_id, survey_no, submitted_at, row_values)
    select $1, $2[item.source], $3[item.source] + item.place, item.day, item.response_id, item.survey_no,
      item.submitted_at, item.row_values
    from unnest($4, $5, $9, $10, $11, $12, $13)
      as item (source, place, day, response_id, survey_no, submitted_at, row_values)
    where $3[item.source] >= 0',
    'response_body_' || get_shard_id_for_distribution_column('response_body', account),
    'survey_used_' || get_shard_id_for_distribution_column('survey_used', account),
    'response_' || get_shard_id_for_distribution_column('response', account)
  ) using account, sources, last_seqs, item_sources, places, bodies, used_sources, used_surveys, days, response_ids,
    survey_numbers, moments, all_values;
  return outcomes;
end
$$`;
