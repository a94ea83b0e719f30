// References from one operation of a bulk request to what another one creates: `bulkId:x`, in paths, as a whole text
// anywhere in the data, and quoted in the path of a patch operation (RFC 7644 section 3.7.2). Within a bulk request
// that form is a reference wherever it stands; nobody is called so.

import { isObject } from './values.ts';

const prefix = 'bulkId:';

/** The bulkId that a text refers to; null where it is an ordinary text. */
export function referenceIn(text: string): string | null {
  return text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : null;
}

/** Quoted, in the value path of a patch: `members[value eq "bulkId:x"]`. */
const quoted = /"bulkId:([^"\\]+)"/g;

/** Every bulkId that the data refers to; only a patch has paths that could. */
export function referencesIn(data: unknown, hasPaths = false): ReadonlySet<string> {
  const found = new Set<string>();
  walk(data, (text, name) => {
    const whole = referenceIn(text);
    if (whole !== null) found.add(whole);
    else if (hasPaths && name === 'path')
      for (const [, bulkId] of text.matchAll(quoted)) if (bulkId) found.add(bulkId);
    return text;
  });
  return found;
}

/** The same data with ids in the place of references; all of them must be known. */
export function withIds(data: unknown, ids: ReadonlyMap<string, string>, hasPaths = false): unknown {
  const idOf = (bulkId: string): string => {
    const id = ids.get(bulkId);
    if (id === undefined) throw new Error(`No id is known for the bulkId ${bulkId}.`);
    return id;
  };
  return walk(data, (text, name) => {
    const whole = referenceIn(text);
    if (whole !== null) return idOf(whole);
    if (!hasPaths || name !== 'path') return text;
    return text.replaceAll(quoted, (_, bulkId: string) => `"${idOf(bulkId)}"`);
  });
}

/** Copies data and lets every text be replaced; the depth of JSON is bounded where it is read (D-26). */
function walk(
  data: unknown,
  replace: (text: string, name: string | null) => string,
  name: string | null = null,
): unknown {
  if (typeof data === 'string') return replace(data, name);
  if (Array.isArray(data)) return data.map((one) => walk(one, replace, name));
  if (!isObject(data)) return data;
  // fromEntries defines its members, so that even `__proto__` would be a name like any other.
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, walk(value, replace, key)]));
}

interface Split {
  /** The data without what refers to things that do not exist yet. */
  readonly now: unknown;
  /** What completes it afterwards, as operations of a patch. */
  readonly later: readonly { readonly op: 'add'; readonly path: string; readonly value: unknown }[];
}

/**
 * Takes from the data of a creation what refers to `absent`: of a list those elements, of anything else the whole
 * attribute. Circles cannot be broken otherwise: one of their resources must exist before it can say what it says.
 */
export function splitData(data: unknown, absent: ReadonlySet<string>): Split {
  const later: { op: 'add'; path: string; value: unknown }[] = [];
  const isAbsent = (value: unknown): boolean => [...referencesIn(value)].some((bulkId) => absent.has(bulkId));
  const take = (object: Readonly<Record<string, unknown>>, pathOf: (name: string) => string): unknown => {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(object)) {
      if (!isAbsent(value)) {
        kept.push([name, value]);
      } else if (Array.isArray(value)) {
        kept.push([name, value.filter((element) => !isAbsent(element))]);
        later.push({ op: 'add', path: pathOf(name), value: value.filter(isAbsent) });
      } else if (isObject(value) && name.toLowerCase().startsWith('urn:')) {
        // The attributes of an extension are taken one by one.
        kept.push([name, take(value, (part) => `${name}:${part}`)]);
      } else {
        later.push({ op: 'add', path: pathOf(name), value });
      }
    }
    return Object.fromEntries(kept);
  };
  return { now: isObject(data) ? take(data, (name) => name) : data, later };
}
