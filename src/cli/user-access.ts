// soundings user invite, link, sessions and sign-out: how users without an identity provider come in, and where they are.

import { demandLinks, issueUserLink } from '../acts/access/issue-link.ts';
import { commandLineRights } from '../domain/access/role-rules.ts';
import { Problem } from '../domain/problem.ts';
import { createUser } from '../domain/provisioning/user.ts';
import { draftOfInvitation, type Invitation } from '../scim/invitation.ts';
import { endSessions, listSessions } from '../store/people/sessions.ts';
import { UserCreation } from '../store/provisioning/user-creation.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { linkMaker, printLink } from './console-link.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';
import { confirmPerson, type FindOptions, userTo } from './user-finding.ts';

/** The same creation as provisioning; then the link. */
export async function inviteUser(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & Invitation,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const draft = await explained(async () => draftOfInvitation(options));
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    await demandLinks(context, accountId);
    const stamp = changeStamp(context);
    const creation = new UserCreation(context.db);
    const made = createUser(draft, { accountId, id: 0, nowMs: stamp.nowMs });
    const user = await explained(() => creation.create(made, stamp));
    const link = await issueUserLink(await linkMaker(context), changeStamp(context), user, {
      purpose: 'invite',
      admitsAdmin: true,
    });
    printLink(terminal, link, { id: user.id, userName: user.profile.userName }, options.json === true);
  });
}

/** Every fault in a sentence of its own. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.details.length === 0) throw error;
    const faults = error.details.map(({ message }) => visible(message)).join(' ');
    throw new CommandError(`Nobody is invited. ${faults}`, { cause: error });
  }
}

export async function linkUser(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const found = await userTo('change', terminal, context, accountId, address, options);
    await confirmPerson(terminal, found, 'This makes a link that signs in as', options);
    const { user } = found;
    const link = await issueUserLink(await linkMaker(context), changeStamp(context), user, {
      purpose: 'reset',
      admitsAdmin: true,
    });
    printLink(terminal, link, { id: user.id, userName: user.profile.userName }, options.json === true);
  });
}

export async function showUserSessions(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { id } = (await userTo('show', terminal, context, accountId, address, options)).user;
    const sessions = (await listSessions(context.db, { accountId, personId: id }, context.now())).map(
      ({ createdAtMs, usedAtMs, ...session }) => ({
        ...session,
        created: new Date(createdAtMs).toISOString(),
        used: new Date(usedAtMs).toISOString(),
      }),
    );
    if (options.json === true) return terminal.print(JSON.stringify(sessions));
    if (sessions.length === 0) return terminal.print(`${visible(address)} is signed in nowhere.`);
    const rows = sessions.map((one) => [
      one.way,
      one.created,
      one.used,
      one.origin ?? '-',
      one.browser ?? '-',
    ]);
    terminal.print(table([['BY', 'SINCE', 'LAST USED', 'FROM', 'BROWSER'], ...rows]));
  });
}

export async function signUserOut(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { id } = (await userTo('change', terminal, context, accountId, address, options)).user;
    const stamp = changeStamp(context);
    const ended = await context.db.write(endSessions, {
      ...stamp,
      accountId,
      personId: id,
      rights: commandLineRights,
      subject: `user ${id}`,
    });
    if (options.json === true) return terminal.print(JSON.stringify({ address, ended }));
    const what =
      ended === 0
        ? 'was signed in nowhere'
        : `is signed out (${ended === 1 ? 'one session' : `${ended} sessions`})`;
    terminal.print(`${visible(address)} ${what}. To keep somebody out: soundings user suspend`);
  });
}
