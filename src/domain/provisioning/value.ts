// Values of attributes, as a profile keeps them and JSON writes them. A value that is not assigned is not there: never null.

export type Value = string | number | boolean | Values | readonly Value[];
export interface Values {
  readonly [name: string]: Value | undefined;
}

/** Whether two values say the same; the order of members does not count, the order of a list does. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, at) => sameValue(one, b[at]));
  if (!isValues(a) || !isValues(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameValue(a[name], b[name]));
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isValues(value: Value | undefined): value is Values {
  return typeof value === 'object' && !Array.isArray(value);
}

/** The members of a complex value; none where there is no such value. */
export function asValues(value: Value | undefined): Values {
  return isValues(value) ? value : {};
}
