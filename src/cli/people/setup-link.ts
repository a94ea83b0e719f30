// soundings setup-link: links that let whoever manages an identity provider set it up, as in the console (D-601).

import { linkCodeOf } from '../../domain/access/one-time-link.ts';
import { kindOfIssuer, type ProviderKind, providerKinds } from '../../domain/access/provider-kind.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { setupLinkDays } from '../../domain/access/setup-link.ts';
import { dayMs } from '../../domain/dates.ts';
import type { SetupLink } from '../../store/access/setup-links.ts';
import { ofAccount, option, toggle } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const account = ofAccount();
const { min, usual, max } = setupLinkDays;
const links = async () => ({
  ...(await import('../../store/access/setup-links.ts')),
  ...(await import('../frame/account-check.ts')),
});

const create = verb({
  about: 'create a link to a page where somebody who is not a user connects the provider',
  takes: {
    account,
    kind: option('<kind>', 'kind of the new connection: entra, okta or other (default: other)'),
    connection: option('<id>', 'an existing connection, instead of a new one'),
    days: option('<n>', `how many days it works: ${min} to ${max} (default: ${usual})`, daysOf),
    mayChangeAdmins: toggle(
      'the token that is made with it also changes users who are admin and groups that carry admin',
    ),
  },
  help: '\nAn account has one link at a time: a new one ends the previous one. It is shown once; hand it over in a way that nobody\nelse can read.\nExample:\n  soundings setup-link create --account 4001 --kind entra\n',
  validate({ kind, connection }) {
    if (kind !== undefined && connection !== undefined)
      throw new CommandError('Name --kind or --connection, not both.');
    return kindOf(kind);
  },
  load: async () => ({
    ...(await links()),
    ...(await import('../../store/access/connections.ts')),
    ...(await import('./console-link.ts')),
  }),
  async act({ context, stamp, input, valid: kind }, loaded) {
    const { account: accountId, connection: named, days = usual, mayChangeAdmins } = input;
    const { db } = context;
    await loaded.demandAccount(context, accountId);
    const connection = named === undefined ? null : await loaded.findConnection(db, accountId, named);
    if (connection === null && named !== undefined)
      throw new CommandError(
        `Account ${accountId} has no connection "${visible(named.slice(0, 100))}". See "soundings connection list --account ${accountId}".`,
      );
    const { address, secretKey } = await loaded.linkMaker(context);
    const change = stamp();
    const secret = context.newSecret();
    const expiresAtMs = change.nowMs + days * dayMs;
    const id = `sl_${context.newId().replaceAll('-', '')}`;
    await db.write(loaded.createSetupLink, {
      ...change,
      accountId,
      id,
      codeHash: hashSecret(secret, secretKey),
      kind: connection === null ? kind : kindOfIssuer(connection.issuer),
      connectionId: connection?.id ?? null,
      expiresAtMs,
      mayChangeAdmins,
    });
    const url = address.to(`/setup#${linkCodeOf({ accountId, secret })}`);
    return { accountId, id, url, expiresAt: timeText(expiresAtMs) };
  },
  says: ({ url }) => url,
  hint: ({ accountId, expiresAt }) =>
    `Whoever has it connects an identity provider to account ${accountId}, until ${expiresAt}. It is not shown again, and ends the link before.`,
});

const list = verb({
  about: 'show the current set-up link of an account, without its code',
  takes: { account },
  help: '\nExample:\n  soundings setup-link list --account 4001\n',
  load: links,
  async act({ context, input: { account: accountId } }, { demandAccount, findSetupLink }) {
    await demandAccount(context, accountId);
    const link = await findSetupLink(context.db, accountId, context.now());
    return link === null ? [] : [shown(link)];
  },
  says: (current) =>
    current.map(({ id, kind, createdBy, connectionId, expiresAt, usedAt, mayChangeAdmins }) => {
      const of = connectionId === null ? 'a new connection' : `connection ${connectionId}`;
      const opened = usedAt === null ? 'not opened yet' : `first opened ${usedAt}`;
      const may = mayChangeAdmins ? ', its token may change admins' : '';
      return `${id}  ${kind}, ${of}, by ${visible(createdBy)}, until ${expiresAt}, ${opened}${may}`;
    }),
  hint: (current, { account: accountId }) =>
    current.length === 0 ? `Account ${accountId} has no set-up link that works.` : null,
});

const revoke = verb({
  about: 'revoke the set-up link of an account',
  takes: { account },
  help: '\nWhat was set up with it stays.\nExample:\n  soundings setup-link revoke --account 4001\n',
  load: links,
  async act({ context, stamp, input }, { demandAccount, findSetupLink, removeSetupLink }) {
    const { account: accountId } = input;
    await demandAccount(context, accountId);
    const link = await findSetupLink(context.db, accountId, context.now());
    if (link === null) return { accountId, id: null, changed: false };
    const { id } = link;
    const removal = { ...stamp(), accountId, id, isDone: false };
    return { accountId, id, changed: await context.db.write(removeSetupLink, removal) };
  },
  says: ({ accountId, changed }) =>
    changed
      ? `The set-up link of account ${accountId} opens nothing any more.`
      : `Account ${accountId} has no set-up link that works: nothing to change.`,
});

function kindOf(text: string | undefined): ProviderKind {
  if (text === undefined) return 'other';
  const kind = providerKinds.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new CommandError(
    `--kind must be one of ${providerKinds.join(', ')}, not "${visible(text.slice(0, 100))}".`,
  );
}

function daysOf(text: string): number {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text) && days >= min && days <= max) return days;
  throw new CommandError(`--days must be a whole number from ${min} to ${max}.`);
}

function shown(link: SetupLink) {
  const { id, kind, connectionId, createdBy, createdAtMs, expiresAtMs, usedAtMs } = link;
  return {
    ...{ id, kind, connectionId, createdBy, mayChangeAdmins: link.mayChangeAdmins === 1 },
    createdAt: timeText(createdAtMs),
    expiresAt: timeText(expiresAtMs),
    usedAt: usedAtMs === null ? null : timeText(usedAtMs),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

export const setupLinkFamily = family(
  'setup-link',
  'links that let whoever manages an identity provider set it up',
  { create, list, revoke },
);
