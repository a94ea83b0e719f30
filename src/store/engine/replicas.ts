// What replicas tell each other through the store: that they live, and whether there is maintenance.

import sql, { join } from 'sql-template-tag';
import { auditStatement, type ChangeStamp } from './audit.ts';
import { type Db, limitOf, type Steps } from './db.ts';

export interface SeenHeartbeat {
  readonly replica: string;
  /** By the clock of that replica: others see that it changes, and need not believe it. */
  readonly atMs: number;
}

export interface SharedState {
  readonly heartbeats: readonly SeenHeartbeat[];
  readonly isMaintenance: boolean;
  /** When it began; null where there is none. */
  readonly maintenanceSinceMs: number | null;
}

export async function sharedState(db: Db): Promise<SharedState> {
  const rows = await db.read<SeenHeartbeat & { maintenance: number }>(sql`
    select replica, at as "atMs", 0 as maintenance
    from heartbeat
    union all
    select '' as replica, since as "atMs", 1 as maintenance
    from maintenance
    order by 3 desc, 2 desc, 1
    limit 1000`);
  const since = rows.find(({ maintenance }) => maintenance === 1);
  return {
    heartbeats: rows.filter(({ maintenance }) => maintenance === 0),
    isMaintenance: since !== undefined,
    maintenanceSinceMs: since?.atMs ?? null,
  };
}

export interface Beat {
  readonly replica: string;
  readonly nowMs: number;
  readonly forgetBeforeMs: number;
  /** Others whose row has not changed for so long that they must be gone. */
  readonly gone?: readonly string[];
  /** What the replica says about itself, as JSON; left out, what it said before stays. */
  readonly facts?: string;
}

export function* beat(input: Beat): Steps<void> {
  yield sql`
    insert into heartbeat (replica, at, facts)
    values (${input.replica}, ${input.nowMs}, ${input.facts ?? null})
    on conflict (replica) do update
    set at = excluded.at, facts = coalesce(excluded.facts, heartbeat.facts)`;
  yield sql`delete from heartbeat where at < ${input.forgetBeforeMs}`;
  const { gone = [] } = input;
  if (gone.length > 0) yield sql`delete from heartbeat where replica in (${join(gone)})`;
}

export function* endHeartbeat(input: { replica: string }): Steps<void> {
  yield sql`delete from heartbeat where replica = ${input.replica}`;
}

/** What a replica has said about itself. */
export interface ToldFacts extends SeenHeartbeat {
  /** Null where it has said nothing, or more than anybody reads. */
  readonly facts: string | null;
}

/**
 * Of some that are known to live, then of those that beat last. Whatever wrote the column, no more of it is read than a replica
 * may say.
 */
export function toldFacts(
  db: Db,
  live: readonly string[],
  { bytesMax, take }: { readonly bytesMax: number; readonly take: number },
): Promise<readonly ToldFacts[]> {
  return db.read<ToldFacts>(sql`
    select replica, at as "atMs", case when length(facts) <= ${bytesMax} then facts end as facts
    from heartbeat
    order by case when ${db.dialect.isAmong(sql`replica`, live, 'text')} then 0 else 1 end, at desc, replica
    limit ${limitOf(take)}`);
}

/** Returns whether this changed anything: switching on twice is one maintenance. */
export function* setMaintenance(input: ChangeStamp & { readonly on: boolean }): Steps<boolean> {
  const { changed } = input.on
    ? yield sql`insert into maintenance (id, since) values (1, ${input.nowMs}) on conflict (id) do nothing`
    : yield sql`delete from maintenance where id = 1`;
  yield auditStatement(input, {
    accountId: null,
    action: input.on ? 'maintenance.on' : 'maintenance.off',
    subject: 'store',
  });
  return changed > 0;
}

/** The clock of the database server, to hold against ours; the embedded store has none of its own. */
export async function storeClock(db: Db): Promise<number | null> {
  const { clock } = db.dialect;
  if (clock === null) return null;
  const [row] = await db.read<{ at: number }>(clock);
  return row?.at ?? null;
}
