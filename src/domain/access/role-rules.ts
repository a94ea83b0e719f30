// Who may hand on which role. Whoever manages users hands on every role but admin; admin, and whoever carries it, is left
// to admins, to operators and to credentials that were made so by one of them (D-370, D-810).

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

/**
 * On whose behalf users, groups, roles and sessions are changed, as far as it decides about admins. Every change of them
 * carries it (D-810).
 */
export interface ActorRights {
  /** People in the console, programs with a credential, or whoever runs a command. */
  readonly face: 'console' | 'interface' | 'commandLine';
  /** An admin, an operator, the command line, or a credential that was made so. */
  readonly mayChangeAdmins: boolean;
}

/** Part of the input of every change that may concern an admin. */
export interface ByActor {
  readonly rights: ActorRights;
}

/** Whoever runs commands on the machine is an operator. */
export const commandLineRights: ActorRights = { face: 'commandLine', mayChangeAdmins: true };

/** What of a user or a group is kept from those who may not change admins. */
export type ProtectedAttribute = 'externalId' | 'userName' | 'active' | 'emails' | 'members';

/** A refusal for whoever may not change admins; a deletion names no attributes. */
export function adminProtected(
  { face }: ActorRights,
  kind: RoleHolder['kind'],
  attributes: readonly ProtectedAttribute[],
): Problem {
  if (face === 'console')
    return adminsOnly(
      kind === 'user' ? 'To change a user who is admin' : 'To change a group that carries admin',
    );
  const who = kind === 'user' ? 'This user is an admin' : 'This group carries the role admin';
  const details = attributes.map((field) => ({
    field,
    code: 'PROTECTED' as const,
    message: `${field} may not be changed.`,
  }));
  const what =
    attributes.length === 0
      ? `The ${kind} may not be deleted. Use`
      : `${details.map(({ message }) => message).join(' ')} Leave it out of the mapping, or use`;
  return new Problem(
    'ADMIN_PROTECTED',
    `${who}, and this credential may not change admins. ${what} one that was made with --may-change-admins.`,
    { details },
  );
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
