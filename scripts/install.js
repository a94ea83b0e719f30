// Brings what package-lock.json names, when it is missing, and builds what browsers load (the console, the pages of surveys, the help,
// the script of /docs) and the client, when what it is made from has changed. Runs before every npm script on whatever Node the machine has, so it is plain JavaScript; everything after
// it runs on the Node that npm installs here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
restoreManifest();
const modules = join(root, 'node_modules');
const stamp = join(modules, '.soundings-installed');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const wanted = createHash('sha256').update(lockText).digest('hex');
// The service runs without what only tests and benches need ("npm ci --omit=dev").
const isForService = process.argv.includes('--service');

// With --build nothing is installed: whoever works on the pages only wants them built.
const isForBuild = process.argv.includes('--build');

if (!isForBuild && !isStamped() && !(isForService && isAsLocked({ mayLackDev: true }))) {
  if (!isAsLocked({ mayLackDev: false })) install();
  writeFileSync(stamp, wanted);
}
if (process.platform === 'win32') addExec();
build('console', 'the pages of the console');
build('pages', 'the script of the pages of surveys');
buildHelp();
buildReference();
makeClientTypes();
buildClient();

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
  if (isNewNode()) return true;
  const { status } = spawnSync(join(modules, '.bin', 'node'), ['--version'], {
    shell: process.platform === 'win32',
  });
  return status === 0;
}

function isNewNode() {
  return Number.parseInt(process.versions.node, 10) >= 26;
}

/**
 * What is built lies in dist/, which nobody commits. An installation without what builds it keeps what it was handed; where
 * there is nothing, /console, /help and /docs say how it comes into being, and the pages of surveys do without a script.
 */
function build(folder, words) {
  if (!existsSync(join(root, folder)) || !existsSync(join(modules, 'rolldown'))) return;
  const sources = [
    join('scripts', 'build-browser.ts'),
    ...filesIn(folder),
    ...filesIn(join('src', 'domain')),
  ];
  buildInto(folder, words, sources, [join('scripts', 'build-browser.ts'), folder]);
}

function buildHelp() {
  const tools = ['rolldown', 'marked'].map((name) => join(modules, name));
  if (![join(root, 'docs'), join(root, 'help'), ...tools].every((place) => existsSync(place))) return;
  const scripts = readdirSync(join(root, 'scripts')).filter((name) => name.includes('help'));
  const sources = [
    ...scripts.sort().map((name) => join('scripts', name)),
    ...['docs', 'help', 'examples'].flatMap((folder) => filesIn(folder)),
    ...['tokens.css', 'first-paint.ts', 'icon.svg'].map((name) => join('console', name)),
    join('src', 'domain', 'pages', 'html.ts'),
    ...['soundings.service', 'haproxy.cfg'].map((name) => join('deploy', name)),
    'compose.yaml',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
  ];
  buildInto('help', 'the pages of the help', sources, [join('scripts', 'build-help.ts')]);
}

/** Out of a package, whose version is in package-lock.json. */
function buildReference() {
  const script = join('scripts', 'build-browser.ts');
  if (!existsSync(join(root, script)) || !existsSync(join(modules, '@scalar', 'fastify-api-reference')))
    return;
  buildInto('reference', 'the script of /docs', [script], [script, 'reference']);
}

/** client/api.ts, which nobody commits: the API document that it is made from is reviewed. */
function makeClientTypes() {
  const script = join('scripts', 'client-types.ts');
  const tools = ['openapi-typescript', join('@ts-morph', 'common')].map((name) => join(modules, name));
  if (![join(root, script), join(root, 'client'), ...tools].every((place) => existsSync(place))) return;
  const hash = hashOf(['openapi.json', script, join('scripts', 'typescript-library.ts')]);
  const made = join(root, 'client', 'api.ts');
  if (existsSync(made) && readFileSync(made, 'utf8').includes(hash)) return;
  run('Making the types of the client', [script, hash]);
}

/** For programs that call the service. */
function buildClient() {
  if (!existsSync(join(root, 'client')) || !existsSync(join(modules, 'rolldown'))) return;
  const script = join('scripts', 'build-client.ts');
  buildInto('client', 'the client', [script, ...filesIn('client')], [script]);
}

/** Runs what builds a folder of dist/, where one of the sources has changed. */
function buildInto(folder, words, sources, command) {
  const hash = hashOf([join('scripts', 'browser-files.ts'), ...sources]);
  const manifest = join(root, 'dist', folder, 'manifest.json');
  if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(hash)) return;
  run(`Building ${words}`, [...command, hash]);
}

/** Runs a script of ours on the Node that npm brings. */
function run(words, command) {
  console.log(`${words} (once; a second) ...`);
  const isOnWindows = process.platform === 'win32';
  const node = isNewNode() ? process.execPath : join(modules, '.bin', 'node');
  const { status } = spawnSync(node, command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: isOnWindows && !isNewNode(),
  });
  if (status === 0) return;
  console.error(`${words} failed: see the lines above.`);
  // The service works without it.
  if (!isForService) process.exit(1);
}

function hashOf(files) {
  const hash = createHash('sha256').update(wanted);
  for (const file of files.filter((name) => existsSync(join(root, name))))
    hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Without those that begin with a dot: there tools keep what they remember. */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : join(folder, entry.name)));
}

/** npm pack that was killed may have left the manifest of the package in the place of our own; see package.ts. */
function restoreManifest() {
  const packing = join(root, 'dist', 'packing.json');
  if (!existsSync(packing)) return;
  const { npmPid, own, lean } = JSON.parse(readFileSync(packing, 'utf8'));
  try {
    // It packs just now.
    process.kill(npmPid, 0);
    return;
  } catch {
    const manifest = join(root, 'package.json');
    if (readFileSync(manifest, 'utf8') === lean) writeFileSync(manifest, own);
    rmSync(packing, { force: true });
  }
}

/** Scripts say "exec", so that a signal to npm reaches the program and not a shell; the shell of Windows has no such word. */
function addExec() {
  const file = join(modules, '.bin', 'exec.cmd');
  if (!existsSync(file)) writeFileSync(file, '@%*\r\n');
}
