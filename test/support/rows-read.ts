// How many rows of the catalogue PostgreSQL has read: a count that tells a bad plan on any machine, however quick it is.

import { isSpread } from './engines.ts';
import { storeRows } from './store-rows.ts';

const tables = ['source', 'survey', 'log_counter'];

/** The server knows its tables as they are now, and counts them no more by itself. */
export async function leaveStatistics(databaseUrl: string): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) return;
  for (const table of tables) {
    await storeRows(databaseUrl, `alter table ${table} set (autovacuum_enabled = off)`);
    await storeRows(databaseUrl, `analyze ${table}`);
  }
}

/** By those whose connections have ended, on every machine; 0 on SQLite, which does not count them. */
export async function rowsRead(databaseUrl: string): Promise<number> {
  if (databaseUrl.startsWith('sqlite:')) return 0;
  // A shard is a table whose name ends in its number.
  const here = `
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::integer as read
    from pg_stat_user_tables
    where relname ~ '^(${tables.join('|')})(_[0-9]+)?$'`;
  const everywhere = `
    select sum(result::integer)::integer as read
    from run_command_on_all_nodes($$${here}$$)`;
  const [row] = await storeRows(databaseUrl, (await isSpread()) ? everywhere : here);
  return Number(row?.read);
}
