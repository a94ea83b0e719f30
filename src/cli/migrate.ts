// soundings migrate: the schema up to date, or whether it is.

import { backgroundTasks } from '../store/background-tasks.ts';
import type { Db } from '../store/engine/db.ts';
import { migrate, type SchemaStatus, schemaStatus } from '../store/engine/migrate.ts';
import { wouldLieOnCoordinator } from '../store/engine/postgres/citus.ts';
import { type TaskStatus, taskStatuses } from '../store/engine/work/background-task.ts';
import { explainRights, type Flags, openStore, prepareStore, readSettings } from './open-context.ts';
import { ask } from './questions.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

const patientMs = 60_000;

interface Status extends SchemaStatus {
  /** What is done in the background by the processes that serve. */
  readonly tasks: readonly TaskStatus[];
}

async function statusOf(db: Db): Promise<Status> {
  return { ...(await schemaStatus(db)), tasks: await taskStatuses(db, backgroundTasks(), Date.now()) };
}

const stateWords: Readonly<Record<TaskStatus['state'], string>> = {
  waits: 'not begun',
  runs: 'under way',
  follows: 'up to date',
  done: 'done',
  fails: 'FAILS',
};

/** For people: the cursor of a task is of no use to them. */
function taskTable(tasks: readonly TaskStatus[]): string {
  const rows = tasks.map(({ about, state, failure }) => [
    stateWords[state],
    state === 'fails' ? `${about}: ${failure}` : about,
  ]);
  return table([['STATE', 'WHAT "soundings serve" DOES IN THE BACKGROUND'], ...rows]);
}

function taskInWords({ name, about, state, cursor, updatedAt, doneAt, failure }: TaskStatus): string {
  const place = cursor === '' ? '' : ` at ${cursor}, ${updatedAt}`;
  const words = {
    waits: 'not begun: "soundings serve" does it',
    runs: `under way${place}`,
    follows: `follows${place}`,
    done: `done ${doneAt}`,
    fails: `FAILS${place}: ${failure}`,
  };
  return `In the background: ${name} (${about}): ${words[state]}.`;
}

/** Asked before anything is made; whoever says no is told how to register a worker. */
async function isWantedOnOne(db: Db): Promise<boolean> {
  if (!(await wouldLieOnCoordinator(db))) return false;
  const answer = await ask(
    'The server has the extension Citus and no worker. Keep all accounts on this one machine? (yes or no)',
  );
  return answer?.trim().toLowerCase() === 'yes';
}

export async function runMigrate(
  terminal: Terminal,
  flags: Flags,
  { isStatus, isSingleNode, isJson }: { isStatus: boolean; isSingleNode: boolean; isJson: boolean },
): Promise<void> {
  const { config } = await readSettings(terminal, flags);
  const db = await openStore(config, patientMs);
  try {
    if (!isStatus) {
      const isOne = isSingleNode || (terminal.isInteractive && (await isWantedOnOne(db)));
      const made = await migrate(db, Date.now, { isSingleNode: isOne });
      await prepareStore(config, db, terminal);
      if (isJson) return terminal.print(JSON.stringify({ made, ...(await statusOf(db)) }));
      for (const step of made) terminal.print(`made: ${step}`);
    }
    const status = await statusOf(db);
    if (isJson) terminal.print(JSON.stringify(status));
    else if (status.pending.length === 0) {
      terminal.print(`The schema is up to date (step ${status.current}).`);
      if (isStatus && terminal.isInteractive) terminal.print(taskTable(status.tasks));
      else if (isStatus) for (const task of status.tasks) terminal.print(taskInWords(task));
    }
    if (status.pending.length === 0) return;
    throw new CommandError(
      `The schema is at step ${status.current} of ${status.wanted}; missing: ${status.pending.join(', ')}. Run "soundings migrate".`,
    );
  } catch (error) {
    throw await explainRights(config, db, error);
  } finally {
    await db.close();
  }
}
