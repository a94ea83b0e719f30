// The endpoints of one type of resources on one face (RFC 7644 section 3). What differs between the faces is a member of
// the face (D-03), what differs between the types a member of the type: nothing here asks which of them it has.

import type { Face } from '../../scim/faces.ts';
import type { TypeDescription } from '../../scim/resource-type.ts';
import { bodyRefusals } from '../operation.ts';
import { Type } from '../schema.ts';
import { faceOperations, faceTraits, ifMatch, ifRead, inSlices, jsonTypes } from './face-traits.ts';
import { filtering, searchBody, sorting } from './list-query.ts';
import { patchSchema, resourceSchemas } from './resource-schemas.ts';

const emptyPatch = 'Done, and attributes asked for nothing; ETag is the new version';

const noQuery = Type.Object({});

const addressOf = ({ texts }: TypeDescription) =>
  Type.Object({ id: Type.String({ description: texts.address }) });

/** Below the endpoint of the type. */
export function resourceOperations(face: Face, type: TypeDescription) {
  const { name, endpoint, texts, notFound, nameTaken } = type;
  const [one, many] = [name.toLowerCase(), endpoint.toLowerCase()];
  const shapes = resourceSchemas(face, type);
  const { reading, writing, describe, attributesQuery, attributesInBody } = faceTraits(face);
  const document = describe(endpoint);
  const attributes = { query: Type.Object(attributesQuery) };
  const ofOne = { params: addressOf(type), ...attributes };
  return faceOperations(
    face,
    {
      'POST /.search': {
        ...reading,
        consumes: jsonTypes,
        query: noQuery,
        body: searchBody(face, attributesInBody),
        keepsBodyText: true,
        document: inSlices(document(`Search${endpoint}`, `Search ${many} by a body`, shapes.list)),
        refusals: bodyRefusals,
      },
      'GET ': {
        ...reading,
        query: Type.Object({ ...filtering, ...(type.sortsLists ? sorting : {}), ...attributesQuery }),
        document: inSlices(
          document(`List${endpoint}`, `List ${many}`, shapes.list, {
            description: `In the order of creation, unless another is asked for. ${texts.list}`,
          }),
        ),
      },
      'POST ': {
        ...writing,
        ...attributes,
        document: inSlices(
          document(`Create${name}`, `Create a ${one}`, shapes.resource, {
            status: face.createStatus,
            answerHeaders: face.createTellsLocation ? ['ETag', 'Location'] : ['ETag'],
            body: shapes.draft,
          }),
        ),
        refusals: [nameTaken, ...bodyRefusals],
      },
      'GET /:id': {
        ...reading,
        ...ofOne,
        answersUnmodified: true,
        document: inSlices(
          document(`Get${name}`, `Read a ${one}`, shapes.resource, {
            answerHeaders: ['ETag'],
            headers: ifRead,
          }),
        ),
        refusals: [notFound, 'PRECONDITION_FAILED'],
      },
      'PUT /:id': {
        ...writing,
        ...ofOne,
        document: inSlices(
          document(`Replace${name}`, `Replace a ${one}`, shapes.resource, {
            description: texts.replace,
            answerHeaders: ['ETag'],
            headers: ifMatch,
            body: shapes.draft,
          }),
        ),
        refusals: [notFound, nameTaken, 'PRECONDITION_FAILED', ...bodyRefusals],
      },
      'PATCH /:id': {
        ...writing,
        ...ofOne,
        document: inSlices(
          document(`Patch${name}`, texts.patchSummary, shapes.resource, {
            description: texts.patch,
            ...(type.answersPatches ? {} : { emptySuccess: emptyPatch }),
            answerHeaders: ['ETag'],
            headers: ifMatch,
            body: patchSchema(face),
          }),
        ),
        refusals: [notFound, nameTaken, 'PRECONDITION_FAILED', ...bodyRefusals],
      },
    },
    `/${endpoint}`,
  );
}

/** On a face that removes resources for good. */
export function removalOperations(face: Face, type: TypeDescription) {
  const { name, endpoint, texts, notFound } = type;
  const { removing, describe } = faceTraits(face);
  return faceOperations(
    face,
    {
      'DELETE /:id': {
        ...removing,
        params: addressOf(type),
        query: noQuery,
        document: describe(endpoint)(`Delete${name}`, `Delete a ${name.toLowerCase()}`, null, {
          description: texts.remove,
          status: 204,
          headers: ifMatch,
        }),
        refusals: [notFound, 'PRECONDITION_FAILED'],
      },
    },
    `/${endpoint}`,
  );
}
