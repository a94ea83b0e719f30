// Roles that an identity provider gives by the SCIM attribute `roles`: a table of the account says which value is which
// role. While it is empty no value gives any (D-371).

import { fold } from '../fold.ts';
import type { Fault } from '../problem.ts';
import type { Profile } from '../provisioning/user.ts';
import { asValues } from '../provisioning/value.ts';
import { grantableByIdentity, isRole, type Role } from './role.ts';

export interface RoleOfValue {
  readonly value: string;
  readonly role: Role;
}

export const roleValuesMax = 50;
const valueLengthMax = 255;

/** Everything that is wrong with a table, all at once. */
export function judgeRoleValues(
  rows: readonly { readonly value: string; readonly role: string }[],
): readonly Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  if (rows.length > roleValuesMax)
    faults.push({ field: 'values', code: 'TOO_MANY', message: `There may be ${roleValuesMax} at most.` });
  for (const [at, { value, role }] of rows.slice(0, roleValuesMax).entries()) {
    const field = `values[${at}]`;
    if (value.trim() === '' || value.length > valueLengthMax || /\p{Cc}/u.test(value)) {
      const message = `${field}.value must have 1 to ${valueLengthMax} characters, and no control characters.`;
      faults.push({ field: `${field}.value`, code: 'INVALID', message });
    }
    if (seen.has(fold(value))) {
      const message = `${field}.value is there twice; upper and lower case are one.`;
      faults.push({ field: `${field}.value`, code: 'REPEATED', message });
    }
    seen.add(fold(value));
    if (!isRole(role) || !grantableByIdentity.includes(role)) {
      const message = `${field}.role must be one of ${grantableByIdentity.join(', ')}; no value makes an admin.`;
      faults.push({ field: `${field}.role`, code: 'INVALID', message });
    }
  }
  return faults;
}

/** The roles that the values of a profile give, each with the value that does; admin is never among them. */
export function rolesByValue(profile: Profile, table: readonly RoleOfValue[]): readonly RoleOfValue[] {
  const listed = profile.roles;
  if (table.length === 0 || !Array.isArray(listed)) return [];
  const own = new Set<string>();
  for (const element of listed) {
    const { value } = asValues(element);
    if (typeof value === 'string') own.add(fold(value));
  }
  return table.filter(({ value, role }) => role !== 'admin' && own.has(fold(value)));
}
