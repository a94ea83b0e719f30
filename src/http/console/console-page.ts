// Lists of the console are read in pages: so many items, and the place from which the next page begins.

import type { TSchema } from 'typebox';
import { Type } from '../server/schema.ts';

const usual = 100;
const most = 1_000;

export const pageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: most, description: `How many at most; ${usual} unless given.` }),
);

export const pageAfter = Type.Optional(
  Type.String({ maxLength: 100, description: '`next` of the page before; left out, the first page.' }),
);

export const pageQuery = Type.Object({ after: pageAfter, limit: pageLimit });

export function pageSchema<Item extends TSchema>(item: Item, name: string) {
  return Type.Object(
    {
      items: Type.Array(item),
      next: Type.Union([Type.String(), Type.Null()], {
        description: 'Where the next page begins; null where there is nothing more.',
      }),
    },
    { $id: name },
  );
}

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
