// Accounts that are removed in the console. The account is closed at once, and its rows go in slices, one account at a time, beside
// the requests of this process; how far it has come is kept, so that every replica can tell, and a removal whose process is gone
// is seen and goes on when it is asked for again (D-614).

import type { Context } from '../../context.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { emptyEverything, removalJob } from '../../store/feedback/account-removal.ts';
import { accountRemovedAt, closeAccount } from '../../store/feedback/removal.ts';
import { beginJob, isJobLive, jobsNamed, noteJob } from '../../store/operations/jobs.ts';

const waitingMax = 20;
const listedMax = 100;
const noteEveryMs = 1_000;
const failureMax = 300;

interface Removal {
  readonly accountId: number;
  /** `lost`: the process that removed it is gone. */
  readonly state: 'runs' | 'ended' | 'failed' | 'lost';
  readonly actor: string;
  readonly began: string;
  readonly ended: string | null;
  readonly rows: number;
  readonly failure: string | null;
}

interface Report {
  readonly rows: number;
  readonly failure: string | null;
}

class Stopped extends Error {}

export class AccountRemovals {
  readonly #context: Context;
  readonly #waiting = new Set<number>();
  #line: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Closes the account and begins to empty it; one that was closed before goes on. */
  async start(stamp: ChangeStamp, accountId: number): Promise<void> {
    const { db, newId } = this.#context;
    if (this.#waiting.has(accountId)) return;
    if (this.#waiting.size >= waitingMax || this.#isStopping)
      throw new Problem(
        'CONFLICT',
        `${waitingMax} accounts are being removed already: wait for one of them.`,
      );
    const removedAt = await accountRemovedAt(db, accountId);
    if (removedAt === undefined) throw new Problem('ACCOUNT_NOT_FOUND', `There is no account ${accountId}.`);
    if (removedAt === null) await db.write(closeAccount, { ...stamp, accountId });
    const runId = newId();
    const begun = await db.write(beginJob, {
      ...stamp,
      changeId: newId(),
      name: removalJob(accountId),
      runId,
      report: JSON.stringify({ rows: 0, failure: null } satisfies Report),
      action: null,
    });
    if (!begun) return;
    this.#waiting.add(accountId);
    this.#line = this.#run(stamp, accountId, runId, this.#line);
  }

  /** The newest first. */
  async list(): Promise<readonly Removal[]> {
    const jobs = await jobsNamed(this.#context.db, 'removal', listedMax);
    const nowMs = this.#context.now();
    return jobs.map((job) => {
      const { rows, failure } = reportIn(job.report);
      const isLive = isJobLive(job, nowMs);
      const ended = failure === null ? 'ended' : 'failed';
      return {
        accountId: Number(job.name.slice('removal '.length)),
        state: job.endedAtMs !== null ? ended : isLive ? 'runs' : 'lost',
        actor: job.actor,
        began: new Date(job.beganAtMs).toISOString(),
        ended: job.endedAtMs === null ? null : new Date(job.endedAtMs).toISOString(),
        rows,
        failure,
      };
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#line;
  }

  /** Never fails: what went wrong is on record, and the same request goes on. */
  async #run(stamp: ChangeStamp, accountId: number, runId: string, before: Promise<void>): Promise<void> {
    const { db, now, newId, log } = this.#context;
    const name = removalJob(accountId);
    let rows = 0;
    let failure: string | null = null;
    let noting: Promise<unknown> = Promise.resolve();
    const note = (isEnded: boolean): Promise<unknown> =>
      db
        .write(noteJob, {
          name,
          runId,
          report: JSON.stringify({ rows, failure } satisfies Report),
          nowMs: now(),
          isEnded,
        })
        .catch(() => {});
    // Also while it waits for its turn in line, a removal is alive.
    const timer = setInterval(() => {
      noting = noting.then(() => note(false));
    }, noteEveryMs);
    timer.unref();
    await before;
    try {
      if (this.#isStopping) throw new Stopped('The process was stopped.');
      const changeOf = () => ({ ...stamp, changeId: newId(), nowMs: now() });
      await emptyEverything(this.#context, changeOf, accountId, (_table, deleted) => {
        rows += deleted;
        if (this.#isStopping) throw new Stopped('The process was stopped.');
      });
    } catch (error) {
      failure = (error instanceof Error ? error.message : String(error)).slice(0, failureMax);
      const isExpected = error instanceof Stopped || error instanceof Problem;
      if (!isExpected)
        log.error(
          { code: 'ACCOUNT_REMOVAL_FAILED', err: error, accountId },
          'An account could not be emptied.',
        );
    }
    clearInterval(timer);
    this.#waiting.delete(accountId);
    await noting;
    await note(true);
  }
}

function reportIn(text: string): Report {
  try {
    const { rows, failure } = JSON.parse(text) as Partial<Report>;
    return {
      rows: Number.isSafeInteger(rows) ? (rows as number) : 0,
      failure: typeof failure === 'string' ? failure : null,
    };
  } catch {
    return { rows: 0, failure: null };
  }
}
