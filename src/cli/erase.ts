// soundings erase: what a person said goes, what was counted stays (D-48).

import { hasAccount } from '../store/feedback/catalogue.ts';
import { eraseResponse } from '../store/feedback/erase.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function erase(
  terminal: Terminal,
  flags: Flags,
  { account, response, isJson }: { account: string; response: string; isJson: boolean },
): Promise<void> {
  const accountId = accountIdOf(account);
  await withContext(terminal, flags, async (context) => {
    const outcome = await context.db.write(eraseResponse, {
      ...changeStamp(context),
      accountId,
      responseId: response,
    });
    if (outcome === 'unknown') {
      throw new CommandError(
        (await hasAccount(context.db, accountId))
          ? `Account ${accountId} has no response "${response}". Its id stands in the data as id.`
          : `There is no account ${accountId}.`,
      );
    }
    const changed = outcome === 'erased';
    if (isJson) return terminal.print(JSON.stringify({ accountId, responseId: response, changed }));
    terminal.print(
      changed
        ? `Response ${response} is erased: its answers, parameters and body are gone; its place, day and scores stay.`
        : `Response ${response} was erased before: nothing to change.`,
    );
  });
}
