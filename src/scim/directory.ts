// Finding attributes by the names that callers write. A directory is the table as one face knows it: what
// the face does not know is not there, for filters, patch paths, bodies and documents alike.

import { type Attribute, coreSchema, rootAttributes } from './attributes.ts';

export interface Directory {
  /** What stands at the top of a user, in the order in which users are shown. */
  readonly roots: readonly Attribute[];
  knows(attribute: Attribute): boolean;
  /** The parts of a complex attribute that the face knows. */
  partsOf(attribute: Attribute): readonly Attribute[];
  /** By a whole name, in any case, with or without the URN of the schema; null when it leads nowhere. */
  resolve(path: string): Attribute | null;
  /** By the name of a member of an object: of the user itself, or of a complex attribute. */
  member(container: Attribute | null, name: string): Attribute | null;
}

export const standardDirectory: Directory = directoryOf(() => true);
export const dialectDirectory: Directory = directoryOf((attribute) => attribute.inDialect);

function directoryOf(knows: (attribute: Attribute) => boolean): Directory {
  const roots = rootAttributes.filter(knows);
  const byPath = new Map<string, Attribute>();
  const rootMembers = new Map<string, Attribute>();
  const members = new Map<Attribute, Map<string, Attribute>>();
  const parts = new Map<Attribute, readonly Attribute[]>();

  const enter = (attribute: Attribute): void => {
    // Also as the table spells it: that is how nearly everyone writes it.
    for (const spelling of spellingsOf(attribute)) {
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

function namesOf(attribute: Attribute): readonly (readonly [string, Attribute])[] {
  return [
    [attribute.name, attribute],
    [attribute.name.toLowerCase(), attribute],
  ];
}

/** Every way of writing an attribute's whole name. */
function spellingsOf(attribute: Attribute): readonly string[] {
  const root = rootOf(attribute);
  if (!root.extension) return [attribute.path, `${coreSchema}:${attribute.path}`];
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
