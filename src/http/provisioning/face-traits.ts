// What the endpoints of a face share: who may call them, in which types they speak, and how a document names them.

import type { TSchema } from 'typebox';
import { Type } from '../../contract/schema.ts';
import type { Face } from '../../scim/faces.ts';
import type { RouteDocument } from '../server/route.ts';

export const jsonTypes = ['application/json', 'application/scim+json'];
export const refusals = [400, 401, 403, 406, 429, 500, 502, 503];
export const ofBody = [413, 415];

/** The name of a schema of the face in the API document. */
export function schemaName({ documentPrefix }: Face, name: string): string {
  return documentPrefix === '' ? name : `Scim${name}`;
}

function operationName({ documentPrefix }: Face, name: string): string {
  return documentPrefix === '' ? name[0]!.toLowerCase() + name.slice(1) : documentPrefix + name;
}

export const ifMatch = Type.Object({
  'If-Match': Type.Optional(Type.String({ description: 'Only if it is at one of these versions.' })),
});
export const ifRead = Type.Object({
  ...ifMatch.properties,
  'If-None-Match': Type.Optional(Type.String({ description: 'Versions that the caller has already.' })),
});

export type Describe = (
  operation: string,
  summary: string,
  schema: TSchema | null,
  rest?: Partial<RouteDocument> & { readonly status?: number },
) => RouteDocument;

export function faceTraits(face: Face) {
  const [usualType = ''] = face.contentType.split(';');
  const common = {
    area: face.errorBody === 'scim' ? 'scim' : 'service',
    produces: [usualType, ...jsonTypes.filter((type) => type !== usualType)],
    unknownQuery: face.ignoresUnknownParameters ? 'ignored' : 'refused',
  } as const;
  const describe =
    (tag: string): Describe =>
    (operation, summary, schema, rest = {}) => ({
      operationId: operationName(face, operation),
      summary,
      description: rest.description ?? `${summary}.`,
      tag: `${tag} at ${face.path}`,
      success: { status: rest.status ?? 200, schema, description: 'OK' },
      conditions: [...(rest.conditions ?? []), ...refusals].sort((a, b) => a - b),
      ...(rest.emptySuccess === undefined ? {} : { emptySuccess: rest.emptySuccess }),
      ...(rest.headers === undefined ? {} : { headers: rest.headers }),
      ...(rest.answerHeaders === undefined ? {} : { answerHeaders: rest.answerHeaders }),
      ...(rest.body === undefined ? {} : { body: rest.body }),
    });
  const attributesQuery = {
    attributes: Type.Optional(
      Type.String({ description: 'The attributes to show, separated by commas; all of them unless given.' }),
    ),
    excludedAttributes: Type.Optional(
      Type.String({ description: 'The attributes to leave out, separated by commas.' }),
    ),
  };
  return {
    common,
    reading: { ...common, access: { grant: 'r_cx_users' } } as const,
    writing: { ...common, access: { grant: 'w_cx_users' }, consumes: jsonTypes } as const,
    /** A change that says nothing but its address. */
    removing: { ...common, access: { grant: 'w_cx_users' } } as const,
    describe,
    /** The parameters by which a caller names the attributes to show, where the face has them: in a query, in a body. */
    attributesQuerySchema: Type.Object(face.choosesAttributes ? attributesQuery : {}),
    attributesQuery: face.choosesAttributes ? attributesQuery : {},
    attributesInBody: face.choosesAttributes
      ? {
          attributes: Type.Optional(
            Type.Unknown({
              description: 'The attributes to show, as a list of names; all of them unless given.',
            }),
          ),
          excludedAttributes: Type.Optional(
            Type.Unknown({ description: 'The attributes to leave out, as a list of names.' }),
          ),
        }
      : {},
  };
}
