// What the store knows of its backups. Only what was found good counts as a backup; the rows are few, and the oldest go.

import sql from 'sql-template-tag';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';

/**
 * `made`: by us, and checked. `reported`: by an operator, who made it with the tools of the database. `failed`: inside the
 * service. `restored`: this store came from it.
 */
export type BackupKind = 'made' | 'reported' | 'failed' | 'restored';

export interface BackupRecord {
  readonly kind: BackupKind;
  /** When the backup was begun: everything that was acknowledged before is in it. */
  readonly atMs: number;
  /** The file, or what the operator says of it. */
  readonly place: string | null;
  readonly bytes: number | null;
  /** Of one that failed: why. */
  readonly detail: string | null;
}

export interface KnownBackups {
  /** The youngest good one; null where none is known, or all are dated in the future. */
  readonly lastGood: BackupRecord | null;
  /** Present when something failed after the last one that was made. */
  readonly lastFailure: BackupRecord | null;
  /** Whether a good one is dated in the future, which a clock that was wrong does. */
  readonly isAnyOfFuture: boolean;
  /** All that are kept, newest first. */
  readonly records: readonly BackupRecord[];
}

const recordsMax = 50;
const ofKindMax = 10;
const good: ReadonlySet<BackupKind> = new Set(['made', 'reported']);

/** Null where the schema is of before there were records. */
export async function knownBackups(db: Db, nowMs: number): Promise<KnownBackups | null> {
  if (!(await hasBackupRecords(db))) return null;
  const records = await db.read<BackupRecord>(sql`
    select kind, at as "atMs", place, bytes, detail
    from backup_record
    order by number desc
    limit ${recordsMax}`);
  const all = records.filter(({ kind }) => good.has(kind));
  const past = all.filter(({ atMs }) => atMs <= nowMs).toSorted((one, other) => other.atMs - one.atMs);
  // The order in which they were written tells what came last, whatever the clock said.
  const last = records.find(({ kind }) => kind === 'made' || kind === 'failed');
  return {
    lastGood: past[0] ?? null,
    lastFailure: last?.kind === 'failed' ? last : null,
    isAnyOfFuture: past.length < all.length,
    records,
  };
}

export async function hasBackupRecords(db: Db): Promise<boolean> {
  const [row] = await db.read<{ name: string | null }>(db.dialect.hasTable('backup_record'));
  return typeof row?.name === 'string';
}

export interface RecordBackup extends BackupRecord, ChangeStamp {}

const actions = { made: 'backup.made', reported: 'backup.reported', restored: 'store.restored' } as const;

/** A record more. Those of failures are kept apart from the rest, so that they push no good one out. */
export function* recordBackup(input: RecordBackup): Steps<void> {
  const { kind, atMs, nowMs, place, bytes, detail } = input;
  // Whoever records holds this row until the commit, so that two do not take the same number.
  yield sql`
    insert into lease (name, holder, until)
    values ('backup record', '', 0)
    on conflict (name) do update
    set holder = excluded.holder`;
  const { rows } = yield sql`select coalesce(max(number), 0) as last from backup_record`;
  const number = (rows[0] as { last: number }).last + 1;
  yield sql`
    insert into backup_record (number, kind, at, recorded_at, place, bytes, detail)
    values (${number}, ${kind}, ${atMs}, ${nowMs}, ${place}, ${bytes}, ${detail})`;
  yield sql`
    delete from backup_record
    where kind = ${kind} and number not in (
      select number
      from backup_record
      where kind = ${kind}
      order by number desc
      limit ${ofKindMax}
    )`;
  if (kind === 'failed') return;
  yield auditStatement(input, { accountId: null, action: actions[kind], subject: place ?? 'store' });
}
