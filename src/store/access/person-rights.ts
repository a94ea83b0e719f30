// What a person may do in an account at this moment, for what speaks in their name without a session.

import sql from 'sql-template-tag';
import { type Ability, abilitiesOf, operatorAbilities } from '../../domain/access/role.ts';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import type { Db } from '../engine/db.ts';
import { rememberedUserOf } from '../provisioning/user-lookup.ts';
import { type UserRow, userColumns } from '../provisioning/user-row.ts';
import { type RoleRow, roleBitsIn, roleColumns, rolesIn } from './role-bits.ts';

/** Null for somebody who is suspended or gone, or where there is no such account. */
export function personRights(
  db: Db,
  { accountId, personId }: PersonId,
  inAccount: number,
): Promise<ReadonlySet<Ability> | null> {
  return accountId === operatorsAccount
    ? rightsOfOperator(db, personId, inAccount)
    : rightsOfUser(db, inAccount, personId);
}

async function rightsOfUser(db: Db, accountId: number, userId: number): Promise<ReadonlySet<Ability> | null> {
  const [row] = await db.read<UserRow & RoleRow>(sql`
    select ${userColumns}, ${roleColumns(accountId)}
    from account_user
    join account on account.id = ${accountId} and account.removed_at is null
    where account_user.account_id = ${accountId} and account_user.id = ${userId}`);
  if (row === undefined) return null;
  const { profile } = rememberedUserOf(db, row);
  return profile.active ? abilitiesOf(rolesIn(roleBitsIn(row, profile))) : null;
}

async function rightsOfOperator(
  db: Db,
  operatorId: number,
  inAccount: number,
): Promise<ReadonlySet<Ability> | null> {
  const rows = await db.read<{ id: number }>(sql`
    select operator.id
    from operator
    join account on account.id = ${inAccount} and account.removed_at is null
    where operator.id = ${operatorId} and operator.disabled_at is null`);
  return rows.length === 0 ? null : operatorAbilities(true);
}
