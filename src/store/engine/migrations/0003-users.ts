import type { Step } from './steps.ts';

// A user is kept whole, as JSON text; beside it stand the keys by which it is found, folded in code, so that
// both engines compare bytes. A reversed key turns "ends with" into "begins with".
export const users: Step = {
  number: 3,
  name: 'users',
  statements: ({ engine, text, integer, clustered }) => [
    `create table account_user (
      account_id ${integer} not null references account (id),
      id ${integer} not null,
      revision ${integer} not null,
      created_at ${integer} not null,
      modified_at ${integer} not null,
      address ${text} not null,
      user_name_key ${text} not null,
      given_name_key ${text},
      family_name_key ${text},
      given_name_reversed ${text},
      family_name_reversed ${text},
      profile ${text} not null,
      primary key (account_id, id)
    )`,
    `create unique index account_user_by_address on account_user (account_id, address)`,
    `create unique index account_user_by_user_name on account_user (account_id, user_name_key)`,
    `create index account_user_by_given_name on account_user (account_id, given_name_key, id)`,
    `create index account_user_by_family_name on account_user (account_id, family_name_key, id)`,
    `create index account_user_by_given_end on account_user (account_id, given_name_reversed, id)`,
    `create index account_user_by_family_end on account_user (account_id, family_name_reversed, id)`,
    // Where the account's next id comes from, and how many users it has. Whoever creates holds this row until
    // the commit: that is what makes ids appear in their order (D-50).
    `create table user_counter (
      account_id ${integer} not null primary key references account (id),
      next_id ${integer} not null,
      end_id ${integer} not null,
      total ${integer} not null
    )`,
    // How many users stand in each block of ids, so that a page deep in the list is found by adding up.
    `create table user_block (
      account_id ${integer} not null references account (id),
      block ${integer} not null,
      users ${integer} not null,
      primary key (account_id, block)
    )${clustered}`,
    // The store's own counter, from which accounts take whole ranges.
    `create table user_range (
      id ${integer} not null primary key,
      next_id ${integer} not null
    )`,
    `insert into user_range (id, next_id) values (1, 1000000001)`,
    gramsOf[engine],
  ],
};

// Names are searched for what they contain by their groups of three characters. SQLite brings its own index for
// that; PostgreSQL's is an extension that a server may lack or forbid: then such searches read the account's
// users in slices (store/provisioning/users-search.ts), and nothing else changes.
const gramsOf = {
  sqlite: `create virtual table user_gram using fts5(
    given_name, family_name,
    content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  )`,
  postgres: `do $$
    begin
      create extension if not exists pg_trgm;
      create index account_user_given_grams on account_user using gin (given_name_key gin_trgm_ops);
      create index account_user_family_grams on account_user using gin (family_name_key gin_trgm_ops);
    exception
      when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        raise notice 'pg_trgm is not available: searches by a part of a name read all users of the account.';
    end
  $$`,
};
