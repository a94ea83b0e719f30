// What to do for a backup where a database server keeps the files: the commands for just this database, without its
// password, which the tools of PostgreSQL take from the environment or from ~/.pgpass.

import { readDatabaseAddress } from '../../domain/database-address.ts';

interface ServerAdvice {
  readonly dump: string;
  readonly restore: string;
  readonly baseBackup: string;
  readonly text: string;
}

export function serverAdvice(databaseUrl: string, now: Date): ServerAdvice {
  const { servers, database } = readDatabaseAddress(databaseUrl)!;
  const { hostname, port, username, searchParams } = new URL(servers[0]!);
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname.replace(/^\[|\]$/g, ''));
  const user = username === '' ? '' : ` --username=${quoted(decodeURIComponent(username))}`;
  const server = `--host=${quoted(decodeURIComponent(host))} --port=${port || '5432'}${user}`;
  const name = quoted(decodeURIComponent(database));
  const file = `soundings-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  const dump = `pg_dump ${server} --dbname=${name} --format=custom --file=${file}.dump`;
  const restore = `pg_restore ${server} --dbname=${name} --exit-on-error --single-transaction ${file}.dump`;
  const baseBackup = `pg_basebackup ${server} --pgdata=${file} --wal-method=stream --checkpoint=fast --progress`;
  const text = `The database server keeps this store, so its own tools back it up. The password comes from PGPASSWORD or ~/.pgpass.

Small stores: a dump, which holds the service up little and restores into an empty database.
  ${dump}
  ${restore}

Others: a base backup now and then, and every segment of the write-ahead log (archive_command, or pg_receivewal), so
that you can go back to any moment. With Citus, one of every server, and citus_create_restore_point (docs/scaling.md).
  ${baseBackup}

Then say that it was made, so that "soundings doctor" and /metrics know its age:
  soundings backup --record --note ${file}`;
  return { dump, restore, baseBackup, text };
}

function quoted(text: string): string {
  return /^[\w.:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
