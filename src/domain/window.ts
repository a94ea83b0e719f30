// Callers count in different ways; inside the house there is one.

export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** A page number that starts at 0, and a page size. */
export function windowOfPage(pageNumber: number, pageSize: number): Window {
  return { skip: pageNumber * pageSize, take: pageSize };
}
