// soundings user roles, group and role: who has which role, and through what.

import { grantableByIdentity, isRole, type Role, roles } from '../../domain/access/role.ts';
import { commandLineRights, type RoleHolder } from '../../domain/access/role-rules.ts';
import { judgeRoleValues, type RoleOfValue } from '../../domain/access/role-values.ts';
import { fold } from '../../domain/fold.ts';
import type { Group } from '../../domain/provisioning/group.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { windowOfStart } from '../../domain/window.ts';
import { noSuchAccount } from '../frame/account-and-source.ts';
import { pageHint, wholeNumber } from '../frame/paging.ts';
import { argument, ofAccount, option, repeated, toggle } from '../frame/takes.ts';
import { CommandError, table, visible } from '../frame/terminal.ts';
import { family, type StoreCall, verb } from '../frame/verb.ts';
import { account, person, userHelp } from './user-options.ts';

const grants = () => import('../../store/people/role-grants.ts');
const values = () => import('../../store/people/role-values.ts');
const groups = () => import('../../store/provisioning/groups.ts');
const warning = () => import('./admin-warning.ts');

const changing = {
  account,
  grant: repeated('<role>', 'role to grant; may be repeated', roleCalled, { choices: roles }),
  take: repeated('<role>', 'role to take away; may be repeated', roleCalled, { choices: roles }),
} as const;

function roleCalled(text: string): Role {
  if (isRole(text)) return text;
  throw new CommandError(`There is no role "${text}"; there are ${roles.join(', ')}.`);
}

interface RoleChanges {
  readonly grant: readonly Role[];
  readonly take: readonly Role[];
}

function refuseBoth({ grant, take }: RoleChanges): void {
  const both = grant.filter((role) => take.includes(role));
  if (both.length > 0) throw new CommandError(`Grant or take ${both.join(', ')}, not both.`);
}

async function change(
  { terminal, context, stamp, input }: StoreCall<RoleChanges & { readonly account: number }>,
  holder: RoleHolder,
  loaded: Awaited<ReturnType<typeof grants>> & Awaited<ReturnType<typeof warning>>,
): Promise<void> {
  const { db } = context;
  const { account: accountId, grant, take } = input;
  const said = (role: Role) => ({ ...stamp(), rights: commandLineRights, accountId, holder, role });
  for (const role of grant) await db.write(loaded.grantRole, said(role));
  for (const role of take) {
    const outcome = await db.write(loaded.takeRole, said(role));
    if (outcome === 'done' && role === 'admin') await loaded.warnWithoutAdmin(terminal, context, accountId);
  }
}

function rolesText(count: number): string {
  return count === 1 ? '1 role' : `${count} roles`;
}

export const userRoles = verb({
  about: 'show the roles of a user and why they have them; grant roles or take them away',
  takes: { ...changing, ...person },
  help: `${userHelp}Changes take effect with the next request.
To take away a role that comes from a group, take it from the group or have the user leave the group.

Examples:
  soundings user roles e-1001 --account 4001
  soundings user roles e-1001 --account 4001 --grant admin --take viewer
`,
  validate: refuseBoth,
  load: async () => ({
    ...(await grants()),
    ...(await warning()),
    ...(await import('./user-finding.ts')),
  }),
  async act(call, loaded) {
    const found = await loaded.userTo('change', call);
    const { user } = found;
    const { grant } = call.input;
    if (grant.length > 0) await loaded.confirmPerson(call, found, `This grants ${grant.join(', ')} to`);
    await change(call, { kind: 'user', id: user.id }, loaded);
    const held = await loaded.rolesOfUser(call.context.db, user);
    const rows = held.flatMap(({ role, reasons }) =>
      reasons.map((reason, at) => [at === 0 ? role : '', loaded.reasonInWords(reason)]),
    );
    return { user, held, rows };
  },
  json: ({ user, held }, { user: address }) => ({ address, id: user.id, roles: held }),
  says: ({ held, rows }) => (held.length === 0 ? null : table([['ROLE', 'WHY'], ...rows])),
  hint: ({ user, held }, { user: address }) =>
    `${visible(address)} has ${rolesText(held.length)}${user.profile.active ? '' : ' and is suspended'}.`,
});

const groupRoles = verb({
  about: 'show the roles of a group; grant roles or take them away',
  takes: { ...changing, group: argument('id or name of the group') },
  help: `
Members of the group have its roles from the next request on; members of a group within the group do not. A group that
is deleted and created again has none.

Examples:
  soundings group roles "CX team" --account 4001 --grant analyst
  soundings group roles 1000000007 --account 4001
`,
  validate: refuseBoth,
  load: async () => ({ ...(await grants()), ...(await warning()), ...(await groups()) }),
  async act(call, loaded) {
    const { context, input } = call;
    const { id, profile } = await groupAt(call, loaded);
    const holder: RoleHolder = { kind: 'group', id };
    await change(call, holder, loaded);
    const held = await loaded.grantsOf(context.db, input.account, holder);
    return { id, displayName: profile.displayName, roles: held };
  },
  says: ({ roles: held }) =>
    held.length === 0
      ? null
      : table([
          ['ROLE', 'GRANTED', 'BY'],
          ...held.map(({ role, grantedAtMs, grantedBy }) => [
            role,
            new Date(grantedAtMs).toISOString(),
            grantedBy,
          ]),
        ]),
  hint: ({ id, displayName, roles: held }) =>
    `${visible(displayName)} (${id}) carries ${rolesText(held.length)}.`,
});

/** A group that is called by digits is found by them where no group has such an id. */
async function groupAt(
  { context: { db }, input }: StoreCall<{ readonly account: number; readonly group: string }>,
  { findGroup, findGroupByName }: Awaited<ReturnType<typeof groups>>,
): Promise<Group> {
  const { account: accountId, group: name } = input;
  const group =
    (await findGroup(db, accountId, readResourceId(name))) ?? (await findGroupByName(db, accountId, name));
  if (group !== null) return group;
  throw new CommandError(
    `No group has the id or the name "${visible(name)}". See "soundings group list --account ${accountId}".`,
  );
}

const listGroups = verb({
  about: 'list the groups and their roles, in order of creation',
  takes: {
    account,
    filter: option('<filter>', 'filter as in /scim/v2, such as \'displayName sw "CX"\''),
    start: option('<number>', 'first one to show, counting from 1', wholeNumber),
    count: option('<number>', 'how many to show (default: 100, at most 200)', wholeNumber),
  },
  help: '\nExample:\n  soundings group list --account 4001\n',
  load: async () => ({
    ...(await grants()),
    ...(await import('../../scim/filter.ts')),
    ...(await import('../../scim/schema-view.ts')),
    ...(await import('../../store/provisioning/groups-search.ts')),
    ...(await import('../../store/engine/work/scan-slots.ts')),
    ...(await import('../frame/account-check.ts')),
  }),
  async act({ context, input }, loaded) {
    const { db, config } = context;
    const { account: accountId, filter: text, start, count } = input;
    const window = windowOfStart(start, count);
    const filter =
      text === undefined ? null : loaded.parseFilter(text, loaded.groupSchemaView, loaded.filterLimits);
    const query = { filter, sort: null, window, baseUrl: config.publicUrl ?? '' };
    const found = await loaded.searchGroups(db, accountId, query, loaded.patientWork());
    if (found.total === 0) await loaded.demandAccount(context, accountId);
    const ids = found.groups.map(({ group }) => group.id);
    const held = await loaded.rolesOfGroups(db, accountId, ids);
    const shown = found.groups.map(({ group: { id, profile }, memberCount }) => ({
      id,
      displayName: profile.displayName,
      members: memberCount,
      roles: held.get(id) ?? [],
    }));
    return { total: found.total, groups: shown, last: window.skip + shown.length };
  },
  json: ({ total, groups: shown }) => ({ total, groups: shown }),
  says: ({ groups: shown }) =>
    shown.length === 0
      ? null
      : table([
          ['ID', 'NAME', 'MEMBERS', 'ROLES'],
          ...shown.map((one) => [String(one.id), one.displayName, String(one.members), one.roles.join(', ')]),
        ]),
  hint: ({ total, groups: shown, last }) => pageHint('groups', shown.length, last, total),
});

const roleValues = verb({
  about: 'show or set which values of the SCIM attribute "roles" map to a role',
  takes: {
    account: ofAccount(),
    set: repeated('<value=role>', `map a value to one of ${grantableByIdentity.join(', ')}`, mappingOf),
    clear: toggle('remove all mappings first; on its own, it turns roles by value off'),
  },
  help: `
Without any mapping, what an identity provider sends as "roles" gives nobody a role. No value can map to admin. Upper
and lower case are treated as the same.

Examples:
  soundings role values --account 4001 --set "CX Analyst=analyst" --set Viewer=viewer
  soundings role values --account 4001 --clear
`,
  load: async () => ({ ...(await values()), ...(await import('../../store/access/accounts.ts')) }),
  async act({ context: { db }, stamp, input }, { accountName, roleValuesOf, setRoleValues }) {
    const { account: accountId, set, clear } = input;
    if ((await accountName(db, accountId)) === null) throw noSuchAccount(accountId);
    const before = clear ? [] : await roleValuesOf(db, accountId);
    if (clear || set.length > 0) {
      const isNew = new Set(set.map(({ value }) => fold(value)));
      const wanted = [...before.filter(({ value }) => !isNew.has(fold(value))), ...set];
      const faults = judgeRoleValues(wanted);
      if (faults.length > 0) throw new CommandError(faults.map(({ message }) => message).join('\n'));
      const said = { accountId, values: wanted as readonly RoleOfValue[] };
      await db.write(setRoleValues, { ...stamp(), rights: commandLineRights, ...said });
    }
    return { accountId, values: await roleValuesOf(db, accountId) };
  },
  says: ({ values: held }) =>
    held.length === 0 ? null : table([['VALUE', 'ROLE'], ...held.map(({ value, role }) => [value, role])]),
  hint: ({ values: held }) =>
    held.length === 0 ? 'No value of the SCIM attribute "roles" gives a role.' : null,
});

/** The last equals sign parts them: no role has one. */
function mappingOf(text: string): { readonly value: string; readonly role: string } {
  const at = text.lastIndexOf('=');
  if (at > 0) return { value: text.slice(0, at), role: text.slice(at + 1) };
  throw new CommandError(`--set must be VALUE=ROLE, not "${visible(text)}".`);
}

export const groupFamily = family('group', 'the groups of an account and their roles', {
  roles: groupRoles,
  list: listGroups,
});

export const roleFamily = family('role', 'the roles of people who sign in', { values: roleValues });
