// Where an export goes. A file is written under a name of its own and gets its final name when it is whole and on disk,
// so whoever finds it under that name finds all of it (D-123).

import { createWriteStream, unlinkSync } from 'node:fs';
import { access, link, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { reasonOf } from '../../domain/reason.ts';
import { CommandError, withoutControls } from './terminal.ts';

export interface Output {
  readonly stream: Writable;
  /** Whether it ends with the export: standard output stays open. */
  readonly isOurs: boolean;
  /** Everything is written. */
  keep(): Promise<void>;
  /** Something failed; nothing is left behind. */
  discard(): Promise<void>;
  /** A failure of the output in words; any other one as it is. */
  explain(error: unknown): unknown;
}

const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function standardOutput(): Output {
  return {
    stream: process.stdout.isTTY ? shownOn(process.stdout) : process.stdout,
    isOurs: process.stdout.isTTY === true,
    keep: async () => {},
    discard: async () => {},
    explain: (error) =>
      codeOf(error) === 'EPIPE'
        ? new CommandError('Whoever read standard output has gone; the export is not whole.', {
            cause: error,
          })
        : error,
  };
}

/** For somebody who looks at it: files and pipes get every character as it is, a terminal none that it would obey. */
export function shownOn(terminal: Writable): Writable {
  const decoder = new StringDecoder('utf8');
  return new Writable({
    write(part: Buffer, _encoding, done) {
      terminal.write(withoutControls(decoder.write(part)), done);
    },
  });
}

export async function fileOutput(file: string, isForced: boolean): Promise<Output> {
  await checkTarget(file, isForced);
  const unfinished = `${file}.${process.pid}.part`;
  const stream = createWriteStream(unfinished, { flags: 'wx', flush: true });
  const forget = removedAtExit(unfinished);
  return {
    stream,
    isOurs: true,
    async keep() {
      if (isForced) await rename(unfinished, file);
      else await linkOnce(unfinished, file);
      forget();
    },
    async discard() {
      await unlink(unfinished).catch(() => {});
      forget();
    },
    explain: (error) =>
      error instanceof Error && 'syscall' in error
        ? new CommandError(`${file} cannot be written: ${reasonOf(error)}. Nothing is left of it.`, {
            cause: error,
          })
        : error,
  };
}

async function checkTarget(file: string, isForced: boolean): Promise<void> {
  await access(dirname(file)).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be written: ${dirname(file)} is not there.`, { cause: error });
  });
  const target = await stat(file).catch(() => null);
  if (target === null) return;
  // A rename would put a file in the place of a directory or a device.
  if (!target.isFile()) throw new CommandError(`${file} is not a file. Name another one with --out.`);
  if (!isForced) throw taken(file);
}

function taken(file: string): CommandError {
  return new CommandError(`${file} exists already, and was left as it is. --force overwrites it.`);
}

/** Gives a file its final name unless something got that name meanwhile; a rename would overwrite it. */
async function linkOnce(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
    await unlink(unfinished);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file);
    // Some file systems have no second names.
    await rename(unfinished, file);
  }
}

/** Whoever interrupts the export finds nothing of it. */
function removedAtExit(unfinished: string): () => void {
  const remove = (): void => {
    try {
      unlinkSync(unfinished);
    } catch {
      // It has its final name, or was never made.
    }
  };
  const signals = Object.entries(signalExitCodes) as [NodeJS.Signals, number][];
  const handlers = signals.map(([signal, code]) => [signal, () => process.exit(code)] as const);
  process.on('exit', remove);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    process.off('exit', remove);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as { code?: string }).code ?? '') : '';
}
