// soundings maintenance on|off: on every replica, within seconds.

import { setMaintenance } from '../store/engine/replicas.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function maintenance(
  terminal: Terminal,
  flags: Flags,
  state: string,
  isJson: boolean,
): Promise<void> {
  if (state !== 'on' && state !== 'off')
    throw new CommandError(`Maintenance is "on" or "off", not "${state}".`);
  await withContext(terminal, flags, async (context) => {
    const on = state === 'on';
    const changed = await context.db.write(setMaintenance, {
      on,
      nowMs: context.now(),
      changeId: context.newId(),
    });
    if (isJson) return terminal.print(JSON.stringify({ maintenance: on, changed }));
    const already = changed ? '' : ' already';
    terminal.print(
      on
        ? `Maintenance is${already} on; every replica follows within 5 seconds.`
        : `Maintenance is${already} off.`,
    );
  });
}
