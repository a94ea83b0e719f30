// The schema brought up to date by a command, and how far it is.

import { backgroundTasks } from '../../store/background-tasks.ts';
import type { Db } from '../../store/engine/db.ts';
import { migrate, type SchemaStatus, schemaStatus } from '../../store/engine/migrate.ts';
import { wouldLieOnCoordinator } from '../../store/engine/postgres/citus.ts';
import { type TaskStatus, taskStatuses } from '../../store/engine/work/background-task.ts';
import { explainRights, openStore, prepareStore, readSettings } from '../frame/open-context.ts';
import { ask } from '../frame/questions.ts';
import type { Call } from '../frame/verb.ts';

const patientMs = 60_000;

interface Status extends SchemaStatus {
  /** What is done in the background by the processes that serve. */
  readonly tasks: readonly TaskStatus[];
}

async function statusOf(db: Db): Promise<Status> {
  return { ...(await schemaStatus(db)), tasks: await taskStatuses(db, backgroundTasks(), Date.now()) };
}

/** Asked before anything is made; whoever says no is told how to register a worker. */
async function isWantedOnOne(db: Db): Promise<boolean> {
  if (!(await wouldLieOnCoordinator(db))) return false;
  const answer = await ask(
    'The server has the extension Citus and no worker. Keep all accounts on this one machine? (yes or no)',
  );
  return answer?.trim().toLowerCase() === 'yes';
}

interface WantedMigration {
  readonly status: boolean;
  readonly singleNode: boolean;
}

/** The steps that were made, null where it was only asked, and how far the schema is. */
export async function migrateStore({ terminal, flags, input }: Call<WantedMigration>) {
  const { isInteractive } = terminal;
  const { config } = await readSettings(terminal, flags);
  const db = await openStore(config, patientMs);
  try {
    if (input.status) return { made: null, status: await statusOf(db), isInteractive };
    const isSingleNode = input.singleNode || (isInteractive && (await isWantedOnOne(db)));
    const made = await migrate(db, Date.now, { isSingleNode });
    await prepareStore(config, db, terminal);
    return { made, status: await statusOf(db), isInteractive };
  } catch (error) {
    throw await explainRights(config, db, error);
  } finally {
    await db.close();
  }
}
