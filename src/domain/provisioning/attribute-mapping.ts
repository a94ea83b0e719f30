// Which attribute of an identity provider becomes which one here: what an administrator copies into the mapping of the
// provider. The documentation has the same tables (docs/identity-providers).

import type { ProviderKind } from '../access/provider-kind.ts';

/** Why a line matters; most need no word. */
type MappingRemark = 'changeThis' | 'matching' | 'suspends' | 'neverChanges' | 'managerInScope';

interface MappedAttribute {
  readonly theirs: string;
  readonly ours: string;
  readonly remark?: MappingRemark;
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const entra: readonly MappedAttribute[] = [
  { theirs: 'objectId', ours: 'externalId', remark: 'changeThis' },
  { theirs: 'userPrincipalName', ours: 'userName', remark: 'matching' },
  {
    theirs: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")',
    ours: 'active',
    remark: 'suspends',
  },
  { theirs: 'displayName', ours: 'displayName' },
  { theirs: 'givenName', ours: 'name.givenName' },
  { theirs: 'surname', ours: 'name.familyName' },
  { theirs: 'mail', ours: 'emails[type eq "work"].value' },
  { theirs: 'telephoneNumber', ours: 'phoneNumbers[type eq "work"].value' },
  { theirs: 'mobile', ours: 'phoneNumbers[type eq "mobile"].value' },
  { theirs: 'jobTitle', ours: 'title' },
  { theirs: 'department', ours: `${enterprise}:department` },
  { theirs: 'employeeId', ours: `${enterprise}:employeeNumber` },
  { theirs: 'manager', ours: `${enterprise}:manager`, remark: 'managerInScope' },
];

const okta: readonly MappedAttribute[] = [
  { theirs: 'id', ours: 'externalId', remark: 'neverChanges' },
  { theirs: 'login', ours: 'userName', remark: 'matching' },
  { theirs: 'status', ours: 'active', remark: 'suspends' },
  { theirs: 'firstName', ours: 'name.givenName' },
  { theirs: 'lastName', ours: 'name.familyName' },
  { theirs: 'displayName', ours: 'displayName' },
  { theirs: 'email', ours: 'emails[type eq "work"].value' },
  { theirs: 'primaryPhone', ours: 'phoneNumbers[type eq "work"].value' },
  { theirs: 'title', ours: 'title' },
  { theirs: 'department', ours: `${enterprise}:department` },
  { theirs: 'employeeNumber', ours: `${enterprise}:employeeNumber` },
  { theirs: 'manager', ours: `${enterprise}:manager.displayName` },
];

const other: readonly MappedAttribute[] = [
  { theirs: 'user id', ours: 'externalId', remark: 'neverChanges' },
  { theirs: 'user name', ours: 'userName', remark: 'matching' },
  { theirs: 'enabled', ours: 'active', remark: 'suspends' },
  { theirs: 'first name', ours: 'name.givenName' },
  { theirs: 'last name', ours: 'name.familyName' },
  { theirs: 'full name', ours: 'displayName' },
  { theirs: 'mail', ours: 'emails[type eq "work"].value' },
  { theirs: 'phone', ours: 'phoneNumbers[type eq "work"].value' },
  { theirs: 'department', ours: `${enterprise}:department` },
];

const mappings: Readonly<Record<ProviderKind, readonly MappedAttribute[]>> = { entra, okta, other };

export function mappingOf(kind: ProviderKind): readonly MappedAttribute[] {
  return mappings[kind];
}

/** For a table of another program, or for a mail: a line each, with a tab between the two. */
export function mappingText(kind: ProviderKind): string {
  return mappingOf(kind)
    .map(({ theirs, ours }) => `${theirs}\t${ours}`)
    .join('\n');
}
