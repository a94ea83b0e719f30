// A PostgreSQL that says of itself that it spreads accounts over two workers. It has the tables and functions of Citus
// that the program asks for, under the same names, and keeps everything in one place; a worker can be lost. What the
// program does about that is the same as with Citus, which no package brings.

import { accountTables } from '../../src/store/engine/postgres/citus.ts';
import { isSpread, newPlainPostgres, type TestStore } from './engines.ts';
import { createPostgresServer } from './postgres-server.ts';
import { storeRows } from './store-rows.ts';

const statements = [
  `set allow_system_table_mods = on;
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  select 99999, 'citus', oid, 'public'::regnamespace, false, '13.2-1' from pg_roles where rolname = current_user`,
  'create schema citus',
  'create table citus.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char")',
  `create table citus.pg_dist_node (
    groupid int, nodename text, nodeport int, answers boolean,
    hangs boolean not null default false, moves boolean not null default false, noderole text not null default 'primary',
    shouldhaveshards boolean not null default true
  )`,
  // Counts on, whatever becomes of the transaction that asked.
  'create sequence citus.left_unanswered',
  'create sequence citus.refused',
  'create sequence citus.written_by_name',
  `insert into citus.pg_dist_node values (1, 'one.test', 5432, true), (2, 'two.test', 5432, true)`,
  'create table citus.pg_dist_placement (shardid bigint, groupid int)',
  'create table citus.pg_dist_shard (shardid bigint, logicalrelid regclass)',
  'create table citus.pg_dist_local_group (groupid int)',
  'insert into citus.pg_dist_local_group values (1), (2)',
  'create table citus.pg_dist_object (classid oid, objid oid, distribution_argument_index int)',
  `create function citus.create_distributed_function(function regprocedure, argument text, colocate_with text)
    returns void language sql as $$
    insert into citus.pg_dist_object values ('pg_proc'::regclass, function, 0)
  $$`,
  // The shards of a table are views of all of it.
  `create function citus.get_shard_id_for_distribution_column(name text, value bigint) returns bigint language sql as $$
    select 2 - value % 2
  $$`,
  `create function citus.citus_total_relation_size(relation regclass, fail_on_error boolean) returns bigint language sql as $$
    select pg_total_relation_size(relation)
  $$`,
  `create function citus.create_reference_table(name text) returns void language sql as $$
    insert into citus.pg_dist_partition values (name::regclass, 'n', 't')
  $$`,
  `create function citus.create_distributed_table(name text, key text, colocate_with text) returns void language sql as $$
    insert into citus.pg_dist_partition values (name::regclass, 'h', 's');
    insert into citus.pg_dist_shard select number, name::regclass from generate_series(1, 2) as number
    where colocate_with = 'none';
    insert into citus.pg_dist_placement select number, number from generate_series(1, 2) as number
    where colocate_with = 'none'
  $$`,
  `create function citus.run_command_on_workers(command text)
    returns table (nodename text, nodeport int, success boolean, result text) language sql as $$
    select nodename, nodeport, answers, case when answers then 'on,on,on' else 'connection refused' end from citus.pg_dist_node
  $$`,
  `create function citus.master_run_on_worker(names text[], ports int[], commands text[], parallel boolean)
    returns table (node_name text, node_port int, success boolean, result text) language plpgsql as $$
  begin
    if (select hangs from citus.pg_dist_node where nodename = names[1]) then
      perform pg_sleep(60);
    end if;
    return query select names[1], ports[1], answers, '1' from citus.pg_dist_node where nodename = names[1];
  end
  $$`,
];

/** Refuses every change of the accounts of a lost worker, or leaves it unanswered, as Citus does: account numbers that are odd lie on the first. */
const lostShards = [
  `create function citus.refuse() returns trigger language plpgsql as $$
  begin
    if exists (
      select from citus.pg_dist_node where not answers and groupid = 2 - new.account_id % 2
    ) then
      perform nextval('citus.refused');
      raise exception E'connection to the remote node soundings@worker:5432 failed with the following error: refused\\n\\tIs it running?' using errcode = '08006';
    end if;
    if exists (
      select from citus.pg_dist_node where hangs and groupid = 2 - new.account_id % 2
    ) then
      perform nextval('citus.left_unanswered');
      perform pg_sleep(60);
    end if;
    return new;
  end
  $$`,
  `create trigger refuse before insert or update on log_counter for each row execute function citus.refuse()`,
  // A move of the account that ends while somebody waits to change its counter.
  `create function citus.move() returns trigger language plpgsql as $$
  begin
    delete from citus.pg_dist_placement
    where groupid = (select groupid from citus.pg_dist_node where moves and groupid = 2 - new.account_id % 2);
    return new;
  end
  $$`,
  `create trigger move after update on log_counter for each row execute function citus.move()`,
  `create function citus.note_name() returns trigger language plpgsql as $$
  begin
    if current_query() like '%append_account_responses%' then
      perform nextval('citus.written_by_name');
    end if;
    return new;
  end
  $$`,
  `create trigger note_name before insert on response for each row execute function citus.note_name()`,
  ...['response', 'response_body', 'survey_used'].flatMap((table) =>
    [1, 2].map((shard) => `create view ${table}_${shard} as select * from ${table}`),
  ),
  `create trigger refuse before insert or update on user_counter for each row execute function citus.refuse()`,
];

/**
 * Questions about the accounts of a lost worker are refused too. The user who made a table sees all of it, so the service
 * has another one.
 */
const lostRows = (user: string): readonly string[] => [
  `create function citus.is_there(account_id bigint) returns boolean language plpgsql as $$
  begin
    if exists (select from citus.pg_dist_node where not answers and groupid = 2 - account_id % 2) then
      perform nextval('citus.refused');
      raise exception E'connection to the remote node soundings@worker:5432 failed with the following error: refused\\n\\tIs it running?' using errcode = '08006';
    end if;
    return true;
  end
  $$`,
  `create role ${user} login password '${user}'`,
  `grant all on schema public, citus to ${user}`,
  `grant all on all tables in schema public, citus to ${user}`,
  `grant all on all sequences in schema public, citus to ${user}`,
  ...accountTables.flatMap((table) => [
    `alter table ${table} enable row level security`,
    `create policy is_there on ${table} using (citus.is_there(account_id)) with check (true)`,
  ]),
];

export interface CitusLookAlike extends TestStore {
  /** For the service, once workers can be lost. */
  readonly serviceUrl: string;
  /** After the schema is there: from now on workers can be lost. */
  watchShards(): Promise<void>;
  setWorker(number: 1 | 2, answers: boolean): Promise<void>;
  /** Takes everything and answers nothing, or answers again. */
  setHanging(number: 1 | 2, hangs: boolean): Promise<void>;
  /** How many changes have reached a worker that hangs. */
  leftUnanswered(): Promise<number>;
  /** How many statements were for a worker that is away. */
  refused(): Promise<number>;
  /** All its accounts are moved away by the next change of a counter, or are on it again. */
  setMoving(number: 1 | 2, moves: boolean): Promise<void>;
  /** How many responses were written into shards by their name. */
  writtenByName(): Promise<number>;
}

export async function newCitusLookAlike(): Promise<CitusLookAlike> {
  const store = await storeWithoutCitus();
  const run = (all: readonly string[]) => storeRows(store.databaseUrl, all.join(';\n'));
  const countOf = async (sequence: string): Promise<number> => {
    const [row] = await run([
      `select case when is_called then last_value else 0 end as count from citus.${sequence}`,
    ]);
    return Number(row!.count);
  };
  await run(statements);
  const url = new URL(store.databaseUrl);
  const database = url.pathname.slice(1);
  await run([`alter database ${database} set search_path = public, citus`]);
  const user = `u_${database}`;
  url.username = user;
  url.password = user;
  return {
    ...store,
    serviceUrl: url.href,
    watchShards: async () => void (await run([...lostShards, ...lostRows(user)])),
    async dispose() {
      await run([`drop owned by ${user}`, `drop role ${user}`]).catch(() => {});
      await store.dispose();
    },
    setHanging: async (number, hangs) =>
      void (await run([`update citus.pg_dist_node set hangs = ${hangs} where groupid = ${number}`])),
    leftUnanswered: () => countOf('left_unanswered'),
    refused: () => countOf('refused'),
    writtenByName: () => countOf('written_by_name'),
    setMoving: async (number, moves) =>
      void (await run([
        `update citus.pg_dist_node set moves = ${moves} where groupid = ${number}`,
        `delete from citus.pg_dist_placement where groupid = ${number}`,
        `insert into citus.pg_dist_placement values (${number}, ${number})`,
      ])),
    setWorker: async (number, answers) =>
      void (await run([`update citus.pg_dist_node set answers = ${answers} where groupid = ${number}`])),
  };
}

/** A server that has loaded Citus knows its tables by their places, and does not take these for them. */
async function storeWithoutCitus(): Promise<TestStore> {
  if (!(await isSpread())) return newPlainPostgres();
  const server = await createPostgresServer({ isSynced: false });
  await server.start();
  return { databaseUrl: server.url, dispose: () => server.dispose() };
}
