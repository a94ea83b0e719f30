// Blocks: how a position in a range of days is found without counting rows. The log of a source is cut into blocks of
// a fixed size. A block that is full never changes, so the days of its rows are written down once, and any replica may
// remember them: the smallest, the largest, and one character a row for the distance to the smallest.

import type { DateRange } from '../dates.ts';
import { codeOf, firstCode } from './row-values.ts';

export const blockSize = 256;
/** Blocks that have their days written down together, once all of them are full. */
export const blockGroupSize = 1024;

export interface Block {
  readonly dayMin: number;
  readonly dayMax: number;
  /** One character a row; empty when all rows are of one day. */
  readonly days: string;
}

/**
 * A distance is one character, like the small numbers in the values of a row. A response may be of any day since 1990,
 * so the largest distance stays far below the surrogates.
 */
export function packBlock(days: readonly number[]): Block {
  const dayMin = Math.min(...days);
  const dayMax = Math.max(...days);
  const text = dayMin === dayMax ? '' : String.fromCharCode(...days.map((day) => codeOf(day - dayMin)));
  return { dayMin, dayMax, days: text };
}

type Overlap = 'none' | 'all' | 'some';

function overlapOf(
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

// ---- groups of blocks (the table log_block_group)

/** How many rows of each day the blocks of a group have together: its days in order, and how many lie before each. */
export interface BlockGroupDays {
  readonly days: readonly number[];
  /** One entry more than there are days: the last one is the whole. */
  readonly before: readonly number[];
}

/** As kept: JSON of the days in order and of their counts. */
export function packBlockGroup(blocks: readonly Block[]): string {
  const counts = new Map<number, number>();
  for (const { dayMin, dayMax, days } of blocks) {
    if (dayMin === dayMax) counts.set(dayMin, (counts.get(dayMin) ?? 0) + blockSize);
    else
      for (let place = 0; place < blockSize; place += 1) {
        const day = dayMin + days.charCodeAt(place) - firstCode;
        counts.set(day, (counts.get(day) ?? 0) + 1);
      }
  }
  const inOrder = [...counts.keys()].sort((one, other) => one - other);
  return JSON.stringify([inOrder, inOrder.map((day) => counts.get(day))]);
}

export function readBlockGroup(text: string): BlockGroupDays {
  const [days, counts] = JSON.parse(text) as [number[], number[]];
  const before = [0];
  for (const count of counts) before.push(before.at(-1)! + count);
  return { days, before };
}

export function countOfBlockGroup(
  { days, before }: BlockGroupDays,
  { firstDay, lastDay }: DateRange,
): number {
  return before[firstAtLeast(days, lastDay + 1)]! - before[firstAtLeast(days, firstDay)]!;
}

/** The first index whose entry is at least the value, or the length, in a list that grows. */
function firstAtLeast(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
