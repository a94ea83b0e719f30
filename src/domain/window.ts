// Which rows of a list a caller wants. Three faces count in three ways; below http/ there is one.

import type { Fault } from './problem.ts';

/** How many rows to pass over, and how many to give at most. */
export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** What a caller may ask of a list that is read in pages. */
export interface WindowLimits {
  readonly defaultTake: number;
  readonly maxTake: number;
}

export const measureListLimits: WindowLimits = { defaultTake: 100, maxTake: 100 };
export const measureDataLimits: WindowLimits = { defaultTake: 25, maxTake: 100 };
export const projectDataLimits: WindowLimits = { defaultTake: 100, maxTake: 1000 };

/** Measures count pages: `offset` is the number of the page, from 0 (D-31, D-35). */
export function pageWindow(
  offset: number | undefined,
  limit: number | undefined,
  limits: WindowLimits,
  faults: Fault[],
): Window {
  const take = readLimit(limit, limits, faults);
  const page = readOffset(offset, 'page number', faults);
  // A page beyond everything stays a number that the engines can compare.
  return { skip: Math.min(page * take, Number.MAX_SAFE_INTEGER), take };
}

/** Projects count rows: `offset` is the number of rows passed over (D-39). */
export function rowWindow(
  offset: number | undefined,
  limit: number | undefined,
  limits: WindowLimits,
  faults: Fault[],
): Window {
  const take = readLimit(limit, limits, faults);
  return { skip: readOffset(offset, 'number of rows', faults), take };
}

function readLimit(limit: number | undefined, limits: WindowLimits, faults: Fault[]): number {
  if (limit === undefined) return limits.defaultTake;
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.maxTake) return limit;
  faults.push({
    field: 'limit',
    code: 'OUT_OF_RANGE',
    message: `limit is a whole number from 1 to ${limits.maxTake}.`,
  });
  return limits.defaultTake;
}

function readOffset(offset: number | undefined, meaning: string, faults: Fault[]): number {
  if (offset === undefined) return 0;
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  faults.push({
    field: 'offset',
    code: 'OUT_OF_RANGE',
    message: `offset is a ${meaning}: a whole number from 0.`,
  });
  return 0;
}

/** What a page of users may hold at most, and holds where nothing is said (D-54). */
export const userPageMax = 200;
export const userPageUsual = 100;

/** Users count from 1, and whatever is asked for is brought into bounds instead of refused (D-54). */
export function windowOfStart(startIndex = 1, count = userPageUsual): Window {
  return {
    skip: Math.min(Math.max(1, startIndex) - 1, Number.MAX_SAFE_INTEGER),
    take: Math.min(Math.max(0, count), userPageMax),
  };
}
