// What the document of the console's own endpoints says of each. It is a document of its own: these endpoints are made for
// the pages of the console and are no part of the interface.

import type { RouteDocument } from '../server/route.ts';

/** Statuses that every endpoint of the console may answer beside its success. */
const everywhere = [400, 401, 403, 406, 413, 415, 429, 500, 502, 503];

export function consoleDocument({
  conditions = [],
  ...document
}: Omit<RouteDocument, 'conditions'> & { readonly conditions?: readonly number[] }): RouteDocument {
  return { ...document, conditions: [...everywhere, ...conditions].toSorted((one, other) => one - other) };
}
