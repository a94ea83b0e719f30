import type { Step } from './steps.ts';

// Every key of an account's data begins with the account, so that the data can be spread over machines by it.
// The exceptions are small tables that every machine may hold whole: clients, keys, the store's own rows.
export const firstSchema: Step = {
  number: 1,
  name: 'accounts, API clients, signing keys, audit',
  statements: ({ text, integer }) => [
    `create table store (
      id ${integer} not null primary key,
      store_id ${text} not null,
      secret_key ${text} not null,
      created_at ${integer} not null
    )`,
    `create table account (
      id ${integer} not null primary key,
      name ${text} not null,
      created_at ${integer} not null
    )`,
    `create table api_client (
      id ${text} not null primary key,
      account_id ${integer} not null references account (id),
      name ${text} not null,
      grants ${text} not null,
      disabled ${integer} not null,
      secret_hash ${text} not null,
      older_secret_hash ${text},
      created_at ${integer} not null
    )`,
    `create index api_client_by_account on api_client (account_id, id)`,
    `create table signing_key (
      kid ${text} not null primary key,
      secret ${text} not null,
      created_at ${integer} not null,
      signs_from ${integer} not null
    )`,
    `create table maintenance (
      id ${integer} not null primary key,
      since ${integer} not null
    )`,
    `create table heartbeat (
      replica ${text} not null primary key,
      at ${integer} not null
    )`,
    `create table audit (
      account_id ${integer} not null,
      id ${text} not null,
      at ${integer} not null,
      actor ${text} not null,
      action ${text} not null,
      subject ${text} not null,
      primary key (account_id, id)
    )`,
    `create index audit_by_id on audit (id)`,
  ],
};
