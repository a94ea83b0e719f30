// Which rows of a list a caller wants. Three faces count in three ways; below http/ there is one.

/** How many rows to pass over, and how many to give at most. */
export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** What a caller may ask of a list that is read in pages; the schema of the route refuses everything else. */
export interface WindowLimits {
  readonly defaultTake: number;
  readonly maxTake: number;
}

export const measureListLimits: WindowLimits = { defaultTake: 100, maxTake: 100 };
export const measureDataLimits: WindowLimits = { defaultTake: 25, maxTake: 100 };
export const projectDataLimits: WindowLimits = { defaultTake: 100, maxTake: 1000 };
export const changeFeedLimits: WindowLimits = { defaultTake: 100, maxTake: 1000 };

/** Measures count pages: `offset` is the number of the page, from 0 (D-31, D-35). */
export function pageWindow(
  page: number | undefined,
  limit: number | undefined,
  { defaultTake }: WindowLimits,
): Window {
  const take = limit ?? defaultTake;
  // A page beyond everything stays a number that the engines can compare.
  return { skip: Math.min((page ?? 0) * take, Number.MAX_SAFE_INTEGER), take };
}

/** Projects count rows: `offset` is the number of rows passed over (D-39). */
export function rowWindow(
  offset: number | undefined,
  limit: number | undefined,
  { defaultTake }: WindowLimits,
): Window {
  return { skip: offset ?? 0, take: limit ?? defaultTake };
}

/** What a page of users may hold at most, and holds where nothing is said (D-54). */
export const userPageMax = 200;
export const userPageUsual = 100;

/** Users count from 1, and whatever is asked for is brought into bounds instead of refused (D-54). */
export function windowOfStart(startIndex: number | bigint = 1, count = userPageUsual): Window {
  return {
    skip: Math.min(Math.max(1, Number(startIndex)), Number.MAX_SAFE_INTEGER) - 1,
    take: Math.min(Math.max(0, count), userPageMax),
  };
}

/** The place of the first result as an answer repeats it: one beyond 2^53 with the digits that were asked for (D-886). */
export function shownStart(startIndex: number | bigint | undefined, { skip }: Window): number | bigint {
  return typeof startIndex === 'bigint' && startIndex > 0 ? startIndex : skip + 1;
}
