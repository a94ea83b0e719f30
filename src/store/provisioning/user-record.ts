// What the tables hold of a user beside its profile: the keys by which it is found. They are made here and nowhere
// else, so that a user who is created, changed or brought up to date always gets the same ones.

import sql from 'sql-template-tag';
import { keysOf, type User } from '../../domain/provisioning/user.ts';
import { asValues, isList } from '../../domain/provisioning/value.ts';
import { planKey } from '../../scim/filter-plan.ts';
import { insertInto, type ManyRows, type Steps } from '../engine/db.ts';

export interface UserRecord {
  readonly userNameKey: string;
  readonly givenNameKey: string | null;
  readonly familyNameKey: string | null;
  readonly displayNameKey: string | null;
  readonly externalId: string | null;
  readonly active: number;
  /** Each once, however often it is listed. */
  readonly emailKeys: readonly string[];
  readonly profile: string;
}

export function recordOf(user: User): UserRecord {
  const { userNameKey, givenNameKey, familyNameKey, externalId } = keysOf(user);
  const { displayName, emails, active } = user.profile;
  const values = (isList(emails) ? emails : []).map((element) => asValues(element).value);
  return {
    userNameKey,
    givenNameKey,
    familyNameKey,
    displayNameKey: typeof displayName === 'string' ? planKey(displayName) : null,
    externalId,
    active: active ? 1 : 0,
    emailKeys: [...new Set(values.filter((value) => typeof value === 'string').map(planKey))],
    profile: JSON.stringify(user.profile),
  };
}

/** By characters, not by code units, so that what is reversed is still text. */
export function reversed(text: string): string {
  return [...text].reverse().join('');
}

export function reversedKey(key: string | null): string | null {
  return key === null ? null : reversed(key);
}

/** The rows by which users are found by an e-mail address. */
export function emailRows(accountId: number, users: readonly (readonly [number, UserRecord])[]): ManyRows {
  const emails = users.flatMap(([id, { emailKeys }]) => emailKeys.map((key) => ({ id, key })));
  return insertInto('user_email', emails, {
    account_id: ['integer', () => accountId],
    user_id: ['integer', ({ id }) => id],
    value_key: ['text', ({ key }) => key],
  });
}

export function* replaceEmails(accountId: number, id: number, record: UserRecord): Steps<void> {
  yield sql`delete from user_email where account_id = ${accountId} and user_id = ${id}`;
  const emails = emailRows(accountId, [[id, record]]);
  if (emails.rows.length > 0) yield emails;
}
