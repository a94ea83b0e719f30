// The body of a create or replace, read into a draft; and what a face that cannot express everything must keep.

import { type Fault, Problem } from '../domain/problem.ts';
import { judgeNewName, judgeProfile, type UserDraft } from '../domain/provisioning/user.ts';
import { asValues, isList, isValues, type Value, type Values } from '../domain/provisioning/value.ts';
import { type Attribute, type FaceName, rootAttributes } from './attributes.ts';
import type { SchemaView } from './schema-view.ts';
import { namesSchema, userSchema } from './urns.ts';
import { isObject, type Reading, readValue } from './values.ts';

export interface DraftRules {
  readonly schemaView: SchemaView;
  readonly face: FaceName;
  readonly idType: 'integer' | 'string';
  readonly lenient: boolean;
  /** Whether `schemas` must name the User schema, as the RFC demands; the interface only wants it there. */
  readonly checksSchemas: boolean;
  /** Extensions that a replace leaves as they are, unless the body has them or its `schemas` names them (D-163). */
  readonly keptUnlessNamed: readonly string[];
}

/** What a replace sets, and the extensions that it leaves out and that stay as they are (D-163). */
export interface Replacement {
  readonly draft: UserDraft;
  readonly omittedExtensions: ReadonlySet<string>;
}

export function readReplacement(body: unknown, rules: DraftRules): Replacement {
  // Whether its name is a new one is known only when it is held against the user.
  const draft = readBody(body, rules, judgeProfile);
  const members = isObject(body) ? Object.entries(body) : [];
  const said = new Set(members.map(([name]) => rules.schemaView.member(null, name)?.name));
  const [, schemas] = members.findLast(([name]) => name.toLowerCase() === 'schemas') ?? [];
  const named = new Set(Array.isArray(schemas) ? schemas.map((urn) => String(urn).toLowerCase()) : []);
  const omittedExtensions = rules.keptUnlessNamed.filter(
    (urn) => !said.has(urn) && !named.has(urn.toLowerCase()),
  );
  return { draft, omittedExtensions: new Set(omittedExtensions) };
}

/** The body of a create. */
export function readDraft(body: unknown, rules: DraftRules): UserDraft {
  return readBody(body, rules, (draft) => [...judgeProfile(draft), ...judgeNewName(draft.userName)]);
}

/** Every fault of the body at once (D-22); unknown attributes are ignored, read-only ones not taken (D-55). */
function readBody(
  body: unknown,
  rules: DraftRules,
  judge: (draft: UserDraft) => readonly Fault[],
): UserDraft {
  if (!isObject(body)) throw new Problem('INVALID_REQUEST', 'The body must be a JSON object.');
  const reading: Reading = {
    schemaView: rules.schemaView,
    requiredOn: rules.face,
    lenient: rules.lenient,
    faults: [],
  };
  const sent = new Map<Attribute, unknown>();
  for (const [name, value] of Object.entries(body)) {
    const root = rules.schemaView.member(null, name);
    if (root !== null) sent.set(root, value);
  }
  const kept: Record<string, Value> = {};
  for (const root of rules.schemaView.roots) {
    const value = readRoot(root, sent.get(root), rules, reading);
    if (value !== undefined && root.mutability === 'readWrite') kept[root.name] = value;
  }
  const draft = draftOf(kept);
  const faults = [
    ...reading.faults,
    ...judge(kept.userName === undefined ? { ...draft, userName: '-' } : draft),
  ];
  if (faults.length === 0) return draft;
  throw new Problem('INVALID_REQUEST', 'The user is not valid.', { details: faults });
}

function readRoot(root: Attribute, sent: unknown, rules: DraftRules, reading: Reading): Value | undefined {
  const field = root.path;
  // What the service alone decides may say anything; id and meta are the exception that callers send (D-55).
  if (root.name === 'groups') return undefined;
  if (root.name === 'id') return judgeId(sent, rules.idType, reading.faults);
  const before = reading.faults.length;
  const value = readValue(root, sent, field, reading);
  const isFaulty = reading.faults.length > before;
  const isThere = value !== undefined || (root.type === 'complex' && !root.multiValued && isObject(sent));
  if (!isThere && !isFaulty && root.requiredOn.includes(rules.face)) {
    reading.faults.push({ field, code: 'MISSING', message: `${field} is required.` });
  }
  if (root.name === 'schemas' && isList(value) && rules.checksSchemas)
    judgeSchemas(value, userSchema, reading.faults);
  return value;
}

/** The id is the service's to give; what a body says of it is held against its type and not taken (D-55). */
export function judgeId(sent: unknown, idType: DraftRules['idType'], faults: Fault[]): undefined {
  if (sent === undefined || sent === null) return;
  const fits = idType === 'integer' ? Number.isSafeInteger(sent) : typeof sent === 'string';
  if (fits) return;
  faults.push({ field: 'id', code: 'INVALID', message: `id must be of the type ${idType}.` });
}

/** Notes a fault unless `schemas`, as it was sent, names the schema of the type. */
export function judgeSchemas(sent: unknown, urn: string, faults: Fault[]): void {
  if (namesSchema(sent, urn)) return;
  faults.push({ field: 'schemas', code: 'MISSING', message: `schemas must name ${urn}.` });
}

function draftOf(kept: Values): UserDraft {
  return {
    ...kept,
    userName: typeof kept.userName === 'string' ? kept.userName : '',
    externalId: typeof kept.externalId === 'string' ? kept.externalId : undefined,
    active: typeof kept.active === 'boolean' ? kept.active : undefined,
  };
}

/** The draft of a replace, completed by what its face cannot express and by the extensions that it leaves out. */
export function keepOmitted(
  { draft, omittedExtensions }: Replacement,
  before: Values,
  schemaView: SchemaView,
): UserDraft {
  return draftOf(keepHidden(draft, before, schemaView, omittedExtensions));
}

/** What is said, completed by what was there before and cannot be said through this view of the schemas. */
export function keepHidden(
  said: Values,
  before: Values,
  schemaView: SchemaView,
  omittedExtensions: ReadonlySet<string> = new Set(),
): Values {
  const kept: Record<string, Value> = {};
  for (const root of rootAttributes) {
    if (root.mutability !== 'readWrite') continue;
    const value = omittedExtensions.has(root.name)
      ? before[root.name]
      : keepUnknown(root, said[root.name], before[root.name], schemaView);
    if (value !== undefined) kept[root.name] = value;
  }
  return kept;
}

function keepUnknown(
  attribute: Attribute,
  said: Value | undefined,
  before: Value | undefined,
  schemaView: SchemaView,
): Value | undefined {
  if (!schemaView.knows(attribute)) return before;
  if (attribute.type !== 'complex') return said;
  if (attribute.multiValued) {
    return isList(said) ? keepInElements(attribute, said.map(asValues), before, schemaView) : undefined;
  }
  const parts: Record<string, Value> = {};
  for (const part of attribute.subAttributes) {
    const value = keepUnknown(part, asValues(said)[part.name], asValues(before)[part.name], schemaView);
    if (value !== undefined) parts[part.name] = value;
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** An element that was sent is matched with an element that was there by its value, best also by type, each only once. */
function keepInElements(
  attribute: Attribute,
  said: readonly Values[],
  before: Value | undefined,
  schemaView: SchemaView,
): readonly Values[] {
  const unknown = attribute.subAttributes.filter((part) => !schemaView.knows(part));
  if (unknown.length === 0) return said;
  const unused = new Set((isList(before) ? before : []).filter(isValues));
  return said.map((element) => {
    const same = [...unused].filter((one) => one.value !== undefined && one.value === element.value);
    const former = same.find((one) => one.type === element.type) ?? same[0];
    if (former === undefined) return element;
    unused.delete(former);
    const rest = unknown.flatMap((part) => {
      const value = former[part.name];
      return value === undefined ? [] : [[part.name, value] as const];
    });
    return { ...element, ...Object.fromEntries(rest) };
  });
}
