// Where the program finds its own files and starts its threads. It runs in three shapes: a clone, whose files run as they
// stand; a package, where scripts/bundle-program.ts has made a few files of them in dist/program; and one file with everything
// inside it (D-650). In the second and third this
// module is part of some file of dist/program, which has no folders.

import type { ClusterSettings } from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { getAsset, getRawAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Every thread is a program beside the main one; in a bundle it has its name. */
export const threadFiles = {
  'backup-thread': 'store/operations/backup-thread.ts',
  'doctor-thread': 'http/operations/doctor-thread.ts',
  'scan-worker': 'store/insight/scan-worker.ts',
  'size-thread': 'store/operations/size-thread.ts',
  'sqlite-writer': 'store/writer-thread.ts',
  'table-worker': 'store/feedback/table-worker.ts',
} as const;

type ThreadName = keyof typeof threadFiles;

const isSingleFile = isSea();
const isBundle = !import.meta.url.endsWith('/src/installation.ts');
const root = new URL(isBundle ? '../../' : '../', import.meta.url);

/** A file of the installation, by its path from the root of it; null where it was not built. */
export async function findInstalled(path: string): Promise<Buffer | null> {
  try {
    return await readInstalled(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** The same for what every installation has. */
export async function readInstalled(path: string): Promise<Buffer> {
  if (!isSingleFile) return readFile(new URL(path, root));
  // The bytes lie in the memory of the program, where nobody may write; whoever reads does not.
  try {
    return Buffer.from(getRawAsset(path));
  } catch (cause) {
    throw Object.assign(new Error(`There is no ${path} in this program.`, { cause }), { code: 'ENOENT' });
  }
}

export function startThread(name: ThreadName, options: Omit<WorkerOptions, 'eval'>): Worker {
  return new Worker(threadProgram(name), { ...options, eval: true });
}

/**
 * The compile cache belongs to a thread, so its first line switches it on. Without it a thread would strip the types of every
 * file again: half a second, and 25 MB of memory, before the first change of a process is made.
 */
function threadProgram(name: ThreadName): string {
  const file = isBundle ? `${name}.mjs` : threadFiles[name];
  const address = JSON.stringify(new URL(file, import.meta.url).href);
  // Within one file there is nothing to import from, until its loader has told Node where modules lie.
  if (isSingleFile) return `${getAsset('loader.cjs', 'utf8')}\nload(${address});`;
  return `require('node:module').enableCompileCache(); import(${address});`;
}

/** How a process of this program starts another with the same words. A single file has no script between itself and its words. */
export function forkSettings(argv: readonly string[]): ClusterSettings {
  if (!isSingleFile) return {};
  const [verb = '', ...rest] = argv.slice(2);
  return { exec: verb, args: rest, execArgv: [] };
}

/** What stands behind the name of the program when a process of it starts itself once more with the same words. */
export function wordsOfProcess({
  argv,
  execArgv,
}: Pick<NodeJS.Process, 'argv' | 'execArgv'>): readonly string[] {
  return isSingleFile ? argv.slice(2) : [...execArgv, ...argv.slice(1)];
}
