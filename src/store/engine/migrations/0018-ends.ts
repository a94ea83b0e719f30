import type { Step } from './steps.ts';

// How long an account, a measure or a project keeps what people said: a number of days; 0 of a source for no end, whatever its
// account says. `has_retention` tells the accounts that need to be looked through. `removed_at` of an account: it is being
// removed, or is gone but for its number, which is never given again. Replicas of before leave all of them alone.
//
// What is emptied and deleted is room for new rows only after PostgreSQL has swept it. By its usual settings a table of
// three million rows is swept after 600,000 of them have changed; these are swept after some ten thousand.
export const ends: Step = {
  number: 18,
  name: 'how long responses are kept, and removed accounts',
  statements: ({ engine, text, integer }) => [
    `alter table account add column retain_days ${integer}`,
    `alter table account add column has_retention ${integer}`,
    `alter table account add column removed_at ${integer}`,
    `alter table source add column retain_days ${integer}`,
    // What was removed: its number is not given again, and its rows go in slices, whoever goes on with it.
    `create table removed_source (
      account_id ${integer} not null,
      source_id ${integer} not null,
      kind ${text} not null,
      source_key ${integer} not null,
      removed_at ${integer} not null,
      emptied_at ${integer},
      primary key (account_id, source_id)
    )`,
    ...(engine === 'sqlite' ? [] : sweptTables.map(sweptSoon)),
  ],
};

const sweptTables = ['response', 'response_body', 'response_external'];

function sweptSoon(table: string): string {
  return `alter table ${table} set (
    autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 10000,
    toast.autovacuum_vacuum_scale_factor = 0.005, toast.autovacuum_vacuum_threshold = 10000
  )`;
}
