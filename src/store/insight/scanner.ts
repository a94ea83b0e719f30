// Scans: what the figures that are kept ahead cannot say, because it asks for a filter or for groups, is found by looking at the
// rows. A scan goes from the newest days to the oldest and ends when its time is over; what it has by then goes over whole days, and
// it says which. It is done on a thread of its own, so that nobody else waits for it (D-492); only a store in the memory of the
// process is read beside everything else, in slices.

import type { Config } from '../../config.ts';
import type { DateRange } from '../../domain/dates.ts';
import type { GroupBy, RankedGroups } from '../../domain/insight/breakdown.ts';
import type { DayFigures } from '../../domain/insight/day-figures.ts';
import type { Filter } from '../../domain/insight/filter.ts';
import type { Db } from '../engine/db.ts';
import { canOpenReading } from '../engine/reading-db.ts';
import { type ScanLimits, ScanSlots } from '../engine/work/scan-slots.ts';
import { isOver, type WorkBudget, type WorkPart } from '../engine/work/work-budget.ts';
import type { Source } from '../feedback/catalogue.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';
import { ScanJob, type ScanRequest, type ScanResult, unpackDays } from './scan-job.ts';
import { problemOf, ScanThread, scanFailed } from './scan-thread.ts';

interface ScanOutcome<T> {
  readonly result: T;
  readonly isComplete: boolean;
  /** The days that the result goes over: of a complete one all that were asked for, otherwise the newest, or none. */
  readonly covered: DateRange | null;
  /** How many rows were looked at. */
  readonly scanned: number;
  /** The end of the log when it began. */
  readonly lastSeq: number;
  /** The source with a definition that explains every row: it may be newer than the one that was handed in. */
  readonly ready: PreparedSource;
}

/** The time of a scan. */
interface ScanWork {
  readonly budget: WorkBudget;
  /** What the caller wants to wait at most, by the clock; of work never more than the budget has. */
  readonly withinMs: number;
  /** No row behind this one is looked at: so what two scans find is true at the same position of the log. */
  readonly untilSeq?: number;
}

/** How scans ended since the start, and what they looked at. */
export interface ScanFigures {
  readonly complete: number;
  readonly partial: number;
  readonly abandoned: number;
  readonly refused: number;
  readonly failed: number;
  readonly rows: number;
}

interface ScannerInput {
  readonly db: Db;
  readonly config: Pick<Config, 'databaseUrl' | 'storeTimeoutMs'>;
}

/** A row costs a tenth of what it costs to look at a user, and the event loop nothing. */
const rowsAUnit = 10;

export class Scanner {
  readonly #db: Db;
  readonly #sources: Sources;
  readonly #slots: ScanSlots;
  readonly #thread: ScanThread | null;
  readonly #figures = { complete: 0, partial: 0, abandoned: 0, refused: 0, failed: 0, rows: 0 };

  constructor({ db, config }: ScannerInput, sources: Sources, limits: ScanLimits) {
    this.#db = db;
    this.#sources = sources;
    this.#slots = new ScanSlots(limits);
    const { databaseUrl: address, storeTimeoutMs: timeoutMs } = config;
    this.#thread = canOpenReading(address) ? new ScanThread({ address, timeoutMs }) : null;
  }

  get figures(): ScanFigures {
    return this.#figures;
  }

  /** The figures of days and versions, of the rows that meet a filter. */
  async days(
    ready: PreparedSource,
    range: DateRange,
    filter: Filter,
    work: ScanWork,
  ): Promise<ScanOutcome<readonly DayFigures[]>> {
    const scanned = await this.#scan(ready, { range, filter, by: null }, work);
    if (!('days' in scanned.result)) throw new Error('A scan of days has found groups.');
    return { ...(await this.#explained(ready, scanned)), result: unpackDays(scanned.result.days) };
  }

  /** The groups of the rows that meet a filter, if there is one. */
  async groups(
    ready: PreparedSource,
    range: DateRange,
    by: GroupBy,
    filter: Filter | null,
    work: ScanWork,
  ): Promise<ScanOutcome<RankedGroups>> {
    const scanned = await this.#scan(ready, { range, filter, by }, work);
    if (!('groups' in scanned.result)) throw new Error('A scan of groups has found days.');
    return { ...(await this.#explained(ready, scanned)), result: scanned.result.groups };
  }

  /** Ends all scans that are under way: what they have by now is their result. */
  end(): void {
    this.#thread?.end();
  }

  async stop(): Promise<void> {
    await this.#thread?.stop();
  }

  async #explained(ready: PreparedSource, { isComplete, covered, scanned, lastSeq, revision }: ScanResult) {
    const known = await this.#sources.atLeast(ready, revision);
    return { isComplete, covered, scanned, lastSeq, ready: known };
  }

  async #scan(
    { source }: PreparedSource,
    request: Omit<ScanRequest, 'source' | 'untilSeq'>,
    { budget, withinMs, untilSeq }: ScanWork,
  ): Promise<ScanResult> {
    const part = budget.part(withinMs);
    const time = {
      get leftMs() {
        return Math.min(part.withinMs(), part.workMs());
      },
      signal: budget.signal,
      pause: () => budget.pause(),
      aside: <T>(waiting: Promise<T>) => budget.aside(waiting),
    };
    let isBegun = false;
    try {
      const result = await this.#slots.run(source.accountId, time, () => {
        isBegun = true;
        const whole = { ...request, source: nameOf(source), untilSeq: untilSeq ?? null };
        return this.#thread === null
          ? this.#scanHere(whole, budget, part)
          : this.#scanThere(this.#thread, whole, budget, part);
      });
      this.#figures[result.isComplete ? 'complete' : 'partial'] += 1;
      this.#figures.rows += result.scanned;
      budget.spend(Math.ceil(result.scanned / rowsAUnit));
      return result;
    } catch (error) {
      if (budget.signal?.aborted) this.#figures.abandoned += 1;
      else this.#figures[isBegun ? 'failed' : 'refused'] += 1;
      throw error;
    }
  }

  async #scanThere(
    thread: ScanThread,
    request: ScanRequest,
    budget: WorkBudget,
    part: WorkPart,
  ): Promise<ScanResult> {
    const time = { withinMs: part.withinMs(), workMs: part.workMs() };
    const answer = await budget.aside(thread.scan(request, time, budget.signal));
    budget.spendElsewhere(answer.threadMs);
    if ('result' in answer && !budget.signal?.aborted) return answer.result;
    if ('result' in answer || 'ended' in answer) {
      this.#figures.rows += 'result' in answer ? answer.result.scanned : answer.ended;
      // Throws where the caller has gone, also when the thread was quicker; otherwise the service stops before the scan has begun.
      await budget.pause();
      throw scanFailed(new Error('The service stops.'));
    }
    throw 'problem' in answer ? problemOf(answer.problem) : scanFailed(new Error(answer.failure));
  }

  async #scanHere(request: ScanRequest, budget: WorkBudget, part: WorkPart): Promise<ScanResult> {
    const job = await ScanJob.begin(this.#db, this.#sources, request);
    while (!isOver(part) && (await job.step())) await budget.pause();
    return job.result();
  }
}

function nameOf(source: Source): ScanRequest['source'] {
  const key = source.kind === 'measure' ? source.measure.key : source.project.id;
  return { accountId: source.accountId, kind: source.kind, key };
}
