import type { Step } from './steps.ts';

// What is known of backups: those that were made and found good, those that failed inside the service, those that an
// operator reported, and the backup that this store was restored from. A few dozen rows, the oldest of which are dropped.
// It is written after a backup is good, so that the copy itself does not know of it.
export const backups: Step = {
  number: 21,
  name: 'records of backups',
  statements: ({ text, integer }) => [
    `create table backup_record (
      number ${integer} not null primary key,
      kind ${text} not null,
      at ${integer} not null,
      recorded_at ${integer} not null,
      place ${text},
      bytes ${integer},
      detail ${text}
    )`,
  ],
};
