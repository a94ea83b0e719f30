// Makes the types of the client (client/api.ts) from the API document by openapi-typescript: "node scripts/client-types.ts HASH", where
// the hash is of everything that they are made from. scripts/install.js runs it when that has changed. It needs the TypeScript
// compiler as a library: the one that checks this code is a native program without one, so what it imports as `typescript`
// is the library that ts-morph brings along.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';

const root = new URL('../', import.meta.url);
const [hash] = process.argv.slice(2);
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');
const library = new URL('./typescript-library.ts', import.meta.url).href;

interface Operation {
  readonly responses: Record<string, unknown>;
}

// Written aside and then put in its place, so that nobody finds half of it.
const types = await clientTypes(readFileSync(new URL('openapi.json', root), 'utf8'));
writeFileSync(
  new URL('client/.api.ts', root),
  `// Made from openapi.json by scripts/client-types.ts: ${hash}\n\n${types}`,
);
renameSync(new URL('client/.api.ts', root), new URL('client/api.ts', root));

/** What the client throws is one class, so that bodies of errors are left out (D-660). */
async function clientTypes(documentText: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' ? { url: library, shortCircuit: true } : next(name, context),
  });
  try {
    const { default: typesOf, astToString } = await import('openapi-typescript');
    const document = JSON.parse(documentText) as OpenAPI3;
    const nodes = await typesOf(successesOf(document), { emptyObjectsUnknown: true });
    return withoutPaths(astToString(nodes));
  } finally {
    hooks.deregister();
  }
}

function successesOf(document: OpenAPI3): OpenAPI3 {
  const methods = ['get', 'put', 'post', 'patch', 'delete'];
  for (const path of Object.values(document.paths ?? {}))
    for (const [method, operation] of Object.entries(path as Record<string, Operation>)) {
      if (!methods.includes(method)) continue;
      for (const status of Object.keys(operation.responses))
        if (!status.startsWith('2')) delete operation.responses[status];
    }
  const { schemas = {}, ...others } = document.components ?? {};
  delete others.responses;
  return { ...document, components: { ...others, schemas: usedSchemas(schemas, document.paths) } };
}

/** Those that a path names, and those that these name. */
function usedSchemas<Schema>(schemas: Record<string, Schema>, paths: unknown): Record<string, Schema> {
  const used = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      look(schemas[name!]);
    }
  };
  look(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** Operations have names; the same once more by their addresses would be a third of the file. */
function withoutPaths(text: string): string {
  return text
    .replace(/export interface paths \{[\s\S]*?\n\}\n/, '')
    .replace('export type webhooks = Record<string, never>;\n', '')
    .replace('export type $defs = Record<string, never>;\n', '');
}
