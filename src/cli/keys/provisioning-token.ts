// soundings provisioning-token: what an administrator pastes into an identity provider.

import { tokenDaysMax } from '../../domain/access/credential-bounds.ts';
import { commandLineRights } from '../../domain/access/role-rules.ts';
import { argument, newName, ofAccount, option, toggle, usual } from '../frame/takes.ts';
import { CommandError, factLines, visible } from '../frame/terminal.ts';
import { family, listing, verb } from '../frame/verb.ts';

const store = () => import('../../store/access/provisioning-tokens.ts');

const create = verb({
  about: 'create a provisioning token; it is shown once',
  takes: {
    account: ofAccount('the account whose users it gives access to'),
    name: newName('who will use it'),
    days: usual('<count>', 'how many days it is valid: 1 to 3650', '365', daysOf),
    readOnly: toggle('allow reading and searching users and groups, but no changes'),
    mayChangeAdmins: toggle('also change users who are admin and groups that carry admin'),
    connection: option('<id>', 'users it creates sign in only through this connection'),
  },
  help: '\nIt gives access to /scim/v2 and /v1/scim and nothing else. Paste it where the provider asks for a secret token.\nWithout --may-change-admins, it is refused to suspend or delete an admin, to change what an admin signs in by, and to change\nthe members of a group that carries admin.\nExample:\n  soundings provisioning-token create --account 4001 --name "Entra ID"\n',
  validate({ readOnly, mayChangeAdmins }) {
    if (mayChangeAdmins && readOnly)
      throw new CommandError('Name --read-only or --may-change-admins, not both.');
  },
  load: () => import('../../store/access/new-credentials.ts'),
  async act({ context, stamp, input }, { newProvisioningToken }) {
    const { account: accountId, name, days, readOnly: isReadOnly, mayChangeAdmins, connection } = input;
    const { id, secret, expiresAtMs } = await newProvisioningToken(
      context,
      { ...stamp(), rights: commandLineRights },
      {
        ...{ accountId, name, days, isReadOnly, mayChangeAdmins },
        ...(connection !== undefined && { connectionId: connection }),
      },
    );
    // Once: whoever runs this keeps the token, we keep its hash (D-15).
    const may = { ...(isReadOnly && { readOnly: true }), mayChangeAdmins };
    return { id, token: secret, expires: new Date(expiresAtMs).toISOString(), ...may };
  },
  piped: 'json',
  says: ({ id, token, expires }, { account: accountId, readOnly, mayChangeAdmins }) =>
    `The provisioning token of account ${accountId} is there.\n${factLines([
      ['token', token],
      ['id', id],
      ['may', mayText({ readOnly, mayChangeAdmins })],
      ['expires', expires],
    ])}`,
  hint: () => 'Keep the token now: it is not shown again.',
});

function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= tokenDaysMax) return days;
  throw new CommandError(`--days must be a whole number from 1 to ${tokenDaysMax}, not "${text}".`);
}

const list = verb({
  about:
    'list the provisioning tokens, without their secrets: when they were last used, and when they expire',
  takes: { account: ofAccount('the account they belong to') },
  help: '\nExample:\n  soundings provisioning-token list --account 4001\n',
  load: async () => ({
    ...(await store()),
    ...(await import('../../acts/operations/token-findings.ts')),
    ...(await import('../../store/access/credential-views.ts')),
    ...(await import('../../store/access/token-marks.ts')),
    ...(await import('../frame/account-check.ts')),
  }),
  async act({ context, input: { account: accountId } }, loaded) {
    const { db } = context;
    const nowMs = context.now();
    const tokens = await loaded.settledTokens(db, await loaded.listProvisioningTokens(db, accountId));
    if (tokens.length === 0) await loaded.demandAccount(context, accountId);
    return { tokens, nowMs, shown: tokens.map((token) => loaded.shownToken(token, nowMs)) };
  },
  json: ({ shown }) => shown,
  says: ({ shown }, { account: accountId }) =>
    listing(
      `Account ${accountId} has no provisioning tokens. Make one with "soundings provisioning-token create".`,
      ['TOKEN', 'STATE', 'MAY', 'EXPIRES', 'LAST USE', 'NAME'],
      shown.map((one) => [
        one.id,
        one.state,
        mayText(one),
        one.expires.slice(0, 10),
        one.lastUsed === null ? 'never' : `${one.lastUsed.slice(0, 16)}Z`,
        one.name,
      ]),
    ),
  hint: ({ tokens, nowMs }, _input, { tokenState, endingSoonMs, endingInWords }) =>
    tokens
      .filter((one) => tokenState(one, nowMs) === 'live' && one.expiresAtMs < nowMs + endingSoonMs)
      .map((one) => `Warning: ${visible(endingInWords(one, nowMs))}`),
});

function mayText({ readOnly, mayChangeAdmins }: { readOnly: boolean; mayChangeAdmins: boolean }): string {
  if (readOnly) return 'reads';
  return mayChangeAdmins ? 'reads and changes, admins too' : 'reads and changes';
}

const revoke = verb({
  about: 'revoke a token for good; it stops working within 5 seconds',
  takes: { token: argument('id of the token'), account: ofAccount('the account it belongs to') },
  help: '\nExample:\n  soundings provisioning-token revoke pt_... --account 4001\n',
  load: store,
  async act({ context, stamp, input: { account: accountId, token: id } }, { revokeProvisioningToken }) {
    const revocation = { ...stamp(), accountId, id };
    return { id, revoked: true, changed: await context.db.write(revokeProvisioningToken, revocation) };
  },
  says: ({ id, changed }) =>
    changed ? `${id} is revoked; it stops working within 5 seconds.` : `${id} was revoked already.`,
});

export const provisioningTokenFamily = family(
  'provisioning-token',
  'long-lived tokens for identity providers, for provisioning only',
  { create, list, revoke },
);
