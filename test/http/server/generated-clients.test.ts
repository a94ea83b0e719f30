// Clients that callers generate from the API document: they compile as they come, and what they are typed as is right.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const generator = fileURLToPath(new URL('../../support/generate-clients.ts', import.meta.url));

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'preserve',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['.'],
};

const callsOfTypes = `
import type { components, operations, paths } from './types';

type Page = paths['/v1/measures/{measurementKey}/data']['get']['responses']['200']['content']['application/json'];
export const page: Page = { hasMore: false, items: [], total: 0, summary: {} };

export const draft: components['schemas']['SurveyResponse'] = {
  surveyDefinitionId: 'acme-badge-1',
  responses: { 'Q-STARS': ['4'] },
  cpps: { properties: { visited: ['home'] }, metrics: { cart_value: 59.9 }, data: { segment: 'new' } },
};

type Found = operations['scimSearch']['responses']['200']['content']['application/scim+json']['Resources'][number];
export const group: Found = { schemas: [], id: '1', displayName: 'Web team', members: [{ value: '2' }] };

export const refusal: components['schemas']['ServiceError']['errorCode'] = 'THROTTLED';
`;

const callsOfSdk = `
import { ingestResponse, listUsers, measureData, scimSearch } from './sdk';

export async function calls(): Promise<readonly (number | string | undefined)[]> {
  const query = { from: '2026-01-01', to: '2026-01-31' };
  const { data: page } = await measureData({ path: { measurementKey: 8840868 }, query });
  const kept = await ingestResponse({ body: { surveyDefinitionId: 's', responses: { 'Q-STARS': ['4'] } } });
  const users = await listUsers({ query: { count: 1 } });
  const found = await scimSearch({ body: { filter: 'displayName pr' } });
  const total: number | undefined = page?.total;
  const id: number | undefined = users.data?.resources[0]?.id;
  const text: string | undefined = found.data?.Resources[0]?.id;
  return [total, kept.data?.responseId, id, text];
}
`;

const wrongCalls = `
import { measureData } from './sdk';
import type { components } from './types';

export const noSurvey: components['schemas']['SurveyResponse'] = { responses: {} };
export const wrongKey = measureData({ path: { measurementKey: 'web' }, query: { from: '', to: '' } });
`;

describe('clients generated from the API document', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'soundings-clients-'));
    await promisify(execFile)(process.execPath, [generator, folder], { cwd: root });
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function complaints(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    writeFileSync(file, text);
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    try {
      await promisify(execFile)(process.execPath, [compiler, '--project', folder], { cwd: root });
      return '';
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    } finally {
      rmSync(file);
    }
  }

  it('types of openapi-typescript compile under strict and say what callers send and get', async () => {
    assert.equal(await complaints('calls-of-types.ts', callsOfTypes), '');
  });

  it('a client of @hey-api/openapi-ts compiles under strict and is called by the names of the operations', async () => {
    assert.equal(await complaints('calls-of-sdk.ts', callsOfSdk), '');
  });

  it('a call that the document does not allow does not compile', async () => {
    const text = await complaints('wrong-calls.ts', wrongCalls);
    assert.match(text, /surveyDefinitionId/);
    assert.match(text, /'string' is not assignable to type 'number'/);
  });

  it('values that have no name are named by where they stand, as orval does it, and no two of them alike', () => {
    const names = [...namesOfParameters(), ...namesOfMembers()];
    assert.ok(names.length > 0);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });
});

interface Schema {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as ApiDocument;
const capitalized = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

function namesOfParameters(): string[] {
  return Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ schema }) => schema.enum !== undefined)
        .map(({ name }) => capitalized(operationId) + capitalized(name)),
    );
}

function namesOfMembers(): string[] {
  return Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, member]) => member.enum !== undefined)
      .map(([member]) => schema + capitalized(member)),
  );
}
