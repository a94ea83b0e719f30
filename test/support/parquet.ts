// Parquet read back by a program that others use for it: DuckDB.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Cell } from '../../src/domain/feedback/table.ts';

export interface ReadParquet {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Days and moments as texts in the form of CSV, whole numbers as numbers. */
  readonly rows: readonly (readonly Cell[])[];
}

export async function readParquet(file: string): Promise<ReadParquet> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return await read(connection, file.replaceAll("'", "''"));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function read(connection: DuckDBConnection, file: string): Promise<ReadParquet> {
  await connection.run("set timezone = 'UTC'");
  const described = await connection.runAndReadAll(`describe select * from read_parquet('${file}')`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const shown = columns.map(({ name, type }) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    if (type === 'BIGINT') return `cast(${quoted} as double)`;
    if (type === 'DATE') return `strftime(${quoted}, '%Y-%m-%d')`;
    if (type.startsWith('TIMESTAMP')) return `strftime(${quoted}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
    return quoted;
  });
  const answer = await connection.runAndReadAll(`
    select ${shown.map((value, index) => `${value} as c${index}`).join(', ')}
    from read_parquet('${file}')
    order by position`);
  return { columns, rows: answer.getRowsJson() as Cell[][] };
}

/** What CSV says of the same rows: its header and its rows. */
export function csvOfParquet({ columns, rows }: ReadParquet): string[][] {
  const texts = columns.map(({ name }) => columns.findIndex((other) => other.name === `${name}:text`));
  const isOwn = columns.map((_, index) => !texts.includes(index));
  const own = <T>(list: readonly T[]): T[] => list.filter((_, index) => isOwn[index]);
  return [
    own(columns.map(({ name }) => name)),
    ...rows.map((cells) => own(cells.map((cell, index) => csvText(cell ?? cells[texts[index]!] ?? null)))),
  ];
}

function csvText(cell: Cell): string {
  if (cell === null || cell === false) return '';
  return Array.isArray(cell) ? cell.join(';') : String(cell);
}
