// Where backups lie, and under which names. In a folder a backup has a number and a time, and the number decides which
// is the newest: a clock that was set back must not make the newest one the first to go (D-293). A file gets its name
// when it is whole, checked and on the disk.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { linkOnce, syncFile } from '../engine/sqlite/unfinished-file.ts';
import { StoreFault } from '../engine/store-fault.ts';
import { type Manifest, manifestFileOf, readManifest } from './backup-manifest.ts';

const fileMode = 0o600;
const ownName = /^soundings-(\d{6,12})-\d{8}T\d{6}Z\.db$/;

export interface BackupTarget {
  readonly folder: string;
  /** Null in a folder, where every backup has a name of its own. */
  readonly file: string | null;
}

/** Refuses what cannot be written, before anything is copied. */
export function targetOf(text: string): BackupTarget {
  const path = resolve(text);
  const found = statSync(path, { throwIfNoEntry: false });
  const isFolder = found?.isDirectory() === true || text.endsWith('/');
  const folder = isFolder ? path : dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new StoreFault(`The folder ${folder} is not there: make it first.`);
  if (!isFolder && found !== undefined)
    throw new StoreFault(`${path} exists already, and was left as it is. Name another file, or a folder.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new StoreFault(`The folder ${folder} cannot be written: mend its rights, or name another.`, error);
  }
  return { folder, file: isFolder ? null : path };
}

/** The one name under which a backup of this store is written there: what a kill left behind is found again. */
export function unfinishedFile(folder: string, storeId: string): string {
  return join(folder, `.soundings-backup-${storeId.replaceAll(/[^\w-]/g, '')}.part`);
}

export function removeUnfinished(unfinished: string): void {
  for (const end of ['', '-journal', '-wal', '-shm', '.json']) rmSync(`${unfinished}${end}`, { force: true });
}

export function makeUnfinished(unfinished: string): void {
  removeUnfinished(unfinished);
  closeSync(openSync(unfinished, 'wx', fileMode));
}

export function nameInFolder(folder: string, atMs: number): string {
  const numbers = ownNames(folder).map(({ number }) => number);
  const number = String(Math.max(0, ...numbers) + 1).padStart(6, '0');
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(folder, `soundings-${number}-${time}.db`);
}

/** Refuses a name whose manifest would take the place of something else: FILE.json may be anything (D-306). */
export function refuseForeignManifest(file: string, storeId: string): void {
  const described = manifestFileOf(file);
  if (lstatSync(described, { throwIfNoEntry: false }) === undefined || isOfStore(file, storeId)) return;
  throw new StoreFault(
    `${described} exists already, and was left as it is: it would be the manifest of the backup. Name another file, or a folder.`,
  );
}

/** The manifest comes first: whoever finds a backup under its name finds its manifest too. */
export function giveName(unfinished: string, file: string, manifest: Manifest): void {
  const folder = dirname(file);
  const described = manifestFileOf(file);
  writeFileSync(`${unfinished}.json`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: fileMode });
  syncFile(`${unfinished}.json`);
  syncFile(unfinished);
  // A kill between the two names leaves a manifest without its backup.
  if (!existsSync(file) && isOfStore(file, manifest.storeId)) rmSync(described);
  linkOnce(`${unfinished}.json`, described);
  try {
    linkOnce(unfinished, file);
  } catch (error) {
    rmSync(described);
    throw error;
  }
  syncFile(folder);
}

interface OwnName {
  readonly name: string;
  readonly number: number;
  readonly isThere: boolean;
}

/** What was made here by us, backups and manifests whose backup is gone, the newest first. */
function ownNames(folder: string): readonly OwnName[] {
  const all = new Set(readdirSync(folder));
  const names = new Set([...all].map((name) => (name.endsWith('.db.json') ? name.slice(0, -5) : name)));
  return [...names]
    .filter((name) => ownName.test(name))
    .map((name) => ({ name, number: Number(ownName.exec(name)![1]), isThere: all.has(name) }))
    .toSorted((one, other) => other.number - one.number);
}

/** Deletes all but the newest backups of this store in a folder, and nothing that was not made by us; returns their names. */
export function keepNewest(folder: string, storeId: string, keep: number): readonly string[] {
  const ours = ownNames(folder).filter(({ name }) => isOfStore(join(folder, name), storeId));
  const tooMany = ours.filter(({ isThere }) => isThere).slice(keep);
  for (const { name } of [...tooMany, ...ours.filter(({ isThere }) => !isThere)]) {
    // The manifest goes last: without it nobody would know whose backup it is.
    rmSync(join(folder, name), { force: true });
    rmSync(manifestFileOf(join(folder, name)), { force: true });
  }
  return tooMany.map(({ name }) => basename(name));
}

function isOfStore(backup: string, storeId: string): boolean {
  return manifestIf(backup)?.storeId === storeId;
}

/** Null where there is none that can be read. */
function manifestIf(backup: string): Manifest | null {
  try {
    return readManifest(backup);
  } catch {
    return null;
  }
}

/** When the newest backup of this store in a folder was begun; null where there is none. */
export function newestMoment(folder: string, storeId: string): number | null {
  for (const { name, isThere } of ownNames(folder)) {
    const manifest = isThere ? manifestIf(join(folder, name)) : null;
    if (manifest?.storeId === storeId) return Date.parse(manifest.at);
  }
  return null;
}
