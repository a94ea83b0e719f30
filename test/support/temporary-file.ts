// Folders and files for the time of a test. Whatever is still there goes with the process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

export function temporaryFolder(purpose = 'files'): string {
  const folder = mkdtempSync(join(tmpdir(), `soundings-${purpose}-`));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function temporaryFile(name: string, content: string | Uint8Array): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}
