// What browsers load, as the runner has had it built (run.ts).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a folder, by their names without the part that changes with what is in them; of several alike, the others by their whole names. */
export function builtFiles(
  folder: 'console' | 'pages' | 'help',
): ReadonlyMap<string, { readonly name: string; readonly bytes: Buffer }> {
  const { files } = builtManifest<{ readonly files: readonly string[] }>(folder);
  const found = new Map<string, { readonly name: string; readonly bytes: Buffer }>();
  for (const name of files) {
    const short = name.replace(/-[\w-]{8}\./, '.');
    const bytes = readFileSync(`${root}dist/${folder}/assets/${name}`);
    found.set(found.has(short) ? name : short, { name, bytes });
  }
  return found;
}

export function builtManifest<Members>(folder: 'console' | 'pages' | 'help'): Members {
  return JSON.parse(readFileSync(`${root}dist/${folder}/manifest.json`, 'utf8')) as Members;
}
