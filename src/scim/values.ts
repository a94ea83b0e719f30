// From what a caller sent to the values of the table: every value is checked against its attribute, names
// are looked up in the schemaView, and every fault is noted with the place where it stands (D-22).

import { type Interruptible, inOneGo } from '../domain/interruptible.ts';
import type { Fault } from '../domain/problem.ts';
import { asValues, type Value, type Values } from '../domain/provisioning/value.ts';
import type { Attribute, FaceName } from './attributes.ts';
import type { SchemaView } from './schema-view.ts';

export interface Reading {
  readonly schemaView: SchemaView;
  /** Whose required parts must be there; null where parts may be missing, as in a patch. */
  readonly requiredOn: FaceName | null;
  /** Whether the habits of identity providers are understood: booleans as texts, a bare text for an object. */
  readonly lenient: boolean;
  readonly faults: Fault[];
}

/** A JSON object as it arrives: its members are only ever listed, never looked up. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as it is kept; undefined when it is not assigned, or faulty and noted. */
export function readValue(
  attribute: Attribute,
  sent: unknown,
  field: string,
  reading: Reading,
): Value | undefined {
  if (sent === null || sent === undefined) return undefined;
  return attribute.multiValued
    ? readElements(attribute, sent, field, reading)
    : readOne(attribute, sent, field, reading);
}

function readElements(
  attribute: Attribute,
  sent: unknown,
  field: string,
  reading: Reading,
): Value | undefined {
  const elements = inOneGo(readList(attribute, sent, field, reading));
  return elements.length === 0 ? undefined : attribute.type === 'complex' ? onePerPair(elements) : elements;
}

/** A body has room for a hundred thousand faults, and nobody reads more than these. */
const faultsMax = 1_000;

/** The elements of a list one by one; a list of members may have tens of thousands. */
export function* readList(
  attribute: Attribute,
  sent: unknown,
  field: string,
  reading: Reading,
): Interruptible<readonly Value[]> {
  const elements: Value[] = [];
  const all: readonly unknown[] | null = Array.isArray(sent) ? sent : reading.lenient ? [sent] : null;
  if (all === null) {
    refuse(reading, field, 'INVALID', 'must be an array');
    return elements;
  }
  if (all.length > attribute.maxElements) {
    refuse(reading, field, 'TOO_MANY', `must have at most ${attribute.maxElements} elements`);
    return elements;
  }
  for (const [at, one] of all.entries()) {
    const element = readOne(attribute, one, `${field}[${at}]`, reading);
    if (element !== undefined) elements.push(element);
    if (reading.faults.length >= faultsMax) break;
    yield;
  }
  return elements;
}

/**
 * The same type and value stand in a list once (RFC 7643 section 2.4): what is said of them again completes what was
 * said before. Of elements without a value, those that say the same are one.
 */
export function onePerPair(elements: readonly Value[]): readonly Value[] {
  const values = new Set(elements.map((element) => asValues(element).value));
  // Nearly all lists: each element has a value of its own.
  if (values.size === elements.length && !values.has(undefined)) return elements;
  const byPair = new Map<string, Values>();
  for (const element of elements.map(asValues)) {
    const key = pairOf(element);
    const known = byPair.get(key);
    byPair.set(key, known === undefined ? element : mergedPair(known, element));
  }
  return byPair.size === elements.length ? elements : [...byPair.values()];
}

function pairOf(element: Values): string {
  if (element.value !== undefined) return JSON.stringify([element.type ?? null, element.value]);
  return JSON.stringify(Object.entries(element).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function mergedPair(known: Values, again: Values): Values {
  const isPrimary = known.primary === true || again.primary === true;
  return { ...known, ...again, ...(isPrimary ? { primary: true } : {}) };
}

/** One value, or one element of a list. */
export function readOne(
  attribute: Attribute,
  sent: unknown,
  field: string,
  reading: Reading,
): Value | undefined {
  switch (attribute.type) {
    case 'complex':
      return readParts(attribute, sent, field, reading);
    case 'boolean': {
      if (typeof sent === 'boolean') return sent;
      const said = reading.lenient && typeof sent === 'string' ? sent.toLowerCase() : null;
      if (said === 'true' || said === 'false') return said === 'true';
      return refuse(reading, field, 'INVALID', 'must be true or false');
    }
    case 'integer':
      if (typeof sent === 'number' && Number.isSafeInteger(sent)) return sent;
      return refuse(reading, field, 'INVALID', 'must be an integer');
    case 'dateTime':
      if (typeof sent === 'string' && (isInstant(sent) || isDay(sent))) return sent;
      return refuse(reading, field, 'INVALID', 'must be a date or a time such as "2026-01-31T12:00:00Z"');
    case 'binary':
      if (typeof sent === 'string' && !/^[A-Za-z0-9+/_-]*={0,2}$/.test(sent)) {
        return refuse(reading, field, 'INVALID', 'must be Base64');
      }
      return readText(attribute, sent, field, reading);
    default:
      return readText(attribute, sent, field, reading);
  }
}

function readText(attribute: Attribute, sent: unknown, field: string, reading: Reading): string | undefined {
  if (typeof sent !== 'string') return refuse(reading, field, 'INVALID', 'must be a string');
  // PostgreSQL keeps neither, so no engine does (D-26).
  if (!sent.isWellFormed() || sent.includes('\0')) {
    return refuse(reading, field, 'INVALID_TEXT', 'must not hold NUL or half a surrogate pair');
  }
  // What identifies a user is never taken away by an empty text: the domain refuses it by name (D-51).
  if (sent === '' && attribute.uniqueness === 'none') return undefined;
  if (sent.length > attribute.maxLength && [...sent].length > attribute.maxLength) {
    return refuse(reading, field, 'TOO_LONG', `must have at most ${attribute.maxLength} characters`);
  }
  return sent;
}

function readParts(attribute: Attribute, sent: unknown, field: string, reading: Reading): Values | undefined {
  const object = objectOf(attribute, sent, reading);
  if (object === null) return refuse(reading, field, 'INVALID', 'must be an object');
  const kept: Record<string, Value> = {};
  for (const [name, one] of Object.entries(object)) {
    // Unknown parts are ignored (D-55); read-only ones are checked for their type and not taken.
    const part = reading.schemaView.member(attribute, name);
    if (part === null) continue;
    const value = readValue(part, one, fieldBelow(attribute, field, part.name), reading);
    if (part.mutability === 'readOnly') continue;
    delete kept[part.name];
    if (value !== undefined) kept[part.name] = value;
  }
  for (const part of reading.schemaView.partsOf(attribute)) {
    if (reading.requiredOn === null || !part.requiredOn.includes(reading.requiredOn)) continue;
    const place = fieldBelow(attribute, field, part.name);
    if (kept[part.name] === undefined && !reading.faults.some((fault) => fault.field === place)) {
      refuse(reading, place, 'MISSING', 'is required');
    }
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Identity providers send a manager as a bare text, or as a list of one (D-56). */
function objectOf(
  attribute: Attribute,
  sent: unknown,
  reading: Reading,
): Readonly<Record<string, unknown>> | null {
  if (isObject(sent)) return sent;
  if (!reading.lenient) return null;
  if (Array.isArray(sent) && sent.length === 1 && isObject(sent[0])) return sent[0];
  const hasValue = !attribute.extension && reading.schemaView.member(attribute, 'value') !== null;
  return typeof sent === 'string' && hasValue ? { value: sent } : null;
}

const fieldBelow = (attribute: Attribute, field: string, name: string): string =>
  attribute.extension ? `${field}:${name}` : `${field}.${name}`;

function refuse(reading: Reading, field: string, code: Fault['code'], message: string): undefined {
  reading.faults.push({ field, code, message: `${field} ${message}.` });
  return undefined;
}

/** A time with its offset: without one it would mean another instant on another machine. */
export function isInstant(text: string): boolean {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
  return form.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

/** A day that exists: Date.parse lets 30 February pass for a day of March. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instantMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instantMs) && new Date(instantMs).toISOString().startsWith(text);
}
