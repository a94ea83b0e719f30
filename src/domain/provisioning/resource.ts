// What every type of resources has, whatever it is about: whose it is, how often it was changed, and what callers said.

import type { Fault } from '../problem.ts';
import type { Values } from './value.ts';

export interface Resource {
  readonly accountId: number;
  /** Given by the service; users and groups share the same numbers (D-50). */
  readonly id: number;
  /** Counts the changes; `meta.version` is made of it (D-58). */
  readonly revision: number;
  readonly createdMs: number;
  readonly lastModifiedMs: number;
  /** What callers decide about it. */
  readonly profile: Values;
}

/** The id that a text writes. There is one way to write an id: `01`, `1e9` and `+1` are nobody's. */
export function readResourceId(text: string): number | null {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}

/** A weak entity tag of the revision (D-58). */
export function revisionTagOf({ revision }: Pick<Resource, 'revision'>): string {
  return `W/"${revision}"`;
}

/** When something that is changed now was last changed: never before its last change, though the clock was set back (D-180). */
export function laterOf({ lastModifiedMs }: Pick<Resource, 'lastModifiedMs'>, nowMs: number): number {
  return Math.max(lastModifiedMs, nowMs);
}

/** What the service adds to a new resource. */
export interface CreationFacts {
  readonly accountId: number;
  readonly id: number;
  readonly nowMs: number;
}

const nameMaxCharacters = 255;
/** The largest key that an index of either engine takes with room to spare. */
export const keyMaxBytes = 2048;

/** What is wrong with a name by which a resource is found: nothing said, or too much. */
export function judgeLength(field: string, name: string): readonly Fault[] {
  if (name.trim() === '') return [{ field, code: 'EMPTY', message: `${field} must not be empty.` }];
  if ([...name].length <= nameMaxCharacters) return [];
  return [tooLong(field)];
}

export function tooLong(field: string): Fault {
  const message = `${field} must have at most ${nameMaxCharacters} characters.`;
  return { field, code: 'TOO_LONG', message };
}
