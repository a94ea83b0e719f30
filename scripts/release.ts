// Makes a release in dist/release: the package, the single file for this system, the bill of materials and their checksums. With
// --check it only checks that everything agrees and that the package installs and answers (D-654).

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programVersion } from '../src/domain/version.ts';
import { type Manifest, root } from './package-files.ts';
import { buildSingleFile } from './single-file.ts';

const isCheck = process.argv.includes('--check');
const folder = join(root, 'dist', 'release');
const answerPatienceMs = 60_000;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const faults = [...versionFaults(), ...treeFaults()];
if (faults.length > 0) fail(faults);
tell(`Version ${programVersion} is the same everywhere, and the tree is clean.`);

const work = mkdtempSync(join(tmpdir(), 'soundings-release-'));
try {
  tell('Packing (half a minute) ...');
  const packed = run('npm', ['pack', '--pack-destination', work], root).trim().split('\n').at(-1) ?? '';
  tell(`Installing ${packed} in an empty folder (Node comes with it: 150 MB) ...`);
  await tryPackage(join(work, packed));
  if (treeFaults().length > 0) fail(['Packing has changed the tree.']);
  if (!isCheck) await makeFiles(join(work, packed), packed);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Everywhere a version is written, and the tag of this commit where it has one. */
function versionFaults(): readonly string[] {
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Readonly<Record<string, { version?: string }>>;
  };
  const [, heading] = /^## (\S+)/m.exec(read('CHANGELOG.md')) ?? [];
  const versions: Readonly<Record<string, string | undefined>> = {
    'src/domain/version.ts (soundings --version, build_info)': programVersion,
    'package-lock.json': lock.version,
    'package-lock.json, its first package': lock.packages['']?.version,
    'openapi.json': (JSON.parse(read('openapi.json')) as { info: { version: string } }).info.version,
    'the first heading of CHANGELOG.md': heading,
  };
  const { version } = JSON.parse(read('package.json')) as Manifest;
  const tags = run('git', ['tag', '--points-at', 'HEAD'], root)
    .split('\n')
    .filter((tag) => /^v?\d/.test(tag));
  return [
    ...Object.entries(versions)
      .filter(([, found]) => found !== version)
      .map(([place, found]) => `${place} has ${found ?? 'none'}, package.json has ${version}.`),
    ...tags
      .filter((tag) => tag !== `v${version}`)
      .map((tag) => `This commit has the tag ${tag}, package.json has ${version}.`),
  ];
}

function treeFaults(): readonly string[] {
  const changed = run('git', ['status', '--porcelain'], root).trim();
  return changed === '' ? [] : [`The tree is not clean:\n${changed}`];
}

/** As somebody installs it, on the Node that this machine has. */
async function tryPackage(tarball: string): Promise<void> {
  const place = join(work, 'installed');
  mkdirSync(place);
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', place, tarball], place);
  tell('Starting it ...');
  const program = join(place, 'node_modules', '.bin', 'soundings');
  const child = spawn(program, ['serve', '--port', '0', '--json'], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const line = await Promise.race([
      new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
      ended,
      tooLate(),
    ]);
    if (typeof line !== 'string') return fail([`It ended with ${line} before it answered.`]);
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    if (!metrics.includes(`version="${programVersion}"`)) fail(['build_info has another version.']);
    const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { info: { version: string } };
    if (document.info.version !== programVersion) fail(['/openapi.json has another version.']);
    child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) fail([`It was told to stop and ended with ${code}.`]);
    tell('It answers, and stops when it is told to.');
  } finally {
    child.kill('SIGKILL');
  }
}

async function makeFiles(tarball: string, packed: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, packed), readFileSync(tarball));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const single = `soundings-${programVersion}-${process.platform}-${process.arch}${suffix}`;
  tell(`Building ${single} (half a minute) ...`);
  await buildSingleFile(join(folder, single));
  const bill = join(root, 'dist', 'sbom.cdx.json');
  if (existsSync(bill))
    writeFileSync(join(folder, `soundings-${programVersion}.cdx.json`), readFileSync(bill));
  const sums = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  console.log(sums.join('').trimEnd());
}

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('It did not answer in time.')), answerPatienceMs).unref();
  });
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, [...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function fail(reasons: readonly string[]): never {
  for (const reason of reasons) console.error(reason);
  process.exit(1);
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
