// A YAML or JSON file as something that can be asked for its members, with the line of each. Faults are
// collected, not thrown, so that one run names all of them.

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** One thing that is wrong with a catalogue: where in the file, at which member, and a sentence. */
export interface CatalogueFault {
  readonly line: number;
  readonly path: string;
  readonly message: string;
}

/** What a member may be: the words for a fault, and a reader that says undefined when it is something else. */
interface Kind<T> {
  readonly words: string;
  read(value: unknown): T | undefined;
}

/** The root of the file, or null when it is not even YAML; the faults say why. */
export function openFile(text: string, faults: CatalogueFault[]): FileNode | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  for (const error of [...document.errors, ...document.warnings]) {
    faults.push({ line: lines.linePos(error.pos[0]).line, path: '', message: `${error.message}.` });
  }
  if (document.errors.length > 0) return null;
  const resolve = (node: unknown): Node | null => {
    const found = isAlias(node) ? node.resolve(document) : node;
    return isMap(found) || isSeq(found) || isScalar(found) ? found : null;
  };
  const lineOf = (node: unknown): number | null => {
    const place = node as { range?: readonly number[] | null } | null;
    return place?.range ? lines.linePos(place.range[0] ?? 0).line : null;
  };
  return new FileNode(document.contents, 1, '', { faults, lineOf, resolve });
}

interface FileContext {
  readonly faults: CatalogueFault[];
  lineOf(node: unknown): number | null;
  resolve(node: unknown): Node | null;
}

/** A place in the file. Members that were never asked for are reported by `refuseOthers`. */
export class FileNode {
  readonly line: number;
  readonly path: string;
  readonly #node: Node | null;
  readonly #context: FileContext;
  readonly #asked = new Set<string>();

  constructor(node: unknown, line: number, path: string, context: FileContext) {
    this.line = line;
    this.path = path;
    this.#node = context.resolve(node);
    this.#context = context;
  }

  fault(message: string): void {
    this.#context.faults.push({ line: this.line, path: this.path, message });
  }

  /** Whether this is an object; if not, that is a fault. */
  isObject(): boolean {
    if (isMap(this.#node)) return true;
    this.fault(`${this.#called()} must be an object with members.`);
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

  /** The place of a member, for a fault about it; this place when it is absent. */
  at(name: string): FileNode {
    return this.#child(name) ?? this;
  }

  /** The text, number or boolean of a member, whether it is right or not. */
  peek(name: string): unknown {
    const child = this.#child(name);
    const node = child === null ? null : child.#node;
    return isScalar(node) ? (node.value ?? undefined) : undefined;
  }

  object(name: string): FileNode | null {
    const child = this.#child(name);
    return child?.isObject() ? child : null;
  }

  /** The elements of a list; an absent list, or one with nothing written under it, is empty. */
  list(name: string): readonly FileNode[] {
    const child = this.#child(name);
    if (child === null) return [];
    const node = child.#node;
    if (isScalar(node) && node.value === null) return [];
    if (!isSeq(node)) {
      child.fault(`${name} must be a list.`);
      return [];
    }
    return node.items.map((item, index) => {
      const line = this.#context.lineOf(item) ?? child.line;
      return new FileNode(item, line, `${child.path}[${index}]`, this.#context);
    });
  }

  /** A member that must be there. After a fault the stand-in keeps the reader going. */
  required<T>(name: string, kind: Kind<T>, standIn: T): T {
    const child = this.#child(name);
    if (child !== null) return child.#read(name, kind, standIn);
    this.fault(`${name} is missing: ${kind.words}.`);
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
    if (!isMap(this.#node)) return;
    for (const pair of this.#node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '?';
      if (this.#asked.has(key)) continue;
      const line = this.#context.lineOf(pair.key) ?? this.line;
      const place = new FileNode(pair.key, line, join(this.path, key), this.#context);
      place.fault(`${key} is not a member that is known here; known are ${[...this.#asked].join(', ')}.`);
    }
  }

  #child(name: string): FileNode | null {
    this.#asked.add(name);
    if (!isMap(this.#node)) return null;
    const pair = this.#node.items.find((item) => isScalar(item.key) && item.key.value === name);
    if (pair === undefined) return null;
    // The line of the key: a block under it begins a line later, and a reader looks for the name.
    const line = this.#context.lineOf(pair.key) ?? this.line;
    return new FileNode(pair.value, line, join(this.path, name), this.#context);
  }

  #read<T, D>(name: string, kind: Kind<T>, standIn: D): T | D {
    const value = isScalar(this.#node) ? kind.read(this.#node.value) : undefined;
    if (value !== undefined) return value;
    this.fault(`${name} must be ${kind.words}.`);
    return standIn;
  }

  #called(): string {
    return this.path === '' ? 'The file' : this.path.slice(this.path.lastIndexOf('.') + 1);
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Remembers where an entry of the catalogue stood, so that later faults can say it. */
export type Keep = <T extends object>(entry: T, place: FileNode) => T;

/** A check that no two places say the same under one name. */
export function distinct(what: string): (place: FileNode, name: string) => void {
  const seen = new Map<unknown, number>();
  return (place, name) => {
    const value = place.peek(name);
    if (value === undefined) return;
    const first = seen.get(value);
    if (first === undefined) seen.set(value, place.at(name).line);
    else place.at(name).fault(`${what} ${String(value)} is taken already, in line ${first}.`);
  };
}

// ---- what members may be

export const aBoolean: Kind<boolean> = {
  words: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Text that people read. */
export const aText: Kind<string> = {
  words: 'a text of 1 to 4000 characters (in quotes, if it looks like a number)',
  read: (value) => (isText(value) && value.length >= 1 && value.length <= 4000 ? value : undefined),
};

export const aTextOrNone: Kind<string> = {
  words: 'a text of at most 4000 characters',
  read: (value) => (isText(value) && value.length <= 4000 ? value : undefined),
};

/** Text that names a thing: no control characters, and none of the names that JSON bodies may not use (D-26). */
export const anId: Kind<string> = {
  words: 'a text of 1 to 128 characters without control characters (in quotes, if it looks like a number)',
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
    words: `a whole number from ${min} to ${max}`,
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
        ? value
        : undefined,
  };
}

export const aPositiveNumber: Kind<number> = {
  words: 'a number above 0',
  read: (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined),
};

export const aValue: Kind<number | string | null> = {
  words: 'a number, a text or null',
  read: (value) =>
    value === null || (typeof value === 'number' && Number.isFinite(value)) || isText(value)
      ? value
      : undefined,
};

export const aTextOrNumber: Kind<number | string> = {
  words: 'a text or a number',
  read: (value) =>
    (typeof value === 'number' && Number.isFinite(value)) || (isText(value) && value !== '')
      ? value
      : undefined,
};

export function oneOf<T extends string>(words: readonly T[]): Kind<T> {
  return {
    words: `one of ${words.join(', ')}`,
    read: (value) => words.find((word) => word === value),
  };
}

// PostgreSQL refuses NUL and lone surrogates; both engines must take the same files.
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
