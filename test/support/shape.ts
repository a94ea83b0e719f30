// The shape of a JSON value: names and types without the values, to hold what a later release answers against what an
// earlier one did.

/** A type, the members of an object, or the shape of all elements of a list; several where values differ in type. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | { readonly items: Shape | null }
  | { readonly members: Readonly<Record<string, Shape>>; readonly optional: readonly string[] }
  | { readonly anyOf: readonly Shape[] };

export function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) return { items: value.length === 0 ? null : value.map(shapeOf).reduce(joined) };
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
    return { members: Object.fromEntries(members), optional: [] };
  }
  return typeof value as 'string' | 'number' | 'boolean';
}

function joined(one: Shape, other: Shape): Shape {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const kinds = [...alternatives(one)];
  for (const shape of alternatives(other)) {
    const at = kinds.findIndex((kind) => kindOf(kind) === kindOf(shape));
    if (at < 0) kinds.push(shape);
    else kinds[at] = joinedAlike(kinds[at]!, shape);
  }
  return kinds.length === 1 ? kinds[0]! : { anyOf: kinds };
}

function joinedAlike(one: Shape, other: Shape): Shape {
  if (typeof one === 'string' || typeof other === 'string') return one;
  if ('items' in one && 'items' in other) {
    if (one.items === null || other.items === null) return { items: one.items ?? other.items };
    return { items: joined(one.items, other.items) };
  }
  if (!('members' in one) || !('members' in other)) return one;
  const names = [...new Set([...Object.keys(one.members), ...Object.keys(other.members)])];
  const isOptional = (name: string): boolean =>
    [one, other].some(({ members, optional }) => !(name in members) || optional.includes(name));
  return {
    members: Object.fromEntries(
      names.map((name) => [
        name,
        name in one.members && name in other.members
          ? joined(one.members[name]!, other.members[name]!)
          : (one.members[name] ?? other.members[name])!,
      ]),
    ),
    optional: names.filter(isOptional),
  };
}

function alternatives(shape: Shape): readonly Shape[] {
  return typeof shape === 'object' && 'anyOf' in shape ? shape.anyOf : [shape];
}

function kindOf(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  return Object.keys(shape)[0]!;
}

/** What a caller who reads `before` misses in `now`: members that are gone or have become optional, types that are not there any more. */
export function missingFrom(before: Shape, now: Shape, at = ''): readonly string[] {
  return alternatives(before).flatMap((shape) => {
    const same = alternatives(now).find((other) => kindOf(other) === kindOf(shape));
    // A value that was null the first time and is told today has only been added to.
    if (same === undefined)
      return shape === 'null' ? [] : [`${at || 'the value'} is no ${kindOf(shape)} any more`];
    if (typeof shape === 'string' || typeof same === 'string') return [];
    if ('items' in shape && 'items' in same)
      return shape.items === null || same.items === null
        ? []
        : missingFrom(shape.items, same.items, `${at}[]`);
    if (!('members' in shape) || !('members' in same)) return [];
    return Object.entries(shape.members).flatMap(([name, member]) => {
      const place = `${at}.${name}`;
      if (!(name in same.members)) return shape.optional.includes(name) ? [] : [`${place} is gone`];
      if (same.optional.includes(name) && !shape.optional.includes(name))
        return [`${place} is not always there`];
      return missingFrom(member, same.members[name]!, place);
    });
  });
}
