// Brings what package-lock.json names, when it is missing. Runs before every npm script on whatever Node the
// machine has, so it is plain JavaScript; everything after it runs on the Node that npm installs here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.soundings-installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
if (!isInstalled) {
  console.log('Installing the packages of package-lock.json (once; some 500 MB with the Node runtime) ...');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(
      'The packages could not be installed: see the lines above, mend the cause and run it again.',
    );
    process.exit(1);
  }
  const node = spawnSync(join(root, 'node_modules', '.bin', 'node'), ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (node.status !== 0) {
    console.error(
      `npm brought no Node runtime for ${process.platform} on ${process.arch}: install Node 26 yourself and put it first in PATH.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
