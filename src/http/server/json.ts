// Strict JSON (D-26): only what both engines can keep, and what every reader of it understands alike.

import type { Interruptible } from '../../domain/interruptible.ts';
import { parsedInPieces, shapeOfText } from '../../domain/json-pieces.ts';
import { parseJsonText } from '../../domain/json-text.ts';
import { Problem } from '../../domain/problem.ts';

const depthMax = 32;
// Each name that the process has not read before costs the parser up to five microseconds, and nobody else is served
// meanwhile. Shorter bodies have no room for more than this many (D-198).
const namesMax = 2_000;
// A mebibyte has room for 350,000 empty objects, which are 20 MB of memory: the garbage collector holds everybody up for as long as it
// takes to carry those that it finds in use from one place to another (D-930). Real bodies have some twenty bytes for each of them.
const containersMax = 60_000;
const valuesMax = 250_000;
/** The largest body that is taken unless an operator says otherwise; whoever takes larger ones takes as much more in them. */
const usualBodyBytes = 1024 * 1024;
/** A longer body is read in pieces, between which others are served (D-920). */
export const shortBodyBytes = 16 * 1024;
// A byte order mark is kept by this decoder, so that JSON.parse refuses it like any other stray character.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const forbiddenNames = new Set(['__proto__', 'constructor']);

export interface ParsedJson {
  readonly text: string;
  readonly value: unknown;
}

export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    // The parser's own message quotes the body, so it stays here.
    throw invalid();
  }
  inspectorOf(text)(value, 1);
  return { text, value };
}

/** The same for a body of any length, where the largest has so many bytes. */
export function* parsedJson(bytes: Uint8Array, largestBytes = usualBodyBytes): Interruptible<ParsedJson> {
  if (bytes.length <= shortBodyBytes) return parseJson(bytes);
  const text = textOf(bytes);
  const share = Math.max(1, largestBytes / usualBodyBytes);
  const limits = {
    names: namesMax,
    values: Math.floor(valuesMax * share),
    containers: Math.floor(containersMax * share),
    // Of one text JSON.parse makes all at once.
    textLength: Math.floor(usualBodyBytes * share),
    depth: depthMax,
  };
  const shape = yield* shapeOfText(text, limits);
  if (shape === 'manyNames') throw malformed(`The body has more than ${namesMax} different member names.`);
  if (shape === 'manyContainers')
    throw malformed(`The body has more than ${limits.containers} lists and objects.`);
  if (shape === 'manyValues') throw malformed(`The body has more than ${limits.values} values.`);
  if (shape === 'longText')
    throw malformed(`The body has a text of more than ${limits.textLength} characters.`);
  if (shape === 'unclosed') throw invalid();
  // What is nested so deep costs the parser ten times as much as anything else of its length, and is never taken.
  if (shape === 'deep') throw tooDeep();
  const inspectPiece = inspectorOf(text);
  let fault: unknown = null;
  let value: unknown;
  try {
    value = yield* parsedInPieces(text, (piece, depth) => {
      try {
        if (fault === null) inspectPiece(piece, depth);
      } catch (found) {
        // What is no JSON is said first, wherever it stands.
        fault = found;
      }
    });
  } catch {
    throw invalid();
  }
  if (fault !== null) throw fault;
  return { text, value };
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

/**
 * What cannot be in the text need not be looked for in every value: NUL and lone surrogates can only be written as escapes, and a name
 * that is forbidden has to be spelt, or escaped.
 */
function inspectorOf(text: string): (value: unknown, depth: number) => void {
  const hasEscapes = text.includes('\\u');
  const mayHaveNames = hasEscapes || text.includes('__proto__') || text.includes('constructor');
  return (value, depth) => inspect(value, depth, hasEscapes, mayHaveNames);
}

function inspect(value: unknown, depth: number, hasEscapes: boolean, mayHaveNames: boolean): void {
  if (typeof value === 'string') {
    if (hasEscapes) inspectText(value);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw malformed('The body holds a number that is not finite.');
  } else if (typeof value === 'object' && value !== null) {
    if (depth > depthMax) throw tooDeep();
    if (Array.isArray(value)) {
      for (const element of value) inspect(element, depth + 1, hasEscapes, mayHaveNames);
      return;
    }
    if (mayHaveNames) inspectNames(value);
    for (const name in value) {
      inspect((value as Record<string, unknown>)[name], depth + 1, hasEscapes, mayHaveNames);
    }
  }
}

function inspectNames(value: object): void {
  for (const name of Object.keys(value)) {
    if (forbiddenNames.has(name)) throw malformed(`The body holds a member called ${name}.`);
    inspectText(name);
  }
}

function inspectText(text: string): void {
  if (!text.isWellFormed()) throw malformed('The body holds a lone surrogate.');
  if (text.includes('\0')) throw malformed('The body holds the character NUL.');
}

function invalid(): Problem {
  return malformed('The body is not valid JSON.');
}

function tooDeep(): Problem {
  return malformed(`The body is nested more than ${depthMax} deep.`);
}

function malformed(message: string): Problem {
  return new Problem('MALFORMED_JSON', message);
}
