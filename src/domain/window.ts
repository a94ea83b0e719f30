// Callers count in different ways; inside the house there is one.

export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** A page number that starts at 0, and a page size. */
export function windowOfPage(pageNumber: number, pageSize: number): Window {
  return { skip: pageNumber * pageSize, take: pageSize };
}

/** What a page of users may hold at most, and holds where nothing is said (D-54). */
export const userPageMax = 200;
export const userPageUsual = 100;

/** The number of the first result, from 1, and how many are wanted; below the least counts as the least (D-54). */
export function windowOfStart(startIndex = 1, count = userPageUsual): Window {
  return { skip: Math.max(1, startIndex) - 1, take: Math.min(Math.max(0, count), userPageMax) };
}
