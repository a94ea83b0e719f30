// Who follows the changes of sources, and since when the slowest of them has not come to the end. A follower that no
// longer asks is forgotten after some minutes: it may ask another replica, or have stopped for good (D-308).

import { Cache } from '../../store/engine/work/cache.ts';

const forgottenAfterMs = 5 * 60_000;
const followersBytesMax = 1024 * 1024;
const followerBytes = 200;

export class FeedFollowers {
  readonly #elapsedMs: () => number;
  /** By API client and source: since when there has been more than was taken. */
  readonly #behindSinceMs: Cache<string, number>;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
    this.#behindSinceMs = new Cache({
      bytesMax: followersBytesMax,
      bytesOf: () => followerBytes,
      ageMaxMs: forgottenAfterMs,
      elapsedMs,
    });
  }

  /** Called for every page: whether there is more behind it. */
  note(follower: string, hasMore: boolean): void {
    if (!hasMore) this.#behindSinceMs.delete(follower);
    else this.#behindSinceMs.set(follower, this.#behindSinceMs.get(follower) ?? this.#elapsedMs());
  }

  /** 0 while everybody who asked lately has everything. */
  get lagSeconds(): number {
    const since = [...this.#behindSinceMs.freshValues()];
    return since.length === 0 ? 0 : (this.#elapsedMs() - Math.min(...since)) / 1_000;
  }
}
