// soundings account list and create.

import { createAccount, listAccounts } from '../store/access/accounts.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, checkName } from './options.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

export async function showAccounts(terminal: Terminal, flags: Flags, options: Common): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const accounts = await listAccounts(context.db);
    const shown = accounts.map(({ createdAtMs, ...account }) => ({
      ...account,
      created: new Date(createdAtMs).toISOString(),
    }));
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0)
      return terminal.print(
        'There are no accounts yet. Make one with "soundings account create" or "apply".',
      );
    const rows = shown.map((one) => [
      String(one.id),
      one.created.slice(0, 10),
      String(one.apiClients),
      String(one.provisioningTokens),
      one.name,
    ]);
    terminal.print(table([['ACCOUNT', 'CREATED', 'API CLIENTS', 'TOKENS', 'NAME'], ...rows]));
  });
}

export async function addAccount(
  terminal: Terminal,
  flags: Flags,
  idText: string,
  options: Common & { readonly name: string },
): Promise<void> {
  const id = accountIdOf(idText, 'The id');
  const name = options.name.trim();
  checkName(name);
  await withContext(terminal, flags, async (context) => {
    const stamp = changeStamp(context);
    const isNew = await context.db.write(createAccount, { ...stamp, accountId: id, name });
    if (!isNew) throw new CommandError(`There is an account ${id} already. See "soundings account list".`);
    if (options.json === true)
      return terminal.print(JSON.stringify({ id, name, created: new Date(stamp.nowMs).toISOString() }));
    terminal.print(
      `Account ${id} is there. Next: soundings provisioning-token create --account ${id}, or client create.`,
    );
  });
}
