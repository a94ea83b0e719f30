import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program of this machine is; null when it does not have it. */
export function findTool(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
