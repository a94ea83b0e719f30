// What the package holds, and the manifest that it has: the libraries are inside the bundle, so nothing is left to install but
// the Node of each system (D-651).

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const kept = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'bin',
  'exports',
  'files',
  'engines',
  'optionalDependencies',
];

/** No scripts either: whoever installs it runs nothing. */
export function leanManifest(own: Manifest): Manifest {
  return Object.fromEntries(kept.flatMap((name) => (name in own ? [[name, own[name]]] : []))) as Manifest;
}

/** What the program reads at run time, by paths from the root. */
export function filesAtRunTime({ files }: Manifest): readonly string[] {
  return files
    .filter((path) => /^(dist\/(?!client)|examples\/|[\w-]+\.json$)/.test(path))
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) =>
      globSync([path, `${path}/**`], { cwd: root, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')),
    );
}
