// Where the members of an object stand in a JSON text that JSON.parse has taken: for the digits that a number has lost (D-886). To have
// JSON.parse tell the source of every value takes ten times as long as to find those of one object.

import { endOfText } from './json-pieces.ts';

interface Source {
  readonly begin: number;
  readonly end: number;
}

/** The digits of a whole number, by the names that lead to it; null where it is written in another way, or is none. */
export class ExactIntegers {
  readonly #text: string;
  readonly #members = new Map<number, ReadonlyMap<string, Source>>();

  constructor(text: string) {
    this.#text = text;
  }

  at(...path: readonly string[]): bigint | null {
    let source: Source | undefined = { begin: placeBehindSpace(this.#text, 0), end: this.#text.length };
    for (const name of path) {
      source = this.#membersAt(source.begin).get(name);
      if (source === undefined) return null;
    }
    const written = this.#text.slice(source.begin, source.end).trimEnd();
    return /^-?\d+$/.test(written) ? BigInt(written) : null;
  }

  #membersAt(begin: number): ReadonlyMap<string, Source> {
    const found = this.#members.get(begin) ?? membersOf(this.#text, begin);
    this.#members.set(begin, found);
    return found;
  }
}

/** Of a name that comes twice the last counts, as for JSON.parse. */
function membersOf(text: string, begin: number): ReadonlyMap<string, Source> {
  const members = new Map<string, Source>();
  if (text[begin] !== '{') return members;
  let place = placeBehindSpace(text, begin + 1);
  while (text[place] === '"') {
    const nameEnd = endOfText(text, place) + 1;
    const written = text.slice(place, nameEnd);
    const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    const valueBegin = placeBehindSpace(text, text.indexOf(':', nameEnd) + 1);
    const end = endOfValue(text, valueBegin);
    members.set(name, { begin: valueBegin, end });
    place = placeBehindSpace(text, end + 1);
  }
  return members;
}

/** The place of the comma or the bracket behind a value. */
function endOfValue(text: string, begin: number): number {
  let depth = 0;
  for (let place = begin; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') place = endOfText(text, place);
    else if (character === '[' || character === '{') depth += 1;
    else if (depth === 0 && (character === ',' || character === '}')) return place;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return text.length;
}

function placeBehindSpace(text: string, begin: number): number {
  let place = begin;
  while (' \t\r\n'.includes(text[place] ?? 'x')) place += 1;
  return place;
}
