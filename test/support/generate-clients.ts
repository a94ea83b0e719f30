// Makes clients from the API document as callers do, into the folder that is given: `types.ts` by openapi-typescript,
// `sdk/` by @hey-api/openapi-ts. It runs as a process of its own, because both need the TypeScript compiler as a
// library: the one that checks this code is a native program without one, so what they import as `typescript` is the
// library that ts-morph brings along.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const library = new URL('../../scripts/typescript-library.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' ? { url: library, shortCircuit: true } : next(name, context),
});

const [folder = ''] = process.argv.slice(2);
const document = new URL('../../openapi.json', import.meta.url);

const { default: openapiTypes, astToString } = await import('openapi-typescript');
writeFileSync(join(folder, 'types.ts'), astToString(await openapiTypes(document)));

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document.pathname,
  output: { path: join(folder, 'sdk') },
  logs: { level: 'silent', file: false },
});
