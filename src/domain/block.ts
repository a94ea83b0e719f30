// Blocks: how a position in a range of days is found without counting rows. The log of a source is cut into blocks of
// a fixed size. A block that is full never changes, so the days of its rows are written down once, and anyone may
// remember them: the smallest, the largest, and one character a row for the distance to the smallest.

import type { DateRange } from './dates.ts';

export const blockSize = 256;

export interface Block {
  readonly dayMin: number;
  readonly dayMax: number;
  /** One character a row; empty when all rows are of one day. */
  readonly days: string;
}

// Distances start at a printable character. Days since 1990 that a response may have stay far below the surrogates.
const firstCode = 48;

export function packBlock(days: readonly number[]): Block {
  const dayMin = Math.min(...days);
  const dayMax = Math.max(...days);
  const text = dayMin === dayMax ? '' : String.fromCharCode(...days.map((day) => firstCode + day - dayMin));
  return { dayMin, dayMax, days: text };
}

export type Overlap = 'none' | 'all' | 'some';

export function overlapOf(
  { dayMin, dayMax }: Pick<Block, 'dayMin' | 'dayMax'>,
  { firstDay, lastDay }: DateRange,
): Overlap {
  if (dayMax < firstDay || dayMin > lastDay) return 'none';
  return dayMin >= firstDay && dayMax <= lastDay ? 'all' : 'some';
}

/** The rows of a block that lie in a range, by their place in it. */
export function placesInRange(block: Block, range: DateRange): number[] {
  const places: number[] = [];
  const overlap = overlapOf(block, range);
  if (overlap === 'none') return places;
  for (let place = 0; place < blockSize; place += 1) {
    if (overlap === 'all' || isInRange(block, place, range)) places.push(place);
  }
  return places;
}

export function countInRange(block: Block, range: DateRange): number {
  const overlap = overlapOf(block, range);
  if (overlap === 'none') return 0;
  if (overlap === 'all') return blockSize;
  let count = 0;
  for (let place = 0; place < blockSize; place += 1) if (isInRange(block, place, range)) count += 1;
  return count;
}

function isInRange({ dayMin, days }: Block, place: number, { firstDay, lastDay }: DateRange): boolean {
  const day = dayMin + days.charCodeAt(place) - firstCode;
  return day >= firstDay && day <= lastDay;
}
