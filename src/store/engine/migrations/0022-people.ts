import type { Step } from './steps.ts';

// People who sign in. Whoever works in an account is a row of account_user; what they sign in with hangs on that row.
// Operators of the store are kept in the same tables under account 0. Every secret is a keyed or a slow hash, or sealed.
//
// A grant of a role hangs on the id of a user or a group, which is never given again. A user belongs to one connection:
// to that of the provisioning token that made them, or to the first that they signed in by.
export const people: Step = {
  number: 22,
  name: 'people who sign in',
  statements: ({ text, integer, clustered }) => [
    `create table operator (
      id ${integer} not null primary key,
      name ${text} not null,
      created_at ${integer} not null,
      disabled_at ${integer}
    )`,
    `create unique index operator_by_name on operator (name)`,
    `create table passkey (
      account_id ${integer} not null,
      id ${text} not null,
      person_id ${integer} not null,
      name ${text} not null,
      public_key ${text} not null,
      counter ${integer} not null,
      transports ${text} not null,
      created_at ${integer} not null,
      used_at ${integer},
      challenged_at ${integer},
      primary key (account_id, id)
    )`,
    `create index passkey_by_person on passkey (account_id, person_id, id)`,
    `create table password (
      account_id ${integer} not null,
      person_id ${integer} not null,
      hash ${text} not null,
      changed_at ${integer} not null,
      primary key (account_id, person_id)
    )${clustered}`,
    `create table one_time_link (
      account_id ${integer} not null,
      code_hash ${text} not null,
      person_id ${integer} not null,
      purpose ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (account_id, code_hash)
    )`,
    `create unique index one_time_link_by_person on one_time_link (account_id, person_id)`,
    `create index one_time_link_by_end on one_time_link (account_id, expires_at)`,
    `create table session (
      account_id ${integer} not null,
      token_hash ${text} not null,
      id ${text} not null,
      person_id ${integer} not null,
      way ${text} not null,
      connection_id ${text},
      provider_subject ${text},
      provider_session ${text},
      entered_account_id ${integer},
      created_at ${integer} not null,
      signed_in_at ${integer} not null,
      used_at ${integer} not null,
      ends_at ${integer} not null,
      origin ${text},
      browser ${text},
      primary key (account_id, token_hash)
    )`,
    `create index session_by_person on session (account_id, person_id, id)`,
    `create index session_by_provider on session (account_id, connection_id, provider_subject)`,
    `create index session_by_end on session (account_id, ends_at)`,
    `create table role_grant (
      account_id ${integer} not null,
      holder_kind ${text} not null,
      holder_id ${integer} not null,
      role ${text} not null,
      granted_at ${integer} not null,
      granted_by ${text} not null,
      primary key (account_id, holder_kind, holder_id, role)
    )${clustered}`,
    `create table role_of_value (
      account_id ${integer} not null,
      value ${text} not null,
      role ${text} not null,
      primary key (account_id, value)
    )${clustered}`,
    `create table connection (
      account_id ${integer} not null,
      id ${text} not null,
      name ${text} not null,
      issuer ${text} not null,
      client_id ${text} not null,
      subject_claim ${text} not null,
      secret ${text},
      secret_kid ${text},
      is_only ${integer} not null,
      created_at ${integer} not null,
      tested_at ${integer},
      primary key (account_id, id)
    )`,
    `create unique index connection_by_name on connection (account_id, name)`,
    `create table user_connection (
      account_id ${integer} not null,
      user_id ${integer} not null,
      connection_id ${text} not null,
      primary key (account_id, user_id)
    )${clustered}`,
    `create table used_logout (
      account_id ${integer} not null,
      connection_id ${text} not null,
      jti ${text} not null,
      ends_at ${integer} not null,
      primary key (account_id, connection_id, jti)
    )${clustered}`,
    `alter table provisioning_token add column connection_id ${text}`,
  ],
};
