// The encoding of a PostgreSQL database that is not UTF8, and the characters that it cannot hold. No new store is made in such a database;
// one that exists goes on (D-856). Which characters those are is asked of the server, each of them once.

import { fold } from '../../../domain/fold.ts';

/** A text was refused by the store for one of its characters: thrown for the caller of `read` or `write` to explain. */
export class UnholdableText extends Error {
  /** Null where the server did not name it. */
  readonly character: string | null;

  constructor(cause: unknown) {
    const character = characterOf(cause);
    super(
      `A text holds ${character === null ? 'a character' : nameOf(character)} that the store cannot hold.`,
      {
        cause,
      },
    );
    this.name = 'UnholdableText';
    this.character = character;
  }
}

/** The server names it by its bytes, whatever language it speaks: "character with byte sequence 0xf0 0x9f 0x98 0x80 in ...". */
function characterOf(error: unknown): string | null {
  const bytes = error instanceof Error ? error.message.match(/\b0x[0-9a-f]{2}\b/gi) : null;
  if (bytes === null) return null;
  const text = Buffer.from(bytes.map((byte) => Number(byte))).toString('utf8');
  return [...text].length === 1 ? text : null;
}

/** As people name characters: U+1F600. */
export function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

const unknown = 0;
const holdable = 1;
const unholdable = 2;
// Rounds to the server for one text: each finds one more character that it cannot hold.
const roundsMax = 8;
const beyondAscii = /[\u0080-\uffff]/;

/** Texts are kept folded beside themselves, to be found: LATIN1 has a half, and not the stroke of its folded form. */
function formsOf(character: string): string {
  return `${character}${fold(character)}`;
}

export class TextEncoding {
  /** As PostgreSQL calls it. */
  readonly name: string;
  /** Throws UnholdableText at the first character that cannot be held. */
  readonly #tryText: (utf8Hex: string) => Promise<unknown>;
  readonly #known = new Uint8Array(0x110000);

  constructor(name: string, tryText: (utf8Hex: string) => Promise<unknown>) {
    this.name = name;
    this.#tryText = tryText;
  }

  /** The first character that cannot be held, or null. */
  async firstUnholdable(text: string): Promise<string | null> {
    if (!beyondAscii.test(text)) return null;
    const characters = [...new Set(text)];
    const worst = characters.find((character) => this.#isKnown(character, unholdable));
    return worst ?? this.#ask(characters.filter((character) => this.#isKnown(character, unknown)));
  }

  /** For a note of ours, which is better kept with a question mark than lost. */
  async masked(text: string): Promise<string> {
    for (let round = 0; round < roundsMax; round += 1) {
      const left = [...new Set(text)].filter((character) => this.#isKnown(character, unknown));
      if (left.length === 0 || (await this.#ask(left)) === null) break;
    }
    return this.maskedAsKnown(text);
  }

  /** The same without asking: what is not known to be held counts as not held. */
  maskedAsKnown(text: string): string {
    return !beyondAscii.test(text)
      ? text
      : [...text].map((character) => (this.#isKnown(character, holdable) ? character : '?')).join('');
  }

  holdsAsFarAsKnown(text: string): boolean {
    return !beyondAscii.test(text) || ![...text].some((character) => this.#isKnown(character, unholdable));
  }

  async #ask(characters: readonly string[]): Promise<string | null> {
    try {
      if (characters.length > 0)
        await this.#tryText(Buffer.from(characters.map(formsOf).join('')).toString('hex'));
    } catch (error) {
      if (!(error instanceof UnholdableText) || error.character === null) throw error;
      const { character: named } = error;
      const at = characters.findIndex((character) => formsOf(character).includes(named));
      for (const character of characters.slice(0, Math.max(at, 0))) this.#note(character, holdable);
      const worst = characters[at] ?? named;
      this.#note(worst, unholdable);
      return worst;
    }
    for (const character of characters) this.#note(character, holdable);
    return null;
  }

  #isKnown(character: string, as: number): boolean {
    // ASCII is part of every encoding of a server.
    const point = character.codePointAt(0)!;
    return (point < 0x80 ? holdable : this.#known[point]) === as;
  }

  #note(character: string, as: number): void {
    this.#known[character.codePointAt(0)!] = as;
  }
}
