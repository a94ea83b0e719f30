import type { Step } from './steps.ts';

// By what a process notices that a log is not the one it remembers: a standby that took over may lack the last rows, and
// gives their numbers to others. Every append leaves a mark of its own at the counter, and every block that is filled
// keeps the mark of the append that filled it. Replicas of before write neither, so both may be null.
//
// And the second level over blocks: how many rows of each day a thousand blocks have together (D-109).
export const logHistory: Step = {
  number: 6,
  name: 'marks of appends, and days of groups of blocks',
  statements: ({ text, integer, clustered }) => [
    `alter table log_counter add column mark ${text}`,
    `alter table log_block add column mark ${text}`,
    `create table log_block_group (
      account_id ${integer} not null,
      source_id ${integer} not null,
      block_group ${integer} not null,
      days ${text} not null,
      primary key (account_id, source_id, block_group)
    )${clustered}`,
  ],
};
