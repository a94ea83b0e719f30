// soundings migrate: the schema up to date, or whether it is.

import type { TaskStatus } from '../../store/engine/work/background-task.ts';
import { toggle } from '../frame/takes.ts';
import { table } from '../frame/terminal.ts';
import { plainVerb } from '../frame/verb.ts';

export const migrate = plainVerb({
  about: "bring the store's schema up to date",
  takes: {
    status: toggle('only report whether it is up to date; exit status 1 if steps are missing'),
    singleNode: toggle('keep all accounts on the coordinator of a Citus that has no worker'),
  },
  help: '\n"soundings serve" does this by itself; use this command to do it before a roll-out. Running several at once is safe.\nExample:\n  soundings migrate --status\n',
  load: () => import('./migration.ts'),
  act: (call, { migrateStore }) => migrateStore(call),
  json: ({ made, status }) => ({ ...(made !== null && { made }), ...status }),
  says: ({ made, status, isInteractive }) => [
    ...(made ?? []).map((step) => `made: ${step}`),
    ...(status.pending.length === 0 ? [`The schema is up to date (step ${status.current}).`] : []),
    ...(status.pending.length === 0 && made === null ? tasksText(status.tasks, isInteractive) : []),
  ],
  failure: ({ status: { pending, current, wanted } }) =>
    pending.length === 0
      ? null
      : `The schema is at step ${current} of ${wanted}; missing: ${pending.join(', ')}. Run "soundings migrate".`,
});

function tasksText(tasks: readonly TaskStatus[], isInteractive: boolean): readonly string[] {
  return isInteractive ? [taskTable(tasks)] : tasks.map(taskInWords);
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
