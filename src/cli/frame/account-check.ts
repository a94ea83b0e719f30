// Which account a verb works on: whether the one it was given is there, and which is meant where none was given.

import type { Context } from '../../context.ts';
import { accountsBehind } from '../../store/access/accounts.ts';
import { hasAccount } from '../../store/feedback/catalogue.ts';
import { noSuchAccount } from './account-and-source.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

const accountsNamed = 5;

export async function demandAccount({ db }: Pick<Context, 'db'>, accountId: number): Promise<void> {
  if (!(await hasAccount(db, accountId))) throw noSuchAccount(accountId);
}

/** The account of a verb that was given none: the only one that there is (D-892). */
export function onlyAccount(terminal: Terminal, flags: Flags): Promise<number> {
  return withContext(terminal, flags, async ({ db }) => {
    const accounts = await accountsBehind(db, { after: 0, take: accountsNamed + 1 });
    if (accounts.length === 1) return accounts[0]!.id;
    if (accounts.length === 0)
      throw new CommandError('There are no accounts yet. Make one with "soundings account create".');
    const names = accounts.slice(0, accountsNamed).map(({ id, name }) => `${id} (${visible(name)})`);
    const more = accounts.length > accountsNamed ? ', and more' : '';
    throw new CommandError(`Say which account with --account ID: there are ${names.join(', ')}${more}.`);
  });
}
