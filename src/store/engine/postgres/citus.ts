// Where PostgreSQL has the Citus extension, the tables of accounts are spread over its workers: all rows of an account lie
// on one worker, in one group of tables that are spread alike, so that a transaction of an account needs that worker and
// no other. Small tables that are read for everybody and hardly ever written have a copy on every machine. What the
// replicas write all the time stays on the coordinator, so that no worker is needed for it (D-220).

import sql, { type Sql } from 'sql-template-tag';
import type { Db, Steps } from '../db.ts';

/** A copy of each on every machine. First the account, which the others refer to. */
export const copiedTables = [
  'account',
  'store',
  'signing_key',
  'sealing_key',
  'api_client',
  'provisioning_token',
  'webhook',
  'survey_owner',
  'page_name',
  'operator',
] as const;

/** On the coordinator alone: written by every replica every few seconds, or by accounts in turn. */
export const coordinatorTables = [
  'heartbeat',
  'maintenance',
  'lease',
  'schema_step',
  'catalogue_generation',
  'user_range',
  'provisioning_token_use',
  'backup_record',
  'job',
  'trusted_time',
] as const;

/** Spread by `account_id`. The first leads the group that the others join. */
export const accountTables = [
  'log_counter',
  'audit',
  'source',
  'survey',
  'survey_used',
  'response',
  'response_body',
  'response_external',
  'log_block',
  'log_block_group',
  'log_day',
  'log_day_latent',
  'log_change',
  'account_user',
  'user_counter',
  'user_block',
  'user_email',
  'user_name_part',
  'user_group',
  'group_member',
  'group_counter',
  'provisioning_request',
  'user_guard',
  'refused_count',
  'refused_response',
  'quarantine_room',
  'quarantined_response',
  'background_task',
  'removed_source',
  'webhook_delivery',
  'webhook_state',
  'passkey',
  'password',
  'one_time_link',
  'session',
  'role_grant',
  'role_of_value',
  'connection',
  'user_connection',
  'used_logout',
  'revoked_invitation',
  'insight_cursor',
  'insight_day',
  'comment',
  'comment_segment',
  'comment_part',
  'shared_view',
  'setup_link',
  'admin_refusal',
] as const;

interface Spreading {
  readonly table: string;
  readonly isCopied: boolean;
}

/** The tables that should be spread or copied and are not, in the order in which that can be done. */
export async function tablesToSpread(db: Db): Promise<readonly Spreading[]> {
  if (!db.dialect.isSpread) return [];
  const rows = await db.read<{ name: string }>(tablesLeft);
  const left = new Set(rows.map(({ name }) => name));
  return [
    ...copiedTables.map((table) => ({ table, isCopied: true })),
    ...accountTables.map((table) => ({ table, isCopied: false })),
  ].filter(({ table }) => left.has(table));
}

/** Tables of this schema that lie on the coordinator alone. */
const tablesLeft: Sql = sql`
  select relname as name
  from pg_class
  where relkind = 'r'
    and relnamespace = to_regnamespace(current_schema())
    and oid not in (
      select logicalrelid
      from pg_dist_partition
      where partmethod = 'h' or repmodel = 't'
    )
  order by relname
  limit 1000`;

/** Spreads one table; false when another process has done so meanwhile. */
export function* spreadTable({ table, isCopied }: Spreading): Steps<boolean> {
  yield* takeTurn();
  const { rows } = yield tablesLeft;
  if (!rows.some(({ name }) => name === table)) return false;
  // Its work is done by our own statements; it was for replicas of a release before Citus was known.
  if (table === 'account_user') yield sql`drop trigger if exists account_user_deleted on account_user`;
  const [leader] = accountTables;
  if (isCopied) yield sql`select create_reference_table(${table})`;
  else
    yield sql`
      select create_distributed_table(${table}, 'account_id', colocate_with => ${table === leader ? 'none' : leader})`;
  return true;
}

/** Which machines may have rows of accounts. Without any node the coordinator becomes one when something is first spread. */
export async function placeForAccounts(db: Db): Promise<'workers' | 'coordinator' | 'none'> {
  const [row] = await db.read<{ nodes: number; workers: number; places: number }>(sql`
    select count(*) as nodes,
      count(*) filter (where shouldhaveshards and noderole = 'primary' and groupid <> 0) as workers,
      count(*) filter (where shouldhaveshards and noderole = 'primary') as places
    from pg_dist_node`);
  if (row !== undefined && row.workers > 0) return 'workers';
  return row === undefined || row.nodes === 0 || row.places > 0 ? 'coordinator' : 'none';
}

/** Whether nothing is spread yet and all accounts would come to lie on the coordinator, which whoever registers workers later regrets. */
export async function wouldLieOnCoordinator(db: Db): Promise<boolean> {
  if (!db.dialect.isSpread) return false;
  const spread = await db.read(sql`
    select 1 as found
    from pg_dist_partition
    where logicalrelid = to_regclass(${accountTables[0]})
    limit 1`);
  return spread.length === 0 && (await placeForAccounts(db)) === 'coordinator';
}

/** The functions that Citus hands on to the worker of the account that they name first. */
export const accountFunctions = ['append_account_responses'] as const;

/** Those of them that it does not hand on yet. */
export async function functionsToSpread(db: Db): Promise<readonly string[]> {
  if (!db.dialect.isSpread) return [];
  const rows = await db.read<{ name: string }>(functionsHandedOn);
  return accountFunctions.filter((name) => rows.every((row) => row.name !== name));
}

const functionsHandedOn: Sql = sql`
  select proname as name
  from pg_dist_object
  join pg_proc on pg_proc.oid = pg_dist_object.objid
  where classid = 'pg_proc'::regclass and distribution_argument_index is not null
  limit 1000`;

export function* spreadFunction({ name }: { readonly name: string }): Steps<boolean> {
  yield* takeTurn();
  const { rows } = yield functionsHandedOn;
  if (rows.some((row) => row.name === name)) return false;
  yield sql`
    select create_distributed_function(oid::regprocedure, 'account', colocate_with => ${accountTables[0]})
    from pg_proc
    where proname = ${name} and pronamespace = to_regnamespace(current_schema())`;
  return true;
}

/** One process spreads at a time, like the steps of the schema (migrate.ts). */
function* takeTurn(): Steps<void> {
  yield* shardByShard();
  yield sql`
    insert into lease (name, holder, until)
    values ('migration', '', 0)
    on conflict (name) do update
    set holder = excluded.holder, until = excluded.until`;
}

/** Statements of one transaction that change many shards go from one to the next: each connection would lock out another. */
export function* shardByShard(): Steps<void> {
  yield sql`set local citus.multi_shard_modify_mode = 'sequential'`;
}

/** The account that a question names, as every question of a table of accounts does (D-222); null for others. */
export function accountOfQuery({ strings, values }: Sql): number | null {
  const at = strings.findIndex((text) => endsWithAccount.test(text));
  const value = at === -1 ? null : values[at];
  return typeof value === 'number' ? value : null;
}

const endsWithAccount = /\baccount_id = $/;

/** The account that a change is about. A batch is of one account (D-221). */
export function accountOfInput(input: OfAccount): number | null {
  const [part] = input.items ?? input.accounts ?? [];
  return input.accountId ?? part?.accountId ?? null;
}

interface OfAccount {
  readonly accountId?: number;
  readonly items?: readonly Pick<OfAccount, 'accountId'>[];
  readonly accounts?: readonly Pick<OfAccount, 'accountId'>[];
}

/** The number of the machine that has an account; asked of the coordinator alone. */
export function workerOfAccount(accountId: number): Sql {
  return sql`
    select groupid as worker
    from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column(${accountTables[0]}, cast(${accountId} as bigint))
    limit 1`;
}

/**
 * Asked like this, a machine that hangs holds up nobody on the coordinator: other statements for it stay there after they
 * were cancelled, until the machine answers. It needs no table, so no lock is in its way.
 */
export function questionToWorker(worker: number): Sql {
  return sql`
    select asked.success
    from pg_dist_node as node
    cross join lateral master_run_on_worker(
      array[node.nodename], array[node.nodeport], array['select 1'], false
    ) as asked
    where node.groupid = ${worker} and node.noderole = 'primary'
    limit 1`;
}

export interface Worker {
  readonly name: string;
  readonly port: number;
  /** How many parts of each table of accounts it has. */
  readonly shards: number;
  readonly answers: boolean;
  /** Whether a commit there waits for the disk; null where it does not answer. */
  readonly isDurable: boolean | null;
}

/** The machines that have accounts, beside the coordinator; none where accounts are not spread. */
export async function workersOf(db: Db): Promise<readonly Worker[]> {
  if (!db.dialect.isSpread) return [];
  const rows = await db.read<Omit<Worker, 'answers' | 'isDurable'> & { success: number; result: string }>(sql`
    select asked.nodename as name, asked.nodeport as port, asked.success, asked.result, (
      select count(*)
      from pg_dist_placement
      join pg_dist_shard on pg_dist_shard.shardid = pg_dist_placement.shardid
      where pg_dist_placement.groupid = pg_dist_node.groupid
        and pg_dist_shard.logicalrelid = to_regclass(${accountTables[0]})
    ) as shards
    from run_command_on_workers(${`select concat_ws(',', ${durabilitySettings})`}) as asked
    join pg_dist_node on pg_dist_node.nodename = asked.nodename and pg_dist_node.nodeport = asked.nodeport
    order by asked.nodename, asked.nodeport
    limit 1000`);
  return rows.map(({ success, result, ...worker }) => ({
    ...worker,
    answers: success === 1,
    isDurable: success === 1 ? /^(on|remote_apply),on,on$/.test(result) : null,
  }));
}

const durabilitySettings = ['synchronous_commit', 'fsync', 'full_page_writes']
  .map((name) => `current_setting('${name}')`)
  .join(', ');
