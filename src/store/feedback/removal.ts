// Removing a whole measure or project, or an account with everything: the only thing that deletes rows (D-273). It begins
// with one transaction after which callers find nothing any more; then the rows go in slices, whoever goes on with it.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { accountTables } from '../engine/postgres/citus.ts';
import { freePageNames } from './page-names.ts';

/** Rows that are deleted in one transaction. */
const sliceRows = 1_000;

// ---- a measure or project

interface CloseSource extends ChangeStamp, SourceName {}

/**
 * From its commit on the source has no address, takes no response and is in no catalogue; its number stays taken. Appends
 * that are under way are waited for, and those that come later find no counter and are judged again. False where there
 * is no such source.
 */
export function* closeSource(input: CloseSource, dialect: Dialect): Steps<boolean> {
  const { accountId, kind, key, nowMs } = input;
  yield sql`update catalogue_generation set generation = generation + 1 where id = 1`;
  const { rows } = yield sql`
    select source_id
    from source
    where account_id = ${accountId} and kind = ${kind} and source_key = ${key}`;
  const sourceId = rows[0]?.source_id as number | undefined;
  if (sourceId === undefined) return false;
  yield* dialect.overwriteDeleted();
  // First, as appends do: what they write beside it is deleted here.
  yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: [[accountId, sourceId]],
    columns: ['source_id'],
    mayWait: true,
  });
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  yield sql`
    delete from survey_used
    where account_id = ${accountId} and survey_id in (select survey_id from survey where ${ofSource})`;
  for (const table of ['survey', 'source', 'log_day', 'log_day_latent', 'log_counter'])
    yield sql`delete from ${raw(table)} where ${ofSource}`;
  if (kind === 'project') yield freePageNames(accountId, key);
  yield sql`
    insert into removed_source (account_id, source_id, kind, source_key, removed_at)
    values (${accountId}, ${sourceId}, ${kind}, ${key}, ${nowMs})`;
  yield auditStatement(input, { accountId, action: 'source.remove', subject: `${kind} ${key}` });
  return true;
}

/** What an account has left of sources that were removed; of one key where it is named. */
export async function sourcesToEmpty(
  db: Db,
  accountId: number,
  name: SourceName | null,
): Promise<readonly number[]> {
  const ofName = name === null ? sql`true` : sql`kind = ${name.kind} and source_key = ${name.key}`;
  const rows = await db.read<{ source_id: number }>(sql`
    select source_id
    from removed_source
    where account_id = ${accountId} and emptied_at is null and ${ofName}
    order by source_id
    limit 100000`);
  return rows.map((row) => row.source_id);
}

/** What a log has, and the key of each within its source. Days were deleted when it was closed. */
const logTables: readonly (readonly [table: string, key: readonly string[]])[] = [
  ['response_body', ['seq']],
  ['response_external', ['seq']],
  ['response', ['seq']],
  ['log_block', ['block']],
  ['log_block_group', ['block_group']],
  ['log_change', ['change_no']],
  ['log_day', ['day']],
  ['log_day_latent', ['day', 'latent_id']],
  ['insight_cursor', ['form']],
  ['insight_day', ['form', 'day', 'survey_no']],
  // In this order: an index is only written for comments that are there, while their cursor is held.
  ['comment', ['form', 'seq', 'question_id']],
  ['comment_segment', ['form', 'segment']],
  ['comment_part', ['form', 'segment', 'part_group']],
];

/** Deletes what is left of a source that was closed, and tells of every slice. */
export async function emptySource(
  db: Db,
  stamp: () => ChangeStamp,
  { accountId, sourceId }: { readonly accountId: number; readonly sourceId: number },
  onSlice: (table: string, rows: number) => void,
): Promise<void> {
  for (const [table, key] of logTables) await emptyTable(db, { accountId, sourceId, table, key }, onSlice);
  await db.write(finishSource, { ...stamp(), accountId, sourceId });
}

async function emptyTable(
  db: Db,
  slice: DeleteSlice,
  onSlice: (table: string, rows: number) => void,
): Promise<void> {
  for (;;) {
    const deleted = await db.write(deleteSlice, slice);
    if (deleted > 0) onSlice(slice.table, deleted);
    if (deleted < sliceRows) return;
  }
}

interface DeleteSlice {
  readonly accountId: number;
  /** Null for a table that is not of sources, or for all of them. */
  readonly sourceId: number | null;
  readonly table: string;
  /** Its key without the account, and without the source where that is named. */
  readonly key: readonly string[];
}

/** Done again it deletes the next rows, so a lost answer does no harm. */
export function* deleteSlice(input: DeleteSlice, dialect: Dialect): Steps<number> {
  const { accountId, sourceId, table, key } = input;
  yield* dialect.overwriteDeleted();
  const places = sql`account_id = ${accountId} ${sourceId === null ? raw('') : sql`and source_id = ${sourceId}`}`;
  return yield* deleteFirst(table, places, key, sliceRows);
}

/**
 * Deletes the first rows of some places of a table, by its key. They end at a key that was read before: a list of keys, or a
 * query for them, would have PostgreSQL hold every row against every key where it has no statistics of the table yet.
 */
export function* deleteFirst(
  table: string,
  places: Sql,
  key: readonly string[],
  rowsMax: number,
): Steps<number> {
  if (key.length === 0) return (yield sql`delete from ${raw(table)} where ${places}`).changed;
  const columns = join(key.map((column) => raw(column)));
  const { rows } = yield sql`
    select ${columns}
    from ${raw(table)}
    where ${places}
    order by ${columns}
    limit 1 offset ${limitOf(rowsMax - 1)}`;
  const last = rows[0];
  const upToLast =
    last === undefined
      ? raw('')
      : sql`and (${columns}) <= (${join(key.map((column) => last[column] as number | string))})`;
  const { changed } = yield sql`delete from ${raw(table)} where ${places} ${upToLast}`;
  return changed;
}

export function* finishSource(
  input: ChangeStamp & { readonly accountId: number; readonly sourceId: number },
): Steps<void> {
  const { accountId, sourceId, nowMs } = input;
  yield sql`
    update removed_source
    set emptied_at = ${nowMs}
    where account_id = ${accountId} and source_id = ${sourceId}`;
  yield sql`
    delete from background_task
    where account_id = ${accountId} and scope = ${`source ${sourceId}`}`;
  yield auditStatement(input, { accountId, action: 'source.emptied', subject: `source ${sourceId}` });
}

// ---- an account

interface CloseAccount extends ChangeStamp {
  readonly accountId: number;
}

/**
 * Its API clients and tokens are gone with the commit, and its name with them; its number stays, so that it is given to
 * nobody else. False where it was closed before.
 */
export function* closeAccount(input: CloseAccount): Steps<boolean> {
  const { accountId, nowMs } = input;
  yield sql`update catalogue_generation set generation = generation + 1 where id = 1`;
  const { changed } = yield sql`
    update account
    set name = '', limits = null, retain_days = null, has_retention = null, insight_minimum = 1,
      removed_at = ${nowMs}
    where id = ${accountId} and removed_at is null`;
  if (changed === 0) return false;
  yield sql`
    delete from provisioning_token_use
    where token_id in (select id from provisioning_token where account_id = ${accountId})`;
  yield sql`
    delete from provisioning_token_use
    where token_id in (select id from api_client where account_id = ${accountId})`;
  yield sql`delete from provisioning_token where account_id = ${accountId}`;
  yield sql`delete from api_client where account_id = ${accountId}`;
  yield sql`delete from webhook where account_id = ${accountId}`;
  yield freePageNames(accountId, null);
  yield auditStatement(input, { accountId, action: 'account.remove', subject: `account ${accountId}` });
  return true;
}

type AccountTable = (typeof accountTables)[number];

/**
 * How what an account has is deleted: the key of each table without the account; null where it is not deleted here. The type
 * names every table of accounts, so that a new one has to say its key.
 */
const tablesOfAccount: Readonly<Record<AccountTable, readonly string[] | null>> = {
  // Entries stay until their own end: somebody may ask who removed the account.
  audit: null,
  // Numbers that are not given again.
  removed_source: null,
  // Users take the parts of their names with them.
  user_name_part: null,
  user_email: ['user_id', 'value_key'],
  group_member: ['group_id', 'member_id'],
  account_user: ['id'],
  user_group: ['id'],
  user_block: ['block'],
  user_counter: [],
  group_counter: [],
  user_guard: [],
  provisioning_request: ['id'],
  refused_count: ['day', 'survey_id', 'cause'],
  refused_response: ['id'],
  quarantined_response: ['id'],
  quarantine_room: [],
  background_task: ['name', 'scope'],
  webhook_delivery: ['webhook_id', 'id'],
  webhook_state: ['webhook_id'],
  session: ['token_hash'],
  passkey: ['id'],
  password: ['person_id'],
  one_time_link: ['code_hash'],
  role_grant: ['holder_kind', 'holder_id', 'role'],
  role_of_value: ['value'],
  user_connection: ['user_id'],
  used_logout: ['connection_id', 'jti'],
  connection: ['id'],
  revoked_invitation: ['invitation_id'],
  shared_view: ['id'],
  setup_link: [],
  admin_refusal: ['user_id', 'act'],
  // Sources are closed and emptied before; these are for what an append left that was under way.
  response_body: ['source_id', 'seq'],
  response_external: ['source_id', 'seq'],
  response: ['source_id', 'seq'],
  log_block: ['source_id', 'block'],
  log_block_group: ['source_id', 'block_group'],
  log_change: ['source_id', 'change_no'],
  log_day: ['source_id', 'day'],
  log_day_latent: ['source_id', 'day', 'latent_id'],
  insight_cursor: ['source_id', 'form'],
  insight_day: ['source_id', 'form', 'day', 'survey_no'],
  comment: ['source_id', 'form', 'seq', 'question_id'],
  comment_segment: ['source_id', 'form', 'segment'],
  comment_part: ['source_id', 'form', 'segment', 'part_group'],
  survey_used: ['survey_id'],
  survey: ['survey_id'],
  source: ['source_id'],
  log_counter: ['source_id'],
};

/** Deletes everything else that a closed account has. */
export async function emptyAccount(
  db: Db,
  accountId: number,
  onSlice: (table: string, rows: number) => void,
): Promise<void> {
  for (const [table, key] of Object.entries(tablesOfAccount)) {
    if (key === null) continue;
    if (table === 'account_user') await emptyUsers(db, accountId, onSlice);
    else await emptyTable(db, { accountId, sourceId: null, table, key }, onSlice);
  }
}

async function emptyUsers(
  db: Db,
  accountId: number,
  onSlice: (table: string, rows: number) => void,
): Promise<void> {
  for (;;) {
    const deleted = await db.write(deleteUsersSlice, { accountId });
    if (deleted > 0) onSlice('account_user', deleted);
    if (deleted < sliceRows) return;
  }
}

export function* deleteUsersSlice(
  { accountId }: { readonly accountId: number },
  dialect: Dialect,
): Steps<number> {
  yield* dialect.overwriteDeleted();
  const { rows } = yield sql`
    select id
    from account_user
    where account_id = ${accountId}
    order by id
    limit ${limitOf(sliceRows)}`;
  const ids = rows.map((row) => row.id as number);
  if (ids.length === 0) return 0;
  yield sql`
    delete from account_user
    where account_id = ${accountId} and ${dialect.isAmong(sql`id`, ids, 'integer')}`;
  // Elsewhere the table sees to that itself.
  if (dialect.isSpread) yield dialect.nameParts.deleteOf(accountId, ids);
  return ids.length;
}

// ---- what there is

interface AccountCounts {
  readonly measures: number;
  readonly projects: number;
  readonly responses: number;
  readonly users: number;
  readonly groups: number;
  readonly apiClients: number;
  readonly provisioningTokens: number;
}

export async function countAccount(db: Db, accountId: number): Promise<AccountCounts> {
  const count = async (query: Sql): Promise<number> => (await db.read<{ n: number }>(query))[0]?.n ?? 0;
  const ofAccount = sql`account_id = ${accountId}`;
  return {
    measures: await count(sql`select count(*) as n from source where ${ofAccount} and kind = 'measure'`),
    projects: await count(sql`select count(*) as n from source where ${ofAccount} and kind = 'project'`),
    responses: await count(
      sql`select cast(coalesce(sum(last_seq), 0) as bigint) as n from log_counter where ${ofAccount}`,
    ),
    users: await count(sql`select total as n from user_counter where ${ofAccount}`),
    groups: await count(sql`select total as n from group_counter where ${ofAccount}`),
    apiClients: await count(sql`select count(*) as n from api_client where ${ofAccount}`),
    provisioningTokens: await count(sql`select count(*) as n from provisioning_token where ${ofAccount}`),
  };
}

/** When the account was removed; null where it is there, undefined where there never was one. */
export async function accountRemovedAt(db: Db, accountId: number): Promise<number | null | undefined> {
  const [row] = await db.read<{ removed_at: number | null }>(sql`
    select removed_at from account where id = ${accountId}`);
  return row === undefined ? undefined : row.removed_at;
}
