import type { Step } from './steps.ts';

// What the console needs. `shared_view` is a page of figures with a fixed range and fixed filters that is shown to whoever has its
// link; `setup_link` hands the set-up of an identity provider, and nothing else, to somebody who has no user here, one of an account at a time. Of the code in
// either link only a keyed hash is kept. `heartbeat.facts` is what a replica says about itself, as JSON; null from a replica of before.
// `job` has what somebody started in the console and that goes on for a while, such as the removal of an account.
export const consoleTables: Step = {
  number: 26,
  name: 'console',
  statements: ({ text, integer, clustered }) => [
    `create table shared_view (
      account_id ${integer} not null,
      id ${text} not null,
      code_hash ${text} not null,
      name ${text} not null,
      page ${text} not null,
      maker_account_id ${integer} not null,
      maker_id ${integer} not null,
      created_by ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      revoked_at ${integer},
      used_at ${integer},
      primary key (account_id, id)
    )${clustered}`,
    `create unique index shared_view_code on shared_view (account_id, code_hash)`,
    `create table setup_link (
      account_id ${integer} not null,
      id ${text} not null,
      code_hash ${text} not null,
      kind ${text} not null,
      connection_id ${text},
      token_id ${text},
      created_by ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer},
      primary key (account_id)
    )${clustered}`,
    `alter table heartbeat add column facts ${text}`,
    `create table job (
      name ${text} primary key,
      run_id ${text} not null,
      actor ${text} not null,
      began_at ${integer} not null,
      updated_at ${integer} not null,
      ended_at ${integer},
      report ${text} not null
    )${clustered}`,
  ],
};
