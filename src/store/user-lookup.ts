// Finding one user. Requests that come together ask together, and a user that was read before at the same revision is
// not read again from its text.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { User } from '../domain/user.ts';
import type { UserReference } from '../scim/faces.ts';
import type { Db } from './db.ts';
import { type Key, TurnQuestions } from './turn-questions.ts';
import { type UserRow, userColumns, userOf } from './users.ts';

type KeyColumn = 'id' | 'address' | 'user_name_key';

const byId = new TurnQuestions<number, User>((...question) => ask('id', ...question));
const byAddress = new TurnQuestions<string, User>((...question) => ask('address', ...question));
const byNameKey = new TurnQuestions<string, User>((...question) => ask('user_name_key', ...question));

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
    from ${usersWith(db.engine, accountId, column, keys)}`);
  return new Map(rows.map((row) => [row.key, rememberedUserOf(db, row)]));
}

/** SQLite must be told to begin with the list, or it may read every user of the account (D-126). */
function usersWith(engine: Db['engine'], accountId: number, column: KeyColumn, keys: readonly Key[]): Sql {
  const asked = raw(`account_user.${column}`);
  if (keys.length === 1) return sql`account_user where account_id = ${accountId} and ${asked} = ${keys[0]}`;
  if (engine === 'sqlite') {
    return sql`
      json_each(${JSON.stringify(keys)}) as wanted
      cross join account_user on account_user.account_id = ${accountId} and ${asked} = wanted.value`;
  }
  const list = raw(column === 'id' ? 'bigint[]' : 'text[]');
  return sql`account_user where account_id = ${accountId} and ${asked} = any(${keys}::${list})`;
}

// ---- Users that were read before

const rememberedMax = 2_000;
/** Few have more to say, and those few would take the room of many. */
const rememberedProfileMax = 8_192;

const memories = new WeakMap<Db, Map<string, User>>();

/** Every change counts the revision up, so a user of the same revision and moment is the same user. */
function rememberedUserOf(db: Db, row: UserRow): User {
  const memory = memories.get(db) ?? new Map<string, User>();
  memories.set(db, memory);
  const name = `${row.account_id} ${row.id}`;
  const known = memory.get(name);
  memory.delete(name);
  const isSame = known?.revision === row.revision && known.lastModifiedMs === row.modified_at;
  const user = isSame ? known : userOf(row);
  if (row.profile.length > rememberedProfileMax) return user;
  memory.set(name, user);
  // The one that nobody has asked for longest goes first.
  const oldest = memory.size > rememberedMax ? memory.keys().next().value : undefined;
  if (oldest !== undefined) memory.delete(oldest);
  return user;
}
