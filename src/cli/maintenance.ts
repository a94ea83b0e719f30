// soundings maintenance on|off|status: on every replica, within seconds.

import type { Context } from '../context.ts';
import { setMaintenance, sharedState } from '../store/engine/replicas.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function maintenance(
  terminal: Terminal,
  flags: Flags,
  state: string,
  isJson: boolean,
): Promise<void> {
  if (state !== 'on' && state !== 'off' && state !== 'status')
    throw new CommandError(`Maintenance is "on" or "off", or asked about with "status", not "${state}".`);
  await withContext(terminal, flags, async (context) => {
    if (state === 'status') return showStatus(terminal, context, isJson);
    const on = state === 'on';
    const changed = await context.db.write(setMaintenance, { ...changeStamp(context), on });
    if (isJson) return terminal.print(JSON.stringify({ maintenance: on, changed }));
    const already = changed ? '' : ' already';
    terminal.print(
      on
        ? `Maintenance is${already} on; every replica follows within 5 seconds.`
        : `Maintenance is${already} off.`,
    );
  });
}

async function showStatus(terminal: Terminal, context: Context, isJson: boolean): Promise<void> {
  const { maintenanceSinceMs } = await sharedState(context.db);
  const since = maintenanceSinceMs === null ? null : new Date(maintenanceSinceMs).toISOString();
  if (isJson) return terminal.print(JSON.stringify({ maintenance: since !== null, since }));
  terminal.print(since === null ? 'Maintenance is off.' : `Maintenance is on since ${since}.`);
}
