// Whether a file is a store that is whole: as SQLite sees it, as its manifest says, and as its own counts tell. A backup
// is checked by this when it is made, when somebody asks ("soundings verify"), and before it is restored.

import { statSync } from 'node:fs';
import { steps } from '../engine/migrations/steps.ts';
import { Stopped } from '../engine/sqlite/backup-copy.ts';
import { sqliteDialect } from '../engine/sqlite/dialect-sqlite.ts';
import { damaged, StoreSnapshot } from '../engine/sqlite/store-snapshot.ts';
import { StoreFault } from '../engine/store-fault.ts';
import { logChecks } from '../feedback/log-check.ts';
import {
  hashOfFile,
  type Manifest,
  readManifest,
  type SourcePosition,
  type StoreCounts,
} from './backup-manifest.ts';

export interface StoreContent {
  readonly bytes: number;
  readonly schema: number;
  readonly storeId: string;
  readonly counts: StoreCounts;
  readonly positions: readonly SourcePosition[];
}

/** Told before each check, so that whoever waits sees what is done; it may throw to end it. */
export type OnCheck = (check: string) => void;

/** Refuses a backup that is not what it was when it was made; a fault is one sentence. */
export async function checkBackup(
  file: string,
  onCheck: OnCheck,
): Promise<{ content: StoreContent; manifest: Manifest | null }> {
  const found = statSync(file, { throwIfNoEntry: false });
  const manifest = found?.isFile() ? readManifest(file) : null;
  if (manifest !== null && found !== undefined) {
    if (found.size < manifest.bytes)
      throw new StoreFault(
        `${file} is cut short: it has ${found.size} of ${manifest.bytes} bytes. Use another backup, or copy it once more.`,
      );
    if (manifest.schema > newestStep()) throw newerSchema(file, manifest.schema);
    onCheck('SHA-256');
    if (found.size > manifest.bytes || (await hashOfFile(file)) !== manifest.sha256)
      throw damaged(file, 'its SHA-256 is not the one of its manifest');
  }
  const content = checkStore(file, onCheck);
  if (manifest !== null && manifest.storeId !== content.storeId)
    throw damaged(file, 'its manifest is that of another store');
  return { content, manifest };
}

/** The checks that need no manifest. */
export function checkStore(file: string, onCheck: OnCheck): StoreContent {
  const snapshot = new StoreSnapshot(file);
  try {
    const schema = schemaOf(snapshot);
    refuseForeignPrograms(snapshot);
    const say = (check: string): void => onCheck(check);
    for (const { name } of tablesOf(snapshot)) {
      say(`table ${name}`);
      const [row] = snapshot.rows(`pragma quick_check('${name.replaceAll("'", "''")}')`);
      const says = String(Object.values(row ?? {})[0] ?? 'no answer');
      if (says !== 'ok') throw damaged(file, says.split('\n').at(-1) ?? says);
    }
    say('references');
    const [stray] = snapshot.rows<{ table: string; parent: string }>('pragma foreign_key_check');
    if (stray !== undefined) throw damaged(file, `a row of ${stray.table} belongs to no ${stray.parent}`);
    for (const [name, check] of Object.entries({ ...logChecks, 'users against rows': usersAgainstRows })) {
      say(name);
      const faults = check(snapshot);
      if (faults.length > 0)
        throw new StoreFault(
          `${file} does not agree with itself: ${faults.join('; ')}. Use another backup, and run "soundings doctor" on the store it was made of.`,
        );
    }
    return contentOf(snapshot, schema);
  } catch (error) {
    if (error instanceof StoreFault || error instanceof Stopped) throw error;
    // A file that is damaged may contradict itself in ways that no check expects.
    throw damaged(file, error instanceof Error ? error.message : String(error), error);
  } finally {
    snapshot.close();
  }
}

function newestStep(): number {
  return steps.at(-1)?.number ?? 0;
}

function newerSchema(file: string, schema: number): StoreFault {
  return new StoreFault(
    `${file} is of a newer version of Soundings: its schema is at step ${schema}, and this version knows ${newestStep()}. Use that version or a later one.`,
  );
}

function schemaOf(snapshot: StoreSnapshot): number {
  const isStore = snapshot.hasTable('schema_step') && snapshot.hasTable('store');
  const [row] = isStore
    ? snapshot.rows<{ last: number | null }>('select max(number) as last from schema_step')
    : [];
  // The log of responses came with the second step; a file without it was left while the store was being founded.
  if (row === undefined || row.last === null || !snapshot.hasTable('log_counter'))
    throw new StoreFault(
      `${snapshot.path} is no store of Soundings: name a file that "soundings backup" made.`,
    );
  if (row.last > newestStep()) throw newerSchema(snapshot.path, row.last);
  return row.last;
}

/**
 * Triggers, views and virtual tables are programs. In a restored store they would run with the statements of the service, so
 * that a file has those of our own steps and no others (D-307).
 */
function refuseForeignPrograms(snapshot: StoreSnapshot): void {
  const own = new Set(steps.flatMap(({ statements }) => statements(sqliteDialect.types)).map(inOneForm));
  const rows = snapshot.rows<{ type: string; name: string; text: string }>(`
    select type, name, sql as text
    from sqlite_schema
    where type in ('trigger', 'view') or sql like 'create virtual %'
    order by name`);
  const foreign = rows.find(({ text }) => !own.has(inOneForm(text)));
  if (foreign === undefined) return;
  const { type, name } = foreign;
  throw new StoreFault(
    `${snapshot.path} has a ${type} ${JSON.stringify(name.slice(0, 100))} that no version of Soundings makes, and which would run with every change: use another backup.`,
  );
}

/** SQLite keeps a statement as it was written, but for its first words. */
function inOneForm(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function tablesOf(snapshot: StoreSnapshot): readonly { name: string }[] {
  return snapshot.rows<{ name: string }>(`
    select name
    from sqlite_schema
    where type = 'table' and name not like 'sqlite\\_%' escape '\\'
    order by name`);
}

function usersAgainstRows(snapshot: StoreSnapshot): string[] {
  if (!snapshot.hasTable('user_counter')) return [];
  const rows = snapshot.rows<{ accountId: number; total: number; users: number }>(`
    select account_id as "accountId", total, (
      select count(*)
      from account_user
      where account_user.account_id = user_counter.account_id
    ) as users
    from user_counter`);
  return rows
    .filter(({ total, users }) => total !== users)
    .slice(0, 3)
    .map(({ accountId, total, users }) => `account ${accountId} counts ${total} users, and has ${users}`);
}

export function contentOf(snapshot: StoreSnapshot, schema: number): StoreContent {
  const countOf = (table: string): number =>
    snapshot.hasTable(table)
      ? (snapshot.rows<{ count: number }>(`select count(*) as count from ${table}`)[0]?.count ?? 0)
      : 0;
  const positions = snapshot.rows<SourcePosition>(`
    select source.account_id as "accountId", source.kind as kind, source.source_key as key,
      log_counter.last_seq as position
    from source
    join log_counter on log_counter.account_id = source.account_id and log_counter.source_id = source.source_id
    order by 1, 2, 3`);
  const [store] = snapshot.rows<{ id: string }>('select store_id as id from store where id = 1');
  return {
    bytes: snapshot.bytes,
    schema,
    storeId: store?.id ?? '',
    counts: {
      accounts: countOf('account'),
      sources: positions.length,
      responses: positions.reduce((sum, { position }) => sum + position, 0),
      users: countOf('account_user'),
      groups: countOf('user_group'),
    },
    positions: positions.map((position) => ({ ...position })),
  };
}
