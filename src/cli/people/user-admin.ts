// soundings user confirm-admin and refused: what only concerns users who are admin.

import { commandLineRights } from '../../domain/access/role-rules.ts';
import { toggle } from '../frame/takes.ts';
import { visible } from '../frame/terminal.ts';
import { listing, verb } from '../frame/verb.ts';
import { account, person, userHelp, userToChange } from './user-options.ts';

const finding = () => import('./user-finding.ts');

export const confirmAdmin = verb({
  about: 'confirm that a user is the one who was made admin, after the externalId was changed',
  takes: { account, ...person },
  help: `${userHelp}Example:\n  soundings user confirm-admin e-1001 --account 4001\n`,
  load: async () => ({ ...(await finding()), ...(await import('../../store/access/admin-rules.ts')) }),
  async act(call, { userTo, confirmPerson, confirmAdmin: confirm }) {
    const { context, stamp, input } = call;
    const found = await userTo('changeAdmin', call);
    await confirmPerson(call, found, 'This gives the rights of an admin back to');
    const { id: userId } = found.user;
    const change = { ...stamp(), rights: commandLineRights, accountId: input.account, userId };
    return { address: input.user, id: userId, changed: await context.db.write(confirm, change) };
  },
  says: ({ address, changed }) =>
    changed
      ? `${visible(address)} has the rights of an admin again, from the next sign-in on.`
      : `Nothing to confirm: no grant of admin to ${visible(address)} rests.`,
});

export const refused = verb({
  about: 'show suspensions and deletions of an admin that were refused',
  takes: { account, ...userToChange, drop: toggle('drop them: they are not meant') },
  help: `${userHelp}Example:\n  soundings user refused e-1001 --account 4001 --drop\n`,
  load: async () => ({ ...(await finding()), ...(await import('../../store/access/admin-refusals.ts')) }),
  async act(call, { userTo, dropRefusals, refusalsOfUser }) {
    const { context, stamp, input } = call;
    const { account: accountId, user: address } = input;
    const { id: userId } = (await userTo('changeAdmin', call)).user;
    if (input.drop) {
      const change = { ...stamp(), rights: commandLineRights, accountId, userId };
      return { address, id: userId, dropped: await context.db.write(dropRefusals, change) };
    }
    return (await refusalsOfUser(context.db, accountId, userId)).map((one) => ({
      act: one.act,
      by: one.actor,
      firstAt: new Date(one.firstAtMs).toISOString(),
      lastAt: new Date(one.lastAtMs).toISOString(),
      times: one.times,
    }));
  },
  says: (answer, { user: address }) =>
    'dropped' in answer
      ? answer.dropped === 0
        ? 'Nothing was open.'
        : `Dropped: ${answer.dropped}.`
      : listing(
          `Nothing was refused for ${visible(address)}.`,
          ['ACT', 'BY', 'FIRST', 'LAST', 'TIMES'],
          answer.map(({ act, by, firstAt, lastAt, times }) => [
            act,
            visible(by),
            firstAt,
            lastAt,
            `${times}`,
          ]),
        ),
});
