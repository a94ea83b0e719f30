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
      if (top === undefined && !isBlank(text.slice(0, place))) break;
      const isList = code === openList;
      open.push({ isList, begin: place, unread: place + 1, lastText: -1, value: null, isBegun: false });
    } else if (code === closeList || code === closeObject) {
      if (top === undefined || top.isList !== (code === closeList))
        throw new SyntaxError('A bracket too many.');
      if (place - top.begin > 2 * pieceLength) yield* begin(text, open, look);
      if (top.value !== null) {
        readRest(text, top, place, open.length, look);
        const before = open.at(-2);
        if (before === undefined) {
          if (!isBlank(text.slice(place + 1))) break;
          return top.value;
        }
        before.unread = place + 1;
      }
      open.pop();
      if (open.length === 0) break;
    } else if (code === comma && top !== undefined && place - top.unread > pieceLength) {
      yield* begin(text, open, look);
      readRest(text, top, place, open.length, look);
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
    const name = readBefore(text, before, one.begin, index, look);
    if (name === null) (before.value as unknown[]).push(one.value);
    else addMember(before.value as Record<string, unknown>, name, one.value);
    before.isBegun = true;
    yield;
  }
}

/** The elements up to a bracket that stands in them, and the name that stands before the bracket; null in a list. */
function readBefore(text: string, open: Open, end: number, depth: number, look: Look): string | null {
  const nameBegin = open.isList ? end : open.lastText;
  if (nameBegin < open.unread) throw new SyntaxError('A member without a name.');
  const elements = withoutFirstComma(open, text.slice(open.unread, nameBegin));
  if (!isBlank(elements)) {
    const last = elements.trimEnd();
    if (!last.endsWith(',')) throw new SyntaxError('A comma is missing.');
    add(open, last.slice(0, -1), depth, look);
  }
  if (open.isList) return null;
  const member = parseJsonText(`{${text.slice(nameBegin, end)}0}`) as object;
  look(member, depth);
  return Object.keys(member)[0]!;
}

/** The elements up to a comma, or to the end of the list or the object. */
function readRest(text: string, open: Open, end: number, depth: number, look: Look): void {
  const rest = text.slice(open.unread, end);
  if (isBlank(rest)) return;
  add(open, withoutFirstComma(open, rest), depth, look);
}

function withoutFirstComma({ isBegun }: Open, text: string): string {
  if (!isBegun) return text;
  const begin = text.indexOf(',');
  if (begin === -1 || !isBlank(text.slice(0, begin))) throw new SyntaxError('A comma is missing.');
  return text.slice(begin + 1);
}

function add(open: Open, elements: string, depth: number, look: Look): void {
  if (isBlank(elements)) throw new SyntaxError('A comma too many.');
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

const notSpace = /[^ \t\r\n]/;

function isBlank(text: string): boolean {
  return !notSpace.test(text);
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
export type TextShape = 'manyNames' | 'deep' | 'unclosed' | 'usual';

const colon = /[ \t\r\n]*:/y;

/**
 * Whether a text, which need not be JSON, has more different member names than so many, or lists and objects deeper in each other: both
 * cost JSON.parse far more than their length says.
 */
export function* shapeOfText(text: string, namesMax: number, depthMax: number): Interruptible<TextShape> {
  const names = new Set<string>();
  let depth = 0;
  let isDeep = false;
  let pauseAt = usualLength;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) {
      const end = endOfText(text, place);
      if (end === -1) return 'unclosed';
      colon.lastIndex = end + 1;
      if (colon.test(text) && names.add(text.slice(place + 1, end)).size > namesMax) return 'manyNames';
      place = end;
    } else if (code === openList || code === openObject) {
      depth += 1;
      if (depth > depthMax) isDeep = true;
    } else if (code === closeList || code === closeObject) depth -= 1;
    if (place > pauseAt) {
      pauseAt = place + usualLength;
      yield;
    }
  }
  if (depth !== 0) return 'unclosed';
  return isDeep ? 'deep' : 'usual';
}
