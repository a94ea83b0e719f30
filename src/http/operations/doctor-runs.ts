// Doctor in the console: one look at a time in the whole store, off the event loop, for a bounded time, seen from every replica
// while it goes on (D-613).

import { type Finding, finding } from '../../acts/operations/finding.ts';
import type { Context } from '../../context.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { beginJob, findJob, isJobLive, noteJob, reportBytesMax } from '../../store/operations/jobs.ts';
import type { DoctorThread } from './doctor-thread.ts';

const jobName = 'doctor';
/** Longer than providers are waited for, and than most files take to be read. */
const patienceMs = 120_000;
const noteEveryMs = 500;
const findingsMax = 200;
/** Of a sentence, and of each value in it. */
const textLengthMax = 1_000;

interface DoctorReport {
  /** `lost`: the process that looked is gone. */
  readonly state: 'never' | 'runs' | 'ended' | 'lost';
  readonly actor: string | null;
  readonly began: string | null;
  readonly ended: string | null;
  readonly findings: readonly Finding[];
}

export class DoctorRuns {
  readonly #context: Context;
  #running: Promise<void> | null = null;
  #thread: DoctorThread | null = null;
  #isStopping = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Begins a look, unless one is under way somewhere. */
  async start(stamp: ChangeStamp): Promise<void> {
    if (this.#running !== null || this.#isStopping) return;
    const runId = this.#context.newId();
    const begun = await this.#context.db.write(beginJob, {
      ...stamp,
      name: jobName,
      runId,
      report: '[]',
      action: 'doctor.start',
    });
    // Another request of this process may have begun one meanwhile; the store then said no to this one.
    if (!begun) return;
    this.#running = this.#run(runId).finally(() => {
      this.#running = null;
    });
  }

  async report(): Promise<DoctorReport> {
    const job = await findJob(this.#context.db, jobName);
    if (job === null) return { state: 'never', actor: null, began: null, ended: null, findings: [] };
    const isLive = isJobLive(job, this.#context.now());
    return {
      state: job.endedAtMs !== null ? 'ended' : isLive ? 'runs' : 'lost',
      actor: job.actor,
      began: new Date(job.beganAtMs).toISOString(),
      ended: job.endedAtMs === null ? null : new Date(job.endedAtMs).toISOString(),
      findings: findingsIn(job.report),
    };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#thread?.stop();
    await this.#running;
  }

  /** Never fails: what goes wrong is a finding. */
  async #run(runId: string): Promise<void> {
    const findings: Finding[] = [];
    const note = (isEnded: boolean): Promise<unknown> =>
      this.#context.db
        .write(noteJob, {
          name: jobName,
          runId,
          report: reportOf(findings),
          nowMs: this.#context.now(),
          isEnded,
        })
        // A store that takes nothing is told of by the findings; they are lost with it.
        .catch(() => {});
    let noting: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      noting = noting.then(() => note(false));
    }, noteEveryMs);
    timer.unref();
    const failure = await this.#look((one) => {
      if (findings.length < findingsMax) findings.push(shortened(one));
    });
    clearInterval(timer);
    if (failure !== null) findings.push(shortened(failure));
    await noting;
    await note(true);
  }

  async #look(onFinding: (one: Finding) => void): Promise<Finding | null> {
    const { config, db } = this.#context;
    try {
      // A store in memory belongs to its one connection, and is small.
      if (config.databaseUrl === 'sqlite::memory:') {
        const { findingsOf } = await import('../../acts/operations/doctor.ts');
        for await (const one of findingsOf(config, db)) onFinding(one);
        return null;
      }
      // Most services are never asked, and none should start later for it.
      const { startDoctorThread } = await import('./doctor-thread.ts');
      const thread = startDoctorThread(config, onFinding);
      this.#thread = thread;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        thread.stop();
      }, patienceMs);
      const failure = await thread.ended;
      clearTimeout(timer);
      this.#thread = null;
      if (this.#isStopping) return finding('doctor', 'wrong', 'lookStopped', {});
      if (isLate) return finding('doctor', 'wrong', 'lookLate', { seconds: patienceMs / 1_000 });
      return failure === null ? null : finding('doctor', 'wrong', 'failed', { reason: failure });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return finding('doctor', 'wrong', 'failed', { reason });
    }
  }
}

/** What a program below had to say may be long, and one finding must not take the room of all that follow. */
function shortened(one: Finding): Finding {
  const { says, values = {} } = one;
  const short = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, textLengthMax) : value,
  ]);
  return { ...one, says: says.slice(0, textLengthMax), values: Object.fromEntries(short) };
}

function reportOf(findings: readonly Finding[]): string {
  for (let some = findings; ; some = some.slice(0, -1)) {
    const text = JSON.stringify(some);
    if (text.length <= reportBytesMax) return text;
  }
}

/** Whoever wrote it, what is shown has the form of findings. */
function findingsIn(report: string): readonly Finding[] {
  try {
    const found = JSON.parse(report) as unknown;
    if (!Array.isArray(found)) return [];
    return (found as readonly Partial<Finding>[]).slice(0, findingsMax).flatMap((one) =>
      typeof one?.check === 'string' && typeof one.says === 'string'
        ? [
            {
              check: one.check,
              isRight: one.isRight === true,
              ...(one.isWarning === true ? { isWarning: true as const } : {}),
              says: one.says,
              ...codeIn(one),
            },
          ]
        : [],
    );
  } catch {
    return [];
  }
}

function codeIn({ code, values }: Partial<Finding>): Pick<Finding, 'code' | 'values'> {
  if (typeof code !== 'string' || typeof values !== 'object' || values === null) return {};
  const told = Object.entries(values).filter(
    ([, value]) => value === null || typeof value === 'string' || typeof value === 'number',
  );
  return { code, values: Object.fromEntries(told) };
}
