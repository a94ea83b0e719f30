// Range, comparison and filters of the address, for pages of figures.

import type { PagePlace } from '../../src/domain/console/page-preload/place.ts';
import {
  comparisons,
  readFilterText,
  readViewAddress,
  type ViewAddress,
} from '../../src/domain/console/view-address.ts';
import { dayOf } from '../../src/domain/dates.ts';
import { changeQuery, isFixed, query } from './address.ts';
import { computed, signal } from './signal.ts';

/** The days and filters of a shared view, which stay; null everywhere else. */
const fixed = signal<ViewAddress | null>(null);

/** Days are those of UTC. */
export const view = computed(() => fixed.value ?? readViewAddress(query.value, dayOf(Date.now())));

export function fix({
  from,
  to,
  compare,
  filter,
}: {
  readonly from: string;
  readonly to: string;
  readonly compare: string | null;
  readonly filter: string | null;
}): void {
  fixed.value = {
    ...{ period: null, from, to },
    compare: comparisons.find((one) => one === compare) ?? 'none',
    filters: filter === null ? [] : readFilterText(filter),
  };
  isFixed.value = true;
}

/** Where a page is, for what it asks first. */
export function pagePlace(params: PagePlace['params']): PagePlace {
  return { params, query: query.value, view: view.value };
}

export function addFilter(filter: string): void {
  if (isFixed.value) return;
  const { filters } = view.value;
  if (!filters.includes(filter)) changeQuery({ f: [...filters, filter] });
}

export function removeFilter(filter: string): void {
  changeQuery({ f: view.value.filters.filter((one) => one !== filter) });
}
