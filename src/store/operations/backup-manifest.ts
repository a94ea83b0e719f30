// What stands beside a backup: what is in it, and what its bytes must add up to.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { StoreFault } from '../engine/store-fault.ts';

/** Where a source has come to. */
export interface SourcePosition {
  readonly accountId: number;
  readonly kind: string;
  readonly key: number;
  /** The number of its last response. */
  readonly position: number;
}

export interface StoreCounts {
  readonly accounts: number;
  readonly sources: number;
  readonly responses: number;
  readonly users: number;
  readonly groups: number;
}

export interface Manifest {
  readonly format: 1;
  /** The version that made it. */
  readonly version: string;
  /** The last step of its schema. */
  readonly schema: number;
  readonly storeId: string;
  /** When it was begun: what was acknowledged before is in it. */
  readonly at: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly counts: StoreCounts;
  readonly positions: readonly SourcePosition[];
}

export function manifestFileOf(backup: string): string {
  return `${backup}.json`;
}

/** Null where there is none. */
export function readManifest(backup: string): Manifest | null {
  const file = manifestFileOf(backup);
  if (!existsSync(file)) return null;
  let content: unknown;
  try {
    // A pipe would be waited for without end.
    if (!statSync(file).isFile()) throw new Error('It is not a file.');
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StoreFault(
      `The manifest ${file} cannot be read: without it nobody knows what the backup should be. Use another backup.`,
      error,
    );
  }
  const { format, sha256, bytes, schema, at, positions, storeId } = (content ?? {}) as Partial<Manifest>;
  const isWhole =
    typeof sha256 === 'string' &&
    typeof bytes === 'number' &&
    typeof schema === 'number' &&
    typeof storeId === 'string' &&
    !Number.isNaN(Date.parse(String(at))) &&
    Array.isArray(positions);
  if (format === 1 && isWhole) return content as Manifest;
  throw new StoreFault(
    `${file} is no manifest that this version knows: use the version that made the backup, or another backup.`,
  );
}

/** SHA-256 of a file in hexadecimal digits. Tells how many bytes it has read, and ends early when told to. */
export async function hashOfFile(path: string, onBytes?: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(part as Buffer);
    onBytes?.((part as Buffer).length);
  }
  return hash.digest('hex');
}
