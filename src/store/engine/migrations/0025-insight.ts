import type { Step } from './steps.ts';

// Figures of measures and projects that are added up ahead (D-470). `insight_day` has what the responses of one day and version
// add up to, packed as domain/insight/figures.ts says; `comment` has the open answers, folded, so that they can be searched. Both
// go over the rows up to `rolled_seq` and no further: whoever reads adds the rows behind it.
//
// `comment_part` is the index of the comments, packed as domain/insight/comment-parts.ts says: for each full segment of the log
// which rows have which groups of three characters. `comment_segment` says which segments are indexed, and how; `group_bits` is null
// for one that has little text and no index. They belong to one source by their keys, so a search meets nothing of others, and are
// the same on both engines (D-498).
//
// Whoever changes rows of a source in either table counts `moves` up in the same transaction, from what was read before it; so
// nothing is added or taken away twice. `rolled_seq` below 0 says that figures are there which count for nothing and are being deleted;
// `rolled_id` is the id of the response at `rolled_seq`, by which the log is known to be the one that was added up. `form` is the
// number of the packed form: a new one is built beside the old one, which answers meanwhile.
//
// A replica of before erases without a look at these tables. So every change says by `insight_form` from which form its answers were
// taken out, and `change_no` is the number of the last change that was looked at: behind it nothing unknown may have been erased.
//
// `insight_minimum` is the number of responses below which an account has figures withheld.
export const insight: Step = {
  number: 25,
  name: 'insight',
  statements: ({ text, integer, clustered }) => [
    `create table insight_cursor (
      account_id ${integer} not null,
      source_id ${integer} not null,
      form ${integer} not null,
      rolled_seq ${integer} not null,
      rolled_id ${text} not null,
      change_no ${integer} not null,
      moves ${integer} not null,
      updated_at ${integer} not null,
      primary key (account_id, source_id, form)
    )${clustered}`,
    `create table insight_day (
      account_id ${integer} not null,
      source_id ${integer} not null,
      form ${integer} not null,
      day ${integer} not null,
      survey_no ${integer} not null,
      figures ${text} not null,
      primary key (account_id, source_id, form, day, survey_no)
    )${clustered}`,
    `create table comment (
      account_id ${integer} not null,
      source_id ${integer} not null,
      form ${integer} not null,
      seq ${integer} not null,
      question_id ${text} not null,
      day ${integer} not null,
      folded_text ${text} not null,
      primary key (account_id, source_id, form, seq, question_id)
    )${clustered}`,
    `create table comment_segment (
      account_id ${integer} not null,
      source_id ${integer} not null,
      form ${integer} not null,
      segment ${integer} not null,
      group_bits ${integer},
      primary key (account_id, source_id, form, segment)
    )${clustered}`,
    `create table comment_part (
      account_id ${integer} not null,
      source_id ${integer} not null,
      form ${integer} not null,
      segment ${integer} not null,
      part_group ${integer} not null,
      parts ${text} not null,
      primary key (account_id, source_id, form, segment, part_group)
    )${clustered}`,
    `alter table log_change add column insight_form ${integer} not null default 0`,
    `alter table account add column insight_minimum ${integer} not null default 1`,
  ],
};
