import type { Step } from './steps.ts';

// What the whole filter grammar asks of users most often gets columns and a table of its own, beside those that are
// there. `keys_revision` says at which revision they were written: a row that older code made or changed has another
// one, or none, and is found by the partial index and brought up to date before anyone searches by these keys (D-93).
//
// Groups take their ids from the users' numbers. Who belongs to a group is one row each, so that ten thousand members
// cost nothing to whoever adds one; the number of them is kept with the group.
export const standardFace: Step = {
  number: 4,
  name: 'standard face',
  statements: ({ text, integer, clustered }) => [
    `alter table account_user add column keys_revision ${integer}`,
    `alter table account_user add column external_id ${text}`,
    `alter table account_user add column active ${integer}`,
    `alter table account_user add column display_name_key ${text}`,
    `create index account_user_by_display_name on account_user (account_id, display_name_key, id)`,
    `create index account_user_stale on account_user (account_id, id)
      where keys_revision is null or keys_revision <> revision`,
    `create table user_email (
      account_id ${integer} not null references account (id),
      user_id ${integer} not null,
      value_key ${text} not null,
      primary key (account_id, user_id, value_key)
    )${clustered}`,
    `create index user_email_by_value on user_email (account_id, value_key, user_id)`,
    `create table user_group (
      account_id ${integer} not null references account (id),
      id ${integer} not null,
      revision ${integer} not null,
      created_at ${integer} not null,
      modified_at ${integer} not null,
      display_name_key ${text} not null,
      external_id ${text},
      members ${integer} not null,
      profile ${text} not null,
      primary key (account_id, id)
    )`,
    `create unique index user_group_by_display_name on user_group (account_id, display_name_key)`,
    `create unique index user_group_by_external_id on user_group (account_id, external_id)`,
    `create table group_member (
      account_id ${integer} not null references account (id),
      group_id ${integer} not null,
      member_id ${integer} not null,
      is_group ${integer} not null,
      primary key (account_id, group_id, member_id)
    )${clustered}`,
    `create index group_member_by_member on group_member (account_id, member_id, group_id)`,
    // Whoever changes a membership, or deletes somebody who may have one, holds this row until the commit: so that
    // nobody joins a group while being deleted.
    `create table group_counter (
      account_id ${integer} not null primary key references account (id),
      total ${integer} not null
    )`,
  ],
};
