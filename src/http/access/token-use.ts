// When provisioning tokens and API clients were used last, beside the requests: noted in memory, and written at most once
// a minute for each (D-590). A crash loses the last minute of it; a store that is away loses more, and no request notices.

import type { Context } from '../../context.ts';
import { noteTokenUse } from '../../store/access/provisioning-tokens.ts';
import { GatheredWrites } from '../server/gathered-writes.ts';

const writtenEveryMs = 60_000;
// What comes together is written together.
const gatherMs = 500;
// Those that were written within the last minute are remembered; so many are more than any store has in use.
const rememberedMax = 50_000;

export class TokenUse {
  readonly #context: Context;
  /** By their ids: when they were last put aside to be written. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  readonly #writes = new GatheredWrites(
    gatherMs,
    () => this.#waiting.size > 0,
    () => this.#write(),
  );

  constructor(context: Context) {
    this.#context = context;
  }

  /** The id of a provisioning token or an API client. */
  note(tokenId: string): void {
    const elapsedMs = this.#context.elapsedMs();
    const notedAtMs = this.#notedAtMs.get(tokenId);
    if (notedAtMs !== undefined && elapsedMs - notedAtMs < writtenEveryMs) return;
    if (this.#notedAtMs.size >= rememberedMax) this.#notedAtMs.clear();
    this.#notedAtMs.set(tokenId, elapsedMs);
    this.#waiting.set(tokenId, this.#context.now());
    this.#writes.soon();
  }

  /** Writes what is waiting. */
  async stop(): Promise<void> {
    await this.#writes.now();
  }

  async #write(): Promise<void> {
    const uses = [...this.#waiting].map(([tokenId, usedAtMs]) => ({ tokenId, usedAtMs }));
    this.#waiting.clear();
    try {
      await this.#context.db.write(noteTokenUse, { uses });
    } catch (error) {
      this.#context.log.warn(
        { err: error, tokens: uses.length },
        'The last use of tokens and API clients was not noted.',
      );
    }
  }
}
