// What a request of an identity provider meant, in words for an operator: which attributes it asked for, set and
// changed, and hardly ever with which values. Values are people's data; attribute names, ids, kinds (`type eq "work"`),
// numbers, dates and yes or no are what tells two requests apart, and are said.

import { isList, isValues, sameValue, type Value, type Values } from '../domain/provisioning/value.ts';
import type { Attribute } from './attributes.ts';
import { type Filter, printFilter } from './filter.ts';
import type { Operation, Patch } from './operations.ts';
import type { TypeDescription } from './resource-type.ts';
import type { SchemaView } from './schema-view.ts';
import { isObject } from './values.ts';

const wordsMax = 500;
const nameMax = 60;
const idsMax = 5;

/** Not longer than a row of the log may be. */
export function brief(text: string): string {
  return text.length > wordsMax ? `${text.slice(0, wordsMax - 1)}…` : text;
}

/** The filter as it was read, its texts hidden. */
export function filterInWords(filter: Filter): string {
  return brief(printFilter(hideTexts(filter)));
}

function hideTexts(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map(hideTexts) };
    case 'not':
      return { kind: 'not', term: hideTexts(filter.term) };
    case 'some':
      return { kind: 'some', attribute: filter.attribute, where: hideTexts(filter.where) };
    case 'present':
      return filter;
    case 'compare':
      return typeof filter.value !== 'string' || mayBeSaid(filter.attribute, filter.value)
        ? filter
        : { ...filter, value: '…' };
  }
}

const idPaths: ReadonlySet<string> = new Set(['id', 'externalId', 'members.value', 'groups.value']);

function mayBeSaid({ path, type, canonicalValues }: Attribute, value: string): boolean {
  if (idPaths.has(path)) return value.length <= nameMax;
  return type === 'dateTime' || canonicalValues.includes(value.toLowerCase());
}

/**
 * A patch as it was read: `replace active (false); add emails[type eq "work"].value`, with the attributes that nobody
 * here knows in front, where they are not cut off. No more is put into words than there is room for.
 */
export function patchInWords({ operations, ignored }: Patch): string {
  const words = ignored.length === 0 ? [] : [ignoredInWords(ignored)];
  let length = words.join('').length;
  for (const operation of operations) {
    if (length > wordsMax) break;
    const said = operationInWords(operation);
    words.push(said);
    length += said.length;
  }
  return brief(words.join('; '));
}

const ignoredMax = 20;

function ignoredInWords(names: readonly string[]): string {
  const more = names.length > ignoredMax ? ` and ${names.length - ignoredMax} more` : '';
  const named = names.slice(0, ignoredMax).map((name) => name.slice(0, nameMax));
  return `ignored: ${named.join(', ')}${more}`;
}

function operationInWords({ op, path, value }: Operation): string {
  const { attribute, where, part } = path;
  const elements = where === null ? '' : `[${whereInWords(attribute, where)}]`;
  const target = `${attribute.path}${elements}${part === null ? '' : `.${part.name}`}`;
  return `${op} ${target}${valueInWords(attribute, part, value)}`;
}

function whereInWords(attribute: Attribute, where: Filter): string {
  const whole = filterInWords({ kind: 'some', attribute, where });
  return whole.slice(attribute.path.length + 1, -1);
}

function valueInWords(attribute: Attribute, part: Attribute | null, value: unknown): string {
  if ((part ?? attribute).type === 'boolean' && /^(true|false)$/i.test(String(value)))
    return ` (${String(value).toLowerCase()})`;
  if (attribute.path === 'members' && part === null) return membersInWords(value);
  return '';
}

function membersInWords(value: unknown): string {
  const elements = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  if (elements.length === 0) return '';
  const ids = elements.slice(0, idsMax).flatMap((element) => {
    const id = isObject(element) ? element.value : element;
    return /^\d{1,16}$/.test(String(id)) ? [String(id)] : [];
  });
  const more = elements.length - ids.length;
  return ` (${[...ids, ...(more > 0 ? [`${more} more`] : [])].join(', ')})`;
}

/** The attributes that a create or a replace says something about, and those that nobody here knows. */
export function draftInWords(body: unknown, schemaView: SchemaView): string | null {
  if (!isObject(body)) return null;
  const known: string[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const attribute = schemaView.member(null, name);
    if (attribute === null) unknown.push(name);
    else if (attribute.multiValued || !isObject(value)) known.push(attribute.path);
    else known.push(...partsInWords(attribute, value, schemaView));
  }
  const ignored = unknown.length === 0 ? [] : [ignoredInWords(unknown)];
  return brief([known.filter((path) => path !== 'schemas').join(', '), ...ignored].join('; '));
}

function partsInWords(attribute: Attribute, value: object, schemaView: SchemaView): readonly string[] {
  const parts = Object.keys(value).flatMap((name) => schemaView.member(attribute, name)?.path ?? []);
  return parts.length === 0 ? [attribute.path] : parts;
}

/** The attributes in which two states of a resource differ; null where they do not. */
export function changesInWords(before: Values, after: Values): string | null {
  const differing = differences(before, after, '');
  if (differing.length === 0) return null;
  const words = differing.map(({ path, is }) => (typeof is === 'boolean' ? `${path} (${is})` : path));
  return brief(words.toSorted().join(', '));
}

/** Their names alone, in order. */
export function changedAttributes(before: Values, after: Values): readonly string[] {
  return differences(before, after, '')
    .map(({ path }) => path)
    .toSorted();
}

interface Difference {
  readonly path: string;
  readonly is: Value | undefined;
}

function differences(before: Values, after: Values, prefix: string): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (sameValue(was, is)) return [];
    if (isPlain(was ?? is) && isPlain(is ?? was)) {
      const below = `${prefix}${name}${name.startsWith('urn:') ? ':' : '.'}`;
      return differences((was ?? {}) as Values, (is ?? {}) as Values, below);
    }
    return [{ path: `${prefix}${name}`, is }];
  });
}

const isPlain = (value: Value | undefined): boolean => isValues(value) && !isList(value);

/** How many operations of which kind a bulk request holds. */
export function bulkInWords(
  body: unknown,
  types: readonly Pick<TypeDescription, 'endpoint'>[],
): string | null {
  const members = isObject(body) ? Object.entries(body) : [];
  const [, sent] = members.find(([name]) => name.toLowerCase() === 'operations') ?? [];
  if (!Array.isArray(sent)) return null;
  const endpoints = new Set(types.map(({ endpoint }) => endpoint.toLowerCase()));
  const kinds = new Map<string, number>();
  for (const one of sent as readonly unknown[]) {
    const kind = isObject(one) ? bulkKind(one.method, one.path, endpoints) : 'unreadable';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return brief([...kinds].map(([kind, count]) => `${count} ${kind}`).join(', '));
}

function bulkKind(method: unknown, path: unknown, endpoints: ReadonlySet<string>): string {
  const verb = /^(post|put|patch|delete)$/i.exec(String(method))?.[0].toUpperCase();
  const endpoint = /^\/([a-z]+)(\/|$)/i.exec(String(path))?.[1]?.toLowerCase() ?? '';
  return verb === undefined || !endpoints.has(endpoint) ? 'unreadable' : `${verb} of ${endpoint}`;
}
