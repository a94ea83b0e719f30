// The range that a range is compared with: as many days directly before it, or the same days a year before (D-486).

import { type DateRange, yearBefore } from '../dates.ts';

export const comparisons = ['previous', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

export function comparedRange({ firstDay, lastDay }: DateRange, comparison: Comparison): DateRange {
  return comparison === 'previous'
    ? { firstDay: firstDay - (lastDay - firstDay + 1), lastDay: firstDay - 1 }
    : { firstDay: yearBefore(firstDay), lastDay: yearBefore(lastDay) };
}
