// What the endpoints of a face share: who may call them, in which types they speak, how they refuse, and how a document names them.

import type { TSchema } from 'typebox';
import type { Face } from '../../scim/faces.ts';
import {
  type OperationDocument,
  type OperationSet,
  type Operations,
  type Success,
  tokenRefusals,
} from '../operation.ts';
import { Type } from '../schema.ts';

export const jsonTypes: readonly string[] = ['application/json', 'application/scim+json'];

/** What is asked at the path of a face, or below it. */
export function faceOperations<const All extends Operations>(
  { path, errorBody }: Face,
  all: All,
  below = '',
): OperationSet<All> {
  return {
    base: path + below,
    area: errorBody === 'scim' ? 'scim' : 'service',
    refusals: tokenRefusals,
    all,
  };
}

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

interface DocumentRest
  extends Partial<
    Pick<OperationDocument, 'description' | 'emptySuccess' | 'headers' | 'answerHeaders' | 'body'>
  > {
  readonly status?: number;
}

/** Of an answer that is written down in slices. */
export function inSlices<Document extends { readonly success: Success }>(document: Document) {
  return { ...document, success: { ...document.success, as: 'slices' } } as const;
}

export function faceTraits(face: Face) {
  const [usualType = ''] = face.contentType.split(';');
  const common = {
    produces: [usualType, ...jsonTypes.filter((type) => type !== usualType)],
    unknownQuery: face.ignoresUnknownParameters ? 'ignored' : 'refused',
  } as const;
  const describe =
    (tag: string) =>
    <Schema extends TSchema | null>(
      operation: string,
      summary: string,
      schema: Schema,
      { description = `${summary}.`, status = 200, ...rest }: DocumentRest = {},
    ) => ({
      operationId: operationName(face, operation),
      summary,
      description,
      tag: `${tag} at ${face.path}`,
      success: { status, schema, description: 'OK' },
      ...rest,
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
