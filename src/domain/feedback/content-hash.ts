// By which a retry is told from another response under the same id (D-41).

import { hash } from 'node:crypto';

type Members = Readonly<Record<string, unknown>>;

/**
 * The hash of a body as sent: members in the order of their names, `responseId` and a false `isTest` left out,
 * no default filled in. It must never change, or retries of old responses would look like conflicts. The body
 * has been read by `readDraft` without a fault.
 *
 * What is hashed is JSON, but a flat list instead of a tree: the sorted names of an object, then its values. One
 * native call writes it, which costs a third of building the text of a sorted tree here. The list is unambiguous,
 * because the path alone decides which objects are laid flat, and the form of those was checked before. An int64 that no
 * number holds is a bigint here (D-886), and is hashed as the text of its digits: no text can stand in its place.
 */
export function contentHash(body: Members): string {
  const names = sortedNames(body).filter(
    (name) => name !== 'responseId' && (name !== 'isTest' || body[name] !== false),
  );
  const parts: unknown[] = [names];
  for (const name of names) {
    const value = body[name];
    if (name === 'responses') addMap(value as Members, parts);
    else if (name === 'deviceDetails' || name === 'integrations') addObject(value as Members, parts);
    else if (name === 'cpps') addParameters(value as Members, parts);
    else parts.push(inOrder(value));
  }
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

// Maps of the interface, whose values are checked: texts, numbers, lists of texts.
function addMap(map: Members, parts: unknown[]): void {
  const names = sortedNames(map);
  parts.push(names);
  for (const name of names) parts.push(map[name]);
}

// Objects of the interface, in which unknown members may be anything.
function addObject(members: Members, parts: unknown[]): void {
  const names = sortedNames(members);
  parts.push(names);
  for (const name of names) parts.push(inOrder(members[name]));
}

function addParameters(cpps: Members, parts: unknown[]): void {
  const names = sortedNames(cpps);
  parts.push(names);
  for (const name of names) {
    if (name === 'properties' || name === 'metrics' || name === 'data') addMap(cpps[name] as Members, parts);
    else parts.push(inOrder(cpps[name]));
  }
}

// A value with the members of all its objects in order; only members that nobody knows (D-43) hold objects here.
function inOrder(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isNested) ? value.map(inOrder) : value;
  const names = sortedNames(value);
  return { names, values: names.map((name) => inOrder((value as Members)[name])) };
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

// By UTF-16 code units, as `sort` does by itself.
function sortedNames(members: object): readonly string[] {
  return Object.keys(members).sort();
}
