// The package as npm makes it, from a copy of the tree: npm works on the manifest in place, which other tests read meanwhile.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environment } from './service.ts';
import { temporaryFolder } from './temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const left = new Set(['.git', 'bench', 'data', 'node_modules', 'screenshots', 'test']);
const run = promisify(execFile);
const outputMax = 16 * 1024 * 1024;

export interface Packed {
  readonly tree: string;
  readonly tarball: string;
  readonly files: readonly string[];
}

export function copyTree(): string {
  const tree = temporaryFolder('tree');
  for (const name of readdirSync(root)) {
    if (left.has(name)) continue;
    cpSync(join(root, name), join(tree, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts') && !/dist.(bench|program|single|release)$/.test(path),
    });
  }
  linkModules(root, tree);
  return tree;
}

/** Gives a copy of a tree the packages of that tree. */
export function linkModules(from: string, to: string): void {
  // A folder of links, and not a link: whatever empties it must not empty ours.
  const modules = join(to, 'node_modules');
  mkdirSync(modules);
  for (const entry of readdirSync(join(from, 'node_modules'), { withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What tools keep for themselves is no part of it.
    if (entry.name === '.cache') continue;
    if (entry.isFile()) cpSync(path, join(modules, entry.name));
    else symlinkSync(path, join(modules, entry.name), 'junction');
  }
}

export async function packPackage(): Promise<Packed> {
  const tree = copyTree();
  const stdout = await npm(['pack', '--json'], tree);
  const [{ filename, files }] = JSON.parse(stdout) as [
    { filename: string; files: readonly { path: string }[] },
  ];
  return { tree, tarball: join(tree, filename), files: files.map(({ path }) => path) };
}

/**
 * Installs it into an empty folder without asking anybody: the Node that npm would fetch is the one that the tests run on, put
 * where npm puts it.
 */
export async function installPackage(tarball: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await npm(['install', '--offline', '--omit=optional', tarball], folder);
  const name = nodePackage();
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  return join(folder, 'node_modules', 'soundings');
}

function nodePackage(): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const name = Object.keys(optionalDependencies).find((one) => existsSync(join(root, 'node_modules', one)));
  assert.ok(name, 'npm has brought no Node for this machine');
  return name;
}

export async function npm(args: readonly string[], folder: string): Promise<string> {
  const { stdout } = await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: {
      ...environment({}),
      npm_config_cache: temporaryFolder('npm'),
      npm_config_update_notifier: 'false',
    },
    maxBuffer: outputMax,
  });
  return stdout;
}

/** PATH without what npm adds for the scripts of this package: what a stranger's machine has. */
export function strangersPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
}
