// The figures of days (count and digest) of two sides, compared: two stores, a store and its backup, or a store and what a
// warehouse has worked out by itself.

import type { SourceName } from './catalogue-change.ts';
import type { DayDigest } from './digest.ts';

/** The days of one measure or project that have responses. */
export interface SourceFigures extends SourceName {
  /** How many responses the log has in all; null where nobody says. */
  readonly position: number | null;
  readonly days: readonly (readonly [day: number, figures: DayDigest])[];
}

export interface DayDifference extends SourceName {
  readonly day: number;
  /** Null where this side has no response of the day. */
  readonly here: DayDigest | null;
  readonly there: DayDigest | null;
}

/** As in addresses of the interface. */
export function sourceText({ kind, key }: Pick<SourceName, 'kind' | 'key'>): string {
  return `${kind}s/${key}`;
}

export function parseSource(text: string): Pick<SourceName, 'kind' | 'key'> | null {
  const found = /^(measure|project)s\/(-?\d{1,16})$/.exec(text);
  if (found === null || !Number.isSafeInteger(Number(found[2]))) return null;
  return { kind: found[1] as SourceName['kind'], key: Number(found[2]) };
}

/** The order in which both sides come. */
export function compareSources(one: SourceName, other: SourceName): number {
  if (one.accountId !== other.accountId) return one.accountId - other.accountId;
  if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
  return one.key - other.key;
}

/** Every day on which two sides differ, in its order; a side that does not have the source has none of its days. */
export function differencesOf(
  name: SourceName,
  here: SourceFigures | null,
  there: SourceFigures | null,
): DayDifference[] {
  const { accountId, kind, key } = name;
  const ours = new Map(here?.days);
  const theirs = new Map(there?.days);
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .sort((one, other) => one - other)
    .map((day) => ({
      accountId,
      kind,
      key,
      day,
      here: ours.get(day) ?? null,
      there: theirs.get(day) ?? null,
    }))
    .filter((of) => of.here?.count !== of.there?.count || of.here?.digest !== of.there?.digest);
}
