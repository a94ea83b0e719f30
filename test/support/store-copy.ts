// A copy of a store as it is now, as an operator restores one from a backup. Nobody may have it open meanwhile.

import { copyFileSync } from 'node:fs';
import { copyDatabase, type TestStore } from './engines.ts';
import { temporaryFile } from './temporary-file.ts';

export async function copyStore(databaseUrl: string): Promise<TestStore> {
  if (!databaseUrl.startsWith('sqlite:')) return copyDatabase(databaseUrl);
  const file = temporaryFile('copy.db', '');
  copyFileSync(databaseUrl.slice('sqlite:'.length), file);
  return { databaseUrl: `sqlite:${file}`, dispose: async () => {} };
}
