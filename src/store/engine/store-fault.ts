// A failure around the file of a store or a backup that an operator can do something about: one sentence, and what to do.

import { isSqliteFailure, primaryCode, resultCodes } from './sqlite/sqlite-connection.ts';

export class StoreFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreFault';
  }
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What failed while a file was written, in a sentence; null for what has nothing to do with the disk. */
export function writingFault(place: string, error: unknown): StoreFault | null {
  const code = error instanceof Error ? ((error as { code?: unknown }).code ?? '') : '';
  const sqlite = isSqliteFailure(error) ? primaryCode(error) : null;
  if (fullCodes.has(String(code)) || sqlite === resultCodes.full)
    return new StoreFault(
      `There is no room for it in ${place}. Nothing is left of it: make room, or name another place.`,
      error,
    );
  const isOfDisk =
    (error instanceof Error && 'syscall' in error) ||
    sqlite === resultCodes.ioError ||
    sqlite === resultCodes.cannotOpen ||
    sqlite === resultCodes.readOnly;
  if (!isOfDisk) return null;
  const reason = (error as Error).message.replace(/\.$/, '');
  return new StoreFault(
    `${place} cannot be written (${reason}). Nothing is left of it: mend its rights, or name another place.`,
    error,
  );
}
