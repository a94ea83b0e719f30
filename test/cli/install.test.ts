// scripts/install.js runs before every npm script. npm is another program here, which only writes down that it was
// asked: what is promised is when it is asked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-file.ts';

const script = fileURLToPath(new URL('../../scripts/install.js', import.meta.url));

interface Package {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

const locked: Readonly<Record<string, Package>> = {
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
  'node_modules/test-only': { version: '2.0.0', integrity: 'sha512-two', dev: true },
  'node_modules/elsewhere': { version: '3.0.0', integrity: 'sha512-three', optional: true },
};
const { 'node_modules/one': one, 'node_modules/test-only': testOnly } = locked as Required<typeof locked>;

/** A copy of the package with what npm says it has installed; nothing when npm was never run. */
function place(installed: Readonly<Record<string, Package>> | null): string {
  const root = temporaryFolder('install');
  for (const folder of ['scripts', 'bin']) mkdirSync(join(root, folder));
  copyFileSync(script, join(root, 'scripts', 'install.js'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }));
  const asked = `#!/bin/sh\necho "$@" >> '${root}/asked'\nmkdir -p '${root}/node_modules'\n`;
  writeFileSync(join(root, 'bin', 'npm'), asked, { mode: 0o755 });
  if (installed !== null) {
    for (const folder of ['node_modules', ...Object.keys(installed)])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  return root;
}

/** What npm was asked to do. */
function install(root: string, ...args: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'install.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` },
  });
  assert.equal(status, 0, stderr);
  const asked = join(root, 'asked');
  return existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [];
}

describe('before every npm script', () => {
  it('what "npm ci" has installed by hand is not installed once more', () => {
    const root = place({ 'node_modules/one': one!, 'node_modules/test-only': testOnly! });
    assert.deepEqual(install(root), []);
    assert.deepEqual(install(root, '--service'), []);
    // From now on nothing is even compared.
    rmSync(join(root, 'node_modules', '.package-lock.json'));
    assert.deepEqual(install(root), []);
  });

  it('what is missing, older or broken off is installed, once', () => {
    for (const installed of [
      null,
      {},
      { 'node_modules/one': one! },
      { 'node_modules/one': { ...one!, version: '0.9.0' }, 'node_modules/test-only': testOnly! },
      { 'node_modules/one': { ...one!, integrity: 'sha512-other' }, 'node_modules/test-only': testOnly! },
    ]) {
      const root = place(installed);
      assert.equal(install(root).length, 1);
      assert.match(install(root)[0]!, /^ci /);
      assert.equal(install(root).length, 1);
    }
    const hollow = place({ 'node_modules/one': one!, 'node_modules/test-only': testOnly! });
    rmSync(join(hollow, 'node_modules', 'one'), { recursive: true });
    assert.equal(install(hollow).length, 1);
  });

  it('the service starts without what only tests need ("npm ci --omit=dev"), and tests do not', () => {
    const root = place({ 'node_modules/one': one! });
    assert.deepEqual(install(root, '--service'), []);
    assert.equal(install(root).length, 1);
  });

  it('what browsers load is built when what it is made from has changed, where what builds it is there [D-380]', () => {
    const root = place({ 'node_modules/one': one!, 'node_modules/test-only': testOnly! });
    const built = (): string =>
      existsSync(join(root, 'built')) ? readFileSync(join(root, 'built'), 'utf8') : '';
    for (const folder of ['console/messages', 'pages', 'src/domain', 'dist/console', 'dist/pages'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'console', 'messages', 'en.ts'), 'one');
    writeFileSync(
      join(root, 'scripts', 'build-browser.ts'),
      `import { appendFileSync, writeFileSync } from 'node:fs';
      const [folder, hash] = process.argv.slice(2);
      appendFileSync('built', folder + ' ');
      writeFileSync('dist/' + folder + '/manifest.json', JSON.stringify({ hash }));`,
    );
    install(root, '--service');
    assert.equal(built(), '', 'without the bundler everything is left as it is');
    mkdirSync(join(root, 'node_modules', 'rolldown'));
    for (const args of [[], ['--service'], ['--build']]) install(root, ...args);
    assert.equal(built(), 'console pages ');
    for (const file of [
      'console/messages/en.ts',
      'pages/survey.ts',
      'console/new.ts',
      'src/domain/rule.ts',
    ]) {
      writeFileSync(join(root, file), 'another');
      install(root, '--build');
      install(root);
    }
    assert.equal(built(), 'console pages console pages console console pages ');
    writeFileSync(join(root, 'console', '.tsbuildinfo'), 'what a tool remembers');
    assert.deepEqual(install(root, '--build'), [], 'nothing is installed on the way');
    assert.equal(built(), 'console pages console pages console console pages ');
  });
});
