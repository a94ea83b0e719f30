// soundings client ...: who may call for an account.

import type { Context } from '../context.ts';
import { type Grant, grants, isGrant } from '../domain/access/account.ts';
import {
  changeClientGrants,
  finishClientRotation,
  listClients,
  setClientDisabled,
} from '../store/access/clients.ts';
import { shownClient } from '../store/access/credential-views.ts';
import { type NewApiClient, newApiClient, newClientSecret } from '../store/access/new-credentials.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, checkName, printsJson } from './options.ts';
import { CommandError, factLines, type Terminal, table } from './terminal.ts';

export async function createApiClient(
  terminal: Terminal,
  flags: Flags,
  options: Common & {
    account: string;
    name: string;
    grant: readonly string[];
    mayChangeAdmins?: boolean;
  },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  checkName(options.name);
  const granted = options.grant.length === 0 ? grants : options.grant.filter(isGrant);
  await withContext(terminal, flags, async (context) => {
    const client = await addApiClient(
      context,
      accountId,
      options.name,
      granted,
      options.mayChangeAdmins === true,
    );
    // Once: whoever runs this keeps the secret, we keep its hash.
    printNewClient(terminal, client, options);
  });
}

/** What is shown of an API client this once. */
export function printNewClient(terminal: Terminal, client: NewApiClient, options: Common): void {
  const { clientId, clientSecret, scopes } = client;
  if (printsJson(terminal, options)) terminal.print(JSON.stringify(client));
  else
    terminal.print(
      `The API client is there.\n${factLines([
        ['client id', clientId],
        ['client secret', clientSecret],
        ['grants', scopes.join(' ')],
      ])}`,
    );
  if (options.json !== true) terminal.tell('Keep the secret now: it is not shown again.');
}

export function addApiClient(
  context: Context,
  accountId: number,
  name: string,
  granted: readonly Grant[],
  mayChangeAdmins = false,
): Promise<NewApiClient> {
  return newApiClient(context, changeStamp(context), { accountId, name, granted, mayChangeAdmins });
}

export async function listApiClients(
  terminal: Terminal,
  flags: Flags,
  options: Common & { account?: string },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const clients = await listClients(
      context.db,
      options.account === undefined ? null : accountIdOf(options.account),
    );
    const shown = clients.map(shownClient);
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0)
      return terminal.print('There are no API clients yet. Make one with "soundings client create".');
    const rows = shown.map((one) => [
      one.clientId,
      String(one.accountId),
      one.disabled ? 'disabled' : 'enabled',
      `${one.liveSecrets} secret${one.liveSecrets === 1 ? '' : 's'}`,
      one.lastUsed ?? 'never used',
      one.name,
      one.mayChangeAdmins ? `${one.scopes.join(' ')} (may change admins)` : one.scopes.join(' '),
    ]);
    terminal.print(table([['CLIENT', 'ACCOUNT', 'STATE', 'SECRETS', 'LAST USE', 'NAME', 'GRANTS'], ...rows]));
  });
}

export async function rotateApiClient(
  terminal: Terminal,
  flags: Flags,
  { id, isFinish, isJson }: { id: string; isFinish: boolean; isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const change = { ...changeStamp(context), id };
    if (isFinish) {
      await context.db.write(finishClientRotation, change);
      return terminal.print(
        isJson ? JSON.stringify({ clientId: id, liveSecrets: 1 }) : `The old secret of ${id} has ended.`,
      );
    }
    const clientSecret = await newClientSecret(context, change);
    if (printsJson(terminal, { json: isJson }))
      terminal.print(JSON.stringify({ clientId: id, clientSecret }));
    else
      terminal.print(
        `The new secret of ${id}, shown this once:\n${factLines([['client secret', clientSecret]])}`,
      );
    if (!isJson)
      terminal.tell(
        `Both secrets work now. When the new one is in place: soundings client rotate ${id} --finish`,
      );
  });
}

export async function setApiClientDisabled(
  terminal: Terminal,
  flags: Flags,
  { id, disabled, isJson }: { id: string; disabled: boolean; isJson: boolean },
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    await context.db.write(setClientDisabled, { ...changeStamp(context), id, disabled });
    const sentence = disabled
      ? `${id} is disabled; its tokens stop working within 5 seconds.`
      : `${id} is enabled.`;
    terminal.print(isJson ? JSON.stringify({ clientId: id, disabled }) : sentence);
  });
}

export async function changeGrants(
  terminal: Terminal,
  flags: Flags,
  {
    id,
    scopes,
    isGrant: isAdding,
    isJson,
  }: { id: string; scopes: readonly string[]; isGrant: boolean; isJson: boolean },
): Promise<void> {
  const unknown = scopes.filter((scope) => !isGrant(scope));
  if (unknown.length > 0)
    throw new CommandError(`There is no grant "${unknown.join('", "')}"; there are ${grants.join(', ')}.`);
  const named = scopes.filter(isGrant);
  await withContext(terminal, flags, async (context) => {
    const after = await context.db.write(changeClientGrants, {
      ...changeStamp(context),
      id,
      add: isAdding ? named : [],
      remove: isAdding ? [] : named,
    });
    terminal.print(
      isJson
        ? JSON.stringify({ clientId: id, scopes: after })
        : `${id} now has: ${after.join(' ') || 'no grants'}`,
    );
  });
}
