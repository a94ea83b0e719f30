// A start loads what a start needs. Libraries are followed through the text of the files, from the program to whatever
// it imports at once; what is imported later, by a call, is left out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../', import.meta.url);
const first = [
  'src/main.ts',
  'src/cli/program.ts',
  'src/cli/start/serve.ts',
  'src/store/engine/sqlite/sqlite.ts',
];
const needed = ['commander', 'fastify', 'jose', 'lru-cache', 'negotiator', 'pino', 'sql-template-tag'];

/** Each library with one file that asks for it. */
function librariesFrom(files: readonly string[]): ReadonlyMap<string, string> {
  const libraries = new Map<string, string>();
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    // Types are erased: only what is imported or passed on as a value is loaded.
    const pattern = /^(?:import|export)\s+(?!type\b)(?:(?<names>[^;'"]*?)\s+from\s+)?'(?<target>[^']+)'/gm;
    for (const { groups } of readFileSync(new URL(file, root), 'utf8').matchAll(pattern)) {
      const { names = '', target = '' } = groups ?? {};
      const isTypesOnly = /^\{\s*(type\s+[^,}]+,?\s*)+\}$/.test(names);
      if (isTypesOnly || target.startsWith('node:')) continue;
      if (!target.startsWith('.')) libraries.set(target, file);
      else follow(new URL(target, new URL(file, root)).pathname.slice(root.pathname.length));
    }
  };
  files.forEach(follow);
  return libraries;
}

it('a start loads no library that it does not need: the others are loaded when they are used', () => {
  const unneeded = [...librariesFrom(first)].filter(([library]) => !needed.includes(library));
  assert.deepEqual(unneeded, []);
});
