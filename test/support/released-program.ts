// A release as it was, from the history of this repository, on the libraries that are installed here.

import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
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

/** Why it cannot be run here, as in a package or a shallow clone; false where it can. */
export function missingHistory(release: Release): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', releases[release]], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return 'The history of releases is not here.';
  }
}

export function releasedProgram(release: Release): Program {
  const folder = temporaryFolder(`release-${release}`);
  const archive = join(folder, 'release.tar');
  const parts = ['src', 'examples', 'package.json'];
  execFileSync('git', ['archive', '--output', archive, releases[release], ...parts], { cwd: root });
  execFileSync('tar', ['xf', archive, '-C', folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { command: [process.execPath, join(folder, 'src', 'main.ts')], folder };
}
