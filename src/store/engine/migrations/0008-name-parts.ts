import type { Step } from './steps.ts';

// Names are searched for what they contain by their groups of three characters. From here on every group carries the
// number of the account, so that what one account looks for is never held against the names of another: neither its
// time nor its cost tells anything about them (D-166). The groups are made in code (store/provisioning/name-parts.ts), on both
// engines alike, so that PostgreSQL needs no extension for them.
//
// `parts_revision` says at which revision of the user they were written. Rows of before this step, and rows that older
// code made or changed, have another one or none, and are brought up to date by whoever searches first (D-93).
export const nameParts: Step = {
  number: 8,
  name: 'name parts',
  statements: ({ engine, integer }) => [
    `alter table account_user add column parts_revision ${integer}`,
    `create index account_user_parts_stale on account_user (account_id, id)
      where parts_revision is null or parts_revision <> revision`,
    ...partsOf[engine],
  ],
};

const partsOf: Readonly<Record<'sqlite' | 'postgres', readonly string[]>> = {
  sqlite: [
    `create virtual table user_name_part using fts5(
      parts,
      content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
    )`,
    // Older code, which may still run, knows nothing of the new table and goes on with the old one. Newer code writes
    // nothing into the old one any more; so that no name stays in it longer than it should, these two see to it.
    `create trigger account_user_deleted after delete on account_user
    begin
      delete from user_name_part where rowid = old.id;
      delete from user_gram where rowid = old.id;
    end`,
    `create trigger account_user_renamed after update of given_name_key, family_name_key on account_user
    when old.given_name_key is not new.given_name_key or old.family_name_key is not new.family_name_key
    begin
      delete from user_gram where rowid = old.id;
    end`,
  ],
  postgres: [
    `create table user_name_part (
      account_id bigint not null,
      user_id bigint not null,
      parts text collate "C" not null,
      primary key (account_id, user_id)
    )`,
    // What waits to be sorted into the index is read through by every search, that of all accounts: so it is kept short.
    `create index user_name_part_by_part on user_name_part using gin (string_to_array(parts, ' '))
      with (gin_pending_list_limit = 64)`,
    `create function forget_name_parts() returns trigger language plpgsql as $$
    begin
      delete from user_name_part where account_id = old.account_id and user_id = old.id;
      return null;
    end
    $$`,
    `create trigger account_user_deleted after delete on account_user
      for each row execute function forget_name_parts()`,
    // Those of before knew no account. Older code that still runs reads the account's users instead.
    `drop index if exists account_user_given_grams`,
    `drop index if exists account_user_family_grams`,
  ],
};
