// The types of the client (client/api.ts), made from the API document by openapi-typescript. That needs the TypeScript
// compiler as a library: the one that checks this code is a native program without one, so what it imports as `typescript`
// is the library that ts-morph brings along.

import { registerHooks } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';

const library = new URL('./typescript-library.ts', import.meta.url).href;

interface Operation {
  readonly responses: Record<string, unknown>;
}

/** The text of client/api.ts. What the client throws is one class, so that bodies of errors are left out (D-660). */
export async function clientTypes(documentText: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' ? { url: library, shortCircuit: true } : next(name, context),
  });
  try {
    const { default: typesOf, astToString } = await import('openapi-typescript');
    const document = JSON.parse(documentText) as OpenAPI3;
    const nodes = await typesOf(successesOf(document), { emptyObjectsUnknown: true });
    const text = astToString(nodes);
    return `// Made from openapi.json by "npm run openapi".\n\n${withoutPaths(text)}`;
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
