// soundings user invite, link, sessions and sign-out: how users without an identity provider come in, and where they are.

import { commandLineRights } from '../../domain/access/role-rules.ts';
import { Problem } from '../../domain/problem.ts';
import { createUser } from '../../domain/provisioning/user.ts';
import { needed, option } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { listing, verb } from '../frame/verb.ts';
import { linkHint, shownLink } from './shown-link.ts';
import { account, person, userHelp, userToChange, userToShow, userToShowHelp } from './user-options.ts';

const finding = () => import('./user-finding.ts');
const links = async () => ({
  ...(await import('../../acts/access/issue-link.ts')),
  ...(await import('./console-link.ts')),
});
const signedIn = async () => ({ ...(await finding()), ...(await import('../../store/people/sessions.ts')) });

/** The same creation as provisioning; then the link. */
export const invite = verb({
  about: 'create a user, and print a link that signs them in once',
  takes: {
    account,
    userName: needed('<name>', 'the name they sign in with'),
    externalId: option('<id>', 'the id by which an identity provider will know them'),
    givenName: option('<name>', 'their first name'),
    familyName: option('<name>', 'their last name'),
    email: option('<address>', 'their email address; nothing is sent'),
  },
  help: '\nThe link works once, within 7 days. Hand it over in a way that nobody else can read; whoever opens it adds a passkey or\na password to sign in with later. For roles, see "soundings user roles".\nExample:\n  soundings user invite --account 4001 --user-name ada --email ada@acme.example\n',
  async validate(invitation) {
    const { draftOfInvitation } = await import('../../scim/invitation.ts');
    return explained(async () => draftOfInvitation(invitation));
  },
  load: async () => ({
    ...(await links()),
    ...(await import('../frame/account-check.ts')),
    ...(await import('../../store/provisioning/user-creation.ts')),
  }),
  async act({ context, stamp, input: { account: accountId }, valid: draft }, loaded) {
    await loaded.demandAccount(context, accountId);
    await loaded.demandLinks(context, accountId);
    const change = stamp();
    const made = createUser(draft, { accountId, id: 0, nowMs: change.nowMs });
    const user = await explained(() => new loaded.UserCreation(context.db).create(made, change));
    const how = { purpose: 'invite', admitsAdmin: true } as const;
    const link = await loaded.issueUserLink(await loaded.linkMaker(context), stamp(), user, how);
    return shownLink(link, { id: user.id, userName: user.profile.userName });
  },
  says: ({ url }) => url,
  hint: linkHint,
});

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

export const link = verb({
  about: 'create a link that signs in a user once, for one who lost their passkey or password',
  takes: { account, ...person },
  help: `${userHelp}It works for 24 hours, and ends the previous link.\nExample:\n  soundings user link e-1001 --account 4001\n`,
  load: async () => ({ ...(await finding()), ...(await links()) }),
  async act(call, { userTo, confirmPerson, issueUserLink, linkMaker }) {
    const { context, stamp } = call;
    const found = await userTo('change', call);
    await confirmPerson(call, found, 'This makes a link that signs in as');
    const { user } = found;
    const how = { purpose: 'reset', admitsAdmin: true } as const;
    const made = await issueUserLink(await linkMaker(context), stamp(), user, how);
    return shownLink(made, { id: user.id, userName: user.profile.userName });
  },
  says: ({ url }) => url,
  hint: linkHint,
});

export const sessions = verb({
  about: 'show where a user is signed in',
  takes: { account, ...userToShow },
  help: `${userToShowHelp}Example:\n  soundings user sessions e-1001 --account 4001\n`,
  load: signedIn,
  async act(call, { userTo, listSessions }) {
    const { context, input } = call;
    const { id: personId } = (await userTo('show', call)).user;
    const open = await listSessions(context.db, { accountId: input.account, personId }, context.now());
    return open.map(({ createdAtMs, usedAtMs, ...session }) => ({
      ...session,
      created: new Date(createdAtMs).toISOString(),
      used: new Date(usedAtMs).toISOString(),
    }));
  },
  says: (open, { user: address }) =>
    listing(
      `${visible(address)} is signed in nowhere.`,
      ['BY', 'SINCE', 'LAST USED', 'FROM', 'BROWSER'],
      open.map((one) => [one.way, one.created, one.used, one.origin ?? '-', one.browser ?? '-']),
    ),
});

export const signOut = verb({
  about: 'end every session of a user; to keep somebody out, suspend them',
  takes: { account, ...userToChange },
  help: `${userHelp}Example:\n  soundings user sign-out e-1001 --account 4001\n`,
  load: signedIn,
  async act(call, { userTo, endSessions }) {
    const { context, stamp, input } = call;
    const { id: personId } = (await userTo('change', call)).user;
    const who = {
      accountId: input.account,
      personId,
      rights: commandLineRights,
      subject: `user ${personId}`,
    };
    return { address: input.user, ended: await context.db.write(endSessions, { ...stamp(), ...who }) };
  },
  says: ({ address, ended }) => {
    const sessionsText = ended === 1 ? 'one session' : `${ended} sessions`;
    const what = ended === 0 ? 'was signed in nowhere' : `is signed out (${sessionsText})`;
    return `${visible(address)} ${what}. To keep somebody out: soundings user suspend`;
  },
});
