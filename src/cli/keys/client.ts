// soundings client: API clients, which call for an account.

import { type Grant, grants, isGrant } from '../../domain/access/account.ts';
import type { NewApiClient } from '../../store/access/new-credentials.ts';
import {
  accountIfNamed,
  argument,
  argumentList,
  checkName,
  needed,
  ofAccount,
  repeated,
  toggle,
} from '../frame/takes.ts';
import { CommandError, factLines } from '../frame/terminal.ts';
import { family, listing, type Verb, verb } from '../frame/verb.ts';

const client = argument('id of the API client');
const store = () => import('../../store/access/clients.ts');
const newCredentials = () => import('../../store/access/new-credentials.ts');

const create = verb({
  about: 'create an API client; its secret is shown once',
  takes: {
    account: ofAccount('the account it acts for'),
    name: needed('<name>', 'what it is for', (text) => {
      checkName(text);
      return text;
    }),
    grant: repeated('<scope>', 'scope to grant; may be repeated', grantCalled, {
      choices: grants,
      usually: 'all of them',
    }),
    mayChangeAdmins: toggle('with w_cx_users: also change users who are admin and groups that carry admin'),
  },
  help: `\nWithout --grant, it is granted all of ${grants.join(', ')}.\nExample:\n  soundings client create --account 4001 --name "nightly export" --grant r_cx_measures\n`,
  load: newCredentials,
  act({ context, stamp, input }, { newApiClient }) {
    const { account: accountId, name, grant, mayChangeAdmins } = input;
    const granted = grant.length === 0 ? grants : grant;
    return newApiClient(context, stamp(), { accountId, name, granted, mayChangeAdmins });
  },
  piped: 'json',
  says: newClientText,
  hint: () => keepSecret,
});

// Once: whoever runs this keeps the secret, we keep its hash.
export const keepSecret = 'Keep the secret now: it is not shown again.';

export function newClientText({ clientId, clientSecret, scopes }: NewApiClient): string {
  return `The API client is there.\n${factLines([
    ['client id', clientId],
    ['client secret', clientSecret],
    ['grants', scopes.join(' ')],
  ])}`;
}

const list = verb({
  about: 'list the API clients, without their secrets',
  takes: { account: accountIfNamed('only this account') },
  help: '\nExample:\n  soundings client list --account 4001\n',
  load: async () => ({ ...(await store()), ...(await import('../../store/access/credential-views.ts')) }),
  act: async ({ context, input }, { listClients, shownClient }) =>
    (await listClients(context.db, input.account ?? null)).map(shownClient),
  says: (shown) =>
    listing(
      'There are no API clients yet. Make one with "soundings client create".',
      ['CLIENT', 'ACCOUNT', 'STATE', 'SECRETS', 'LAST USE', 'NAME', 'GRANTS'],
      shown.map((one) => [
        one.clientId,
        String(one.accountId),
        one.disabled ? 'disabled' : 'enabled',
        `${one.liveSecrets} secret${one.liveSecrets === 1 ? '' : 's'}`,
        one.lastUsed ?? 'never used',
        one.name,
        one.mayChangeAdmins ? `${one.scopes.join(' ')} (may change admins)` : one.scopes.join(' '),
      ]),
    ),
});

const rotate = verb({
  about: 'create a second secret; the old one keeps working until you run this with --finish',
  takes: { client, finish: toggle('stop accepting the old secret') },
  help: '\nExample:\n  soundings client rotate sc_...             prints the new secret; both work\n  soundings client rotate sc_... --finish    the old one ends\n',
  load: async () => ({ ...(await newCredentials()), ...(await store()) }),
  async act({ context, stamp, input }, { newClientSecret, finishClientRotation }) {
    const change = { ...stamp(), id: input.client };
    if (!input.finish) return newClientSecret(context, change);
    await context.db.write(finishClientRotation, change);
    return null;
  },
  piped: (clientSecret) => clientSecret !== null,
  json: (clientSecret, { client: clientId }) =>
    clientSecret === null ? { clientId, liveSecrets: 1 } : { clientId, clientSecret },
  says: (clientSecret, { client: id }) =>
    clientSecret === null
      ? `The old secret of ${id} has ended.`
      : `The new secret of ${id}, shown this once:\n${factLines([['client secret', clientSecret]])}`,
  hint: (clientSecret, { client: id }) =>
    clientSecret === null
      ? null
      : `Both secrets work now. When the new one is in place: soundings client rotate ${id} --finish`,
});

function setting(name: string, disabled: boolean, about: string): Verb {
  return verb({
    about,
    takes: { client },
    help: `\nExample:\n  soundings client ${name} sc_...\n`,
    load: store,
    act: async ({ context, stamp, input: { client: id } }, { setClientDisabled }) => {
      await context.db.write(setClientDisabled, { ...stamp(), id, disabled });
      return { clientId: id, disabled };
    },
    says: ({ clientId: id }) =>
      disabled ? `${id} is disabled; its tokens stop working within 5 seconds.` : `${id} is enabled.`,
  });
}

function changing(name: 'grant' | 'revoke', about: string): Verb {
  return verb({
    about,
    takes: { client, scopes: argumentList(`one or more of ${grants.join(', ')}`, true) },
    help: `\nExample:\n  soundings client ${name} sc_... r_cx_users w_cx_users\n`,
    validate({ scopes }) {
      const unknown = scopes.filter((scope) => !isGrant(scope));
      if (unknown.length > 0) throw noGrant(unknown);
      return scopes.filter(isGrant);
    },
    load: store,
    async act({ context, stamp, input: { client: id }, valid: named }, { changeClientGrants }) {
      const [add, remove] = name === 'grant' ? [named, []] : [[], named];
      const scopes = await context.db.write(changeClientGrants, { ...stamp(), id, add, remove });
      return { clientId: id, scopes };
    },
    says: ({ clientId: id, scopes }) => `${id} now has: ${scopes.join(' ') || 'no grants'}`,
  });
}

function grantCalled(text: string): Grant {
  if (isGrant(text)) return text;
  throw noGrant([text]);
}

function noGrant(names: readonly string[]): CommandError {
  return new CommandError(`There is no grant "${names.join('", "')}"; there are ${grants.join(', ')}.`);
}

export const clientFamily = family('client', 'API clients, which call the service on behalf of an account', {
  create,
  list,
  rotate,
  disable: setting(
    'disable',
    true,
    'disable an API client: its credentials and tokens stop working within 5 seconds',
  ),
  enable: setting('enable', false, 're-enable an API client: its credentials work again'),
  grant: changing('grant', 'grant scopes to an API client'),
  revoke: changing('revoke', 'revoke scopes of an API client'),
});
