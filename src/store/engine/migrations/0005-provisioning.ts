import type { Step } from './steps.ts';

// What identity providers are let in by, and what they did lately. Tokens are a small table that every machine may
// hold whole, like API clients; the requests begin with their account like all of its data.
export const provisioning: Step = {
  number: 5,
  name: 'provisioning tokens and the log of provisioning requests',
  statements: ({ text, integer, clustered }) => [
    `create table provisioning_token (
      id ${text} not null primary key,
      account_id ${integer} not null references account (id),
      name ${text} not null,
      secret_hash ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      revoked_at ${integer}
    )`,
    `create unique index provisioning_token_by_hash on provisioning_token (secret_hash)`,
    `create index provisioning_token_by_account on provisioning_token (account_id, id)`,
    // The id is that of the request, which grows with time: the newest rows stand at the end of the key.
    `create table provisioning_request (
      account_id ${integer} not null,
      id ${text} not null,
      at ${integer} not null,
      actor ${text} not null,
      method ${text} not null,
      route ${text} not null,
      status ${integer} not null,
      subject ${text},
      understood ${text},
      changed ${text},
      refused ${text},
      primary key (account_id, id)
    )${clustered}`,
  ],
};
