// The table of an account that says which role a value of the SCIM attribute `roles` gives.

import sql, { type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import type { Role } from '../../domain/access/role.ts';
import { adminsOnly, type ByActor } from '../../domain/access/role-rules.ts';
import { type RoleOfValue, roleValuesMax } from '../../domain/access/role-values.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import { holdGroups } from '../provisioning/group-lock.ts';

export function roleValuesOf(db: Db, accountId: number): Promise<readonly RoleOfValue[]> {
  return db.read<RoleOfValue>(sql`
    select value, role
    from role_of_value
    where account_id = ${accountId}
    order by value
    limit ${limitOf(roleValuesMax)}`);
}

/** The whole table as one text, for a question that is about something else; null where it is empty. */
export function roleValuesText(accountId: number): Sql {
  return sql`(
    select string_agg(role_of_value.role || ' ' || role_of_value.value, ${'\n'})
    from role_of_value
    where role_of_value.account_id = ${accountId})`;
}

/** No role has a blank in its name, and no value has a line break. */
export function roleValuesIn(text: string | null): readonly RoleOfValue[] {
  if (text === null) return [];
  return text.split('\n').map((line) => {
    const blank = line.indexOf(' ');
    return { role: line.slice(0, blank) as Role, value: line.slice(blank + 1) };
  });
}

export interface SetRoleValues extends ChangeStamp, ByActor {
  readonly accountId: number;
  readonly values: readonly RoleOfValue[];
}

/** These and no others; none switches roles by value off. The values have been judged. */
export function* setRoleValues(input: SetRoleValues): Steps<void> {
  const { accountId, values } = input;
  if (!input.rights.mayChangeAdmins) throw adminsOnly('Which SCIM roles give which role');
  // Of two that come at once one is first.
  yield* holdGroups(accountId);
  yield sql`delete from role_of_value where account_id = ${accountId}`;
  if (values.length > 0)
    yield insertInto('role_of_value', values, {
      account_id: ['integer', () => accountId],
      value: ['text', ({ value }) => value],
      role: ['text', ({ role }) => role],
    });
  yield auditStatement(input, {
    accountId,
    action: 'role.values',
    subject: `account ${accountId}`,
    details: auditNote('roleValues', { count: values.length }),
  });
}
