// docs/endpoints.md: every endpoint, who may call it and what it is for, below the file that declares it and the files that serve it.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Access, OperationSet } from '../src/contract/operation.ts';
import type { DeclaredEndpoint } from '../src/http/server/route.ts';
import { readStructure } from './structure.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

export async function endpointsPage(endpoints: readonly DeclaredEndpoint[]): Promise<string> {
  const fileOf = await declaringFiles();
  const { imports } = readStructure(root);
  const byFile = Map.groupBy(endpoints, ({ method, path }) => fileOf(`${method} ${path}`));
  const sections = [...byFile]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, declared]) => {
      const serving = imports
        .filter(({ from, to }) => to.startsWith(file) && from.startsWith('src/http/'))
        .map(({ from }) => from);
      const rows = declared.map(
        ({ method, path, access, document }) =>
          `| \`${method} ${path}\` | ${whoMay(access)} | ${document?.summary ?? ''} |`,
      );
      return `## ${headingOf(file)}

Declared in \`${inCode(file)}\`, served in ${[...new Set(serving)].map((from) => `\`${inCode(from)}\``).join(', ')}.

| endpoint | who may call | what for |
|---|---|---|
${rows.join('\n')}
`;
    });
  return `# Endpoints

Generated from the contract by \`npm run openapi\`: what the service answers, below the file that declares it. What an endpoint takes
and answers stands in \`openapi.json\` for programs, and in \`/console/api/openapi.json\` for the console.

${sections.join('\n')}`;
}

/** Operations of users and groups are made for both faces by the files of one folder. */
const ofFaces = 'src/contract/provisioning/';

/** Where an operation is declared. */
async function declaringFiles(): Promise<(key: string) => string> {
  const files = new Map<string, string>();
  for (const file of globSync('src/contract/**/*.ts', { cwd: root })) {
    const declared: Record<string, unknown> = await import(join(root, file));
    for (const set of Object.values(declared).filter(isOperationSet))
      for (const key of Object.keys(set.all)) {
        const [method, path] = key.split(' ');
        files.set(`${method} ${set.base}${path}`, file);
      }
  }
  return (key) => {
    const file = files.get(key) ?? (/ \/(v1\/scim|scim\/v2)\//.test(key) ? ofFaces : undefined);
    if (file === undefined) throw new Error(`No file of src/contract/ declares ${key}.`);
    return file;
  };
}

function isOperationSet(value: unknown): value is OperationSet {
  return typeof value === 'object' && value !== null && 'base' in value && 'all' in value;
}

function whoMay(access: Access): string {
  if (access === 'anyone') return 'anyone';
  if (access === 'apiClient') return 'an API client';
  if (access === 'survey') return 'whom the survey lets in';
  if (access === 'sharedView') return 'whoever has the link';
  if ('grant' in access) return `\`${access.grant}\``;
  if (access.people === 'signingIn') return 'whoever signs in';
  const { ability } = access;
  return ability === undefined ? 'whoever has signed in' : `who may ${[ability].flat().join(' or ')}`;
}

/** `Access: api clients` of `src/contract/access/api-clients.ts`. */
function headingOf(file: string): string {
  const [area = '', name = ''] = file.slice('src/contract/'.length).replace(/\.ts$/, '').split('/');
  const title = `${area.charAt(0).toUpperCase()}${area.slice(1)}`;
  return name === '' ? title : `${title}: ${name.replaceAll('-', ' ')}`;
}

function inCode(file: string): string {
  return file.slice('src/'.length);
}
