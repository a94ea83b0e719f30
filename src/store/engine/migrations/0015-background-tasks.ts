import type { Step } from './steps.ts';

// How far work in the background has come: a row for each task of the whole store (account 0), and one for each part that
// a task follows by itself, such as the log of a source. `moves` grows with every step and decides between replicas: who
// finds another number than it read has lost the step (D-240).
//
// And the keys that seal what is kept in the store and must be readable again, apart from those that sign (D-241). The
// secret of a key from the settings is not here; its row says until when something that it sealed may be in use.
export const backgroundTasks: Step = {
  number: 15,
  name: 'background tasks, sealing keys',
  statements: ({ text, integer, clustered }) => [
    `create table background_task (
      account_id ${integer} not null,
      name ${text} not null,
      scope ${text} not null,
      cursor ${text} not null,
      moves ${integer} not null,
      updated_at ${integer} not null,
      done_at ${integer},
      failures ${integer} not null,
      failed_at ${integer},
      failure ${text},
      primary key (account_id, name, scope)
    )${clustered}`,
    `create table sealing_key (
      kid ${text} not null primary key,
      secret ${text},
      created_at ${integer} not null,
      last_end ${integer} not null
    )`,
  ],
};
