// A sequence of requests that an identity provider is known to send, as data, and what must be true of the answers.
// Our tests play them against the service, and so does `soundings scim check`; neither needs to know a provider.
//
// Texts may hold `{{name}}`: a value captured from an earlier answer, or `{{run}}`, which the player gives and which
// is different every time, so that a sequence can be played twice.

import type { Values } from '../../domain/provisioning/value.ts';
import { isObject } from '../values.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface SequenceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** In the place of the caller's own credentials. */
  readonly authorization?: string;
  readonly contentType?: string;
}

/** One thing that must hold of the body; a path is `Resources[0].name.givenName`, "" is the body itself. */
type Claim = { readonly path: string } & (
  | { readonly equals: Json }
  | { readonly contains: Json }
  | { readonly counts: number }
  | { readonly is: 'present' | 'absent' | 'number' | 'list' }
);

export interface SequenceStep {
  /** Steps that follow one another with one name are the same for several users, and are told as one. */
  readonly name: string;
  readonly request: SequenceRequest;
  /** Any of these will do. */
  readonly status: readonly number[];
  readonly claims: readonly Claim[];
  /** Names for values of the answer, each with its path. */
  readonly captures?: Readonly<Record<string, string>>;
}

export interface ProviderSequence {
  readonly id: string;
  readonly provider: 'Entra ID' | 'Okta' | 'pocket-id' | 'ssosync' | 'authentik';
  readonly name: string;
  /** The pages that document it. */
  readonly sources: readonly string[];
  readonly steps: readonly SequenceStep[];
  /** What is left behind and can be taken away, as paths; played after the steps, whatever became of them. */
  readonly leftovers: readonly string[];
}

type Variables = ReadonlyMap<string, string>;

export interface FilledRequest {
  readonly method: SequenceRequest['method'];
  /** Path and query, encoded, to be set behind the base address. */
  readonly target: string;
  readonly body: Json | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string;
}

export function fillRequest(request: SequenceRequest, variables: Variables): FilledRequest {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => {
    const filled = encodeURIComponent(fillText(value, variables));
    // A flag has no value, and no equals sign either.
    return value === '' ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${filled}`;
  });
  const path = request.path.replaceAll(placeholder, (_, name: string) =>
    encodeURIComponent(variableOf(name, variables)),
  );
  return {
    method: request.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    body: request.body === undefined ? undefined : fillJson(request.body, variables),
    authorization: request.authorization,
    contentType: request.contentType ?? 'application/scim+json',
  };
}

const placeholder = /\{\{([A-Za-z]+\d*)\}\}/g;

/** The names that a step needs, so that a table can be checked without being played. */
export function namesUsedBy(step: SequenceStep): ReadonlySet<string> {
  const text = JSON.stringify([step.request, step.claims]);
  return new Set([...text.matchAll(placeholder)].map(([, name]) => String(name)));
}

function variableOf(name: string, variables: Variables): string {
  const value = variables.get(name);
  if (value === undefined) throw new Error(`The sequence uses {{${name}}} before it is captured.`);
  return value;
}

function fillText(text: string, variables: Variables): string {
  return text.replaceAll(placeholder, (_, name: string) => variableOf(name, variables));
}

function fillJson(json: Json, variables: Variables): Json {
  if (typeof json === 'string') return fillText(json, variables);
  if (isListOfJson(json)) return json.map((one) => fillJson(one, variables));
  if (!isObject(json)) return json;
  const entries = Object.entries(json as Readonly<Record<string, Json>>);
  return Object.fromEntries(entries.map(([name, one]) => [name, fillJson(one, variables)]));
}

const isListOfJson = (json: Json): json is readonly Json[] => Array.isArray(json);

/** What is wrong with an answer, in sentences; nothing when it is as it should be. */
export function judgeAnswer(
  step: SequenceStep,
  status: number,
  body: unknown,
  variables: Variables,
): readonly string[] {
  if (!step.status.includes(status)) return [`status ${status} instead of ${step.status.join(' or ')}`];
  // An answer without a body, where one is allowed, makes no claims.
  if (status === 204) return body === undefined ? [] : ['a body came with status 204'];
  return step.claims.flatMap((claim) => {
    const found = valueAt(body, claim.path);
    const where = claim.path === '' ? 'the body' : claim.path;
    if ('equals' in claim) {
      const wanted = fillJson(claim.equals, variables);
      return sameJson(found, wanted) ? [] : [`${where} is ${said(found)} instead of ${said(wanted)}`];
    }
    if ('contains' in claim) {
      const wanted = fillJson(claim.contains, variables);
      const has = Array.isArray(found) && found.some((one) => sameJson(one, wanted));
      return has ? [] : [`${where} does not contain ${said(wanted)}`];
    }
    if ('counts' in claim) {
      const count = Array.isArray(found) ? found.length : null;
      return count === claim.counts
        ? []
        : [`${where} has ${count ?? 'no'} elements instead of ${claim.counts}`];
    }
    return isAs(found, claim.is) ? [] : [`${where} should be ${claim.is} and is ${said(found)}`];
  });
}

function isAs(found: unknown, expected: 'present' | 'absent' | 'number' | 'list'): boolean {
  if (expected === 'number') return typeof found === 'number';
  if (expected === 'list') return Array.isArray(found);
  const isThere = found !== undefined && found !== null && found !== '';
  return isThere === (expected === 'present');
}

/** The values that later steps need; null where the answer lacks one of them. */
export function captureFrom(step: SequenceStep, body: unknown): ReadonlyMap<string, string> | null {
  const captured = new Map<string, string>();
  for (const [name, path] of Object.entries(step.captures ?? {})) {
    const found = valueAt(body, path);
    if (typeof found !== 'string' && typeof found !== 'number') return null;
    captured.set(name, String(found));
  }
  return captured;
}

/**
 * What stands at a path of a body; undefined where nothing does. A name with dots in it stands between quotes within
 * brackets: `["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"].department`.
 */
export function valueAt(body: unknown, path: string): unknown {
  let at = body;
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\["([^"]+)"\]/g)) {
    if (index !== undefined && quoted === undefined && name === undefined) {
      at = Array.isArray(at) ? at[Number(index)] : undefined;
      continue;
    }
    const key = quoted ?? name ?? '';
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, at) => sameJson(one, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameJson((a as Values)[name], (b as Values)[name]));
}

/** A value in a sentence, not longer than a line. */
function said(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

// ---- Words for writing sequences

export const present = (path: string): Claim => ({ path, is: 'present' });
export const absent = (path: string): Claim => ({ path, is: 'absent' });
export const equals = (path: string, value: Json): Claim => ({ path, equals: value });
export const contains = (path: string, value: Json): Claim => ({ path, contains: value });
export const counts = (path: string, count: number): Claim => ({ path, counts: count });
export const isNumber = (path: string): Claim => ({ path, is: 'number' });

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
const patchOpSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A list response with so many results in all. */
export const listOf = (total: number): readonly Claim[] => [
  contains('schemas', listSchema),
  equals('totalResults', total),
  isNumber('startIndex'),
  isNumber('itemsPerPage'),
  counts('Resources', total),
];

export const errorOf = (status: number): readonly Claim[] => [
  contains('schemas', errorSchema),
  equals('status', String(status)),
  present('detail'),
];

export const patchOf = (...operations: readonly Json[]): Json => ({
  schemas: [patchOpSchema],
  Operations: operations,
});

export function step(
  name: string,
  request: SequenceRequest,
  status: number | readonly number[],
  claims: readonly Claim[] = [],
  captures?: Readonly<Record<string, string>>,
): SequenceStep {
  const statuses = typeof status === 'number' ? [status] : status;
  return captures === undefined
    ? { name, request, status: statuses, claims }
    : { name, request, status: statuses, claims, captures };
}
