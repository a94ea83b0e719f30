// The files of the embedded store on their disk: the file itself, its log (-wal) and the index of the log (-shm). SQLite
// keeps what it has opened: when one of them is deleted or replaced, it goes on writing into something that nobody will
// ever open again. So what lies at the path is held against what was opened, and while they differ nothing is
// acknowledged (D-173, D-835).

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;
const linksMax = 40;

/** By what their names end. */
export const storeParts = { file: '', log: '-wal', index: '-shm' } as const;
type StorePart = keyof typeof storeParts;
const partNames = ['file', 'log', 'index'] as const;

/** What tells a file from every other one on this machine; null where there is none. */
export type FileIdentities = Readonly<Record<StorePart, string | null>>;

type PartFault = 'missing' | 'replaced' | 'cut';

/** Which file of an open store is not as it was left. */
export interface LostPart {
  readonly part: StorePart;
  readonly fault: PartFault;
}

/** Whether a file that comes back mends nothing: what was cut off is gone, and behind a lost index others may have written. */
export function isLostForGood({ part, fault }: LostPart): boolean {
  return part === 'index' || fault === 'cut';
}

/** Makes the file of a new store for our own eyes alone; SQLite gives its further files the same mode. */
export function makeStoreFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', fileMode));
  } catch (error) {
    // One that is there stays as it is; any other reason SQLite tells better.
    if (existsSync(path)) return;
    throw error;
  }
}

/** Where the embedded store is; null where there is no file. */
export function storeFileOf(databaseUrl: string): string | null {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : ':memory:';
  return path === ':memory:' ? null : resolve(path);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Node's own recursive way never ends where a file system makes no folders at all, such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, folderMode);
  } catch (error) {
    // Another process may have made it a moment ago.
    if (!existsSync(folder)) throw error;
  }
}

/** The one name of a store, however its path is spelt and whatever links lead to it: locks lie beside that (D-840). */
export function realStorePath(path: string): string {
  let real = resolve(path);
  for (let links = 0; links < linksMax; links += 1) {
    if (existsSync(real)) return realpathSync(real);
    const folder = dirname(real);
    const place = join(existsSync(folder) ? realpathSync(folder) : folder, basename(real));
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() !== true) return place;
    // A link to a file that is not there yet: SQLite would make it where the link leads.
    real = resolve(dirname(place), readlinkSync(place));
  }
  return real;
}

export function identitiesOf(place: string): FileIdentities {
  return {
    file: identityOf(place),
    log: identityOf(`${place}-wal`),
    index: identityOf(`${place}-shm`),
  };
}

/** The first file that is not the one of these identities. What nobody has seen yet cannot be missed. */
export function lostPartOf(place: string, identities: FileIdentities): LostPart | null {
  for (const part of partNames) {
    const expected = identities[part];
    if (expected === null) continue;
    const identity = identityOf(`${place}${storeParts[part]}`);
    if (identity !== expected) return { part, fault: identity === null ? 'missing' : 'replaced' };
  }
  return null;
}

/** A file that was opened, looked at several times with every batch: without texts and large numbers, where it can be. */
class OpenedPart {
  readonly #path: string;
  readonly #device: number | bigint;
  readonly #inode: number | bigint;
  readonly #options: { readonly bigint: boolean; readonly throwIfNoEntry: false };
  bytes = 0;

  constructor(path: string, identity: string) {
    const [device = 0n, inode = 0n] = identity.split(':').map(BigInt);
    const isLarge = inode > BigInt(Number.MAX_SAFE_INTEGER) || device > BigInt(Number.MAX_SAFE_INTEGER);
    this.#path = path;
    this.#device = isLarge ? device : Number(device);
    this.#inode = isLarge ? inode : Number(inode);
    this.#options = { bigint: isLarge, throwIfNoEntry: false };
  }

  look(): PartFault | null {
    const found = this.#found();
    if (found === undefined) return 'missing';
    if (found.ino !== this.#inode || found.dev !== this.#device) return 'replaced';
    this.bytes = Number(found.size);
    return null;
  }

  #found(): ReturnType<typeof statSync> {
    try {
      return statSync(this.#path, this.#options);
    } catch {
      // A folder that may no longer be entered hides what is in it.
      return undefined;
    }
  }
}

/** The files that a connection has open, and how large they were when it last looked. */
export class OpenedFiles {
  readonly identities: FileIdentities;
  /** Without those that nobody has seen yet. */
  readonly #parts: Readonly<Record<StorePart, OpenedPart | null>>;
  readonly #bytesNeeded: () => number;
  readonly #bytes = { file: 0, index: 0 };

  /**
   * The file is looked at by the name that was given, which may be a link that is turned to another one; the others lie
   * beside the file that it led to. The bytes needed are those of the pages that the store has by its own account.
   */
  constructor(path: string, place: string, identities: FileIdentities, bytesNeeded: () => number) {
    const part = (at: string, identity: string | null): OpenedPart | null =>
      identity === null ? null : new OpenedPart(at, identity);
    this.#parts = {
      file: part(path, identities.file),
      log: part(`${place}-wal`, identities.log),
      index: part(`${place}-shm`, identities.index),
    };
    this.identities = identities;
    this.#bytesNeeded = bytesNeeded;
    this.look();
  }

  /** Of the log when it was last looked at. */
  get logBytes(): number {
    return this.#parts.log?.bytes ?? 0;
  }

  /** Which file is not the one that was opened; null where all are. */
  lookAtNames(): LostPart | null {
    for (const part of partNames) {
      const fault = this.#parts[part]?.look() ?? null;
      if (fault !== null) return { part, fault };
    }
    return null;
  }

  /** What is not as it was left; null where everything is. Not within a transaction, which may have made the store larger. */
  look(): LostPart | null {
    const lost = this.lookAtNames();
    if (lost !== null) return lost;
    const file = this.#parts.file?.bytes ?? 0;
    const index = this.#parts.index?.bytes ?? 0;
    // SQLite never makes the index smaller, and the file only when it gives free pages back: then all that is left of
    // its pages is in it.
    if (index < this.#bytes.index) return { part: 'index', fault: 'cut' };
    if (file < this.#bytes.file && file < this.#bytesNeeded()) return { part: 'file', fault: 'cut' };
    this.#bytes.file = file;
    this.#bytes.index = index;
    return null;
  }
}

function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  } catch {
    return null;
  }
}
