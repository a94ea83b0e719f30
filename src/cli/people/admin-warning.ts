// The command line may take the last admin away, and then says what that means (D-372).

import type { Context } from '../../context.ts';
import { accountHasAdmin, accountHasConnection } from '../../store/people/role-grants.ts';
import type { Terminal } from '../frame/terminal.ts';

/** After a change that took an admin away. */
export async function warnWithoutAdmin(
  terminal: Terminal,
  { db }: Pick<Context, 'db'>,
  accountId: number,
): Promise<void> {
  if ((await accountHasAdmin(db, accountId)) || (await accountHasConnection(db, accountId))) return;
  terminal.tell(
    `Account ${accountId} has no admin any more, and no identity provider: "soundings user roles ADDRESS --account ${accountId} --grant admin" makes one.`,
  );
}
