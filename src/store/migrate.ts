// Brings the schema up to date. Several replicas may start at once: a lease row lets one of them work while
// the others wait and look. It is a row and not a lock of the session, because those hang behind a pooler.

import sql, { raw } from 'sql-template-tag';
import { Problem } from '../domain/problem.ts';
import { type Db, type Steps, UniqueViolation } from './db.ts';
import { steps, typesOf } from './migrations/steps.ts';

const leaseMs = 30_000;
const lookAgainMs = 100;
const patienceMs = 120_000;

export interface SchemaStatus {
  readonly current: number;
  readonly wanted: number;
  readonly pending: readonly string[];
}

interface StepInput {
  readonly engine: Db['engine'];
  readonly number: number;
  readonly holder: string;
  readonly nowMs: number;
}

export async function schemaStatus(db: Db): Promise<SchemaStatus> {
  const current = await currentStep(db);
  const pending = steps
    .filter(({ number }) => number > current)
    .map(({ number, name }) => `${number} ${name}`);
  return { current, wanted: steps.at(-1)?.number ?? 0, pending };
}

/** Returns the names of the steps that this call made; an empty list means that there was nothing to do. */
export async function migrate(db: Db, holder: string, now: () => number): Promise<readonly string[]> {
  if ((await schemaStatus(db)).pending.length === 0) return [];
  await prepare(db);
  const startedAtMs = now();
  const made: string[] = [];
  for (;;) {
    const { pending, current } = await schemaStatus(db);
    const next = steps.find(({ number }) => number > current);
    if (pending.length === 0 || next === undefined) {
      // Whoever comes next, with further steps, need not wait for the lease to run out.
      if (made.length > 0) await db.write(endMigrationLease, { holder });
      return made;
    }
    const input = { engine: db.engine, number: next.number, holder, nowMs: now() };
    if (await db.write(takeMigrationStep, input)) made.push(`${next.number} ${next.name}`);
    else if (now() - startedAtMs > patienceMs) {
      throw new Problem(
        'STORE_TIMEOUT',
        'Another process has been migrating the store for two minutes; look at it.',
      );
    } else await new Promise((resume) => setTimeout(resume, lookAgainMs));
  }
}

async function currentStep(db: Db): Promise<number> {
  if (!(await hasTable(db, 'schema_step'))) return 0;
  const [row] = await db.read<{ number: number | null }>(sql`
    select max(number) as number
    from schema_step`);
  return row?.number ?? 0;
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const query =
    db.engine === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table' and name = ${name}`
      : sql`select to_regclass(${name}) as name`;
  const [row] = await db.read<{ name: string | null }>(query);
  return typeof row?.name === 'string';
}

/** Two replicas may create the first tables at once; the one that comes second finds them there. */
async function prepare(db: Db): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.write(createMigrationTables, { engine: db.engine });
    } catch (error) {
      const isRace = error instanceof UniqueViolation || (error as { code?: string }).code === '42P07';
      if (!isRace || attempt > 5) throw error;
    }
  }
}

export function* createMigrationTables({ engine }: { engine: Db['engine'] }): Steps<void> {
  const { text, integer } = typesOf[engine];
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

/** Takes the lease and makes one step; false when another replica holds it or has made the step already. */
export function* takeMigrationStep(input: StepInput): Steps<boolean> {
  const { engine, number, holder, nowMs } = input;
  const lease = yield sql`
    insert into lease (name, holder, until)
    values ('migration', ${holder}, ${nowMs + leaseMs})
    on conflict (name) do update
    set holder = excluded.holder, until = excluded.until
    where lease.until < ${nowMs} or lease.holder = ${holder}
    returning holder`;
  if (lease.rows.length === 0) return false;
  const made = yield sql`select number from schema_step where number = ${number}`;
  const step = steps.find((candidate) => candidate.number === number);
  if (made.rows.length > 0 || step === undefined) return false;
  for (const statement of step.statements(typesOf[engine])) yield raw(statement);
  yield sql`
    insert into schema_step (number, name, applied_at)
    values (${number}, ${step.name}, ${nowMs})`;
  return true;
}

export function* endMigrationLease({ holder }: { holder: string }): Steps<void> {
  yield sql`delete from lease where name = 'migration' and holder = ${holder}`;
}
