// By which a retry is told from another response under the same id (D-41).

import { hash } from 'node:crypto';
import { standardFields } from './standard-fields.ts';

type Members = Readonly<Record<string, unknown>>;
export type Ranks = ReadonlyMap<string, number>;

/**
 * The hash of a body as sent: members in the order of their names, `responseId` and a false `isTest` left out,
 * no default filled in. It must never change, or retries of old responses would look like conflicts. The body
 * has been read by `readDraft` without a fault. The ranks of the survey's questions make it quicker, not other.
 *
 * What is hashed is JSON, but a flat list instead of a tree: the sorted names of an object, then its values. One
 * native call writes it, which costs a third of building the text of a sorted tree here. The list is unambiguous,
 * because the path alone decides which objects are laid flat, and the form of those was checked before.
 */
export function contentHash(body: Members, questionRanks: Ranks = noRanks): string {
  const names = sortedNames(body, bodyRanks).filter(
    (name) => name !== 'responseId' && (name !== 'isTest' || body[name] !== false),
  );
  const parts: unknown[] = [names];
  for (const name of names) {
    const value = body[name];
    if (name === 'responses') addMap(value as Members, questionRanks, parts);
    else if (name === 'deviceDetails' || name === 'integrations') addObject(value as Members, parts);
    else if (name === 'cpps') addParameters(value as Members, parts);
    else parts.push(inOrder(value));
  }
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

// Maps of the interface, whose values are checked: texts, numbers, lists of texts.
function addMap(map: Members, ranks: Ranks, parts: unknown[]): void {
  const names = sortedNames(map, ranks);
  parts.push(names);
  for (const name of names) parts.push(map[name]);
}

// Objects of the interface, in which unknown members may be anything.
function addObject(members: Members, parts: unknown[]): void {
  const names = sortedNames(members, bodyRanks);
  parts.push(names);
  for (const name of names) parts.push(inOrder(members[name]));
}

function addParameters(cpps: Members, parts: unknown[]): void {
  const names = sortedNames(cpps, bodyRanks);
  parts.push(names);
  for (const name of names) {
    if (name === 'properties' || name === 'metrics' || name === 'data')
      addMap(cpps[name] as Members, noRanks, parts);
    else parts.push(inOrder(cpps[name]));
  }
}

// A value with the members of all its objects in order; only members that nobody knows (D-43) hold objects here.
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isNested) ? value.map(inOrder) : value;
  const names = sortedNames(value, noRanks);
  return { names, values: names.map((name) => inOrder((value as Members)[name])) };
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The place of each name among all of them, in the order in which members are hashed. */
export function ranksOf(names: Iterable<string>): Ranks {
  return new Map([...new Set(names)].sort().map((name, rank) => [name, rank]));
}

const bodyRanks = ranksOf([
  ...standardFields.map(({ name }) => name),
  'surveyDefinitionId',
  'submissionTimestamp',
  'isTest',
  'responseId',
  'responses',
  'deviceDetails',
  'integrations',
  'cpps',
  'properties',
  'metrics',
  'data',
]);
const noRanks: Ranks = new Map();

// Sorting texts is the dearest part of a hash; where the ranks of all names are known, numbers are sorted instead.
function sortedNames(members: object, ranks: Ranks): readonly string[] {
  const names = Object.keys(members);
  if (names.length < 2) return names;
  const order: number[] = [];
  for (const name of names) {
    const rank = ranks.get(name);
    if (rank === undefined) return names.sort();
    order.push(rank);
  }
  // By insertion: the lists are short, and clients often write them nearly in order.
  for (let index = 1; index < order.length; index += 1) {
    const rank = order[index] as number;
    const name = names[index] as string;
    let place = index;
    for (; place > 0 && (order[place - 1] as number) > rank; place -= 1) {
      order[place] = order[place - 1] as number;
      names[place] = names[place - 1] as string;
    }
    order[place] = rank;
    names[place] = name;
  }
  return names;
}
