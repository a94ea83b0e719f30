// The order of what a search has found: by the key of an attribute, and ties by id. The same for users and groups.

import type { Attribute } from '../../scim/attributes.ts';
import { compareSortKeys } from '../../scim/evaluate.ts';

export interface SearchSort {
  readonly attribute: Attribute;
  readonly descending: boolean;
}

export type SortKey = string | number | null;

export interface KeyedId {
  readonly key: SortKey;
  readonly id: number;
}

/** What has no key comes last either way; ties are settled by id, in the direction of the order (D-87). */
export function inOrder(sort: SearchSort | null): (a: KeyedId, b: KeyedId) => number {
  const sign = sort?.descending ? -1 : 1;
  return (a, b) => {
    if (a.key === null || b.key === null) return compareSortKeys(a.key, b.key) || sign * (a.id - b.id);
    return sign * (compareSortKeys(a.key, b.key) || a.id - b.id);
  };
}
