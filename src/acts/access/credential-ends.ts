// When credentials that are looked up in the store end by the clock that only goes forward: a wall clock that is set back must not
// open again what has ended (D-848). A process knows it of those that it has seen, as of access tokens (D-180).

import type { Context } from '../../context.ts';
import { Cache } from '../../store/engine/work/cache.ts';

// Some 10,000 credentials.
const bytesMax = 4 * 1024 * 1024;

interface SeenCredential {
  /** Both by the clock that only goes forward. */
  readonly endsAtMs: number;
  readonly seenAtMs: number;
}

export class CredentialEnds {
  readonly #context: Pick<Context, 'now' | 'elapsedMs'>;
  readonly #seen: Cache<string, SeenCredential>;

  constructor(context: Pick<Context, 'now' | 'elapsedMs'>) {
    this.#context = context;
    this.#seen = new Cache({ bytesMax, bytesOf: () => 100, elapsedMs: context.elapsedMs });
  }

  /** Of one that is good by the wall clock, which is now seen to be used: whether it has ended all the same. */
  hasEnded(hash: string, endsAtMs: number, idleMs = Number.POSITIVE_INFINITY): boolean {
    const elapsedMs = this.#context.elapsedMs();
    const known = this.#seen.get(hash);
    if (known !== undefined && (elapsedMs >= known.endsAtMs || elapsedMs - known.seenAtMs >= idleMs))
      return true;
    const leftMs = endsAtMs - this.#context.now();
    const ends = Math.min(known?.endsAtMs ?? Number.POSITIVE_INFINITY, elapsedMs + leftMs);
    this.#seen.set(hash, { endsAtMs: ends, seenAtMs: elapsedMs });
    return false;
  }
}
