// soundings account guard: whether providers may still take users of an account away, and how to let them.

import { guardPercentOf } from '../acts/provisioning/user-guard.ts';
import type { Context } from '../context.ts';
import { accountLimits } from '../store/access/accounts.ts';
import { guardState, liftGuard } from '../store/provisioning/user-guard.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, noSuchAccount } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

const minutesMax = 1_440;
const minuteMs = 60_000;

export async function accountGuard(
  terminal: Terminal,
  flags: Flags,
  idText: string,
  options: Common & { readonly lift?: boolean; readonly minutes: string },
): Promise<void> {
  const accountId = accountIdOf(idText, 'The id');
  const minutes = /^\d{1,4}$/.test(options.minutes) ? Number(options.minutes) : 0;
  if (minutes < 1 || minutes > minutesMax)
    throw new CommandError(
      `--minutes must be a whole number from 1 to ${minutesMax}, not "${options.minutes}".`,
    );
  await withContext(terminal, flags, async (context) => {
    const limits = await accountLimits(context.db, accountId);
    if (limits === undefined) throw noSuchAccount(accountId);
    const percent = guardPercentOf(context.config, limits) ?? null;
    if (options.lift === true) {
      const stamp = changeStamp(context);
      await context.db.write(liftGuard, { ...stamp, accountId, untilMs: stamp.nowMs + minutes * minuteMs });
    }
    await showState(terminal, context, accountId, percent, options.json === true);
  });
}

async function showState(
  terminal: Terminal,
  context: Context,
  accountId: number,
  percent: number | null,
  isJson: boolean,
): Promise<void> {
  const { users, limit, liftedUntilMs, struckAtMs } = await guardState(
    context.db,
    accountId,
    context.now(),
    percent,
  );
  const [liftedUntil, struckAt] = [timeOf(liftedUntilMs), timeOf(struckAtMs)];
  if (isJson)
    return terminal.print(JSON.stringify({ accountId, percent, users, limit, liftedUntil, struckAt }));
  if (percent === null)
    return terminal.print(
      `Account ${accountId} is not guarded: set SOUNDINGS_GUARD_PERCENT, or limits.deprovisionedPercentPerHour in its catalogue.`,
    );
  terminal.print(
    `Providers suspended or deleted ${users} users of account ${accountId} within the last hour; ${limit} are allowed (${percent} %, 20 at least).`,
  );
  if (struckAt !== null)
    terminal.print(
      `It has refused more since ${struckAt}. If they are meant: soundings account guard ${accountId} --lift`,
    );
  if (liftedUntil !== null) terminal.print(`It is lifted until ${liftedUntil}.`);
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
