// The slow heartbeat of a replica: it says that it lives, counts the others (each allows its share of a limit,
// D-28), and hears of maintenance. Nothing of it is done for a request.

import type { House } from '../house.ts';
import { beat, endHeartbeat, sharedState } from '../store/replicas.ts';

const lookEveryMs = 2_000;
const beatEveryMs = 5_000;
const firstBeatMs = 200;
const aliveMs = 15_000;
const forgetMs = 3_600_000;

export class Pulse {
  readonly #house: House;
  readonly #replica: string;
  #timer: NodeJS.Timeout | null = null;
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  #ticking: Promise<void> | null = null;
  isMaintenance = false;
  liveReplicas = 1;
  isDraining = false;

  constructor(house: House) {
    this.#house = house;
    this.#replica = house.newId();
  }

  /** The first look comes before the first request, so that a replica started in maintenance is in maintenance. */
  async start(): Promise<void> {
    await this.#look();
    // The first beat waits a moment: with the embedded store it starts the writer thread, and a start has no time.
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#tick(), lookEveryMs);
      this.#timer.unref();
      this.#tick();
    }, firstBeatMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    // A beat that is still on its way must not come after the end.
    await this.#ticking;
    // Without it the others would count this replica for a few seconds more; no reason to fail a shutdown.
    await this.#house.db.write(endHeartbeat, { replica: this.#replica }).catch(() => {});
  }

  #tick(): void {
    this.#ticking ??= this.#beatAndLook().finally(() => {
      this.#ticking = null;
    });
  }

  async #beatAndLook(): Promise<void> {
    try {
      const nowMs = this.#house.now();
      if (nowMs - this.#lastBeatMs >= beatEveryMs) {
        await this.#house.db.write(beat, { replica: this.#replica, nowMs, forgetBeforeMs: nowMs - forgetMs });
        this.#lastBeatMs = nowMs;
      }
      await this.#look();
    } catch (error) {
      // The store is away: requests say so themselves, and what was last known stays.
      this.#house.log.warn({ err: error }, 'The heartbeat could not be written.');
    }
  }

  async #look(): Promise<void> {
    const state = await sharedState(this.#house.db, this.#house.now() - aliveMs);
    this.isMaintenance = state.isMaintenance;
    this.liveReplicas = Math.max(1, state.liveReplicas);
  }
}
