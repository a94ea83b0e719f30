// Who may hand on which role. Whoever manages users hands on every role but admin; admin, and whoever carries it, is left
// to admins and to operators (D-370).

import { Problem } from '../problem.ts';
import { grantableByIdentity, type Role } from './role.ts';
import type { Visitor } from './visitor.ts';

/** What a role is granted to. A grant hangs on the internal id, which is never given again. */
export interface RoleHolder {
  readonly kind: 'user' | 'group';
  readonly id: number;
}

/** A user who is admin, or an operator who has entered the account. */
export function mayGrantAdmin({ person, accountId, roles }: Visitor): boolean {
  return person.kind === 'operator' ? accountId !== null : roles.has('admin');
}

export function mayGrant(visitor: Visitor, role: Role): boolean {
  if (mayGrantAdmin(visitor)) return true;
  return visitor.abilities.has('manage users') && grantableByIdentity.includes(role);
}

/** For what only an admin or an operator does in the console. */
export function adminsOnly(what: string): Problem {
  return new Problem('ABILITY_MISSING', `${what} is for an admin of the account or an operator.`);
}

/** As the audit log names the holder. */
export function subjectOf({ kind, id }: RoleHolder): string {
  return `${kind} ${id}`;
}

export function lastAdmin(): Problem {
  return new Problem(
    'LAST_ADMIN',
    'This would leave the account without an admin, and it has no identity provider that could bring one back. Make somebody else admin first.',
  );
}
