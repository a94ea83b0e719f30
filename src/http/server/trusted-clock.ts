// Moves the trusted time of the store forward, at the pace of the clock that only goes forward (D-845). One replica does so: the
// row is changed only by who knows its last change, so whoever looks a moment later finds it changed, and is the next only when
// nobody has moved it since. The others watch, and speak against a claim that their own wall clock does not share (D-847).

import type { Context } from '../../context.ts';
import {
  jumpMs,
  mayObject,
  nextTrustedTime,
  type TrustedTime,
} from '../../domain/operations/trusted-time.ts';
import { moveTrustedTime, readTrustedTime, type TrustedTimeRow } from '../../store/engine/trusted-time.ts';

const lookEveryMs = 60_000;
/** Who acts in the audit log when a clock is believed without a word of an operator. */
const clockActor = 'clock';

interface SeenTime {
  readonly row: TrustedTimeRow;
  /** When it was read or written, by the clock that only goes forward. */
  readonly atElapsedMs: number;
}

export class TrustedClock {
  readonly #context: Pick<Context, 'db' | 'now' | 'elapsedMs' | 'newId' | 'log'>;
  #seen: SeenTime | null = null;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #hasTold = false;

  constructor(context: Pick<Context, 'db' | 'now' | 'elapsedMs' | 'newId' | 'log'>) {
    this.#context = context;
  }

  /** By how much the wall clock of this process has jumped; null before the first look. */
  get jumpMs(): number | null {
    if (this.#seen === null) return null;
    const { row, atElapsedMs } = this.#seen;
    return jumpMs(row.atMs + this.#context.elapsedMs() - atElapsedMs, this.#context.now());
  }

  /** Rows of before this moment are older than so long; 0 before the first look. */
  deletesBefore(nowMs: number, keptMs: number): number {
    return this.#seen === null ? 0 : Math.min(this.#seen.row.atMs, nowMs) - keptMs;
  }

  /** Once a minute; the heartbeat asks every second. */
  async look(): Promise<void> {
    const elapsedMs = this.#context.elapsedMs();
    if (elapsedMs - this.#lookedAtMs < lookEveryMs) return;
    const row = await readTrustedTime(this.#context.db);
    this.#lookedAtMs = elapsedMs;
    if (row === null) return;
    const seen = this.#seen;
    // Whoever has just started takes part at once: time may have passed that nobody has served.
    const isOurs = seen === null || seen.row.moves === row.moves;
    this.#seen = isOurs && seen !== null ? seen : { row, atElapsedMs: elapsedMs };
    const wallMs = this.#context.now();
    if (isOurs) await this.#moveOn(this.#seen, elapsedMs, wallMs);
    else if (mayObject(row, wallMs)) await this.#write(row, { ...row, agreedMs: 0 }, elapsedMs, null);
    this.#tell(wallMs);
  }

  async #moveOn({ row, atElapsedMs }: SeenTime, elapsedMs: number, wallMs: number): Promise<void> {
    const { isBelieved, ...next } = nextTrustedTime(row, { servedMs: elapsedMs - atElapsedMs, wallMs });
    await this.#write(row, next, elapsedMs, isBelieved ? row.atMs : null);
  }

  async #write(
    { moves }: TrustedTimeRow,
    next: TrustedTime,
    elapsedMs: number,
    believedFromMs: number | null,
  ): Promise<void> {
    const { db, newId, log, now } = this.#context;
    const stamp = { changeId: newId(), nowMs: now(), actor: clockActor };
    const { atMs, claimedMs, agreedMs } = next;
    const isFirst = await db.write(moveTrustedTime, {
      ...stamp,
      atMs,
      claimedMs,
      agreedMs,
      moves,
      believedFromMs,
    });
    // Another was quicker: what it wrote is seen at the next look.
    if (!isFirst) return;
    this.#seen = { row: { atMs, claimedMs, agreedMs, moves: moves + 1 }, atElapsedMs: elapsedMs };
    if (believedFromMs !== null)
      log.warn(
        { from: timeOf(believedFromMs), to: timeOf(atMs) },
        'The clock has jumped and has been steady for a week: it is believed from now on.',
      );
  }

  /** Each jump once. */
  #tell(wallMs: number): void {
    const ms = this.jumpMs ?? 0;
    if (ms === 0) this.#hasTold = false;
    if (ms === 0 || this.#hasTold) return;
    this.#hasTold = true;
    this.#context.log.warn(
      { code: 'CLOCK_JUMPED', clock: timeOf(wallMs), trusted: timeOf(wallMs - ms) },
      'The clock differs from the trusted time by more than a day. Nothing is deleted for it: set the clock, or say that it is right with "soundings clock confirm".',
    );
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
