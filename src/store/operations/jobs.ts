// Work that somebody has started in the console and that goes on for a while: who started it, how far it is, what came of it. A
// row a job, so that any replica can tell; the process that works says so every few seconds, and where it has not for a minute
// it is gone, and another may begin anew (D-611).

import sql, { type Sql } from 'sql-template-tag';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';

interface Job {
  readonly name: string;
  readonly actor: string;
  readonly beganAtMs: number;
  readonly updatedAtMs: number;
  readonly endedAtMs: number | null;
  /** JSON in the words of whoever works. */
  readonly report: string;
}

/** So long after its last word the process that works is taken for gone. */
const jobGoneMs = 60_000;
/** Longer reports are cut by whoever writes them. */
export const reportBytesMax = 64 * 1024;
const keptMs = 30 * 86_400_000;

/** Whether somebody works on it now, as far as can be told. */
export function isJobLive({ endedAtMs, updatedAtMs }: Job, nowMs: number): boolean {
  return endedAtMs === null && Math.abs(nowMs - updatedAtMs) < jobGoneMs;
}

interface BeginJob extends ChangeStamp {
  readonly name: string;
  /** Of this run: what an earlier one still has to say is not heard. */
  readonly runId: string;
  readonly report: string;
  /** As the audit log calls it; null where the change that began it is there already. */
  readonly action: string | null;
}

/** False where it is under way. */
export function* beginJob(input: BeginJob): Steps<boolean> {
  const { name, runId, actor, report, nowMs, action } = input;
  const { changed } = yield sql`
    insert into job (name, run_id, actor, began_at, updated_at, ended_at, report)
    values (${name}, ${runId}, ${actor}, ${nowMs}, ${nowMs}, null, ${report})
    on conflict (name) do update
    set run_id = excluded.run_id, actor = excluded.actor, began_at = excluded.began_at,
      updated_at = excluded.updated_at, ended_at = null, report = excluded.report
    where job.ended_at is not null or job.updated_at <= ${nowMs - jobGoneMs} or job.updated_at >= ${nowMs + jobGoneMs}`;
  if (changed === 0) return false;
  yield sql`delete from job where ${endedJobs(yield* trustedNow(nowMs))}`;
  if (action !== null) yield auditStatement(input, { accountId: null, action, subject: name });
  return true;
}

function endedJobs(now: TrustedMs): Sql {
  return sql`ended_at < ${now - keptMs}`;
}

interface NoteJob {
  readonly name: string;
  readonly runId: string;
  readonly report: string;
  readonly nowMs: number;
  readonly isEnded: boolean;
}

/** False where another run has taken its place. */
export function* noteJob({ name, runId, report, nowMs, isEnded }: NoteJob): Steps<boolean> {
  const { changed } = yield sql`
    update job
    set updated_at = ${nowMs}, ended_at = ${isEnded ? nowMs : null}, report = ${report}
    where name = ${name} and run_id = ${runId} and ended_at is null`;
  return changed === 1;
}

/** Whoever did the work by another way says that nothing is left of it. */
export function* dropJob({ name }: { readonly name: string }): Steps<void> {
  yield sql`delete from job where name = ${name}`;
}

const columns = sql`name, actor, began_at as "beganAtMs", updated_at as "updatedAtMs", ended_at as "endedAtMs", report`;

export async function findJob(db: Db, name: string): Promise<Job | null> {
  const [row] = await db.read<Job>(sql`select ${columns} from job where name = ${name}`);
  return row ?? null;
}

/** Those whose names begin with a word, the newest first. */
export function jobsNamed(db: Db, word: string, take: number): Promise<readonly Job[]> {
  return db.read<Job>(sql`
    select ${columns}
    from job
    where name > ${`${word} `} and name < ${`${word}!`}
    order by began_at desc, name
    limit ${limitOf(take)}`);
}
