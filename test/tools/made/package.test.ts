// The package, installed in an empty folder and used as a stranger would from the first start to a restored backup.

import assert from 'node:assert/strict';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { walkInstallation } from '../../support/installed-walk.ts';
import { installPackage, packPackage, strangersPath } from '../../support/packed-package.ts';
import type { Program } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

it('the package: demo, console, survey, data, backup, stopped, restored; nothing is written beside the program [D-651]', async (test) => {
  const { tarball } = await packPackage();
  const folder = temporaryFolder('installed');
  const installed = await installPackage(tarball, join(folder, 'program'));
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const program: Program = {
    command: [join(folder, 'program', 'node_modules', '.bin', 'soundings')],
    folder: empty,
  };
  const filesOf = (): readonly string[] => globSync('**', { cwd: installed }).sort();
  const before = filesOf();
  const stoppedMs = await walkInstallation(program, {
    env: { PATH: strangersPath() },
    clientFile: join(installed, 'dist', 'client', 'index.js'),
  });
  test.diagnostic(`stopped within ${Math.round(stoppedMs)} ms`);
  assert.deepEqual(filesOf(), before);
});
