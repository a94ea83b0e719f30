// soundings config: what is in force and where it came from.

import { table } from '../frame/terminal.ts';
import { plainVerb } from '../frame/verb.ts';

export const config = plainVerb({
  about: 'show the settings in force, with secrets hidden',
  help: '\nFlags take precedence over the environment, and the environment over the file. All settings: docs/settings.md.\nExample:\n  PORT=9000 soundings config --config soundings.yaml\n',
  load: async () => ({ ...(await import('../../config.ts')), ...(await import('../frame/open-context.ts')) }),
  act: async ({ terminal, flags }, { readSettings, shownSettings }) =>
    shownSettings((await readSettings(terminal, flags)).inForce),
  json: (shown) => Object.fromEntries(shown.map(({ name, value }) => [name, value])),
  says: (shown) =>
    table([['SETTING', 'VALUE', 'FROM'], ...shown.map(({ name, value, source }) => [name, value, source])]),
});
