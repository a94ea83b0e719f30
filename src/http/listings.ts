// The lists of measures and projects, as text. They change when a catalogue is applied and at no other time, so a list
// is made once a generation of the catalogue. Every request asks the store which generation that is: what was just
// applied is seen at once, on every replica (D-13).

import type { House } from '../house.ts';
import { catalogueGeneration } from '../store/catalogue.ts';

const rememberedCharactersMax = 16 * 1024 * 1024;

export class Listings {
  readonly #house: House;
  readonly #texts = new Map<string, string>();
  #generation = -1;
  #characters = 0;

  constructor(house: House) {
    this.#house = house;
  }

  /** The list that this key names: remembered, or made by reading the store now. */
  async text(key: string, make: () => Promise<object>): Promise<string> {
    const generation = await catalogueGeneration(this.#house.db);
    if (generation !== this.#generation) this.#begin(generation);
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    // It is read after its generation, so it may be newer than that and is never older.
    const text = JSON.stringify(await make());
    if (generation !== this.#generation) return text;
    if (this.#characters + text.length > rememberedCharactersMax) this.#begin(generation);
    this.#texts.set(key, text);
    this.#characters += text.length;
    return text;
  }

  #begin(generation: number): void {
    this.#texts.clear();
    this.#characters = 0;
    this.#generation = generation;
  }
}
