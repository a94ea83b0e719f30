import type { Step } from './steps.ts';

// On PostgreSQL the append of a batch is a function. Its statements are planned once a session, whereas a statement that
// is sent is planned each time, because it has no name (a pooler may give each transaction another session). Planning
// took more than half of what an append cost the server.
//
// A plan that is kept must also be right when the tables have grown. So it may not read a table through. And an id is
// looked up as the first one from there on in the order of its index: asked for by equality alone, while the table is
// empty every index that begins with the account looks as good as another.
//
// The responses of a source stand together in the lists and name the place of their source. An outcome for each source:
// 1 when its responses are kept, 0 when they need the long way (quick-append.ts), 2 when another transaction holds its
// counter.
export const appendFunction: Step = {
  number: 10,
  name: 'append of responses as a function',
  statements: ({ engine }) => (engine === 'sqlite' ? [] : [appendResponses]),
};

const appendResponses = `
create function append_responses(
  block_size bigint, new_mark text,
  accounts bigint[], sources bigint[], revisions bigint[], added bigint[],
  item_sources bigint[], places bigint[], days bigint[], response_ids text[], survey_numbers bigint[],
  moments bigint[], all_values text[], bodies text[],
  sent_sources bigint[], sent_ids text[],
  used_sources bigint[], used_surveys text[]
) returns integer[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  outcomes integer[] := array_fill(2, array[cardinality(accounts)]);
  -- The last number of each source that takes its responses; -1 of the others.
  last_seqs bigint[] := array_fill(-1, array[cardinality(accounts)]);
  held record;
  known record;
begin
  for held in
    select wanted.place, log_counter.last_seq,
      log_counter.revision = wanted.revision and log_counter.open_seq = log_counter.last_seq
        and log_counter.last_seq % block_size + wanted.added < block_size as fits
    from unnest(accounts, sources, revisions, added) with ordinality
      as wanted (account_id, source_id, revision, added, place)
    join log_counter on log_counter.account_id = wanted.account_id and log_counter.source_id = wanted.source_id
    order by log_counter.account_id, log_counter.source_id
    for update of log_counter skip locked
  loop
    outcomes[held.place] := held.fits::integer;
    if held.fits then
      last_seqs[held.place] := held.last_seq;
    end if;
  end loop;
  if cardinality(sent_ids) > 0 then
    for known in
      select distinct sent.source
      from unnest(sent_sources, sent_ids) as sent (source, response_id)
      where (
        select response.account_id = accounts[sent.source] and response.response_id = sent.response_id
        from response
        where (response.account_id, response.response_id) >= (accounts[sent.source], sent.response_id)
        order by response.account_id, response.response_id
        limit 1
      )
    loop
      outcomes[known.source] := case outcomes[known.source] when 2 then 2 else 0 end;
      last_seqs[known.source] := -1;
    end loop;
  end if;
  insert into response (account_id, source_id, seq, day, response_id, survey_no, submitted_at, row_values)
  select accounts[item.source], sources[item.source], last_seqs[item.source] + item.place, item.day, item.response_id,
    item.survey_no, item.submitted_at, item.row_values
  from unnest(item_sources, places, days, response_ids, survey_numbers, moments, all_values)
    as item (source, place, day, response_id, survey_no, submitted_at, row_values)
  where last_seqs[item.source] >= 0;
  insert into response_body (account_id, source_id, seq, body)
  select accounts[item.source], sources[item.source], last_seqs[item.source] + item.place, item.body
  from unnest(item_sources, places, bodies) as item (source, place, body)
  where last_seqs[item.source] >= 0;
  insert into survey_used (account_id, survey_id)
  select accounts[used.source], used.survey_id
  from unnest(used_sources, used_surveys) as used (source, survey_id)
  where last_seqs[used.source] >= 0
  on conflict (account_id, survey_id) do nothing;
  update log_counter
  set last_seq = log_counter.last_seq + grown.added, open_seq = log_counter.last_seq + grown.added, mark = new_mark
  from unnest(accounts, sources, last_seqs, added) as grown (account_id, source_id, last_seq, added)
  where grown.last_seq >= 0
    and log_counter.account_id = grown.account_id and log_counter.source_id = grown.source_id;
  return outcomes;
end
$$`;
