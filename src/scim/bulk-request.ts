// The body of a bulk request, read (RFC 7644 section 3.7). What is wrong with the whole is refused at once; what is
// wrong with one operation is that operation's own failure, told in its place in the answer.

import { type Code, Problem } from '../domain/problem.ts';
import type { TypeDescription } from './resource-type.ts';
import { bulkRequestSchema, namesSchema } from './urns.ts';
import { isObject } from './values.ts';

export interface BulkLimits {
  readonly maxOperations: number;
  readonly maxPayloadBytes: number;
}

/** What the configuration tells callers; the size of the body is judged where it is read. */
export const bulkLimits: BulkLimits = { maxOperations: 1000, maxPayloadBytes: 1_048_576 };

export type BulkMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A type of resources as far as a bulk request is about it. */
type BulkType = Pick<TypeDescription, 'name' | 'endpoint'>;

/** One operation as it was sent, in a form that can be carried out. */
export interface BulkOperation {
  /** Its place in the request, counted from 0. */
  readonly index: number;
  readonly method: BulkMethod;
  readonly bulkId: string | null;
  /** The version that the resource must still have, as in If-Match. */
  readonly version: string | null;
  /** The name of the type. */
  readonly type: string;
  /** As the path has it: an id, or `bulkId:x` for what another operation creates; null for POST. */
  readonly id: string | null;
  readonly data: unknown;
}

/** An operation that cannot be carried out, and why. */
export interface BulkFault {
  readonly index: number;
  /** As sent, where it can be told. */
  readonly method: string;
  readonly bulkId: string | null;
  readonly problem: Problem;
}

export interface BulkRequest {
  /** How many failures end the whole; null: none do. */
  readonly failOnErrors: number | null;
  readonly operations: readonly (BulkOperation | BulkFault)[];
}

export const isFault = (one: BulkOperation | BulkFault): one is BulkFault => 'problem' in one;

export function readBulk(
  body: unknown,
  types: readonly BulkType[],
  limits: Pick<BulkLimits, 'maxOperations'> = bulkLimits,
): BulkRequest {
  if (!isObject(body)) throw new Problem('INVALID_BULK', 'The body must be a JSON object.');
  const members = membersOf(body);
  const sent = members.get('operations');
  if (!Array.isArray(sent) || sent.length === 0) {
    throw refusal('Operations', 'must be an array of at least one operation');
  }
  if (sent.length > limits.maxOperations) {
    // The RFC asks for 413 here, not for 400 (section 3.7.4).
    const message = `A bulk request may have at most ${limits.maxOperations} operations.`;
    throw new Problem('TOO_MANY_BULK_OPERATIONS', message);
  }
  if (!namesSchema(members.get('schemas'), bulkRequestSchema)) {
    throw refusal('schemas', `must name ${bulkRequestSchema}`);
  }
  const failOnErrors = members.get('failonerrors') ?? null;
  if (failOnErrors !== null && !(Number.isSafeInteger(failOnErrors) && Number(failOnErrors) >= 1)) {
    throw refusal('failOnErrors', 'must be an integer of at least 1');
  }
  const operations = sent.map((one, index) => readOperation(one, index, types));
  return { failOnErrors: failOnErrors === null ? null : Number(failOnErrors), operations: once(operations) };
}

function refusal(field: string, message: string): Problem {
  return new Problem('INVALID_BULK', `${field} ${message}.`, {
    details: [{ field, code: 'INVALID_BULK', message: `${field} ${message}.` }],
  });
}

/** Members are listed into a Map, in any case, so that no name reaches an object's own machinery. */
const membersOf = (object: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));

const methods: ReadonlyMap<string, BulkMethod> = new Map(
  (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, method]),
);

function readOperation(sent: unknown, index: number, types: readonly BulkType[]): BulkOperation | BulkFault {
  const place = `Operations[${index}]`;
  const members = isObject(sent) ? membersOf(sent) : new Map<string, unknown>();
  const said = members.get('method');
  const bulkId = members.get('bulkid') ?? null;
  const fault = (field: string, message: string, code: Code = 'INVALID_BULK'): BulkFault => ({
    index,
    method: typeof said === 'string' ? said.slice(0, 16) : '',
    bulkId: typeof bulkId === 'string' ? bulkId : null,
    problem: new Problem(code, `${place}${field} ${message}.`, {
      details: [{ field: `${place}${field}`, code, message: `${place}${field} ${message}.` }],
    }),
  });
  if (!isObject(sent)) return fault('', 'must be an object');
  const method = typeof said === 'string' ? methods.get(said.toUpperCase()) : undefined;
  if (method === undefined) return fault('.method', 'must be POST, PUT, PATCH or DELETE');
  if (bulkId !== null && !isBulkId(bulkId)) {
    return fault('.bulkId', 'must be a text of 1 to 255 characters without quotes', 'INVALID_VALUE');
  }
  if (method === 'POST' && bulkId === null) return fault('.bulkId', 'is required for POST', 'INVALID_VALUE');
  const path = members.get('path');
  const target = typeof path === 'string' ? targetOf(path, types) : null;
  if (target === null) {
    const paths = types.map(({ endpoint }) => `/${endpoint}`).join(' or ');
    return fault('.path', `must be ${paths}, with an id behind it unless for POST`);
  }
  if ((target.id === null) !== (method === 'POST')) {
    return fault('.path', method === 'POST' ? 'must not have an id for POST' : 'must have an id');
  }
  const version = members.get('version') ?? null;
  if (version !== null && typeof version !== 'string') return fault('.version', 'must be a string');
  const data = members.get('data');
  if (method !== 'DELETE' && !isObject(data)) return fault('.data', 'must be an object', 'INVALID_VALUE');
  return { index, method, bulkId, version, ...target, data: method === 'DELETE' ? null : data };
}

/** Quotes and backslashes would not survive a patch path such as `members[value eq "bulkId:x"]`. */
const isBulkId = (value: unknown): value is string =>
  typeof value === 'string' && /^[^"\\\0]{1,255}$/.test(value);

/** The path is relative to the base address of the face; a slash at its beginning may be missing. */
function targetOf(path: string, types: readonly BulkType[]): Pick<BulkOperation, 'type' | 'id'> | null {
  const [, name, id] = /^\/?([A-Za-z]+)(?:\/([^/?#]+))?\/?$/.exec(path) ?? [];
  const type = types.find(({ endpoint }) => endpoint.toLowerCase() === name?.toLowerCase());
  return type === undefined ? null : { type: type.name, id: id ?? null };
}

/** Two creations under one bulkId would make every reference to it ambiguous: the later one is refused. */
function once(operations: readonly (BulkOperation | BulkFault)[]): BulkRequest['operations'] {
  const seen = new Set<string>();
  return operations.map((one) => {
    if (isFault(one) || one.method !== 'POST' || one.bulkId === null) return one;
    const { index, method, bulkId } = one;
    if (!seen.has(bulkId)) {
      seen.add(bulkId);
      return one;
    }
    const message = `Operations[${index}].bulkId is used by another operation.`;
    const details = [{ field: `Operations[${index}].bulkId`, code: 'INVALID_VALUE' as const, message }];
    return { index, method, bulkId, problem: new Problem('INVALID_VALUE', message, { details }) };
  });
}
