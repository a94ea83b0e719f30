// A store with something in it, its backups, and what makes two stores the same.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { commandHere, soundings } from './service.ts';
import { type StoreRow, storeRows, storeTables } from './store-rows.ts';

/** Tables in which a store tells of itself and not of what callers put into it. */
const ownTables = new Set(['backup_record', 'audit', 'lease', 'heartbeat', 'schema_step']);
/** What a restored log has anew, so that nobody takes it for the one that went on. */
const ownColumns: Readonly<Record<string, string>> = { log_counter: 'mark' };

/** Every row of every table that callers have anything in, as comparable texts. */
export async function rowsOfStore(databaseUrl: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of await storeTables(databaseUrl)) {
    if (ownTables.has(table)) continue;
    const rows = await storeRows(databaseUrl, `select * from ${table}`);
    tables[table] = rows.map((row) => textOf(row, ownColumns[table])).sort();
  }
  return tables;
}

function textOf(row: StoreRow, without: string | undefined): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => name !== without));
}

/** The backups in a folder, by their names and without their manifests, the oldest first. */
export function backupsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .sort();
}

/** Runs a command that must be refused, and gives its one sentence. */
export async function refusal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  exitCode = 1,
): Promise<string> {
  // Within this process the log that was left beside the place of a store was gone afterwards; nobody has found out why.
  const run = args[0] === 'restore' ? soundings : commandHere;
  const { code, stdout, stderr } = await run(args, env);
  assert.equal(code, exitCode, `${args.join(' ')}: ${stdout}${stderr}`);
  return stderr;
}
