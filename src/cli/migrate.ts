// soundings migrate: the schema up to date, or whether it is.

import { migrate, schemaStatus } from '../store/engine/migrate.ts';
import { type Flags, openStore, prepareStore, readSettings } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

const patientMs = 60_000;

export async function runMigrate(
  terminal: Terminal,
  flags: Flags,
  { isStatus, isJson }: { isStatus: boolean; isJson: boolean },
): Promise<void> {
  const { config } = await readSettings(terminal, flags);
  const db = await openStore(config, patientMs);
  try {
    if (!isStatus) {
      const made = await migrate(db, Date.now);
      await prepareStore(config, db, terminal);
      if (isJson) return terminal.print(JSON.stringify({ made, ...(await schemaStatus(db)) }));
      for (const step of made) terminal.print(`made: ${step}`);
    }
    const status = await schemaStatus(db);
    if (isJson) terminal.print(JSON.stringify(status));
    else if (status.pending.length === 0)
      terminal.print(`The schema is up to date (step ${status.current}).`);
    if (status.pending.length === 0) return;
    throw new CommandError(
      `The schema is at step ${status.current} of ${status.wanted}; missing: ${status.pending.join(', ')}. Run "soundings migrate".`,
    );
  } finally {
    await db.close();
  }
}
