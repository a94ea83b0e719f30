// soundings verify: whether a backup would restore.

import { resolve } from 'node:path';
import { mebibytes } from '../store/engine/sqlite/backup-copy.ts';
import { checkBackup, type StoreContent } from '../store/operations/backup-check.ts';
import type { Manifest } from '../store/operations/backup-manifest.ts';
import { LateProgress, numberText } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface VerifyOptions {
  readonly file: string | undefined;
  readonly isJson: boolean;
  /** Whether a backup that could not be checked whole is a failure. */
  readonly isStrict: boolean;
  /** Whether options were given that only go with --against. */
  readonly hasOthers: boolean;
}

export const withoutManifest =
  'It has no manifest beside it (FILE.json): it is whole as far as SQLite and its own counts tell, and nobody can say whether a text in it has changed.';

/** What only the manifest knows, for scripts; a caller may count on these words. */
const ofManifest = ['sha256', 'version', 'storeId', 'at'] as const;
const uncheckedStatus = 3;

export async function verify(
  terminal: Terminal,
  { file, isJson, isStrict, hasOthers }: VerifyOptions,
): Promise<void> {
  if (hasOthers) throw new CommandError('--account, --client and --from-rows go with --against.');
  if (file === undefined)
    throw new CommandError(
      'Name the backup to check, or say with --against what to compare this store with.',
    );
  const path = resolve(file);
  const progress = new LateProgress(terminal);
  const { content, manifest } = await checkBackup(path, (check) => progress.say(() => `Checking: ${check}`));
  if (isJson) {
    terminal.print(
      JSON.stringify({
        file: path,
        isGood: true,
        hasManifest: manifest !== null,
        at: manifest?.at ?? null,
        unchecked: manifest === null ? ofManifest : [],
        ...content,
      }),
    );
  } else {
    if (manifest === null) terminal.tell(withoutManifest);
    tellContent(terminal, path, content, manifest);
  }
  if (manifest === null && isStrict)
    throw new CommandError(`${path} could not be checked whole, and --strict says that this is a failure.`, {
      exitCode: uncheckedStatus,
    });
}

function tellContent(
  terminal: Terminal,
  path: string,
  { bytes, schema, counts }: StoreContent,
  manifest: Manifest | null,
): void {
  terminal.print(
    `${path} would restore: ${mebibytes(bytes)}, schema ${schema}, ${numberText(counts.responses)} responses of ${numberText(counts.sources)} measures and projects, ${numberText(counts.users)} users${manifest === null ? '' : `, as of ${manifest.at}`}.`,
  );
}
