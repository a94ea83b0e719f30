// What browsers open at an address that anybody may have, and the files that are built for such pages.

import { Type } from '../schema.ts';

export const openPage = { access: 'anyone', unknownQuery: 'ignored', produces: ['text/html'] } as const;

export const assetTypes = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const;

/** Of everything that is built. */
export const builtTypes = {
  ...assetTypes,
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  yaml: 'text/plain',
  service: 'text/plain',
} as const;

/** A file of those, by its name; each has but the types that there are. */
export const builtFile = (types: Readonly<Record<string, string>>) =>
  ({
    ...openPage,
    params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
    produces: [...new Set(Object.values(types))],
  }) as const;
