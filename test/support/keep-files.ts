// Writes a store into the files from which later releases restore it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { createMigrationTables } from '../../src/store/engine/migrate.ts';
import { steps } from '../../src/store/engine/migrations/steps.ts';
import { postgresDialect } from '../../src/store/engine/postgres/dialect-postgres.ts';
import type { Engine } from './engines.ts';
import type { KeptFiles } from './kept-store.ts';

export async function keepFiles(engine: Engine, databaseUrl: string, files: KeptFiles): Promise<void> {
  if (engine.name === 'sqlite') keepSqlite(databaseUrl.slice('sqlite:'.length), files);
  else await keepPostgres(databaseUrl, files);
}

function keepSqlite(path: string, files: KeptFiles): void {
  const copy = join(path, '..', 'copy.db');
  const db = new DatabaseSync(path);
  db.exec(`vacuum into '${copy}'`);
  db.close();
  writeFileSync(files.sqlite, gzipSync(readFileSync(copy), { level: 9 }));
}

/** The statements that made the schema, then all rows, table by table in the order in which they were made. */
async function keepPostgres(databaseUrl: string, files: KeptFiles): Promise<void> {
  const creating = [...migrationTables(), ...steps.flatMap((step) => step.statements(postgresDialect.types))];
  const tables = creating.flatMap((text) => text.match(/^create table (?:if not exists )?(\w+)/)?.[1] ?? []);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const lines = creating.map((statement) => `${statement};`);
  for (const table of tables) {
    const { rows } = await client.query(`select to_json(kept)::text as row from ${table} as kept order by 1`);
    const json = rows.map(({ row }: { row: string }) => row).join(',\n');
    lines.push(`delete from ${table};`);
    if (rows.length > 0)
      lines.push(
        `insert into ${table} select * from json_populate_recordset(null::${table}, $rows$[\n${json}\n]$rows$);`,
      );
  }
  await client.end();
  writeFileSync(files.postgres, `${lines.join('\n')}\n`);
}

function migrationTables(): string[] {
  const texts: string[] = [];
  const creating = createMigrationTables({}, postgresDialect);
  for (let step = creating.next(); !step.done; step = creating.next({ rows: [], changed: 0 }))
    texts.push((step.value as { text: string }).text);
  return texts;
}
