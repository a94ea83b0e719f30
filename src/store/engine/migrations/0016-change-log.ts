import type { Step } from './steps.ts';

// What happens to responses after they have arrived: external parameters, erasures, retention. Each change has a number
// within its source, from `change_no` of the counter, and the number of the last response when it was committed; so
// responses and changes together have one order that never shifts (store/feedback/change-log.ts). The values themselves are
// not kept here: an erasure would have to find them.
//
// A block keeps the mark of the append that filled it, whatever happens to its rows later: by it the cursor of a reader is
// known to be of this log. Replicas of before leave it out; then the id of the last row of the block has to do.
export const changeLog: Step = {
  number: 16,
  name: 'changes of responses after their arrival',
  statements: ({ text, integer, clustered }) => [
    `create table log_change (
      account_id ${integer} not null,
      source_id ${integer} not null,
      change_no ${integer} not null,
      position ${integer} not null,
      kind ${text} not null,
      first_seq ${integer} not null,
      last_seq ${integer} not null,
      at ${integer} not null,
      mark ${text} not null,
      primary key (account_id, source_id, change_no)
    )${clustered}`,
    `create index log_change_by_position on log_change (account_id, source_id, position, change_no)`,
    `alter table log_counter add column change_no ${integer} not null default 0`,
    `alter table log_block add column filled_mark ${text}`,
  ],
};
