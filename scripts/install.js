// Brings what package-lock.json names, when it is missing. Runs before every npm script on whatever Node the
// machine has, so it is plain JavaScript; everything after it runs on the Node that npm installs here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.soundings-installed');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const wanted = createHash('sha256').update(lockText).digest('hex');
// The service runs without what only tests and benches need ("npm ci --omit=dev").
const isForService = process.argv.includes('--service');

if (!isStamped() && !(isForService && isAsLocked({ mayLackDev: true }))) {
  if (!isAsLocked({ mayLackDev: false })) install();
  writeFileSync(stamp, wanted);
}
if (process.platform === 'win32') addExec();

function isStamped() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** Whether somebody has run npm already: it writes down what it installed, in the words of package-lock.json. */
function isAsLocked({ mayLackDev }) {
  const written = join(modules, '.package-lock.json');
  if (!existsSync(written)) return false;
  let installed;
  try {
    installed = JSON.parse(readFileSync(written, 'utf8')).packages ?? {};
  } catch {
    return false;
  }
  const packages = Object.entries(JSON.parse(lockText).packages).filter(([place]) => place !== '');
  return (
    packages.every(([place, { version, integrity, dev, optional, devOptional }]) => {
      const found = installed[place];
      // What is for other systems is optional, and is not here.
      if (found === undefined) return Boolean(optional || devOptional || (mayLackDev && dev));
      return found.version === version && found.integrity === integrity && existsSync(join(root, place));
    }) && hasNode()
  );
}

function install() {
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
  if (hasNode()) return;
  console.error(
    `npm brought no Node runtime for ${process.platform} on ${process.arch}: install Node 26 yourself and put it first in PATH.`,
  );
  process.exit(1);
}

/** The Node that the scripts find: the one that npm brings, or else the one that runs this. */
function hasNode() {
  if (Number.parseInt(process.versions.node, 10) >= 26) return true;
  const { status } = spawnSync(join(modules, '.bin', 'node'), ['--version'], {
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** Scripts say "exec", so that a signal to npm reaches the program and not a shell; the shell of Windows has no such word. */
function addExec() {
  const file = join(modules, '.bin', 'exec.cmd');
  if (!existsSync(file)) writeFileSync(file, '@%*\r\n');
}
