// The lists of measures and projects, as text. They change when a catalogue is applied and at no other time, so a list
// is made once a generation of the catalogue. Every request asks the store which generation that is: what was just
// applied is seen at once, on every replica (D-13).

import type { Context } from '../../context.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import { catalogueGeneration } from '../../store/feedback/catalogue.ts';

const bytesMax = 16 * 1024 * 1024;
// A store that took over without its last changes may count to the same generation again.
const ageMaxMs = 120_000;

export class SourceLists {
  readonly #context: Context;
  readonly #texts: Cache<string, string>;
  #generation = -1;
  #asked: Promise<number> | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#texts = new Cache({
      bytesMax,
      bytesOf: ({ length }) => 2 * length,
      ageMaxMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** The list that this key names: remembered, or made by reading the store now. */
  async text(key: string, make: () => Promise<object>): Promise<string> {
    const generation = await this.#generationNow();
    if (generation !== this.#generation) {
      this.#texts.clear();
      this.#generation = generation;
    }
    // Read after the generation: the list may be newer than that, and is never older.
    const text = this.#texts.find(`${generation} ${key}`, async () => JSON.stringify(await make()));
    return (await text) as string;
  }

  /**
   * Asked once for all requests of one turn of the event loop: each of them had arrived before the question, so that the
   * answer is current for all. Under load, a question for each would cost more than the rest of the request.
   */
  #generationNow(): Promise<number> {
    if (this.#asked === null) {
      this.#asked = catalogueGeneration(this.#context.db);
      setImmediate(() => {
        this.#asked = null;
      });
    }
    return this.#asked;
  }
}
