// soundings maintenance on|off: on every replica, within seconds.

import { setMaintenance } from '../store/replicas.ts';
import { type Flags, withHouse } from './open-house.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function maintenance(
  terminal: Terminal,
  flags: Flags,
  state: string,
  isJson: boolean,
): Promise<void> {
  if (state !== 'on' && state !== 'off')
    throw new CommandError(`Maintenance is "on" or "off", not "${state}".`);
  await withHouse(terminal, flags, async (house) => {
    const on = state === 'on';
    const changed = await house.db.write(setMaintenance, { on, nowMs: house.now(), changeId: house.newId() });
    if (isJson) return terminal.print(JSON.stringify({ maintenance: on, changed }));
    const already = changed ? '' : ' already';
    terminal.print(
      on
        ? `Maintenance is${already} on; every replica follows within 5 seconds.`
        : `Maintenance is${already} off.`,
    );
  });
}
