// The body of a patch, read into operations: every path is resolved, an object without a path is taken apart
// into one operation for each of its members, and every fault of form is told at once (D-22, D-56).

import type { Interruptible } from '../domain/interruptible.ts';
import { type Code, type Fault, Problem } from '../domain/problem.ts';
import { filterLimits, type Path, parsePath, UnknownName } from './filter.ts';
import type { SchemaView } from './schema-view.ts';
import { isObject } from './values.ts';

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: Path;
  /** As sent; undefined where there is none, which only `remove` may do. */
  readonly value: unknown;
  /** Where it stands in the body, for the faults. */
  readonly field: string;
  /** Made from a member of an object that had no path. */
  readonly spread: boolean;
}

export interface Patch {
  readonly operations: readonly Operation[];
  /** Members of objects without a path that name no attribute, as they were sent: passed over (D-161). */
  readonly ignored: readonly string[];
}

const maxOperations = 1000;

/** Faults of a patch and the code under which each would be told alone; the first one names the whole. */
type CodedFault = Fault & { readonly code: Code };

interface Reading {
  readonly schemaView: SchemaView;
  readonly limit: number;
  readonly operations: Operation[];
  readonly ignored: string[];
  readonly faults: CodedFault[];
}

export function* readPatch(
  body: unknown,
  schemaView: SchemaView,
  limit = maxOperations,
): Interruptible<Patch> {
  const [name, sent] = isObject(body) ? operationsIn(body) : ['operations', undefined];
  if (!Array.isArray(sent) || sent.length === 0) {
    const message = `${name} must be an array of at least one operation.`;
    throw new Problem('INVALID_PATCH', message, {
      details: [{ field: name, code: 'INVALID_PATCH', message }],
    });
  }
  refuseTooMany(sent.length, limit);
  const reading: Reading = { schemaView, limit, operations: [], ignored: [], faults: [] };
  judgeSchemas(body, reading);
  for (const [at, one] of sent.entries()) {
    yield* readOperation(one, `${name}[${at}]`, reading);
    yield;
  }
  refuseFaults(reading.faults);
  return { operations: reading.operations, ignored: reading.ignored };
}

/** Which schemas a patch names tells nothing; that it names them as texts is a part of its form (D-52). */
function judgeSchemas(body: unknown, reading: Reading): void {
  const [, schemas] =
    Object.entries(isObject(body) ? body : {}).findLast(([name]) => name.toLowerCase() === 'schemas') ?? [];
  const isListOfTexts = Array.isArray(schemas) && schemas.every((one) => typeof one === 'string');
  if (schemas !== undefined && schemas !== null && !isListOfTexts)
    note(reading, 'INVALID_PATCH', 'schemas', 'must be an array of strings');
}

/** The interface says `operations`, the standard `Operations`; both are read in any case (D-52). */
function operationsIn(body: Readonly<Record<string, unknown>>): readonly [string, unknown] {
  return (
    Object.entries(body).findLast(([name]) => name.toLowerCase() === 'operations') ?? [
      'operations',
      undefined,
    ]
  );
}

function* readOperation(sent: unknown, field: string, reading: Reading): Interruptible<void> {
  if (!isObject(sent)) {
    note(reading, 'INVALID_PATCH', field, 'must be an object');
    return;
  }
  // Members are listed into a Map, in any case, so that no name reaches an object's own machinery.
  const members = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  const op = opOf(members.get('op'));
  if (op === null) note(reading, 'INVALID_PATCH', `${field}.op`, 'must be add, replace or remove');
  const value = members.get('value');
  if (op !== 'remove' && value === undefined) note(reading, 'INVALID_VALUE', `${field}.value`, 'is missing');
  const path = members.get('path') ?? '';
  if (typeof path !== 'string') {
    note(reading, 'INVALID_PATH', `${field}.path`, 'must be a string');
  } else if (path.trim() === '') {
    yield* spreadOperation(op, value, field, reading);
  } else {
    const resolved = resolvePath(path, `${field}.path`, reading);
    keepOperation(op, resolved, { value, field, spread: false }, reading);
  }
}

/** Without a path, the members of the value are the paths: plain, dotted, with a URN, or with brackets. */
function* spreadOperation(
  op: Operation['op'] | null,
  value: unknown,
  field: string,
  reading: Reading,
): Interruptible<void> {
  if (op === 'remove') {
    note(reading, 'NO_TARGET', `${field}.path`, 'is missing; without it nothing can be removed');
    return;
  }
  if (value === undefined) return;
  if (!isObject(value)) {
    note(reading, 'INVALID_VALUE', `${field}.value`, 'must be an object where there is no path');
    return;
  }
  const entries = Object.entries(value);
  refuseTooMany(reading.operations.length + reading.ignored.length + entries.length, reading.limit);
  const place = `${field}.value`;
  for (const [name, one] of entries) {
    // A resource says which schemas it has; here that tells nothing new.
    if (name.toLowerCase() === 'schemas') continue;
    keepOperation(
      op,
      resolveMember(name, place, reading),
      { value: one, field: place, spread: true },
      reading,
    );
    yield;
  }
}

function keepOperation(
  op: Operation['op'] | null,
  path: Path | null,
  rest: Pick<Operation, 'value' | 'field' | 'spread'>,
  reading: Reading,
): void {
  if (op !== null && path !== null) reading.operations.push({ op, path, ...rest });
}

const ops: ReadonlyMap<string, Operation['op']> = new Map([
  ['add', 'add'],
  ['replace', 'replace'],
  ['remove', 'remove'],
]);

const opOf = (sent: unknown): Operation['op'] | null =>
  typeof sent === 'string' ? (ops.get(sent.toLowerCase()) ?? null) : null;

function resolvePath(text: string, field: string, reading: Reading): Path | null {
  try {
    return parsePath(text, reading.schemaView, filterLimits);
  } catch (error) {
    return noteProblem(error, field, reading);
  }
}

/**
 * A member that names no attribute is passed over, as in the body of a create or replace: providers send what other
 * services know, and a suspension must not fail over it (D-161). Brackets that cannot be read are a fault: who is meant
 * by them is not known.
 */
function resolveMember(name: string, field: string, reading: Reading): Path | null {
  if (!name.includes('[') && reading.schemaView.resolve(name.trim()) === null) {
    reading.ignored.push(name);
    return null;
  }
  try {
    return parsePath(name, reading.schemaView, filterLimits);
  } catch (error) {
    if (error instanceof UnknownName) {
      reading.ignored.push(name);
      return null;
    }
    return noteProblem(error, field, reading);
  }
}

function noteProblem(error: unknown, field: string, reading: Reading): null {
  if (!(error instanceof Problem)) throw error;
  reading.faults.push({ field, code: error.code, message: `${field}: ${error.message}` });
  return null;
}

function note(reading: Reading, code: Code, field: string, message: string): void {
  reading.faults.push({ field, code, message: `${field} ${message}.` });
}

function refuseTooMany(count: number, limit: number): void {
  if (count <= limit) return;
  throw new Problem('TOO_MANY_OPERATIONS', `A patch may have at most ${limit} operations.`);
}

function refuseFaults(faults: readonly CodedFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  throw new Problem(first.code, `${first.message}${more}`, { details: faults });
}
