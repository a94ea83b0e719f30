// A JSON text of any length, read piece by piece, so that others can be served in between: JSON.parse holds everybody up for as long as
// the text is (a mebibyte of small values takes it 20 ms and more). One walk over the characters finds where lists and objects begin
// and end, and JSON.parse is handed some thousand characters of whole elements at a time: what is JSON is still for it to say.

import type { Interruptible } from './interruptible.ts';
import { parseJsonText } from './json-text.ts';

/** Characters of one piece: some milliseconds of the worst of them. */
const usualLength = 16 * 1024;

/** A list or an object whose end has not been reached. */
interface Open {
  readonly isList: boolean;
  /** Of its bracket. */
  readonly begin: number;
  /** Where the text begins that is not in its value yet. */
  unread: number;
  /** Where the last text right in it begins: before a bracket in an object, that is a name. */
  lastText: number;
  /** Null as long as it may still be read as a part of what it is in. */
  value: unknown[] | Record<string, unknown> | null;
  /** Whether its value has an element. */
  isBegun: boolean;
}

/** Is shown every piece, a list or an object as they are in the text at this depth; what it throws ends the reading. */
type Look = (piece: unknown, depth: number) => void;

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** What JSON.parse says of the text (D-195); throws a SyntaxError where it is none. */
export function* parsedInPieces(text: string, look: Look, pieceLength = usualLength): Interruptible<unknown> {
  const open: Open[] = [];
  let pauseAt = pieceLength;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    const top = open.at(-1);
    if (code === quote) {
      if (top !== undefined) top.lastText = place;
      place = endOfText(text, place);
      if (place === -1) throw new SyntaxError('A text does not end.');
    } else if (code === openList || code === openObject) {
      if (top === undefined && (yield* placeBehindBlanks(text, 0, place)) < place) break;
      const isList = code === openList;
      open.push({ isList, begin: place, unread: place + 1, lastText: -1, value: null, isBegun: false });
    } else if (code === closeList || code === closeObject) {
      if (top === undefined || top.isList !== (code === closeList))
        throw new SyntaxError('A bracket too many.');
      if (place - top.begin > 2 * pieceLength) yield* begin(text, open, look);
      if (top.value !== null) {
        yield* readRest(text, top, place, open.length, look);
        const before = open.at(-2);
        if (before === undefined) {
          if ((yield* placeBehindBlanks(text, place + 1, text.length)) < text.length) break;
          return top.value;
        }
        before.unread = place + 1;
      }
      open.pop();
      if (open.length === 0) break;
    } else if (code === comma && top !== undefined && place - top.unread > pieceLength) {
      yield* begin(text, open, look);
      yield* readRest(text, top, place, open.length, look);
      top.unread = place;
    }
    if (place > pauseAt) {
      pauseAt = place + pieceLength;
      yield;
    }
  }
  if (open.length > 0) throw new SyntaxError('A bracket too few.');
  // It is short, or has neither lists nor objects of some length, or is not JSON.
  const value = parseJsonText(text);
  look(value, 1);
  return value;
}

/** From here on what is open has a value, and gets its elements one piece after the other. */
function* begin(text: string, open: readonly Open[], look: Look): Interruptible<void> {
  for (const [index, one] of open.entries()) {
    if (one.value !== null) continue;
    one.value = one.isList ? [] : {};
    const before = open[index - 1];
    if (before === undefined) continue;
    const name = yield* readBefore(text, before, one.begin, index, look);
    if (name === null) (before.value as unknown[]).push(one.value);
    else addMember(before.value as Record<string, unknown>, name, one.value);
    before.isBegun = true;
    yield;
  }
}

/** The elements up to a bracket that stands in them, and the name that stands before the bracket; null in a list. */
function* readBefore(
  text: string,
  open: Open,
  end: number,
  depth: number,
  look: Look,
): Interruptible<string | null> {
  const nameBegin = open.isList ? end : open.lastText;
  if (nameBegin < open.unread) throw new SyntaxError('A member without a name.');
  const begin = yield* beginOfElements(text, open, nameBegin);
  if (begin < nameBegin) {
    const last = endBeforeBlanks(text, nameBegin) - 1;
    if (text.charCodeAt(last) !== comma) throw new SyntaxError('A comma is missing.');
    add(open, text.slice(begin, last), depth, look);
  }
  if (open.isList) return null;
  // A list, which nothing that may stand before it makes a part of something else, as `1` would a 0.
  const member = parseJsonText(`{${text.slice(nameBegin, end)}[]}`) as object;
  look(member, depth);
  return Object.keys(member)[0]!;
}

/** The elements up to a comma, or to the end of the list or the object. */
function* readRest(text: string, open: Open, end: number, depth: number, look: Look): Interruptible<void> {
  if ((yield* placeBehindBlanks(text, open.unread, end)) === end) return;
  add(open, text.slice(yield* beginOfElements(text, open, end), end), depth, look);
}

function add(open: Open, elements: string, depth: number, look: Look): void {
  // What JSON.parse would take for an empty list is a comma too many.
  if (elements === '') throw new SyntaxError('A comma too many.');
  const piece = parseJsonText(open.isList ? `[${elements}]` : `{${elements}}`);
  look(piece, depth);
  if (open.isList) for (const element of piece as unknown[]) (open.value as unknown[]).push(element);
  else {
    const members = piece as Record<string, unknown>;
    for (const name in members) addMember(open.value as Record<string, unknown>, name, members[name]);
  }
  open.isBegun = true;
}

function addMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // Assigned, it would not become a member; JSON.parse makes it one, for others to refuse.
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  else object[name] = value;
}

/** Where something stands that is no blank, or the end: blanks alone may be as many as a body has bytes. */
function* placeBehindBlanks(text: string, begin: number, end: number): Interruptible<number> {
  let pauseAt = begin + usualLength;
  for (let place = begin; place < end; place += 1) {
    const code = text.charCodeAt(place);
    if (!isBlank(code)) return place;
    if (place > pauseAt) {
      pauseAt = place + usualLength;
      yield;
    }
  }
  return end;
}

function endBeforeBlanks(text: string, end: number): number {
  let place = end;
  while (isBlank(text.charCodeAt(place - 1))) place -= 1;
  return place;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Where the elements begin that are not in the value yet, behind the comma that parts them from those that are. */
function* beginOfElements(text: string, { unread, isBegun }: Open, end: number): Interruptible<number> {
  const place = yield* placeBehindBlanks(text, unread, end);
  if (!isBegun) return place;
  if (place === end || text.charCodeAt(place) !== comma) throw new SyntaxError('A comma is missing.');
  return yield* placeBehindBlanks(text, place + 1, end);
}

const backslash = 0x5c;

/** The place of the quote that ends the text which begins here; -1 where none does. */
export function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (place - first) % 2 === 1;
}

/** What can be told of a text before it is read. */
type TextShape = 'manyNames' | 'manyValues' | 'manyContainers' | 'longText' | 'deep' | 'unclosed' | 'usual';

/** How much a text may have in it, so that what its value takes of the memory is in proportion to its length. */
export interface ShapeLimits {
  /** Different member names. */
  readonly names: number;
  /** Elements and members of all lists and objects together. */
  readonly values: number;
  /** Lists and objects. */
  readonly containers: number;
  /** Characters of one text or name, as they are written. */
  readonly textLength: number;
  /** How deep lists and objects may be in each other. */
  readonly depth: number;
}

const colon = /[ \t\r\n]*:/y;

/**
 * Whether a text, which need not be JSON, stays within limits: what exceeds them costs JSON.parse and the garbage collector far more than
 * its length says.
 */
export function* shapeOfText(text: string, limits: ShapeLimits): Interruptible<TextShape> {
  const names = new Set<string>();
  let depth = 0;
  let isDeep = false;
  let containers = 0;
  // Each but the first of a list or an object has a comma before it.
  let commas = 0;
  let pauseAt = usualLength;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) {
      const end = endOfText(text, place);
      if (end === -1) return 'unclosed';
      if (end - place > limits.textLength) return 'longText';
      colon.lastIndex = end + 1;
      if (colon.test(text) && names.add(text.slice(place + 1, end)).size > limits.names) return 'manyNames';
      place = end;
    } else if (code === openList || code === openObject) {
      depth += 1;
      if (depth > limits.depth) isDeep = true;
      containers += 1;
    } else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === comma) commas += 1;
    // How deep it is, is said first, and known only at the end.
    if (!isDeep && containers > limits.containers) return 'manyContainers';
    if (!isDeep && containers + commas > limits.values) return 'manyValues';
    if (place > pauseAt) {
      pauseAt = place + usualLength;
      yield;
    }
  }
  if (depth !== 0) return 'unclosed';
  return isDeep ? 'deep' : 'usual';
}
