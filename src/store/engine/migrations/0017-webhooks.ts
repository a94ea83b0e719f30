import type { Step } from './steps.ts';

// Webhooks of an account, and what is on its way to them: a row for each event and webhook, from the moment at which the
// event is known until it is delivered, or given up (then `next_at` is null). A delivery is claimed by moving `next_at`,
// so that replicas share them. Webhooks are few and asked for by everybody; deliveries belong to their account.
//
// The events of users are written with the change itself. On PostgreSQL new users are made by a function that commits by
// itself; its outcome passes through the function here, which looks whether any of the accounts has a webhook at all.
export const webhooks: Step = {
  number: 17,
  name: 'webhooks',
  statements: ({ engine, text, integer, clustered }) => [
    `create table webhook (
      id ${text} not null primary key,
      account_id ${integer} not null references account (id),
      name ${text} not null,
      url ${text} not null,
      events ${text} not null,
      secret ${text},
      secret_kid ${text},
      older_secret ${text},
      older_secret_kid ${text},
      created_at ${integer} not null
    )`,
    `create unique index webhook_by_name on webhook (account_id, name)`,
    `create table webhook_delivery (
      account_id ${integer} not null,
      webhook_id ${text} not null,
      id ${text} not null,
      type ${text} not null,
      body ${text} not null,
      created_at ${integer} not null,
      next_at ${integer},
      attempts ${integer} not null,
      give_up_at ${integer} not null,
      dead_at ${integer},
      last_status ${integer},
      last_failure ${text},
      primary key (account_id, webhook_id, id)
    )`,
    `create index webhook_delivery_by_time on webhook_delivery (account_id, webhook_id, next_at, id)`,
    `create table webhook_state (
      account_id ${integer} not null,
      webhook_id ${text} not null,
      delivered ${integer} not null,
      failed ${integer} not null,
      delivered_at ${integer},
      failed_at ${integer},
      last_failure ${text},
      primary key (account_id, webhook_id)
    )${clustered}`,
    ...(engine === 'sqlite' ? [] : [noteCreatedUsers]),
  ],
};

const noteCreatedUsers = `
create function note_created_users(
  retry_ms bigint, accounts bigint[], user_accounts bigint[], places bigint[], moments bigint[], change_ids text[],
  first_ids bigint[]
) returns bigint[] language plpgsql as $$
begin
  if exists (select 1 from webhook where account_id = any(accounts)) then
    insert into webhook_delivery (account_id, webhook_id, id, type, body, created_at, next_at, attempts, give_up_at)
    select webhook.account_id, webhook.id, 'evt_' || given.change_id, 'user.created',
      '{"accountId":' || webhook.account_id || ',"userId":"' || (first_ids[given.account] + given.place) || '"}',
      given.at, given.at, 0, given.at + retry_ms
    from unnest(user_accounts, places, moments, change_ids) as given (account, place, at, change_id)
    join webhook on webhook.account_id = accounts[given.account] and webhook.events like '% user.created %'
    where first_ids[given.account] > 0;
  end if;
  return first_ids;
end
$$`;
