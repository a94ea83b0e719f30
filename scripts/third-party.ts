// What of others is in an installation, by package-lock.json: packages that run, those that are bundled for browsers, and the Node of
// each system. The bill of materials and the texts of the licences are made from it, and a test holds it against its rules.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package-files.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** `run`: loaded by the service. `browser`: inside what browsers load. `node`: the runtime of one system. */
type Role = 'run' | 'browser' | 'node';

export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly role: Role;
  /** As npm writes it: an SPDX id, or an expression of them. */
  readonly licence: string;
  readonly integrity: string | null;
  readonly hasInstallScript: boolean;
  /** Where npm puts it, from the root. */
  readonly place: string;
  /** Places of the packages that it asks for itself. */
  readonly needs: readonly string[];
}

/** The script of /docs is one file that needs nothing else of its package's tree (D-680). */
const takenAlone = '@scalar/fastify-api-reference';

export function thirdParties(): readonly ThirdParty[] {
  const { packages } = readJson<LockFile>('package-lock.json');
  const own = packages['']!;
  const roles = new Map<string, Role>();
  const follow = (place: string, role: Role): void => {
    if (roles.has(place)) return;
    roles.set(place, role);
    for (const needed of needsOf(packages, place)) follow(needed, role);
  };
  for (const name of Object.keys(own.dependencies ?? {})) follow(placeOf(packages, '', name)!, 'run');
  for (const name of Object.keys(own.optionalDependencies ?? {}))
    follow(placeOf(packages, '', name)!, 'node');
  for (const name of importedByBrowsers()) follow(placeOf(packages, '', name)!, 'browser');
  roles.set(placeOf(packages, '', takenAlone)!, 'browser');
  return [...roles]
    .map(([place, role]): ThirdParty => {
      const { version, license, integrity, hasInstallScript } = packages[place]!;
      return {
        name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
        ...{ version, role, place },
        licence: license ?? 'NONE',
        integrity: integrity ?? null,
        hasInstallScript: hasInstallScript === true,
        needs: role === 'browser' && place.endsWith(takenAlone) ? [] : needsOf(packages, place),
      };
    })
    .toSorted((one, other) => (one.place < other.place ? -1 : 1));
}

/** Whatever "npm ci --omit=dev --omit=optional" leaves, as npm itself has marked it. */
export function lockedAtRunTime(): readonly string[] {
  return Object.entries(readJson<LockFile>('package-lock.json').packages)
    .filter(([place, { dev, optional, devOptional }]) => place !== '' && !(dev || optional || devOptional))
    .map(([place]) => place);
}

/** Names of the packages that sources for browsers import. */
function importedByBrowsers(): readonly string[] {
  const files = globSync(['{console,pages,help,client}/**/*.{ts,tsx}'], { cwd: root });
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^(?:import\s+|(?:import|export)\s+(?!type\b)[^;'"]*?\sfrom\s+)'([^'.][^']*)';/gm,
      ),
    ]
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  return [...new Set(names)].toSorted();
}

function needsOf(packages: LockFile['packages'], place: string): readonly string[] {
  const names = Object.keys(packages[place]!.dependencies ?? {});
  return names.flatMap((name) => placeOf(packages, place, name) ?? []).toSorted();
}

/** Where a package finds another: in its own folder, or in one of those above it. */
function placeOf(packages: LockFile['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return null;
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}
