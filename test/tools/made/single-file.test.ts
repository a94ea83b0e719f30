// The single file, in an empty root with nothing but the libraries that Node itself needs, as a user without rights: no Node, no shell, no
// home. It is 160 MB and takes half a minute to build, so it is tried here and not in every run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { buildSingleFile } from '../../../scripts/single-file.ts';
import { engines } from '../../support/engines.ts';
import { findTool } from '../../support/find-tool.ts';
import { walkInstallation, withoutHome } from '../../support/installed-walk.ts';
import { type Program, startProcess } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const nobody = 65_534;
const folder = temporaryFolder('single');
const file = join(folder, 'soundings');

describe('the single file', () => {
  before(() => buildSingleFile(file));

  for (const engine of engines)
    it(`demo, console, survey and data on ${engine.name}, and backups where there are files to copy [D-653]`, async (test) => {
      const store = await engine.newStore();
      const place = join(folder, engine.name);
      mkdirSync(place);
      try {
        const hasBackups = engine.name === 'sqlite';
        const stoppedMs = await walkInstallation(
          { command: [file], folder: place },
          { env: { DATABASE_URL: store.databaseUrl, PATH: '' }, hasBackups },
        );
        test.diagnostic(`stopped within ${Math.round(stoppedMs)} ms`);
      } finally {
        await store.dispose();
      }
    });

  it('serves with several processes, which are the same file [D-653]', async () => {
    const place = join(folder, 'workers');
    mkdirSync(place);
    const program: Program = { command: [file], folder: place };
    const service = await startProcess(withoutHome, ['--workers', '2'], program);
    const answer = await fetch(`${service.baseUrl}/readyz`);
    assert.equal(answer.status, 200);
    assert.equal(await service.stop(), 0, service.output());
  });

  it('needs nothing of a system but its libraries, and no rights [D-653]', async (test) => {
    const unshare = findTool('chroot');
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || unshare === null)
      return test.diagnostic('not tried: it takes a Linux, its root and chroot');
    const root = join(folder, 'root');
    for (const path of librariesOf(file)) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      copyFileSync(path, join(root, path));
    }
    linkSync(file, join(root, 'soundings'));
    for (const name of ['data', 'tmp']) {
      mkdirSync(join(root, name));
      chownSync(join(root, name), nobody, nobody);
      chmodSync(join(root, name), 0o700);
    }
    const program: Program = {
      command: [unshare, `--userspec=${nobody}:${nobody}`, root, '/soundings'],
      folder: root,
    };
    const service = await startProcess(
      { ...withoutHome, PATH: '', DATABASE_URL: 'sqlite:/data/soundings.db', TMPDIR: '/tmp' },
      ['--demo'],
      program,
    );
    try {
      assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
      assert.equal((await fetch(`${service.baseUrl}/help`)).status, 200);
    } finally {
      assert.equal(await service.stop(), 0, service.output());
    }
  });
});

function librariesOf(path: string): readonly string[] {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)].map(([, library]) => library!);
}
