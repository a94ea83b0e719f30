// soundings user roles, group roles, group list, role values: who has which role, and through what.

import type { Context } from '../context.ts';
import { isRole, type Role } from '../domain/access/role.ts';
import { commandLineRights, type RoleHolder } from '../domain/access/role-rules.ts';
import { judgeRoleValues, type RoleOfValue } from '../domain/access/role-values.ts';
import { fold } from '../domain/fold.ts';
import type { Group } from '../domain/provisioning/group.ts';
import { readResourceId } from '../domain/provisioning/resource.ts';
import { windowOfStart } from '../domain/window.ts';
import { filterLimits, parseFilter } from '../scim/filter.ts';
import { groupSchemaView } from '../scim/schema-view.ts';
import { accountName } from '../store/access/accounts.ts';
import {
  grantRole,
  grantsOf,
  reasonInWords,
  rolesOfGroups,
  rolesOfUser,
  takeRole,
} from '../store/people/role-grants.ts';
import { roleValuesOf, setRoleValues } from '../store/people/role-values.ts';
import { findGroup, findGroupByName } from '../store/provisioning/groups.ts';
import { searchGroups } from '../store/provisioning/groups-search.ts';
import { patientWork } from '../store/provisioning/scan-slots.ts';
import { demandAccount } from './account-check.ts';
import { warnWithoutAdmin } from './admin-warning.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, noSuchAccount, type OfAccount } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';
import { wholeNumber } from './user.ts';
import { confirmPerson, type FindOptions, userTo } from './user-finding.ts';

export interface RoleOptions extends OfAccount {
  readonly grant: readonly string[];
  readonly take: readonly string[];
}

export async function userRoles(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: RoleOptions & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const changes = changesIn(options);
  await withContext(terminal, flags, async (context) => {
    const found = await userTo('change', terminal, context, accountId, address, options);
    const { user } = found;
    if (changes.grant.length > 0) {
      const what = `This grants ${changes.grant.join(', ')} to`;
      await confirmPerson(terminal, found, what, options);
    }
    await change(terminal, context, accountId, { kind: 'user', id: user.id }, changes);
    const held = await rolesOfUser(context.db, user);
    if (options.json === true) return terminal.print(JSON.stringify({ address, id: user.id, roles: held }));
    if (held.length > 0) {
      const rows = held.flatMap(({ role, reasons }) =>
        reasons.map((reason, at) => [at === 0 ? role : '', reasonInWords(reason)]),
      );
      terminal.print(table([['ROLE', 'WHY'], ...rows]));
    }
    const state = user.profile.active ? '' : ' and is suspended';
    const count = held.length === 1 ? '1 role' : `${held.length} roles`;
    terminal.tell(`${visible(address)} has ${count}${state}.`);
  });
}

export async function groupRoles(
  terminal: Terminal,
  flags: Flags,
  name: string,
  options: RoleOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const changes = changesIn(options);
  await withContext(terminal, flags, async (context) => {
    const { id, profile } = await groupAt(context, accountId, name);
    const holder: RoleHolder = { kind: 'group', id };
    await change(terminal, context, accountId, holder, changes);
    const grants = await grantsOf(context.db, accountId, holder);
    const { displayName } = profile;
    if (options.json === true) return terminal.print(JSON.stringify({ id, displayName, roles: grants }));
    if (grants.length > 0) {
      const rows = grants.map(({ role, grantedAtMs, grantedBy }) => [
        role,
        new Date(grantedAtMs).toISOString(),
        grantedBy,
      ]);
      terminal.print(table([['ROLE', 'GRANTED', 'BY'], ...rows]));
    }
    const count = grants.length === 1 ? '1 role' : `${grants.length} roles`;
    terminal.tell(`${visible(displayName)} (${id}) carries ${count}.`);
  });
}

interface RoleChanges {
  readonly grant: readonly Role[];
  readonly take: readonly Role[];
}

function changesIn({ grant, take }: RoleOptions): RoleChanges {
  const both = grant.filter((role) => take.includes(role));
  if (both.length > 0) throw new CommandError(`Grant or take ${both.join(', ')}, not both.`);
  return { grant: grant.filter(isRole), take: take.filter(isRole) };
}

async function change(
  terminal: Terminal,
  context: Context,
  accountId: number,
  holder: RoleHolder,
  { grant, take }: RoleChanges,
): Promise<void> {
  const { db } = context;
  const said = (role: Role) => ({
    ...changeStamp(context),
    rights: commandLineRights,
    accountId,
    holder,
    role,
  });
  for (const role of grant) await db.write(grantRole, said(role));
  for (const role of take) {
    const outcome = await db.write(takeRole, said(role));
    if (outcome === 'done' && role === 'admin') await warnWithoutAdmin(terminal, context, accountId);
  }
}

/** A group that is called by digits is found by them where no group has such an id. */
async function groupAt({ db }: Context, accountId: number, name: string): Promise<Group> {
  const group =
    (await findGroup(db, accountId, readResourceId(name))) ?? (await findGroupByName(db, accountId, name));
  if (group !== null) return group;
  throw new CommandError(
    `No group has the id or the name "${visible(name)}". See "soundings group list --account ${accountId}".`,
  );
}

export async function listGroups(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { filter?: string; start?: string; count?: string },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const window = windowOfStart(wholeNumber('--start', options.start), wholeNumber('--count', options.count));
  const filter =
    options.filter === undefined ? null : parseFilter(options.filter, groupSchemaView, filterLimits);
  await withContext(terminal, flags, async (context) => {
    const { db } = context;
    const query = { filter, sort: null, window, baseUrl: context.config.publicUrl ?? '' };
    const { total, groups } = await searchGroups(db, accountId, query, patientWork());
    if (total === 0) await demandAccount(context, accountId);
    const held = await rolesOfGroups(
      db,
      accountId,
      groups.map(({ group }) => group.id),
    );
    const shown = groups.map(({ group: { id, profile }, memberCount }) => ({
      id,
      displayName: profile.displayName,
      members: memberCount,
      roles: held.get(id) ?? [],
    }));
    if (options.json === true) return terminal.print(JSON.stringify({ total, groups: shown }));
    if (shown.length > 0) {
      const rows = shown.map(({ id, displayName, members, roles }) => [
        String(id),
        displayName,
        String(members),
        roles.join(', '),
      ]);
      terminal.print(table([['ID', 'NAME', 'MEMBERS', 'ROLES'], ...rows]));
    }
    const last = window.skip + shown.length;
    const more = last < total && shown.length > 0 ? `; go on with --start ${last + 1}` : '';
    terminal.tell(`${shown.length} of ${total} groups${more}.`);
  });
}

export async function roleValues(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { set: readonly string[]; clear?: boolean },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const asked = options.set.map(readValue);
  await withContext(terminal, flags, async (context) => {
    const { db } = context;
    if ((await accountName(db, accountId)) === null) throw noSuchAccount(accountId);
    const before = options.clear === true ? [] : await roleValuesOf(db, accountId);
    if (options.clear === true || asked.length > 0) {
      const isNew = new Set(asked.map(({ value }) => fold(value)));
      const values = [...before.filter(({ value }) => !isNew.has(fold(value))), ...asked];
      const faults = judgeRoleValues(values);
      if (faults.length > 0) throw new CommandError(faults.map(({ message }) => message).join('\n'));
      const stamp = { ...changeStamp(context), rights: commandLineRights };
      const change = { ...stamp, accountId, values: values as readonly RoleOfValue[] };
      await db.write(setRoleValues, change);
    }
    const values = await roleValuesOf(db, accountId);
    if (options.json === true) return terminal.print(JSON.stringify({ accountId, values }));
    if (values.length > 0)
      terminal.print(table([['VALUE', 'ROLE'], ...values.map(({ value, role }) => [value, role])]));
    else terminal.tell('No value of the SCIM attribute "roles" gives a role.');
  });
}

/** The last equals sign parts them: no role has one. */
function readValue(text: string): { readonly value: string; readonly role: string } {
  const at = text.lastIndexOf('=');
  if (at > 0) return { value: text.slice(0, at), role: text.slice(at + 1) };
  throw new CommandError(`--set must be VALUE=ROLE, not "${visible(text)}".`);
}
