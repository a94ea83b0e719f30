// A user as a document of the standard: everything that is known about it, under the names of the table.
// Filters are evaluated over it, and each face shows the part of it that the face knows.

import type { Resource } from '../domain/provisioning/resource.ts';
import { revisionTagOf } from '../domain/provisioning/resource.ts';
import type { User } from '../domain/provisioning/user.ts';
import { isList, isValues, type Value, type Values } from '../domain/provisioning/value.ts';
import { type Attribute, type FaceName, rootAttributes } from './attributes.ts';
import type { SchemaView } from './schema-view.ts';
import { userSchema } from './urns.ts';
import { onePerPair } from './values.ts';

const extensionRoots = rootAttributes.filter((root) => root.extension);

/**
 * The location depends on the face and on the address of the service; without one there is none. The version is that of
 * the revision, unless it is given: a filter must not depend on whether the groups were read for it (D-164).
 */
export function resourceOf(user: User, location?: string, version = revisionTagOf(user)): Values {
  const { profile, groups } = user;
  const extensions = extensionRoots.filter((root) => profile[root.name] !== undefined);
  return {
    ...profile,
    schemas: [userSchema, ...extensions.map((root) => root.name)],
    id: String(user.id),
    groups: groups.length === 0 ? undefined : groups,
    meta: metaOf('User', user, version, location),
  };
}

export function metaOf(
  resourceType: string,
  { createdMs, lastModifiedMs }: Pick<Resource, 'createdMs' | 'lastModifiedMs'>,
  version: string,
  location: string | undefined,
): Values {
  const [created, lastModified] = [createdMs, lastModifiedMs].map((ms) => new Date(ms).toISOString());
  return { resourceType, created, lastModified, version, location };
}

/** What a face shows: the attributes that it knows, in the order of the table, required ones always. */
export function showResource(
  resource: Values,
  schemaView: SchemaView,
  face: FaceName,
): Record<string, Value> {
  const shown: Record<string, Value> = {};
  for (const root of schemaView.roots) {
    const value = root.returned === 'never' ? undefined : showValue(root, resource[root.name], schemaView);
    if (value !== undefined) shown[root.name] = value;
    else if (root.requiredOn.includes(face)) shown[root.name] = root.multiValued ? [] : {};
  }
  const schemas = shown.schemas;
  if (isList(schemas)) {
    shown.schemas = schemas.filter(
      (urn) => urn === schemaView.schema || schemaView.member(null, String(urn)) !== null,
    );
  }
  return shown;
}

/** As many elements as a list of a user has. */
const listMax = 100;

function showValue(
  attribute: Attribute,
  value: Value | undefined,
  schemaView: SchemaView,
): Value | undefined {
  if (isList(value)) {
    // What was kept before repeats were joined is shown without them; groups and members have none.
    const elements =
      attribute.mutability === 'readWrite' && value.length <= listMax ? onePerPair(value) : value;
    return elements.map((element) => showValue(attribute, element, schemaView) ?? {});
  }
  if (!isValues(value)) return value;
  const shown: Record<string, Value> = {};
  for (const part of schemaView.partsOf(attribute)) {
    const one = showValue(part, value[part.name], schemaView);
    if (one !== undefined) shown[part.name] = one;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}
