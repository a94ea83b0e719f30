// soundings config: what is in force and where it came from.

import { shownSettings } from '../config.ts';
import { type Flags, readSettings } from './open-context.ts';
import { type Terminal, table } from './terminal.ts';

export async function printConfig(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  const { inForce } = await readSettings(terminal, flags);
  const shown = shownSettings(inForce);
  if (isJson)
    return terminal.print(JSON.stringify(Object.fromEntries(shown.map(({ name, value }) => [name, value]))));
  terminal.print(
    table([['SETTING', 'VALUE', 'FROM'], ...shown.map(({ name, value, source }) => [name, value, source])]),
  );
}
