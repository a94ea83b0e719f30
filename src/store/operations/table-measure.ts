// Measures the tables of a store at once; see table-sizes.ts for who does so when.

import type { Db } from '../engine/db.ts';

export interface TableSize {
  readonly name: string;
  /** With its indexes. */
  readonly bytes: number;
}

/** The largest first. On the embedded engine it reads every page of the store. */
export async function measureTables(db: Db): Promise<readonly TableSize[]> {
  const rows = await db.read<{ name: string; bytes: number | null }>(db.dialect.tableSizes);
  const bytes = new Map<string, number>();
  for (const { name, bytes: more } of rows) {
    // Not known while a machine is away that has a part of it.
    if (more === null) continue;
    const table = tableOf(name);
    bytes.set(table, (bytes.get(table) ?? 0) + Number(more));
  }
  return [...bytes]
    .map(([name, total]) => ({ name, bytes: total }))
    .sort((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1));
}

/** An index of texts of SQLite consists of tables of its own. */
function tableOf(name: string): string {
  return name.replace(/^(user_gram|user_name_part)_\w+$/, '$1');
}
