// Parts of names: the groups of three characters by which a name is found by what it contains. Each carries the number
// of the account and the name it is a part of, so that the index has nothing to say about other accounts (D-166).

import type { Sql } from 'sql-template-tag';
import { partCharacters } from '../../scim/filter-plan.ts';
import type { ManyRows, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { UserRecord } from './user-record.ts';

export type Names = Pick<UserRecord, 'givenNameKey' | 'familyNameKey'>;

/** More of a needle narrows nothing further: what is found is compared whole in any case. */
const partsAskedMax = 16;

const letterOf = { 'name.givenName': 'g', 'name.familyName': 'f' } as const;

export type PartedName = keyof typeof letterOf;

/** All groups of a user's names, separated by spaces; empty where the names are too short to have any. */
export function namePartsOf(accountId: number, { givenNameKey, familyNameKey }: Names): string {
  const parts = [
    ...partsIn(accountId, 'name.givenName', givenNameKey ?? ''),
    ...partsIn(accountId, 'name.familyName', familyNameKey ?? ''),
  ];
  return parts.join(' ');
}

function partsIn(accountId: number, name: PartedName, key: string): string[] {
  const prefix = `${letterOf[name]}${accountId}x`;
  const characters = [...asToken(key)];
  const parts: string[] = [];
  for (let at = 0; at + partCharacters <= characters.length; at += 1) {
    parts.push(`${prefix}${characters[at]}${characters[at + 1]}${characters[at + 2]}`);
  }
  return parts;
}

// SQLite's tokenizer for ASCII parts a text at whatever is neither a letter nor a digit, and takes everything beyond
// ASCII for letters. So the few others are moved there, where they meet characters that hardly any name has; a name
// that has them is found in vain and fails the comparison that follows.
const movedTo = 0x2800;
const separating = /[^a-z0-9\u0080-\uffff]/g;

function asToken(key: string): string {
  return key.replace(separating, (character) => String.fromCharCode(movedTo + character.charCodeAt(0)));
}

/** The users of an account one of whose names may contain the needle, which has three characters or more. */
export function usersWithPart(dialect: Dialect, accountId: number, name: PartedName, needle: string): Sql {
  const parts = [...new Set(partsIn(accountId, name, needle))].slice(0, partsAskedMax);
  return dialect.nameParts.idsWith(accountId, parts);
}

/** The rows of users whose names have parts. */
export function partRows(
  dialect: Dialect,
  accountId: number,
  users: readonly (readonly [number, Names])[],
): ManyRows {
  const parted = users
    .map(([id, names]) => [id, namePartsOf(accountId, names)] as const)
    .filter(([, parts]) => parts !== '');
  return dialect.nameParts.rows(accountId, parted);
}

/** The same for users who may have some already. */
export function* replaceParts(
  dialect: Dialect,
  accountId: number,
  users: readonly (readonly [number, Names])[],
): Steps<void> {
  yield dialect.nameParts.deleteOf(
    accountId,
    users.map(([id]) => id),
  );
  const rows = partRows(dialect, accountId, users);
  if (rows.rows.length > 0) yield rows;
}
