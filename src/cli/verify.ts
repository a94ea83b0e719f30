// soundings verify: whether a backup would restore.

import { resolve } from 'node:path';
import { checkBackup } from '../store/engine/backup-check.ts';
import { mebibytes } from '../store/engine/backup-copy.ts';
import { LateProgress, numberText } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface VerifyOptions {
  readonly file: string | undefined;
  readonly isJson: boolean;
  /** Whether options were given that only go with --against. */
  readonly hasOthers: boolean;
}

export const withoutManifest =
  'It has no manifest beside it (FILE.json): it is whole as far as SQLite and its own counts tell, and nobody can say whether a text in it has changed.';

export async function verify(terminal: Terminal, { file, isJson, hasOthers }: VerifyOptions): Promise<void> {
  if (hasOthers) throw new CommandError('--account, --client and --from-rows go with --against.');
  if (file === undefined)
    throw new CommandError(
      'Name the backup to check, or say with --against what to compare this store with.',
    );
  const path = resolve(file);
  const progress = new LateProgress(terminal);
  const { content, manifest } = await checkBackup(path, (check) => progress.say(() => `Checking: ${check}`));
  const { bytes, schema, counts } = content;
  if (isJson) {
    terminal.print(
      JSON.stringify({
        file: path,
        isGood: true,
        hasManifest: manifest !== null,
        at: manifest?.at ?? null,
        ...content,
      }),
    );
    return;
  }
  if (manifest === null) terminal.tell(withoutManifest);
  terminal.print(
    `${path} would restore: ${mebibytes(bytes)}, schema ${schema}, ${numberText(counts.responses)} responses of ${numberText(counts.sources)} measures and projects, ${numberText(counts.users)} users${manifest === null ? '' : `, as of ${manifest.at}`}.`,
  );
}
