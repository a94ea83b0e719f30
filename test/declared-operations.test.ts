// What is declared in src/contract is what is served. Both documents are made of the endpoints of the running service, and are held
// against them by other tests; so the declarations are held against the documents.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '../src/contract/operation.ts';
import type { ApiDocument } from './support/api-document.ts';
import { consoleCall, operatorAside } from './support/console.ts';
import { consoleDocumentDeclared, declaredSets, interfaceDocument } from './support/declared-operations.ts';
import { sqlite, type TestStore } from './support/engines.ts';
import { headerOf } from './support/exchange.ts';
import type { Service } from './support/service.ts';
import { startService } from './support/service-here.ts';

const declared: readonly { readonly name: string; readonly operation: Operation }[] = declaredSets.flatMap(
  ({ base, all }) =>
    Object.entries(all).map(([key, operation]) => {
      const [method, path] = key.split(' ');
      return { name: `${method} ${base}${path!.replaceAll(/:(\w+)/g, '{$1}')}`, operation };
    }),
);

const methods = ['get', 'post', 'put', 'patch', 'delete'];

function operationsIn({ paths }: ApiDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

describe('declared operations', () => {
  let store: TestStore;
  let service: Service;
  before(async () => {
    store = await sqlite.readyStore();
    service = await startService({ DATABASE_URL: store.databaseUrl });
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  it('every operation that is declared is served, and every one in a document is declared [D-1032]', () => {
    assert.deepEqual(
      declared
        .filter(({ operation }) => operation.document !== undefined)
        .map(({ name }) => name)
        .sort(),
      [interfaceDocument, consoleDocumentDeclared].flatMap(operationsIn).sort(),
    );
  });

  it('the document of the console that the service makes when it is asked is what is declared, in every encoding [D-1031]', async () => {
    const sorted = (document: ApiDocument): object => ({
      ...document,
      tags: (document as unknown as { tags: { name: string }[] }).tags.toSorted((one, other) =>
        one.name < other.name ? -1 : 1,
      ),
    });
    const cookie = await operatorAside(store.databaseUrl);
    let text = '';
    for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const answer = await consoleCall(service.baseUrl, 'GET', '/openapi.json', { cookie, headers });
      assert.equal(answer.status, 200);
      assert.equal(headerOf(answer.headers, 'content-encoding') ?? 'identity', encoding);
      if (text !== '') assert.equal(answer.text, text);
      text = answer.text;
    }
    assert.deepEqual(sorted(JSON.parse(text) as ApiDocument), sorted(consoleDocumentDeclared));
  });

  it('these are answered by a text, in slices or as a file; all others by a value that is held against the schema', () => {
    const otherwise = Object.groupBy(
      declared.flatMap(({ operation: { document } }) =>
        document?.success.as === undefined ? [] : [{ as: document.success.as, id: document.operationId }],
      ),
      ({ as }) => as,
    );
    const ids = Object.fromEntries(
      Object.entries(otherwise).map(([as, all]) => [as, all.map(({ id }) => id).sort()]),
    );
    assert.deepEqual(ids, {
      text: [
        'getConsoleDocument',
        'listMeasures',
        'listProjects',
        'listSources',
        'measureResponseTrace',
        'surveyDefinition',
      ],
      slices: [
        'createUser',
        'getUser',
        'listUsers',
        'measureBreakdown',
        'measureBreakdownView',
        'measureChanges',
        'measureData',
        'measureDistribution',
        'measureDistributionView',
        'measureDrivers',
        'measureDriversView',
        'measureResponse',
        'measureResponseView',
        'measureTrend',
        'measureTrendView',
        'patchUser',
        'projectBreakdown',
        'projectBreakdownView',
        'projectChanges',
        'projectData',
        'projectDistribution',
        'projectDistributionView',
        'projectResponse',
        'projectResponseView',
        'projectTopics',
        'projectTopicsView',
        'projectTrend',
        'projectTrendView',
        'replaceUser',
        'scimCreateGroup',
        'scimCreateUser',
        'scimGetGroup',
        'scimGetUser',
        'scimListGroups',
        'scimListUsers',
        'scimPatchGroup',
        'scimPatchUser',
        'scimReplaceGroup',
        'scimReplaceUser',
        'scimSearch',
        'scimSearchGroups',
        'scimSearchUsers',
        'searchUsers',
        'sharedMeasureBreakdown',
        'sharedMeasureDistribution',
        'sharedMeasureDrivers',
        'sharedMeasureTrend',
        'sharedProjectBreakdown',
        'sharedProjectDistribution',
        'sharedProjectTopics',
        'sharedProjectTrend',
      ],
      file: [
        'exportAudit',
        'exportMeasure',
        'exportProject',
        'inviteMeasure',
        'inviteProject',
        'measureBreakdownFile',
        'measureCommentFile',
        'measureDistributionFile',
        'measureDriversFile',
        'measureResponseFile',
        'measureTrendFile',
        'projectBreakdownFile',
        'projectCommentFile',
        'projectDistributionFile',
        'projectResponseFile',
        'projectTopicsFile',
        'projectTrendFile',
        'qrMeasure',
        'qrProject',
      ],
    });
  });
});
