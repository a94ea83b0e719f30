// A file is written under a name of its own, and gets the one that it is looked for by when it is whole and on the disk.

import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { StoreFault } from '../store-fault.ts';

/** Gives a file its name unless something got that name meanwhile; a rename would overwrite it. */
export function linkOnce(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new StoreFault(`${file} has appeared meanwhile, and was left as it is. Name another file.`);
    // Some file systems have no second names.
    return renameSync(unfinished, file);
  }
  rmSync(unfinished);
}

export function syncFile(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
