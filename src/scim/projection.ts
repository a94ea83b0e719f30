// Which attributes an answer has: `attributes` and `excludedAttributes` (RFC 7644 section 3.9), over the table.
//
// What is returned always is always there, what is returned never is never there, and what is returned on request is
// there only when its name, or the name of what it is part of, was asked for. Names are read like those of filters:
// in any case, with or without the URN, with sub-attributes. A name that leads nowhere is passed over: providers ask
// for attributes of every service they know, and an answer without them is the true one.

import { type Fault, Problem } from '../domain/problem.ts';
import { isList, isValues, type Value, type Values } from '../domain/provisioning/value.ts';
import type { Attribute } from './attributes.ts';
import type { SchemaView } from './schema-view.ts';

export interface Projection {
  readonly schemaView: SchemaView;
  /** What was asked for; null where the default set is. */
  readonly only: ReadonlySet<Attribute> | null;
  readonly without: ReadonlySet<Attribute>;
}

/** As the query has them (text, names separated by commas) or the search body (a list of texts). */
export interface ProjectionRequest {
  readonly attributes?: unknown;
  readonly excludedAttributes?: unknown;
}

/** The names of one request; more of them than the table has attributes say nothing new. */
const maxNames = 1000;

export function wholeResource(schemaView: SchemaView): Projection {
  return { schemaView, only: null, without: new Set() };
}

export function readProjection(request: ProjectionRequest, schemaView: SchemaView): Projection {
  const faults: Fault[] = [];
  const only = readNames('attributes', request.attributes, schemaView, faults);
  const without = readNames('excludedAttributes', request.excludedAttributes, schemaView, faults);
  if (only !== null && without !== null) {
    // The RFC calls the two mutually exclusive; to guess which of them was meant could show too much.
    const message = 'attributes and excludedAttributes cannot be used together.';
    faults.push({ field: 'excludedAttributes', code: 'INVALID', message });
  }
  if (faults.length > 0) {
    const message = faults.map((fault) => fault.message).join(' ');
    throw new Problem('INVALID_REQUEST', message, { details: faults });
  }
  return { schemaView, only, without: without ?? new Set() };
}

/** Null where the parameter is not there or is empty, which for a query parameter is the same. */
function readNames(
  field: string,
  sent: unknown,
  schemaView: SchemaView,
  faults: Fault[],
): ReadonlySet<Attribute> | null {
  const names = typeof sent === 'string' ? sent.split(',') : (sent ?? []);
  if (!Array.isArray(names) || names.length > maxNames || names.some((name) => typeof name !== 'string')) {
    const message = `${field} must be a list of at most ${maxNames} names of attributes.`;
    faults.push({ field, code: 'INVALID', message });
    return null;
  }
  const written = names.map((name) => String(name).trim()).filter((name) => name !== '');
  if (written.length === 0) return null;
  return new Set(
    written.flatMap((name) => {
      const attribute = schemaView.resolve(name);
      if (attribute !== null) return [attribute];
      // The URN of the schema itself stands for all that the schema defines.
      return name.toLowerCase() === schemaView.schema.toLowerCase()
        ? schemaView.roots.filter((root) => root.schema === schemaView.schema)
        : [];
    }),
  );
}

/** Whether an answer has anything of an attribute; what is not shown need not be read either. */
export function shows(projection: Projection, attribute: Attribute): boolean {
  const { only, without } = projection;
  if (attribute.returned === 'never') return false;
  if (attribute.returned === 'always') return true;
  if (without.has(attribute)) return false;
  if (only === null) return attribute.returned === 'default';
  return isNamed(only, attribute) || hasNamedPart(only, attribute);
}

/** Whether all of a resource is shown. */
export function isWhole({ only, without }: Projection): boolean {
  return only === null && without.size === 0;
}

/** What is shown of a resource; where that is all of it, the very same object. */
export function projected(shown: Record<string, Value>, projection: Projection): Record<string, Value> {
  return isWhole(projection) ? shown : project(shown, projection);
}

/** Asked for by its own name, or as a part of something that was. */
function isNamed(only: ReadonlySet<Attribute>, attribute: Attribute): boolean {
  return only.has(attribute) || (attribute.parent !== null && isNamed(only, attribute.parent));
}

function hasNamedPart(only: ReadonlySet<Attribute>, attribute: Attribute): boolean {
  return attribute.subAttributes.some((part) => only.has(part) || hasNamedPart(only, part));
}

/** The part of a shown resource that the projection leaves. */
export function project(shown: Values, projection: Projection): Record<string, Value> {
  return pick(shown, projection.schemaView.roots, projection);
}

function pick(
  values: Values,
  attributes: readonly Attribute[],
  projection: Projection,
): Record<string, Value> {
  const picked: Record<string, Value> = {};
  for (const attribute of attributes) {
    const value = values[attribute.name];
    if (value === undefined || !shows(projection, attribute)) continue;
    const rest = attribute.type === 'complex' ? pickParts(attribute, value, projection) : value;
    if (rest !== undefined) picked[attribute.name] = rest;
  }
  return picked;
}

/** The parts of an object, or of each element of a list; an object of which nothing remains is not there. */
function pickParts(attribute: Attribute, value: Value, projection: Projection): Value | undefined {
  if (isList(value)) {
    const elements = value.flatMap((element) => pickParts(attribute, element, projection) ?? []);
    // A list that was empty is shown as it is; one of which nothing remains is not.
    return elements.length === 0 && value.length > 0 ? undefined : elements;
  }
  if (!isValues(value)) return value;
  const picked = pick(value, projection.schemaView.partsOf(attribute), projection);
  return Object.keys(picked).length === 0 ? undefined : picked;
}
