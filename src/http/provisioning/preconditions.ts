// If-Match and If-None-Match (RFC 9110), compared weakly: our versions are weak tags of a revision (D-58).

import type { FastifyRequest } from 'fastify';
import { invalidRequest, Problem } from '../../domain/problem.ts';

export interface Preconditions {
  /** Null where nothing is asked; '*' for any version. */
  readonly ifMatch: readonly string[] | '*' | null;
  readonly ifNoneMatch: readonly string[] | '*' | null;
}

const none: Preconditions = { ifMatch: null, ifNoneMatch: null };

/** A condition that cannot be read is a bad request: passed over, it would let the wrong change through. */
export function readPreconditions({ headers }: FastifyRequest): Preconditions {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return none;
  return { ifMatch: readTags('If-Match', match), ifNoneMatch: readTags('If-None-Match', noneMatch) };
}

/** The version that an operation of a bulk request demands, which has no headers. */
export function demanding(version: string | null): Preconditions {
  return version === null ? none : { ifMatch: readTags('version', version), ifNoneMatch: null };
}

export function namesVersion({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== null || ifNoneMatch !== null;
}

/**
 * Refuses a change of another version than the caller has seen. Which groups a user was shown with does not count: a
 * membership is no change of the user, and nobody who changes a user should be refused over it (D-164).
 */
export function demandVersion({ ifMatch, ifNoneMatch }: Preconditions, version: string): void {
  demandMatch(ifMatch, version);
  if (ifNoneMatch !== null && namesRevision(ifNoneMatch, version)) {
    throw new Problem(
      'PRECONDITION_FAILED',
      `The resource is at version ${version}, which If-None-Match excludes.`,
    );
  }
}

/** The same for a read, whose If-None-Match has been answered: see isKnown. */
export function demandRead({ ifMatch }: Preconditions, version: string): void {
  demandMatch(ifMatch, version);
}

function demandMatch(ifMatch: Preconditions['ifMatch'], version: string): void {
  if (ifMatch === null || namesRevision(ifMatch, version)) return;
  throw new Problem('PRECONDITION_FAILED', `The resource is at version ${version}, not the one in If-Match.`);
}

/** Whether the caller has exactly this, the groups that are shown included. */
export function isKnown({ ifNoneMatch }: Preconditions, version: string): boolean {
  return ifNoneMatch !== null && (ifNoneMatch === '*' || ifNoneMatch.includes(opaque(version)));
}

function namesRevision(tags: readonly string[] | '*', version: string): boolean {
  return tags === '*' || tags.some((tag) => revisionIn(tag) === revisionIn(opaque(version)));
}

/** Of `"3.hash"` and of `"3"` alike: what stands before the dot. */
const revisionIn = (tag: string): string => tag.slice(1, -1).split('.')[0] ?? '';

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

function readTags(field: string, header: string | undefined): Preconditions['ifMatch'] {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.every((tag) => /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag))) return tags.map(opaque);
  throw invalidRequest([{ field, code: 'INVALID', message: 'must be * or versions such as W/"3".' }]);
}
