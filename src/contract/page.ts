// Lists of the console are read in pages: so many items, and the place from which the next page begins.

import type { TSchema } from 'typebox';
import { Type } from './schema.ts';

export const usual = 100;

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
