// The heartbeat of a replica: every few seconds it writes to the store that the replica is alive, counts the others (each
// allows its share of a limit, D-28) and reads whether there is maintenance. No request waits for it.

import { retiredBeforeMs } from '../../acts/access/access-token.ts';
import type { Context } from '../../context.ts';
import { dropEndedSealingKeys } from '../../store/access/sealing-keys.ts';
import { dropRetiredKeys } from '../../store/access/signing-keys.ts';
import { beat, endHeartbeat, type SeenHeartbeat, sharedState } from '../../store/engine/replicas.ts';
import { TrustedClock } from './trusted-clock.ts';

const readEveryMs = 1_000;
const beatEveryMs = 2_000;
const firstBeatMs = 200;
// The last beat of a replica that was killed is seen at the next reading, and no longer counted at the first reading after
// this: 5 s later at most. A replica that lives may be a second and a half late with a beat (D-214).
const aliveMs = 3_500;
// By how much clocks may differ for a beat to count that was not yet seen to change.
const clocksDifferMs = 5_000;
// A replica whose row has not changed for an hour is gone. The time that stands in the row decides only when it is a
// month old: a replica whose clock is ahead must not delete the row of one that is alive.
const goneMs = 3_600_000;
const forgetMs = 30 * 86_400_000;
const tidyEveryMs = 3_600_000;

interface SeenBeat {
  readonly atMs: number;
  /** When this beat was first seen, by our own clock that only goes forward. */
  readonly seenAtMs: number;
  readonly isRecent: boolean;
}

interface SeenReplica {
  readonly isThis: boolean;
  readonly isLive: boolean;
  readonly silentMs: number;
}

export class Heartbeat {
  readonly #context: Context;
  readonly #replica: string;
  readonly #trustedClock: TrustedClock;
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
  /** No new connection is accepted any more, and every answer asks to close its connection. */
  isClosingConnections = false;
  /** A heartbeat is a change like any other: while it fails, the changes of callers fail too. */
  hasFailed = false;
  /** What the replica says about itself at each beat. */
  describe: (() => string) | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#replica = context.newId();
    this.#trustedClock = new TrustedClock(context);
    this.#lastTidyMs = context.elapsedMs();
  }

  /** Reads before the first request, so that a replica started in maintenance knows of it. */
  async start(): Promise<void> {
    await this.#readState();
    // The first beat waits a moment: with SQLite it starts the writer thread, which would make the start slower.
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => void this.#tick(), readEveryMs);
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

  /** Those that live as far as this replica has seen, itself first, and no more than so many. */
  live(most: number): readonly string[] {
    const others = [...this.#seen.keys()].filter(
      (replica) => replica !== this.#replica && this.seen(replica)?.isLive === true,
    );
    return [this.#replica, ...others].slice(0, most);
  }

  /** This replica and those that it has seen beat: whether they live, and how long ago they last did. */
  seen(replica: string): SeenReplica | null {
    // However many rows there are, this one lives.
    if (replica === this.#replica) return { isThis: true, isLive: true, silentMs: 0 };
    const beat = this.#seen.get(replica);
    if (beat === undefined) return null;
    const silentMs = this.#context.elapsedMs() - beat.seenAtMs;
    return {
      isThis: false,
      isLive: beat.isRecent && silentMs < aliveMs,
      silentMs: beat.isRecent ? silentMs : Math.max(silentMs, this.#context.now() - beat.atMs),
    };
  }

  /** By how much the wall clock of this replica has jumped; null before the store was asked. */
  get clockJumpMs(): number | null {
    return this.#trustedClock.jumpMs;
  }

  /** Beats at once if the last beat failed, so that hasFailed says how it is now. */
  async retry(): Promise<void> {
    if (this.hasFailed) await this.#tick();
  }

  #tick(): Promise<void> {
    this.#ticking ??= this.#beatAndRead().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #beatAndRead(): Promise<void> {
    try {
      const nowMs = this.#context.now();
      const elapsedMs = this.#context.elapsedMs();
      // Half a reading less: the timer may come a moment early, and the beat would be a whole reading late.
      if (elapsedMs - this.#lastBeatMs >= beatEveryMs - readEveryMs / 2) {
        const gone = [...this.#seen].filter(
          ([replica, { seenAtMs }]) => replica !== this.#replica && elapsedMs - seenAtMs >= goneMs,
        );
        await this.#context.db.write(beat, {
          replica: this.#replica,
          nowMs,
          forgetBeforeMs: this.#trustedClock.deletesBefore(nowMs, forgetMs),
          gone: gone.map(([replica]) => replica),
          ...(this.describe === null ? {} : { facts: this.describe() }),
        });
        this.#lastBeatMs = elapsedMs;
      }
      await this.#trustedClock.look();
      if (elapsedMs - this.#lastTidyMs >= tidyEveryMs) {
        await this.#context.db.write(dropRetiredKeys, {
          nowMs,
          retiredBeforeMs: retiredBeforeMs(nowMs),
        });
        await this.#context.db.write(dropEndedSealingKeys, { nowMs });
        this.#lastTidyMs = elapsedMs;
      }
      await this.#readState();
      this.hasFailed = false;
      await this.#context.standby?.look(this.#context.db);
    } catch (error) {
      this.hasFailed = true;
      // Requests tell their callers themselves that the store is away; what was last read stays.
      this.#context.log.warn({ err: error }, 'The heartbeat could not be written.');
    }
  }

  async #readState(): Promise<void> {
    const { isMaintenance, heartbeats } = await sharedState(this.#context.db);
    const elapsedMs = this.#context.elapsedMs();
    this.isMaintenance = isMaintenance;
    this.#seen = new Map(heartbeats.map((one) => [one.replica, this.#seenNow(one, elapsedMs)]));
    const live = [...this.#seen.values()].filter(
      ({ isRecent, seenAtMs }) => isRecent && elapsedMs - seenAtMs < aliveMs,
    );
    this.liveReplicas = Math.max(1, live.length);
  }

  /** A replica is alive while its beat changes. When a beat is first seen, only the time that it says can tell. */
  #seenNow({ replica, atMs }: SeenHeartbeat, elapsedMs: number): SeenBeat {
    const before = this.#seen.get(replica);
    if (before !== undefined && before.atMs === atMs) return before;
    const isRecent = before !== undefined || Math.abs(this.#context.now() - atMs) < clocksDifferMs;
    return { atMs, seenAtMs: elapsedMs, isRecent };
  }
}
