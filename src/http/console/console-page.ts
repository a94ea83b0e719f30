// Lists of the console are read in pages: so many items, and the place from which the next page begins.

import { usual } from '../../contract/page.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A page of what is read in the order of its ids: one more is asked for than is shown, which tells whether there is more. */
export async function pageOf<Row, Item>(
  limit: number | undefined,
  read: (take: number) => Promise<readonly Row[]>,
  { idOf, shown }: { idOf: (row: Row) => string | number; shown: (row: Row) => Item },
): Promise<Page<Item>> {
  const take = takeOf(limit);
  const rows = await read(take + 1);
  const items = rows.slice(0, take);
  return { items: items.map(shown), next: rows.length > take ? String(idOf(items.at(-1)!)) : null };
}

export function takeOf(limit: number | undefined): number {
  return limit ?? usual;
}
