// A release as it was, from the history of this repository, on the libraries that are installed here.

import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from './service.ts';
import { temporaryFolder } from './temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The last commit of each release. */
export const releases = {
  '0.1.0': 'c7b09b0057eafc5c3c59fcca6c72a52c61019a0f',
  '0.2.0': '804bd3e',
} as const;

export type Release = keyof typeof releases;

/** Null where the history is not here, as in a package or a shallow clone. */
export function releasedProgram(release: Release): Program | null {
  const folder = temporaryFolder(`release-${release}`);
  const archive = join(folder, 'release.tar');
  try {
    const options = { cwd: root, maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] as const };
    writeFileSync(
      archive,
      execFileSync('git', ['archive', releases[release], 'src', 'examples', 'package.json'], {
        ...options,
        stdio: [...options.stdio],
      }),
    );
  } catch {
    return null;
  }
  execFileSync('tar', ['xf', archive, '-C', folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { command: [process.execPath, join(folder, 'src', 'main.ts')], folder };
}
