// soundings user confirm-admin and refused: what only concerns users who are admin.

import { commandLineRights } from '../domain/access/role-rules.ts';
import { dropRefusals, refusalsOfUser } from '../store/access/admin-refusals.ts';
import { confirmAdmin } from '../store/access/admin-rules.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { type Terminal, table, visible } from './terminal.ts';
import { confirmPerson, type FindOptions, userTo } from './user-finding.ts';

export async function confirmUserAdmin(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const found = await userTo('changeAdmin', terminal, context, accountId, address, options);
    await confirmPerson(terminal, found, 'This gives the rights of an admin back to', options);
    const { id: userId } = found.user;
    const stamp = { ...changeStamp(context), rights: commandLineRights };
    const changed = await context.db.write(confirmAdmin, { ...stamp, accountId, userId });
    if (options.json === true) return terminal.print(JSON.stringify({ address, id: userId, changed }));
    const who = visible(address);
    terminal.print(
      changed
        ? `${who} has the rights of an admin again, from the next sign-in on.`
        : `Nothing to confirm: no grant of admin to ${who} rests.`,
    );
  });
}

export async function refusedOfUser(
  terminal: Terminal,
  flags: Flags,
  address: string,
  options: OfAccount & FindOptions & { readonly drop?: boolean },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const { id: userId } = (await userTo('changeAdmin', terminal, context, accountId, address, options)).user;
    if (options.drop === true) {
      const stamp = { ...changeStamp(context), rights: commandLineRights };
      const dropped = await context.db.write(dropRefusals, { ...stamp, accountId, userId });
      if (options.json === true) return terminal.print(JSON.stringify({ address, id: userId, dropped }));
      return terminal.print(dropped === 0 ? 'Nothing was open.' : `Dropped: ${dropped}.`);
    }
    const refused = (await refusalsOfUser(context.db, accountId, userId)).map((one) => ({
      act: one.act,
      by: one.actor,
      firstAt: new Date(one.firstAtMs).toISOString(),
      lastAt: new Date(one.lastAtMs).toISOString(),
      times: one.times,
    }));
    if (options.json === true) return terminal.print(JSON.stringify(refused));
    if (refused.length === 0) return terminal.print(`Nothing was refused for ${visible(address)}.`);
    const rows = refused.map(({ act, by, firstAt, lastAt, times }) => [
      act,
      visible(by),
      firstAt,
      lastAt,
      `${times}`,
    ]);
    terminal.print(table([['ACT', 'BY', 'FIRST', 'LAST', 'TIMES'], ...rows]));
  });
}
