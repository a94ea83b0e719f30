// A backup in the place of a store that is not there, and what is lost by it.

import { randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../domain/reason.ts';
import { mebibytes } from '../../store/engine/sqlite/backup-copy.ts';
import { makeFolder, storeFileOf } from '../../store/engine/sqlite/store-file.ts';
import { checkBackup, type OnCheck, type StoreContent } from '../../store/operations/backup-check.ts';
import type { Manifest } from '../../store/operations/backup-manifest.ts';
import { filesInTheWay, restoreBackup } from '../../store/operations/restore.ts';
import { differenceOf, type StoreDifference } from '../../store/operations/store-difference.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { type Flags, readSettings } from '../frame/open-context.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';
import type { Call } from '../frame/verb.ts';
import { serverAdvice } from './server-backup.ts';

interface WantedRestore {
  readonly file: string;
  readonly to: string | undefined;
  readonly compare: string | undefined;
}

const sourcesNamed = 5;

/** What is restored, and what is lost by it. */
export async function restoreStore({ terminal, flags, input }: Call<WantedRestore>) {
  const { compare } = input;
  const file = resolve(input.file);
  const place = await placeOf(terminal, flags, input);
  const progress = new LateProgress(terminal);
  const onCheck: OnCheck = (check) => progress.say(() => `Checking: ${check}`);
  const inTheWay = filesInTheWay(place);
  if (inTheWay.length > 0) throw await occupied(file, place, inTheWay, onCheck);
  if (compare !== undefined && !existsSync(compare))
    throw new CommandError(`There is no store at ${compare}.`);
  let copied = 0;
  const stamp = changeStamp({ newId: randomUUIDv7, now: Date.now });
  const { content, manifest, steps } = await restoreBackup(file, place, stamp, {
    onCheck,
    onBytes(bytes) {
      copied += bytes;
      progress.say(() => `Copied ${mebibytes(copied)}`);
    },
  });
  const lost = compare === undefined ? null : await differenceIf(compare, content, manifest);
  return { place, file, steps, content, manifest, lost, lines: lossLines(lost, manifest, compare) };
}

async function placeOf(terminal: Terminal, flags: Flags, { to, file }: WantedRestore): Promise<string> {
  if (to !== undefined) {
    const place = resolve(to);
    if (flags.isCreating === true) makeFolder(dirname(place));
    return place;
  }
  const { config } = await readSettings(terminal, flags);
  const place = storeFileOf(config.databaseUrl);
  if (place !== null) return place;
  if (config.databaseUrl.startsWith('sqlite:'))
    throw new CommandError('DATABASE_URL names a store in memory: name a file with --to.');
  terminal.tell(serverAdvice(config.databaseUrl, new Date()).text);
  throw new CommandError(
    `DATABASE_URL names a database server, and ${file} is put in place of an embedded store alone: name a file with --to.`,
  );
}

/** Why it is refused where a store is, what would be lost, and how to move it away. */
async function occupied(
  file: string,
  place: string,
  inTheWay: readonly string[],
  onCheck: OnCheck,
): Promise<CommandError> {
  const { content, manifest } = await checkBackup(file, onCheck);
  const lines = inTheWay.map((path) => `  mv ${path} ${path.replace(place, `${place}.old`)}`).join('\n');
  const lost = existsSync(place) ? await differenceIf(place, content, manifest) : null;
  const loss = lossLines(lost, manifest, place).join(' ');
  return new CommandError(
    `There is a store at ${place}, and nothing is overwritten. The backup is good. ${loss}\nTo restore it all the same, stop the service, move the old store away with all of its files, and run this again:\n${lines}`,
  );
}

/** Null where the old store cannot be read, which may be why a backup is restored. */
async function differenceIf(
  store: string,
  content: StoreContent,
  manifest: Manifest | null,
): Promise<StoreDifference | string> {
  try {
    const sinceMs = manifest === null ? 0 : Date.parse(manifest.at);
    return await differenceOf(resolve(store), content, sinceMs);
  } catch (error) {
    return reasonOf(error);
  }
}

function lossLines(
  lost: StoreDifference | string | null,
  manifest: Manifest | null,
  store: string | undefined,
): string[] {
  if (typeof lost === 'string')
    return [`${store} cannot be compared with it (${lost}).`, sinceLine(manifest)];
  if (lost === null) return [sinceLine(manifest)];
  const { sources, responses, actions } = lost;
  if (responses === 0 && actions.length === 0) return [`${store} has nothing that the backup has not.`];
  const named = sources
    .slice(0, sourcesNamed)
    .map((one) => `${one.kind} ${one.key} of account ${one.accountId}: ${numberText(one.responses)}`);
  const more = sources.length > sourcesNamed ? ` and ${numberText(sources.length - sourcesNamed)} more` : '';
  return [
    responses === 0
      ? `${store} has no response that the backup has not.`
      : `${store} has ${numberText(responses)} responses that the backup has not (${named.join(', ')}${more}).`,
    ...(actions.length === 0
      ? []
      : [
          `Done there since, and not in the backup: ${actions.map(({ action, count }) => `${action} ${numberText(count)}`).join(', ')}. Erase and revoke again what was erased and revoked.`,
        ]),
  ];
}

function sinceLine(manifest: Manifest | null): string {
  const since = manifest === null ? 'the backup was made' : manifest.at;
  return `Everything since ${since} is not in it. Erase and revoke again what was erased and revoked since then.`;
}
