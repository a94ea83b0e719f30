import type { Step } from './steps.ts';

// What is noted of a change beside who made it: the request, where it came from, and the names of what changed. Older rows
// have none of it, and replicas of before write none. When a provisioning token was used last is a table of its own,
// because it is written every minute and tokens hardly ever.
//
// How many users of an account were suspended or deleted lately is kept in one row of the account, as counts by the
// minute: whoever counts holds that row, so that replicas count together. A user who was counted carries when, and is
// not counted twice in an hour.
//
// The creation of users on PostgreSQL is the function of step 11 with two lists more, for the audit log. Replicas of
// before call the other one, which stays.
export const watched: Step = {
  number: 19,
  name: 'audit with request, origin and names; use of provisioning tokens; guard of users',
  statements: ({ engine, text, integer }) => [
    `alter table audit add column request_id ${text}`,
    `alter table audit add column origin ${text}`,
    `alter table audit add column details ${text}`,
    `create table provisioning_token_use (
      token_id ${text} not null primary key,
      used_at ${integer} not null
    )`,
    `alter table account_user add column guarded_at ${integer}`,
    `create table user_guard (
      account_id ${integer} not null primary key,
      counts ${text} not null,
      lifted_until ${integer},
      struck_at ${integer}
    )`,
    ...(engine === 'sqlite' ? [] : [createUsers]),
  ],
};

const createUsers = `
create function create_users(
  first_user_id bigint, block_size bigint,
  accounts bigint[], added bigint[],
  user_accounts bigint[], places bigint[], moments bigint[], user_names text[], given_names text[],
  family_names text[], given_ends text[], family_ends text[], display_names text[], external_ids text[],
  actives bigint[], profiles text[], name_parts text[], change_ids text[], actors text[],
  request_ids text[], origins text[],
  email_accounts bigint[], email_places bigint[], email_keys text[]
) returns bigint[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  first_ids bigint[] := array_fill(0, array[cardinality(accounts)]);
  held record;
  taken record;
begin
  for held in
    select wanted.place, user_counter.next_id,
      user_counter.next_id + wanted.added - 1 <= user_counter.end_id as fits
    from unnest(accounts, added) with ordinality as wanted (account_id, added, place)
    join user_counter on user_counter.account_id = wanted.account_id
    order by user_counter.account_id
    for update of user_counter skip locked
  loop
    first_ids[held.place] := case when held.fits then held.next_id else -1 end;
  end loop;
  for taken in
    select distinct given.account
    from unnest(user_accounts, places, user_names, external_ids) as given (account, place, user_name, external_id)
    where (
      select account_user.account_id = accounts[given.account] and account_user.user_name_key = given.user_name
      from account_user
      where (account_user.account_id, account_user.user_name_key) >= (accounts[given.account], given.user_name)
      order by account_user.account_id, account_user.user_name_key
      limit 1
    )
    or (
      select account_user.account_id = accounts[given.account] and account_user.address = given.external_id
      from account_user
      where (account_user.account_id, account_user.address) >= (accounts[given.account], given.external_id)
      order by account_user.account_id, account_user.address
      limit 1
    )
    or (
      select account_user.account_id = accounts[given.account] and account_user.address = (first_ids[given.account] + given.place)::text
      from account_user
      where (account_user.account_id, account_user.address) >= (accounts[given.account], (first_ids[given.account] + given.place)::text)
      order by account_user.account_id, account_user.address
      limit 1
    )
  loop
    first_ids[taken.account] := case first_ids[taken.account] when 0 then 0 else -1 end;
  end loop;
  insert into account_user (account_id, id, revision, created_at, modified_at, address, user_name_key,
    given_name_key, family_name_key, given_name_reversed, family_name_reversed, display_name_key, external_id,
    active, keys_revision, parts_revision, profile)
  select accounts[given.account], first_ids[given.account] + given.place, 1, given.at, given.at,
    coalesce(given.external_id, (first_ids[given.account] + given.place)::text), given.user_name, given.given_name,
    given.family_name, given.given_end, given.family_end, given.display_name, given.external_id,
    given.active, 1, 1, given.profile
  from unnest(user_accounts, places, moments, user_names, given_names, family_names, given_ends, family_ends,
    display_names, external_ids, actives, profiles) as given (account, place, at, user_name, given_name, family_name,
    given_end, family_end, display_name, external_id, active, profile)
  where first_ids[given.account] > 0;
  insert into user_name_part (account_id, user_id, parts)
  select accounts[given.account], first_ids[given.account] + given.place, given.parts
  from unnest(user_accounts, places, name_parts) as given (account, place, parts)
  where first_ids[given.account] > 0 and given.parts is not null;
  insert into user_email (account_id, user_id, value_key)
  select accounts[email.account], first_ids[email.account] + email.place, email.value_key
  from unnest(email_accounts, email_places, email_keys) as email (account, place, value_key)
  where first_ids[email.account] > 0;
  insert into audit (account_id, id, at, actor, action, subject, request_id, origin)
  select accounts[given.account], given.change_id, given.at, given.actor, 'user.create',
    'user ' || (first_ids[given.account] + given.place), given.request_id, given.origin
  from unnest(user_accounts, places, moments, change_ids, actors, request_ids, origins)
    as given (account, place, at, change_id, actor, request_id, origin)
  where first_ids[given.account] > 0;
  insert into user_block (account_id, block, users)
  select wanted.account_id, (wanted.first_id - first_user_id) / block_size, wanted.added
  from unnest(accounts, first_ids, added) as wanted (account_id, first_id, added)
  where wanted.first_id > 0
  on conflict (account_id, block) do update set users = user_block.users + excluded.users;
  update user_counter
  set next_id = grown.first_id + grown.added, total = user_counter.total + grown.added
  from unnest(accounts, first_ids, added) as grown (account_id, first_id, added)
  where grown.first_id > 0 and user_counter.account_id = grown.account_id;
  return first_ids;
end
$$`;
