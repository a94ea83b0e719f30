// What the store says of the roll-up: how far it has come, and how much room it takes.

import { DatabaseSync } from 'node:sqlite';
import { storeRows } from '../test/support/store-rows.ts';

export interface RollUp {
  readonly lastSeq: number;
  readonly rolledSeq: number;
}

/** Of all sources together. */
export async function rollUpOf(databaseUrl: string): Promise<RollUp> {
  const [row] = await storeRows(
    databaseUrl,
    `select
       (select coalesce(sum(last_seq), 0) from log_counter) as last_seq,
       (select coalesce(sum(rolled_seq), 0) from insight_cursor where rolled_seq > 0) as rolled_seq`,
  );
  return { lastSeq: Number(row!.last_seq), rolledSeq: Number(row!.rolled_seq) };
}

const rollUpPatienceMs = 30 * 60_000;

export async function untilRolledUp(databaseUrl: string): Promise<RollUp> {
  const deadlineMs = performance.now() + rollUpPatienceMs;
  for (;;) {
    const at = await rollUpOf(databaseUrl);
    if (at.rolledSeq >= at.lastSeq) return at;
    if (performance.now() > deadlineMs)
      throw new Error(`The roll-up stands at ${at.rolledSeq} of ${at.lastSeq}.`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

export interface Sizes {
  readonly rollUp: number;
  readonly bodies: number;
  readonly comments: number;
  readonly commentIndex: number;
  readonly commentText: number;
}

/** In bytes. The index of comments is everything that is made to search them, the texts themselves aside. */
export async function sizesOf(databaseUrl: string): Promise<Sizes> {
  const isSqlite = databaseUrl.startsWith('sqlite:');
  const bytesOf = (column: string): string =>
    isSqlite ? `length(cast(${column} as blob))` : `octet_length(${column})`;
  const [row] = await storeRows(
    databaseUrl,
    `select
       (select sum(${bytesOf('body')}) from response_body) as bodies,
       (select coalesce(sum(${bytesOf('folded_text')}), 0) from comment) as comment_text`,
  );
  const pages = isSqlite
    ? pagesOfSqlite(databaseUrl.slice('sqlite:'.length))
    : await pagesOfPostgres(databaseUrl);
  const of = (isIt: (name: string) => boolean): number =>
    pages.filter(({ name }) => isIt(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    rollUp: of((name) => name.startsWith('insight_')),
    bodies: Number(row!.bodies),
    comments: of(
      (name) => name === 'comment' || name === 'comment_pkey' || name.startsWith('sqlite_autoindex_comment_'),
    ),
    commentIndex: of((name) => name.startsWith('comment_') && name !== 'comment_pkey'),
    commentText: Number(row!.comment_text),
  };
}

interface Pages {
  readonly name: string;
  readonly bytes: number;
}

function pagesOfSqlite(path: string): readonly Pages[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db.prepare('select name, sum(pgsize) as bytes from dbstat group by name').all();
    return rows.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
  } finally {
    db.close();
  }
}

async function pagesOfPostgres(databaseUrl: string): Promise<readonly Pages[]> {
  const rows = await storeRows(
    databaseUrl,
    `select relname as name, pg_relation_size(oid) + case when relkind = 'r' then coalesce(pg_relation_size(reltoastrelid), 0) else 0 end as bytes
     from pg_class
     where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
}
