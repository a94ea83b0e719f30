// Where a request of a page goes, from the key of its operation. The answers that the server puts into a page are found by this text,
// so that both make it here.

/** A value in a query. */
export type QueryValue = string | number | boolean;

/** The parts of an input that stand in the address. */
export interface AddressParts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue | undefined>>;
}

/** What is behind `/console/api`, with the query in the order given. */
export function requestPath(key: string, { params, query = {} }: AddressParts = {}): string {
  const path = key.replace(/.+ /, '').replace(/:(\w+)/g, (_, name) => encodeURIComponent(params![name]!));
  // As JSON it has no members that are undefined.
  const text = new URLSearchParams(JSON.parse(JSON.stringify(query)));
  return path + (text.size ? `?${text}` : '');
}
