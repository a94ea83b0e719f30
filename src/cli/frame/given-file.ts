// A file that a verb was given: what is wrong with it, in one way for all verbs.

import { access, constants } from 'node:fs/promises';
import { reasonOf } from '../../domain/reason.ts';
import { CommandError, visible } from './terminal.ts';

/** The one refusal for a file that cannot be read, whichever verb was given it. */
export function unreadableFile(file: string, error: unknown): CommandError {
  const isMissing = (error as { code?: unknown }).code === 'ENOENT';
  const fault = isMissing
    ? `There is no file ${file}`
    : `The file ${file} cannot be read: ${reasonOf(error)}`;
  return new CommandError(`${fault}. Name a file that ${isMissing ? 'exists' : 'can be read'}.`, {
    cause: error,
  });
}

/** Refuses a file that cannot be read before anything is opened for it; `-` is standard input. */
export async function demandFile(file: string): Promise<void> {
  if (file === '-') return;
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw unreadableFile(file, error);
  });
}

interface LineFault {
  readonly line: number;
  readonly message: string;
}

const faultsShownMax = 100;

/** Its faults by their lines, the first hundred of them. */
export function lineFaults(file: string, faults: readonly LineFault[]): string {
  const shown = faults
    .slice(0, faultsShownMax)
    .map(({ line, message }) => `  ${file}:${line}: ${visible(message)}`)
    .join('\n');
  const rest = faults.length - faultsShownMax;
  return rest > 0 ? `${shown}\n  and ${rest} more.` : shown;
}
