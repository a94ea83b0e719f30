// What comes in pages: rows one after the other, or the pages themselves.

import { SoundingsError } from './error.ts';

/** `for await (const row of listing)` asks for a page when the one before is used up; `pages()` gives whole pages. */
export class Listing<Row, Page extends { readonly items: readonly Row[] }> implements AsyncIterable<Row> {
  readonly #pages: () => AsyncGenerator<Page, void, undefined>;

  constructor(pages: () => AsyncGenerator<Page, void, undefined>) {
    this.#pages = pages;
  }

  /** From the beginning each time that it is called. */
  pages(): AsyncGenerator<Page, void, undefined> {
    return this.#pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { items } of this.#pages()) yield* items;
  }

  /** All rows at once, for lists that fit into memory. */
  async all(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { items } of this.#pages()) rows.push(...items);
    return rows;
  }
}

/** A page of a list that is counted by rows. */
export interface CountedPage<Row> {
  readonly items: readonly Row[];
  /** Rows from the beginning of the list to the end of this page: give it as `skip` to go on behind it. */
  readonly seen: number;
}

export interface Skipping {
  /** Rows to pass over: as many as were seen before. 0 unless given. */
  readonly skip?: number | undefined;
  /** The size of a page. */
  readonly limit?: number | undefined;
}

export interface Window {
  readonly skip: number;
  readonly limit: number;
}

export function windowOf({ skip = 0, limit }: Skipping, usual: number): Window {
  const window = { skip, limit: limit ?? usual };
  if (!Number.isSafeInteger(window.skip) || window.skip < 0)
    throw new RangeError('skip is a whole number from 0 on.');
  if (!Number.isSafeInteger(window.limit) || window.limit < 1)
    throw new RangeError('limit is a whole number from 1 on.');
  return window;
}

interface ServedPage<Row> {
  readonly hasMore: boolean;
  readonly items: readonly Row[];
}

/**
 * The pages of a list whose `offset` counts pages (of measures and their data) or rows (of projects' data), whichever the
 * interface has. Rows that were seen before are left out of the first page.
 */
export async function* countedPages<Row, Page extends ServedPage<Row>>(
  { skip, limit }: Window,
  counts: 'pages' | 'rows',
  ask: (window: { readonly limit: number; readonly offset: number }) => Promise<Page>,
): AsyncGenerator<Omit<Page, 'items'> & CountedPage<Row>, void, undefined> {
  for (let seen = skip; ; ) {
    const before = counts === 'pages' ? seen % limit : 0;
    const page = await ask({ limit, offset: counts === 'pages' ? (seen - before) / limit : seen });
    mustMove(page);
    const items = page.items.slice(before);
    seen += items.length;
    yield { ...page, items, seen };
    if (!page.hasMore) return;
  }
}

/** A server that says that there is more and gives nothing would be asked for ever. */
export function mustMove({ items, hasMore }: ServedPage<unknown>): void {
  if (!hasMore || items.length > 0) return;
  const message = 'A page is empty and says that there is more.';
  throw new SoundingsError({ status: 200, code: 'BROKEN_ANSWER', message });
}
