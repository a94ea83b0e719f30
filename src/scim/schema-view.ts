// Finding attributes by the names that callers write. A schema view is the table as one face knows it: what
// the face does not know is not there, for filters, patch paths, bodies and documents alike.

import { type Attribute, rootAttributes } from './attributes.ts';
import { groupAttributes } from './group-attributes.ts';
import { groupSchema, userSchema } from './urns.ts';

export interface SchemaView {
  /** The schema that a resource of this type always has. */
  readonly schema: string;
  /** What stands at the top of a resource, in the order in which it is shown. */
  readonly roots: readonly Attribute[];
  knows(attribute: Attribute): boolean;
  /** The parts of a complex attribute that the face knows. */
  partsOf(attribute: Attribute): readonly Attribute[];
  /** By a whole name, in any case, with or without the URN of the schema; null when it leads nowhere. */
  resolve(path: string): Attribute | null;
  /** By the name of a member of an object: of the resource itself, or of a complex attribute. */
  member(container: Attribute | null, name: string): Attribute | null;
}

export const standardFaceSchemaView: SchemaView = schemaViewOf(userSchema, rootAttributes, () => true);
export const serviceFaceSchemaView: SchemaView = schemaViewOf(
  userSchema,
  rootAttributes,
  (one) => one.onServiceFace,
);
/** Groups, which only the standard face knows. */
export const groupSchemaView: SchemaView = schemaViewOf(groupSchema, groupAttributes, () => true);

/** The attributes of a type, so far as a face knows them. */
export function schemaViewOf(
  schema: string,
  table: readonly Attribute[],
  knows: (attribute: Attribute) => boolean,
): SchemaView {
  const roots = table.filter(knows);
  const byPath = new Map<string, Attribute>();
  const rootMembers = new Map<string, Attribute>();
  const members = new Map<Attribute, Map<string, Attribute>>();
  const parts = new Map<Attribute, readonly Attribute[]>();

  const enter = (attribute: Attribute): void => {
    // Also as the table spells it: that is how nearly all callers write it.
    for (const spelling of spellingsOf(attribute, schema)) {
      byPath.set(spelling, attribute);
      byPath.set(spelling.toLowerCase(), attribute);
    }
    const below = attribute.subAttributes.filter(knows);
    parts.set(attribute, below);
    members.set(attribute, new Map(below.flatMap((part) => namesOf(part))));
    for (const part of below) enter(part);
  };
  for (const root of roots) {
    for (const [name] of namesOf(root)) rootMembers.set(name, root);
    enter(root);
  }

  return {
    schema,
    roots,
    knows,
    partsOf: (attribute) => parts.get(attribute) ?? [],
    resolve: (path) => byPath.get(path) ?? byPath.get(lowerAscii(path)) ?? null,
    member: (container, name) => {
      const known = container === null ? rootMembers : members.get(container);
      return known?.get(name) ?? known?.get(lowerAscii(name)) ?? null;
    },
  };
}

/**
 * For a query over several types at once, one view for each: what only another type has resolves to an attribute that
 * no resource of this type has a value of, as RFC 7644 section 3.4.2.1 asks. The filter is read once for each type,
 * because an unqualified name means the type's own attribute.
 */
export function rootSchemaViews(views: readonly SchemaView[]): readonly SchemaView[] {
  return views.map((own) =>
    views.filter((other) => other !== own).reduce((view, other) => withForeign(view, other), own),
  );
}

function withForeign(own: SchemaView, other: SchemaView): SchemaView {
  const foreign = schemaViewOf(
    other.schema,
    // The attributes common to all resources belong to both; only those of the other schemas are foreign.
    other.roots.filter((root) => root.schema !== null),
    () => true,
  );
  const copies = new Map<Attribute, Attribute>();
  for (const root of foreign.roots) makeForeign(root, null, copies);
  const originals = new Map([...copies].map(([original, copy]) => [copy, original]));
  const copyOf = (original: Attribute | null): Attribute | null =>
    original === null ? null : (copies.get(original) ?? null);
  return {
    ...own,
    partsOf: (attribute) => (originals.has(attribute) ? attribute.subAttributes : own.partsOf(attribute)),
    resolve: (path) => own.resolve(path) ?? copyOf(foreign.resolve(path)),
    member: (container, name) => {
      const original = container === null ? undefined : originals.get(container);
      return original === undefined ? own.member(container, name) : copyOf(foreign.member(original, name));
    },
  };
}

/** A copy under a name that nothing has: the root's name with the URN of its schema before it. */
function makeForeign(
  attribute: Attribute,
  parent: Attribute | null,
  copies: Map<Attribute, Attribute>,
): Attribute {
  const path =
    attribute.extension || attribute.path.startsWith('urn:')
      ? attribute.path
      : `${attribute.schema}:${attribute.path}`;
  const subAttributes: Attribute[] = [];
  const copy: Attribute = {
    ...attribute,
    name: parent === null ? path : attribute.name,
    path,
    parent,
    subAttributes,
  };
  copies.set(attribute, copy);
  for (const part of attribute.subAttributes) subAttributes.push(makeForeign(part, copy, copies));
  return copy;
}

function namesOf(attribute: Attribute): readonly (readonly [string, Attribute])[] {
  return [
    [attribute.name, attribute],
    [attribute.name.toLowerCase(), attribute],
  ];
}

/** Every way of writing an attribute's whole name. */
function spellingsOf(attribute: Attribute, schema: string): readonly string[] {
  const root = rootOf(attribute);
  if (!root.extension) return [attribute.path, `${schema}:${attribute.path}`];
  // The interface writes the parts of its extension with a dot after the URN, the RFC with a colon.
  return [attribute.path, `${root.path}.${attribute.path.slice(root.path.length + 1)}`];
}

function rootOf(attribute: Attribute): Attribute {
  let at = attribute;
  while (at.parent !== null) at = at.parent;
  return at;
}

/** Lower case for ASCII alone: names are ASCII, and the Kelvin sign must not pass for a k. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
