// The pages of the console, built when something that they are made from has changed.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export function buildConsole(): void {
  execFileSync(process.execPath, ['scripts/install.js', '--console'], { cwd: root, stdio: 'pipe' });
}

/** The files of the pages, by their names without the part that changes with what is in them. */
export function builtFiles(): ReadonlyMap<string, { readonly name: string; readonly bytes: Buffer }> {
  const { files } = JSON.parse(readFileSync(`${root}dist/console/manifest.json`, 'utf8')) as {
    files: readonly string[];
  };
  return new Map(
    files.map((name) => [
      name.replace(/-[\w-]{8}\./, '.'),
      { name, bytes: readFileSync(`${root}dist/console/assets/${name}`) },
    ]),
  );
}
