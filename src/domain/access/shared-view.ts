// Shared views: the page of a measure or project with fixed days and filters, for whoever has its link. The code of the link is made
// like that of a one-time link (one-time-link.ts); it works again and again until its end (D-554).

import type { Comparison } from '../insight/compared-range.ts';

/** What the link shows, and nothing beside it. */
export interface SharedPage {
  readonly kind: 'measure' | 'project';
  readonly key: number;
  /** YYYY-MM-DD, both days included. */
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison | null;
  readonly filter: string | null;
}

export const sharedViewDays = { min: 1, max: 366, usual: 30 };
export const sharedViewNameMax = 100;
/** So many live views an account has at most. */
export const sharedViewsMax = 1_000;

/** Why a link shows nothing any more. */
export type SharedViewEnd = 'revoked' | 'ended' | 'makerGone';

/** As the list of views names it. */
export function sharedPageText({ kind, key }: Pick<SharedPage, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** Whether two filters say the same, however much of them is percent-encoded. */
export function isSameFilter(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && plain(one) === plain(other));
}

/** Cut before it is decoded: a comma may stand in a value. */
function plain(filter: string): string {
  try {
    return JSON.stringify(filter.split(';').map((condition) => condition.split(',').map(decodeURIComponent)));
  } catch {
    return filter;
  }
}
