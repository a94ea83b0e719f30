// A store of each engine with its schema, made once in a run, of which tests take copies (D-701): to make the schema takes a third
// of a second on either engine, and a run has hundreds of stores.

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closeDatabase, postgres } from './engines.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));

/** Makes them, says in the environment where they are, and gives what takes the database away at the end. */
export async function makeTemplates(folder: string): Promise<() => Promise<void>> {
  // A run within a run has those of the outer one.
  if (process.env.TEST_TEMPLATE_FILE !== undefined) return async () => {};
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'store.db');
  const database = await postgres.newStore();
  await Promise.all(
    [`sqlite:${file}`, database.databaseUrl].map((url) =>
      run(process.execPath, [process.env.TEST_PROGRAM ?? program, 'migrate'], {
        env: { ...process.env, DATABASE_URL: url },
      }),
    ),
  );
  await closeDatabase(database);
  process.env.TEST_TEMPLATE_FILE = file;
  process.env.TEST_TEMPLATE_DATABASE = new URL(database.databaseUrl).pathname.slice('/'.length);
  return () => database.dispose();
}
