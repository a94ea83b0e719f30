// The digests of days for whoever asks. Where those of a log are behind, they are brought up to date first, as far as the
// time of the request allows; what was done stays done, so that the next request goes on from there (D-252). Requests for
// one log that come at once share that work.

import type { DateRange } from '../../domain/dates.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import type { Db } from '../engine/db.ts';
import { apartFromRequests } from '../engine/work/request-waits.ts';
import type { WorkQueue } from '../engine/work/work-budget.ts';
import {
  advanceDigests,
  type DigestsAtEnd,
  type DigestsReached,
  type Pause,
  readDayDigests,
} from './day-digests.ts';
import { LogChanged } from './log-places.ts';

/** The time that is left for one request. */
export interface DigestWork {
  readonly leftMs: number;
  readonly pause: Pause;
}

const attemptsMax = 3;

export class DigestReader {
  readonly #db: Db;
  readonly #workQueue: WorkQueue;
  readonly #advancing = new Map<string, Promise<DigestsReached>>();

  constructor(db: Db, workQueue: WorkQueue) {
    this.#db = db;
    this.#workQueue = workQueue;
  }

  /** The digests, or how far they have come where the time was not enough. */
  async read(
    source: SourceKey,
    range: DateRange,
    work: DigestWork,
  ): Promise<{ digests: DigestsAtEnd } | { reached: DigestsReached }> {
    // The other half is for what follows. By the clock, because the time goes into what several requests wait for.
    const endsAtMs = performance.now() + work.leftMs / 2;
    for (;;) {
      const digests = await this.#readOnce(source, range, () => work.pause());
      if (digests !== null) return { digests };
      const reached = await this.#advance(source);
      // Before a pause, which ends a request that has no time left: the caller is told to come again.
      if (performance.now() >= endsAtMs) return { reached };
      await work.pause();
    }
  }

  /** A standby that took over while the rows were read may lack some of them. */
  async #readOnce(source: SourceKey, range: DateRange, pause: Pause): Promise<DigestsAtEnd | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#workQueue.runShort(() => readDayDigests(this.#db, source, range, pause));
      } catch (error) {
        if (!(error instanceof LogChanged) || attempt === attemptsMax) throw error;
      }
    }
  }

  #advance(source: SourceKey): Promise<DigestsReached> {
    const key = `${source.accountId} ${source.sourceId}`;
    const known = this.#advancing.get(key);
    if (known !== undefined) return known;
    const advancing = apartFromRequests(() =>
      advanceDigests(this.#db, source, () => this.#workQueue.nextSlice()),
    ).finally(() => this.#advancing.delete(key));
    this.#advancing.set(key, advancing);
    return advancing;
  }
}
