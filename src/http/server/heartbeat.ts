// The slow heartbeat of a replica: it says that it lives, counts the others (each allows its share of a limit,
// D-28), and hears of maintenance. Nothing of it is done for a request.

import type { Context } from '../../context.ts';
import { dropRetiredKeys } from '../../store/access/signing-keys.ts';
import { beat, endHeartbeat, type SeenHeartbeat, sharedState } from '../../store/engine/replicas.ts';
import { retiredBeforeMs } from '../access/access-token.ts';

const lookEveryMs = 2_000;
const beatEveryMs = 5_000;
const firstBeatMs = 200;
const aliveMs = 15_000;
// Whose row was seen not to change for an hour is gone. The time in a row says so only when it is so old that no clock
// can be as wrong: who lives must not be forgotten by a replica whose clock is ahead.
const goneMs = 3_600_000;
const forgetMs = 30 * 86_400_000;
const tidyEveryMs = 3_600_000;

interface SeenBeat {
  readonly atMs: number;
  /** When it was seen first with this time, by our own clock that only goes forward. */
  readonly seenAtMs: number;
  readonly isRecent: boolean;
}

export class Heartbeat {
  readonly #context: Context;
  readonly #replica: string;
  #timer: NodeJS.Timeout | null = null;
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  #lastTidyMs: number;
  #seen: ReadonlyMap<string, SeenBeat> = new Map();
  #ticking: Promise<void> | null = null;
  isMaintenance = false;
  liveReplicas = 1;
  /** Listening while the store cannot be reached for the first time (D-174). */
  isStarting = false;
  /** Asked to stop: no longer ready, and still answering. */
  isDraining = false;
  /** Nobody new is let in any more, and every answer asks to close the connection. */
  isClosingConnections = false;
  /** The heartbeat is a change like any other: while it fails, so would those of callers. */
  hasFailed = false;

  constructor(context: Context) {
    this.#context = context;
    this.#replica = context.newId();
    this.#lastTidyMs = context.elapsedMs();
  }

  /** The first look comes before the first request, so that a replica started in maintenance is in maintenance. */
  async start(): Promise<void> {
    await this.#look();
    // The first beat waits a moment: with the embedded store it starts the writer thread, and a start has no time.
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => void this.#tick(), lookEveryMs);
      this.#timer.unref();
      void this.#tick();
    }, firstBeatMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    // A beat that is still on its way must not come after the end.
    await this.#ticking;
    // Without it the others would count this replica for a few seconds more; no reason to fail a shutdown.
    await this.#context.db.write(endHeartbeat, { replica: this.#replica }).catch(() => {});
  }

  /** Beats at once if the last beat failed, so that whoever asks hears how it is now. */
  async retry(): Promise<void> {
    if (this.hasFailed) await this.#tick();
  }

  #tick(): Promise<void> {
    this.#ticking ??= this.#beatAndLook().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #beatAndLook(): Promise<void> {
    try {
      const nowMs = this.#context.now();
      const elapsedMs = this.#context.elapsedMs();
      if (elapsedMs - this.#lastBeatMs >= beatEveryMs) {
        const gone = [...this.#seen].filter(
          ([replica, { seenAtMs }]) => replica !== this.#replica && elapsedMs - seenAtMs >= goneMs,
        );
        await this.#context.db.write(beat, {
          replica: this.#replica,
          nowMs,
          forgetBeforeMs: nowMs - forgetMs,
          gone: gone.map(([replica]) => replica),
        });
        this.#lastBeatMs = elapsedMs;
      }
      if (elapsedMs - this.#lastTidyMs >= tidyEveryMs) {
        await this.#context.db.write(dropRetiredKeys, { retiredBeforeMs: retiredBeforeMs(nowMs) });
        this.#lastTidyMs = elapsedMs;
      }
      await this.#look();
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      // The store is away: requests say so themselves, and what was last known stays.
      this.#context.log.warn({ err: error }, 'The heartbeat could not be written.');
    }
  }

  async #look(): Promise<void> {
    const { isMaintenance, heartbeats } = await sharedState(this.#context.db);
    const elapsedMs = this.#context.elapsedMs();
    this.isMaintenance = isMaintenance;
    this.#seen = new Map(heartbeats.map((one) => [one.replica, this.#seenNow(one, elapsedMs)]));
    const live = [...this.#seen.values()].filter(
      ({ isRecent, seenAtMs }) => isRecent && elapsedMs - seenAtMs < aliveMs,
    );
    this.liveReplicas = Math.max(1, live.length);
  }

  /** Whose beat changes, lives. Of one that is seen for the first time only its clock can be asked, until it changes. */
  #seenNow({ replica, atMs }: SeenHeartbeat, elapsedMs: number): SeenBeat {
    const before = this.#seen.get(replica);
    if (before !== undefined && before.atMs === atMs) return before;
    const isRecent = before !== undefined || Math.abs(this.#context.now() - atMs) < aliveMs;
    return { atMs, seenAtMs: elapsedMs, isRecent };
  }
}
