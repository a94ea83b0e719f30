import type { Step } from './steps.ts';

// The daily sums are written when a block of the log is full, and what lies behind is summed when somebody asks. The rows
// after `summed_seq` and up to `open_seq` are in no sum yet. Replicas of before write their sums at once and leave both
// columns alone: then `last_seq` is ahead of `open_seq`, and whoever appends next knows that the rows between the two
// are summed already. Nothing is counted twice, and sources that are there need no change.
export const openSums: Step = {
  number: 9,
  name: 'sums of full blocks',
  statements: ({ integer }) => [
    `alter table log_counter add column summed_seq ${integer} not null default 0`,
    `alter table log_counter add column open_seq ${integer} not null default 0`,
  ],
};
