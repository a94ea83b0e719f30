// What is declared in src/contract/, and the document of the console as it follows from it.

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperationKey, OperationSet } from '../../src/contract/operation.ts';
import { discoveryOperations, documentOperations } from '../../src/contract/provisioning/discovery.ts';
import { removalOperations, resourceOperations } from '../../src/contract/provisioning/resources.ts';
import {
  bulkOperations,
  meOperations,
  rootSearchOperations,
} from '../../src/contract/provisioning/whole-face.ts';
import { inOneGo } from '../../src/domain/interruptible.ts';
import { programVersion } from '../../src/domain/version.ts';
import { consoleDocument } from '../../src/http/server/document.ts';
import { type DeclaredEndpoint, declaredEndpoint } from '../../src/http/server/route.ts';
import { type Face, faces } from '../../src/scim/faces.ts';
import { describeUsers, groupDescription } from '../../src/scim/resource-type.ts';
import type { ApiDocument } from './api-document.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const isSet = (value: unknown): value is OperationSet =>
  typeof value === 'object' && value !== null && 'base' in value && 'all' in value;

const modules = await Promise.all(
  globSync('src/contract/**/*.ts', { cwd: root }).map(
    (file) => import(pathToFileURL(`${root}${file}`).href) as Promise<object>,
  ),
);

/** Those of user provisioning are made for each face and each type of resources. */
function provisioningSets(face: Face): readonly OperationSet[] {
  const types = [describeUsers(face), ...(face.hasUsersAlone ? [] : [groupDescription])];
  return [
    discoveryOperations(face),
    ...(face.documentsById ? [documentOperations(face)] : []),
    ...types.map((type) => resourceOperations(face, type)),
    ...(face.deletes ? types.map((type) => removalOperations(face, type)) : []),
    ...(face.hasUsersAlone ? [] : [rootSearchOperations(face, types)]),
    ...(face.bulk === null ? [] : [bulkOperations(face, face.bulk)]),
    ...(face.namesMe ? [meOperations(face)] : []),
  ];
}

export const declaredSets: readonly OperationSet[] = [
  ...modules.flatMap((exported) => Object.values(exported).filter(isSet)),
  ...faces.flatMap(provisioningSets),
];

const declaredEndpoints: readonly DeclaredEndpoint[] = declaredSets.flatMap((set) =>
  Object.keys(set.all).map((key) => declaredEndpoint(set, key as OperationKey)),
);

/** As the service makes it, but for the order: test/declared-operations.test.ts holds the two against each other. */
export const consoleDocumentDeclared = asJson(
  inOneGo(
    consoleDocument(
      declaredEndpoints.filter(({ area }) => area === 'console'),
      programVersion,
    ),
  ),
);

export const interfaceDocument = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8')) as ApiDocument;

/** Of the interface, and of what the pages of the console call. */
export const apiDocuments: readonly ApiDocument[] = [interfaceDocument, consoleDocumentDeclared];

function asJson(value: unknown): ApiDocument {
  return JSON.parse(JSON.stringify(value)) as ApiDocument;
}
