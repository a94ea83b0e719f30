// A YAML or JSON document as something that can be asked for its members, with the line of each. Faults are
// collected, not thrown, so that one run names all of them. catalogue-yaml.ts opens texts; it stands apart, because browsers
// load the parser of YAML only when somebody wants it.

import type { Interruptible } from '../interruptible.ts';
import {
  type CatalogueFault,
  type FilePlace,
  type Phrase,
  type PhraseCode,
  phrase,
} from './catalogue-fault.ts';

/** The line at which an entry of a catalogue stands in its file; 0 when it did not come from one. */
export type LineOf = (entry: object) => number;

/** What a member may be: how a fault calls it, and a reader that says undefined when it is something else. */
export interface Kind<T> {
  readonly called: Phrase;
  read(value: unknown): T | undefined;
}

/** What stands at a place of a document, whichever parser read it. */
export type Content =
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly items: readonly unknown[] }
  | { readonly kind: 'value'; readonly value: unknown };

interface Member {
  readonly name: string;
  /** Where the name stands. */
  readonly key: unknown;
  readonly value: unknown;
}

/** How a parsed document is read: the same questions for YAML and for the quick way of JSON. */
interface DocumentReader {
  readonly faults: CatalogueFault[];
  /** Null for what belongs in no catalogue. */
  contentOf(node: unknown): Content | null;
  placeOf(node: unknown): FilePlace | null;
}

/** The root of a document that is a value already, as JSON has it. */
export function openValue(value: unknown, faults: CatalogueFault[], line = 1): FileNode {
  return new FileNode(value, { line }, '', { faults, contentOf: contentOfJson, placeOf: () => ({ line }) });
}

function contentOfJson(node: unknown): Content {
  if (Array.isArray(node)) return { kind: 'list', items: node };
  if (typeof node !== 'object' || node === null) return { kind: 'value', value: node };
  const members = Object.entries(node).map(([name, value]) => ({ name, key: null, value }));
  return { kind: 'object', members };
}

/** A place in the file. Members that were never asked for are reported by `refuseOthers`. */
export class FileNode {
  readonly place: FilePlace;
  readonly path: string;
  readonly #content: Content | null;
  readonly #reader: DocumentReader;
  readonly #asked = new Set<string>();

  constructor(node: unknown, place: FilePlace, path: string, reader: DocumentReader) {
    this.place = place;
    this.path = path;
    this.#content = reader.contentOf(node);
    this.#reader = reader;
  }

  get line(): number {
    return this.place.line;
  }

  fault(what: Phrase): void {
    this.#reader.faults.push({ ...this.place, path: this.path, ...what });
  }

  /** Whether this is an object; if not, that is a fault. */
  isObject(): boolean {
    if (this.#content?.kind === 'object') return true;
    this.fault(phrase('noObject', { member: this.#called() }));
    return false;
  }

  /**
   * What an object says, read by `read`, in a list for `flatMap`: empty where there is no object. A member that `read`
   * did not ask for is a fault, because a typo must not pass silently.
   */
  read<T>(read: (place: FileNode) => T): T[] {
    if (!this.isObject()) return [];
    const value = read(this);
    this.refuseOthers();
    return [value];
  }

  has(name: string): boolean {
    return this.#child(name) !== null;
  }

  /** Whether nothing is written here. */
  isNull(): boolean {
    return this.#content?.kind === 'value' && this.#content.value === null;
  }

  /** The names of its members, without asking for any of them. */
  names(): readonly string[] {
    return this.#content?.kind === 'object' ? this.#content.members.map(({ name }) => name) : [];
  }

  /** The place of a member, for a fault about it; this place when it is absent. */
  at(name: string): FileNode {
    return this.#child(name) ?? this;
  }

  /** The text, number or boolean of a member, whether it is right or not. */
  peek(name: string): unknown {
    const child = this.#child(name);
    const content = child === null ? null : child.#content;
    return content?.kind === 'value' ? (content.value ?? undefined) : undefined;
  }

  object(name: string): FileNode | null {
    const child = this.#child(name);
    return child?.isObject() ? child : null;
  }

  /** How many elements a list has, without a place for each of them; 0 where there is no list. */
  count(name: string): number {
    const child = this.#child(name);
    const content = child === null ? null : child.#content;
    return content?.kind === 'list' ? content.items.length : 0;
  }

  /** The elements of a list; an absent list, or one with nothing written under it, is empty. */
  list(name: string): readonly FileNode[] {
    const child = this.#child(name);
    if (child === null) return [];
    const content = child.#content;
    if (content?.kind === 'value' && content.value === null) return [];
    if (content?.kind !== 'list') {
      child.fault(phrase('noList', { member: name }));
      return [];
    }
    return content.items.map((item, index) => {
      const place = this.#reader.placeOf(item) ?? child.place;
      return new FileNode(item, place, `${child.path}[${index}]`, this.#reader);
    });
  }

  /** A member that must be there. After a fault the stand-in keeps the reader going. */
  required<T>(name: string, kind: Kind<T>, standIn: T): T {
    const child = this.#child(name);
    if (child !== null) return child.#read(name, kind, standIn);
    this.fault(phrase('missing', { member: name, kind: kind.called }));
    return standIn;
  }

  optional<T, D>(name: string, kind: Kind<T>, otherwise: D): T | D {
    const child = this.#child(name);
    return child === null ? otherwise : child.#read(name, kind, otherwise);
  }

  /** This place itself as a value, for elements of lists. */
  value<T>(kind: Kind<T>, standIn: T): T {
    return this.#read(this.#called(), kind, standIn);
  }

  /** To be called last: what nobody asked for is a fault. */
  refuseOthers(): void {
    if (this.#content?.kind !== 'object') return;
    for (const { name, key } of this.#content.members) {
      if (this.#asked.has(name)) continue;
      const place = this.#reader.placeOf(key) ?? this.place;
      new FileNode(key, place, join(this.path, name), this.#reader).fault(
        phrase('unknownMember', { member: name, known: [...this.#asked].join(', ') }),
      );
    }
  }

  #child(name: string): FileNode | null {
    this.#asked.add(name);
    if (this.#content?.kind !== 'object') return null;
    const member = this.#content.members.find((candidate) => candidate.name === name);
    if (member === undefined) return null;
    // The line of the key: a block under it begins a line later, and a reader looks for the name.
    const place = this.#reader.placeOf(member.key) ?? this.place;
    return new FileNode(member.value, place, join(this.path, name), this.#reader);
  }

  #read<T, D>(name: string | Phrase, kind: Kind<T>, standIn: D): T | D {
    const content = this.#content;
    const value = content?.kind === 'value' ? kind.read(content.value) : undefined;
    if (value !== undefined) return value;
    this.fault(phrase('otherKind', { member: name, kind: kind.called }));
    return standIn;
  }

  #called(): string | Phrase {
    return this.path === '' ? phrase('theDocument') : this.path.slice(this.path.lastIndexOf('.') + 1);
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Reads each of many objects; others may be served before the next. */
export function* readEach<T>(places: readonly FileNode[], read: (place: FileNode) => T): Interruptible<T[]> {
  const values: T[] = [];
  for (const place of places) {
    values.push(...place.read(read));
    yield;
  }
  return values;
}

/** The same where one of them may be long by itself. */
export function* readEachInPieces<T>(
  places: readonly FileNode[],
  read: (place: FileNode) => Interruptible<T>,
): Interruptible<T[]> {
  const values: T[] = [];
  for (const place of places) {
    if (place.isObject()) {
      values.push(yield* read(place));
      place.refuseOthers();
    }
    yield;
  }
  return values;
}

/** Remembers where an entry of the catalogue stood, so that later faults can say it. */
export type Keep = <T extends object>(entry: T, place: FileNode) => T;

type TakenCode = Extract<PhraseCode, `${string}Taken`>;

/** A check that no two places say the same under one name. */
export function distinct(code: TakenCode): (place: FileNode, name: string) => void {
  const seen = new Map<unknown, number>();
  return (place, name) => {
    const value = place.peek(name);
    if (value === undefined) return;
    const first = seen.get(value);
    if (first === undefined) seen.set(value, place.at(name).line);
    else place.at(name).fault(phrase(code, { value: String(value), line: first }));
  };
}

// ---- what members may be

export const aBoolean: Kind<boolean> = {
  called: phrase('aBoolean'),
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Text that people read. */
export const aText: Kind<string> = {
  called: phrase('aText', { most: 4000 }),
  read: (value) => (isText(value) && value.length >= 1 && value.length <= 4000 ? value : undefined),
};

export const aTextOrNone: Kind<string> = {
  called: phrase('aTextOrNone', { most: 4000 }),
  read: (value) => (isText(value) && value.length <= 4000 ? value : undefined),
};

/** A text that a page shows in one line, as text and never as markup. */
export function aLine(max: number): Kind<string> {
  return {
    called: phrase('aLine', { most: max }),
    read: (value) => (isShown(value, max) && !/\p{Cc}/u.test(value) ? value : undefined),
  };
}

/** A text that a page shows, in several lines if it has them. */
export function aParagraph(max: number): Kind<string> {
  return {
    called: phrase('aParagraph', { most: max }),
    read: (value) => (isShown(value, max) && !/[^\P{Cc}\n]/u.test(value) ? value : undefined),
  };
}

function isShown(value: unknown, max: number): value is string {
  return isText(value) && value.trim() !== '' && value.length <= max;
}

const addressMax = 2_000;

/** Where a page may lead people to: never a script, and never with a password in it. */
export const anAddress: Kind<string> = {
  called: phrase('anAddress', { most: addressMax }),
  read: (value) => {
    if (!isText(value) || value.length > addressMax || !URL.canParse(value)) return undefined;
    const { href, protocol, username, password } = new URL(value);
    const isWeb = protocol === 'https:' || protocol === 'http:';
    return isWeb && username === '' && password === '' && href.length <= addressMax ? href : undefined;
  },
};

/** Text that names a thing: no control characters, and none of the names that JSON bodies may not use (D-26). */
export const anId: Kind<string> = {
  called: phrase('anId', { most: 128 }),
  read: (value) =>
    isText(value) &&
    value.length >= 1 &&
    value.length <= 128 &&
    !/\p{Cc}/u.test(value) &&
    value !== '__proto__' &&
    value !== 'constructor'
      ? value
      : undefined,
};

export function anInteger(min: number, max: number): Kind<number> {
  return {
    called: phrase('anInteger', { min, max }),
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
        ? value
        : undefined,
  };
}

export const aPositiveNumber: Kind<number> = {
  called: phrase('aPositiveNumber'),
  read: (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined),
};

export const aValue: Kind<number | string | null> = {
  called: phrase('aValue'),
  read: (value) =>
    value === null || (typeof value === 'number' && Number.isFinite(value)) || isText(value)
      ? value
      : undefined,
};

export const aTextOrNumber: Kind<number | string> = {
  called: phrase('aTextOrNumber'),
  read: (value) =>
    (typeof value === 'number' && Number.isFinite(value)) || (isText(value) && value !== '')
      ? value
      : undefined,
};

export function oneOf<T extends string>(names: readonly T[]): Kind<T> {
  return {
    called: phrase('oneOf', { names: names.join(', ') }),
    read: (value) => names.find((name) => name === value),
  };
}

// PostgreSQL refuses NUL and lone surrogates; both engines must take the same files.
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
