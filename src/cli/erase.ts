// soundings erase: what people said goes, what was counted stays (D-48).

import { eraseResponse } from '../store/erasure/erase.ts';
import { hasAccount } from '../store/feedback/catalogue.ts';
import { changeStamp } from './change-stamp.ts';
import type { EraseOptions } from './erase-many.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, noSuchAccountText } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function eraseResponses(terminal: Terminal, flags: Flags, options: EraseOptions): Promise<void> {
  const { response, file, parameter, from, to } = options;
  const isByContent = parameter !== undefined || from !== undefined || to !== undefined;
  const ways = [response !== undefined, file !== undefined, isByContent].filter(Boolean);
  if (ways.length !== 1)
    throw new CommandError(
      'Say which responses: by --response, by --file, or by --parameter and by --from and --to.',
    );
  if (response === undefined) {
    const { eraseMany } = await import('./erase-many.ts');
    return eraseMany(terminal, flags, options);
  }
  if (options.measure !== undefined || options.project !== undefined || options.dryRun === true)
    throw new CommandError('With --response there is nothing to narrow or to count: leave the rest out.');
  await eraseOne(terminal, flags, { ...options, response });
}

async function eraseOne(
  terminal: Terminal,
  flags: Flags,
  { account, response, json }: EraseOptions & { readonly response: string },
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
          : noSuchAccountText(accountId),
      );
    }
    const changed = outcome === 'erased';
    if (json === true) return terminal.print(JSON.stringify({ accountId, responseId: response, changed }));
    terminal.print(
      changed
        ? `Response ${response} is erased: its answers, parameters and body are gone; its place, day and scores stay.`
        : `Response ${response} was erased before: nothing to change.`,
    );
  });
}
