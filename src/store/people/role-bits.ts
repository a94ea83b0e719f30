// The roles of a user as one number, a bit for each in the order of `roles`: what was granted to them and to their groups,
// and what the provider's own roles stand for. A grant of admin that rests counts for nothing (D-815).

import sql, { type Sql } from 'sql-template-tag';
import { type Role, roles } from '../../domain/access/role.ts';
import { rolesByValue } from '../../domain/access/role-values.ts';
import type { Profile } from '../../domain/provisioning/user.ts';
import { restsSql } from '../access/admin-rules.ts';
import type { Steps } from '../engine/db.ts';
import { roleValuesIn, roleValuesText } from './role-values.ts';

/** Two columns of a question that has the row of account_user. */
export function roleColumns(accountId: number): Sql {
  return sql`${grantedBits(accountId)} as role_bits, ${roleValuesText(accountId)} as role_values`;
}

export interface RoleRow {
  readonly role_bits: number;
  readonly role_values: string | null;
}

export function roleBitsIn({ role_bits, role_values }: RoleRow, profile: Profile): number {
  let bits = role_bits;
  if (role_values !== null)
    for (const { role } of rolesByValue(profile, roleValuesIn(role_values))) bits |= bitOf(role);
  return bits;
}

/** Within a change. Null for somebody who has been deleted meanwhile. */
export function* roleBitsOfUser(accountId: number, userId: number): Steps<number | null> {
  const { rows } = yield sql`
    select ${roleColumns(accountId)}, account_user.profile
    from account_user
    where account_user.account_id = ${accountId} and account_user.id = ${userId}`;
  const [row] = rows as unknown as readonly (RoleRow & { readonly profile: string })[];
  if (row === undefined) return null;
  const { role_bits, role_values } = row;
  return roleBitsIn({ role_bits: Number(role_bits), role_values }, JSON.parse(row.profile) as Profile);
}

export function bitOf(role: Role): number {
  return 1 << roles.indexOf(role);
}

export function rolesIn(bits: number): readonly Role[] {
  return roles.filter((role) => (bits & bitOf(role)) !== 0);
}

/** One number on either engine. */
function grantedBits(accountId: number): Sql {
  return sql`(
    select cast(coalesce(sum(distinct case role
      when 'viewer' then 1 when 'analyst' then 2 when 'editor' then 4 when 'identity' then 8 when 'admin' then 16
      else 0 end), 0) as integer)
    from role_grant
    where role_grant.account_id = ${accountId} and (
      (holder_kind = 'user' and holder_id = account_user.id and not ${restsSql})
      or (holder_kind = 'group' and holder_id in (
        select group_id
        from group_member
        where group_member.account_id = ${accountId} and group_member.member_id = account_user.id)))
  )`;
}
