// Brings the schema up to date. Several replicas may start at once: whoever makes a step holds one row until the step is
// committed, and the others wait for that row and look again. It is a row and not a lock of the session, because those
// hang behind a pooler; and when its holder dies, the transaction and the row are free again.

import sql, { raw } from 'sql-template-tag';
import { Problem } from '../../domain/problem.ts';
import { type Db, type Steps, UniqueViolation } from './db.ts';
import type { Dialect } from './dialect.ts';
import { steps } from './migrations/steps.ts';
import {
  functionsToSpread,
  placeForAccounts,
  shardByShard,
  spreadFunction,
  spreadTable,
  tablesToSpread,
  wouldLieOnCoordinator,
} from './postgres/citus.ts';

const patienceMs = 120_000;
// A table that has rows is copied to its workers, all of it in one transaction.
const spreadingMs = 12 * 3_600_000;
const spreadingLimits = { stillMs: spreadingMs, inAllMs: spreadingMs };

export interface SchemaStatus {
  readonly current: number;
  readonly wanted: number;
  readonly pending: readonly string[];
}

interface StepInput {
  readonly number: number;
  readonly nowMs: number;
}

export async function schemaStatus(db: Db): Promise<SchemaStatus> {
  const current = await currentStep(db);
  const pending = steps
    .filter(({ number }) => number > current)
    .map(({ number, name }) => `${number} ${name}`);
  return { current, wanted: steps.at(-1)?.number ?? 0, pending };
}

interface MigrateOptions {
  readonly beforeStep?: () => void | Promise<void>;
  /** What the patience is told by. */
  readonly elapsedMs?: () => number;
  /** All accounts may lie on the coordinator of a Citus that has no worker. */
  readonly isSingleNode?: boolean;
}

/** Returns the names of the steps that this call made, and the tables that it spread; an empty list means that there was nothing to do. */
export async function migrate(
  db: Db,
  now: () => number,
  { beforeStep = () => {}, elapsedMs = () => performance.now(), isSingleNode = false }: MigrateOptions = {},
): Promise<readonly string[]> {
  let deadlineMs = elapsedMs() + patienceMs;
  let before = -1;
  const made: string[] = [];
  let isPrepared = false;
  for (;;) {
    await beforeStep();
    const { pending, current } = await schemaStatus(db);
    // Whoever makes steps, this process or another one, is waited for.
    if (current !== before) deadlineMs = elapsedMs() + patienceMs;
    before = current;
    const next = steps.find(({ number }) => number > current);
    if (pending.length === 0 || next === undefined)
      return [...made, ...(await spreadTables(db, isSingleNode))];
    try {
      if (!isPrepared) await prepare(db);
      isPrepared = true;
      const input = { number: next.number, nowMs: now() };
      if (await db.write(takeMigrationStep, input)) made.push(`${next.number} ${next.name}`);
    } catch (error) {
      const isHeldUp = error instanceof Problem && error.code === 'STORE_TIMEOUT';
      if (!isHeldUp) throw error;
      if (elapsedMs() > deadlineMs)
        throw new Problem(
          'STORE_TIMEOUT',
          'Another process has been at one step of migrating the store for two minutes; look at it.',
        );
    }
  }
}

/** Where accounts are spread over machines, so are the tables that new steps have made (D-220). */
async function spreadTables(db: Db, isSingleNode: boolean): Promise<readonly string[]> {
  const spread: string[] = [];
  const left = await tablesToSpread(db);
  if (!isSingleNode && (await wouldLieOnCoordinator(db)))
    throw new Problem(
      'STORE_UNREACHABLE',
      'The server has the extension Citus and no worker yet: add one with "select citus_add_node(...)" and run "soundings migrate" again, or keep all accounts on this one machine with "soundings migrate --single-node" (docs/scaling.md).',
    );
  if (left.some(({ isCopied }) => !isCopied) && (await placeForAccounts(db)) === 'none')
    throw new Problem(
      'STORE_UNREACHABLE',
      `The server is the coordinator of a Citus that has no worker yet: add one with "select citus_add_node(...)" or, to keep all accounts on this one machine, let it have them with "select citus_set_node_property(HOST, PORT, 'shouldhaveshards', true)". Then run "soundings migrate" again (docs/scaling.md).`,
    );
  for (const spreading of left) {
    const { table, isCopied } = spreading;
    if (!(await db.write(spreadTable, spreading, spreadingLimits))) continue;
    spread.push(isCopied ? `${table}: copied to every machine` : `${table}: spread by account`);
  }
  for (const name of await functionsToSpread(db))
    if (await db.write(spreadFunction, { name }, spreadingLimits))
      spread.push(`${name}: done by the worker of the account`);
  return spread;
}

async function currentStep(db: Db): Promise<number> {
  if (!(await hasTable(db, 'schema_step'))) return 0;
  const [row] = await db.read<{ number: number | null }>(sql`
    select max(number) as number
    from schema_step`);
  return row?.number ?? 0;
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const [row] = await db.read<{ name: string | null }>(db.dialect.hasTable(name));
  return typeof row?.name === 'string';
}

/** Two replicas may create the first tables at once; the one that comes second finds them there. */
async function prepare(db: Db): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.write(createMigrationTables, {});
    } catch (error) {
      const isRace = error instanceof UniqueViolation || (error as { code?: string }).code === '42P07';
      if (!isRace || attempt > 5) throw error;
    }
  }
}

export function* createMigrationTables(_input: object, { types: { text, integer } }: Dialect): Steps<void> {
  yield raw(`create table if not exists schema_step (
    number ${integer} not null primary key,
    name ${text} not null,
    applied_at ${integer} not null
  )`);
  yield raw(`create table if not exists lease (
    name ${text} not null primary key,
    holder ${text} not null,
    until ${integer} not null
  )`);
}

/** Makes one step; false when another replica has made it already. */
export function* takeMigrationStep(
  { number, nowMs }: StepInput,
  { types, isSpread }: Dialect,
): Steps<boolean> {
  if (isSpread) yield* shardByShard();
  // Replicas of earlier releases look at the other two columns as well: for them the lease is always free.
  yield sql`
    insert into lease (name, holder, until)
    values ('migration', '', 0)
    on conflict (name) do update
    set holder = excluded.holder, until = excluded.until`;
  const made = yield sql`select number from schema_step where number = ${number}`;
  const step = steps.find((candidate) => candidate.number === number);
  if (made.rows.length > 0 || step === undefined) return false;
  for (const statement of step.statements(types)) yield raw(statement);
  if (step.fill !== undefined) yield* step.fill({ nowMs });
  yield sql`
    insert into schema_step (number, name, applied_at)
    values (${number}, ${step.name}, ${nowMs})`;
  return true;
}
