// npm pack and npm publish run this twice. Before: builds what the package holds and puts the manifest of the package in the place
// of our own. After, with --restore: puts our own back. npm skips the second run when it fails or is killed in between, so a
// process of its own waits for the end of npm and does it then; scripts/install.js is the last that looks (D-652).

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.ts';
import { licenceTexts } from './licences.ts';
import { leanManifest, type Manifest, root } from './package-files.ts';
import { billOfMaterials } from './sbom.ts';

interface Packing {
  /** npm itself: scripts say `exec`. */
  readonly npmPid: number;
  readonly own: string;
  readonly lean: string;
}

const manifestFile = join(root, 'package.json');
const packingFile = join(root, 'dist', 'packing.json');
const lookEveryMs = 100;

const [flag, pidText] = process.argv.slice(2);
if (flag === '--restore') restore();
else if (flag === '--restore-after') restoreAfter(Number(pidText));
else await prepare();

async function prepare(): Promise<void> {
  restore();
  await buildProgram();
  writeThirdParties();
  replaceManifest();
}

async function buildProgram(): Promise<void> {
  tell('Bundling the program and its libraries ...');
  await bundleProgram(join(root, 'dist', 'program'));
}

/** The libraries are inside the bundles, where nobody would find their licences (D-682). */
function writeThirdParties(): void {
  writeFileSync(join(root, 'dist', 'THIRD-PARTY-LICENCES.txt'), licenceTexts());
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), billOfMaterials());
}

function replaceManifest(): void {
  const own = readFileSync(manifestFile, 'utf8');
  const lean = `${JSON.stringify(leanManifest(JSON.parse(own) as Manifest), null, 2)}\n`;
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(packingFile, JSON.stringify({ npmPid: process.ppid, own, lean } satisfies Packing));
  const script = fileURLToPath(import.meta.url);
  spawn(process.execPath, [script, '--restore-after', String(process.ppid)], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
  }).unref();
  writeFileSync(manifestFile, lean);
}

function restore(): void {
  if (!existsSync(packingFile)) return;
  const { own, lean } = JSON.parse(readFileSync(packingFile, 'utf8')) as Packing;
  // Whoever has changed it meanwhile keeps the change.
  if (readFileSync(manifestFile, 'utf8') === lean) writeFileSync(manifestFile, own);
  rmSync(packingFile, { force: true });
}

function restoreAfter(npmPid: number): void {
  const timer = setInterval(() => {
    if (existsSync(packingFile) && isRunning(npmPid)) return;
    clearInterval(timer);
    restore();
  }, lookEveryMs);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Standard output belongs to npm, which names the file there. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
