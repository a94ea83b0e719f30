// soundings invitation: links that must not open any more.

import { numberText } from '../frame/progress.ts';
import { argument, argumentList, ofAccount, option } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const atOnce = 500;
const invitations = () => import('../../store/pages/invitations.ts');

const revoke = verb({
  about: 'revoke invitations: their links stop working, existing answers are kept',
  takes: {
    survey: argument('id of the survey'),
    ids: argumentList('ids of invitations, as in the file of links', false),
    file: option('<file>', 'a CSV file with an invitationId column, such as a file of links'),
  },
  help: '\nExamples:\n  soundings invitation revoke acme-stores-1 0199c8f4-7d3a-7c11-9a52-000000000001\n  soundings invitation revoke acme-stores-1 --file links.csv\n',
  async validate({ ids, file }): Promise<ReadonlySet<string>> {
    if ((ids.length === 0) === (file === undefined))
      throw new CommandError('Name the ids of invitations, or a file of them with --file.');
    const { checkedIds, idsOfFile } = await import('./invitation-ids.ts');
    return file === undefined ? new Set(checkedIds(ids)) : idsOfFile(file);
  },
  load: async () => ({ ...(await invitations()), ...(await import('../../store/feedback/catalogue.ts')) }),
  async act({ context: { db }, stamp, input, valid: wanted }, { findSourceOfSurvey, revokeInvitations }) {
    const { survey: surveyId } = input;
    const source = await findSourceOfSurvey(db, surveyId);
    if (source === null) throw new CommandError(`There is no survey "${surveyId}".`);
    const { accountId } = source;
    const all = [...wanted];
    let revoked = 0;
    for (let begin = 0; begin < all.length; begin += atOnce) {
      const invitationIds = all.slice(begin, begin + atOnce);
      const slice = { accountId, surveyId, invitationIds };
      revoked += await db.write(revokeInvitations, { ...stamp(), ...slice });
    }
    return { surveyId, revoked, revokedBefore: wanted.size - revoked };
  },
  says: ({ surveyId, revoked, revokedBefore }) => {
    const were = revokedBefore === 0 ? '' : ` ${numberText(revokedBefore)} were revoked before.`;
    return `${numberText(revoked)} invitations to ${visible(surveyId)} are revoked: their links open nothing any more. What was answered stays.${were}`;
  },
});

/** Of a whole account: an invitation that was revoked does not say to which survey it was. */
const revoked = verb({
  about: 'list the revoked invitations of an account that could otherwise still be valid',
  takes: { account: ofAccount() },
  help: '\nExample:\n  soundings invitation revoked --account 4001\n',
  load: async () => ({ ...(await invitations()), ...(await import('../frame/account-check.ts')) }),
  async act({ terminal, context: { db }, isJson, input }, { demandAccount, revokedInvitations }) {
    const { account: accountId } = input;
    await demandAccount({ db }, accountId);
    let after = '';
    // Printed as they are read, one a line: there may be very many.
    for (let count = 0; ; ) {
      const page = await revokedInvitations(db, accountId, { after, take: atOnce });
      for (const { invitationId, revokedAtMs } of page) {
        const revokedAt = new Date(revokedAtMs).toISOString();
        const line = `${invitationId}  revoked ${revokedAt}`;
        terminal.print(isJson ? JSON.stringify({ invitationId, revokedAt }) : line);
      }
      count += page.length;
      if (page.length < atOnce) return count;
      after = page.at(-1)!.invitationId;
    }
  },
  hint: (count) => `${numberText(count)} invitations are revoked.`,
});

export const invitationFamily = family('invitation', 'revoke invitations to surveys, and list revoked ones', {
  revoke,
  revoked,
});
