// Finding one user. Requests that come together ask together, and a user that was read before at the same revision is
// not read again from its text.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { User } from '../../domain/provisioning/user.ts';
import type { UserReference } from '../../scim/faces.ts';
import type { Db } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { BatchLoader, type Key } from '../engine/work/batch-loader.ts';
import { Cache } from '../engine/work/cache.ts';
import { type UserRow, userColumns, userOf } from './user-row.ts';

type KeyColumn = 'id' | 'address' | 'user_name_key';

const byId = new BatchLoader<number, User>((...question) => ask('id', ...question));
const byAddress = new BatchLoader<string, User>((...question) => ask('address', ...question));
const byNameKey = new BatchLoader<string, User>((...question) => ask('user_name_key', ...question));

export function findUser(db: Db, accountId: number, reference: UserReference): Promise<User | null> {
  if (reference.by === 'address') return byAddress.find(db, accountId, reference.address);
  return reference.id === null ? Promise.resolve(null) : findUserById(db, accountId, reference.id);
}

export function findUserById(db: Db, accountId: number, id: number): Promise<User | null> {
  return byId.find(db, accountId, id);
}

/** Who has a name already, by the key under which names are the same (D-51). */
export function findUserByNameKey(db: Db, accountId: number, nameKey: string): Promise<User | null> {
  return byNameKey.find(db, accountId, nameKey);
}

async function ask<K extends Key>(
  column: KeyColumn,
  db: Db,
  accountId: number,
  keys: readonly K[],
): Promise<ReadonlyMap<K, User>> {
  const rows = await db.read<UserRow & { readonly key: K }>(sql`
    select ${raw(`account_user.${column}`)} as key, ${userColumns}
    from ${usersWith(db.dialect, accountId, column, keys)}`);
  return new Map(rows.map((row) => [row.key, rememberedUserOf(db, row)]));
}

function usersWith(dialect: Dialect, accountId: number, column: KeyColumn, keys: readonly Key[]): Sql {
  if (keys.length === 1)
    return sql`account_user where account_id = ${accountId} and ${raw(column)} = ${keys[0]}`;
  const type = column === 'id' ? 'integer' : 'text';
  return dialect.rowsWith({ table: 'account_user', accountId, column, values: keys, type });
}

// ---- Users that were read before

const bytesMax = 16 * 1024 * 1024;

interface Remembered {
  readonly user: User;
  readonly bytes: number;
}

// Each is held against the store whenever it is used, so that they need no age.
const memories = new WeakMap<Db, Cache<string, Remembered>>();

/** Every change counts the revision up, so a user of the same revision and moment is the same user. */
export function rememberedUserOf(db: Db, row: UserRow): User {
  const memory =
    memories.get(db) ?? new Cache<string, Remembered>({ bytesMax, bytesOf: ({ bytes }) => bytes });
  memories.set(db, memory);
  const name = `${row.account_id} ${row.id}`;
  const known = memory.get(name)?.user;
  if (known?.revision === row.revision && known.lastModifiedMs === row.modified_at) return known;
  const user = userOf(row);
  // The profile as objects, and the text that it is shown as.
  memory.set(name, { user, bytes: 1_000 + 8 * row.profile.length });
  return user;
}
