// What is declared in src/contract is what is served. Both documents are made of the endpoints of the running service, and are held
// against them by other tests; so the declarations are held against the documents.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Operation, OperationSet } from '../src/contract/operation.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const isSet = (value: unknown): value is OperationSet =>
  typeof value === 'object' && value !== null && 'base' in value && 'all' in value;

const modules = await Promise.all(
  globSync('src/contract/**/*.ts', { cwd: root }).map(
    (file) => import(pathToFileURL(`${root}${file}`).href) as Promise<object>,
  ),
);
const declared: readonly { readonly name: string; readonly operation: Operation }[] = modules
  .flatMap((exported) => Object.values(exported).filter(isSet))
  .flatMap(({ base, all }) =>
    Object.entries(all).map(([key, operation]) => {
      const [method, path] = key.split(' ');
      return { name: `${method} ${base}${path!.replaceAll(/:(\w+)/g, '{$1}')}`, operation };
    }),
  );

const methods = ['get', 'post', 'put', 'patch', 'delete'];

function served(): string[] {
  return ['openapi.json', 'console-openapi.json'].flatMap((file) => {
    const { paths } = JSON.parse(readFileSync(`${root}${file}`, 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    return Object.entries(paths).flatMap(([path, item]) =>
      methods.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  });
}

describe('declared operations', () => {
  it('every operation that is declared is served, and every one in a document is declared, but for SCIM and the script of pages', () => {
    // Made from the table of attributes, with one declaration for users and groups.
    const isElsewhere = (name: string): boolean =>
      name.includes(' /v1/scim/') || name.includes(' /scim/') || name.includes(' /s/');
    assert.deepEqual(
      declared
        .filter(({ operation }) => operation.document !== undefined)
        .map(({ name }) => name)
        .sort(),
      served()
        .filter((name) => !isElsewhere(name))
        .sort(),
    );
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
      text: ['getConsoleDocument', 'listMeasures', 'listProjects', 'listSources', 'measureResponseTrace'],
      slices: [
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
