import type { Step } from './steps.ts';

// A source is a measure or a project as a stream of responses. Its log is dense and never reordered; everything
// that counts or finds is kept beside it in the same transaction.
export const feedback: Step = {
  number: 2,
  name: 'sources, surveys and the log of responses',
  statements: ({ text, integer, clustered }) => [
    `create table catalogue_generation (
      id ${integer} not null primary key,
      generation ${integer} not null
    )`,
    `insert into catalogue_generation (id, generation) values (1, 0)`,
    `create table source (
      account_id ${integer} not null references account (id),
      source_id ${integer} not null,
      kind ${text} not null,
      source_key ${integer} not null,
      document ${text} not null,
      created_at ${integer} not null,
      primary key (account_id, source_id)
    )`,
    `create unique index source_by_key on source (account_id, kind, source_key)`,
    `create table survey (
      account_id ${integer} not null references account (id),
      survey_id ${text} not null,
      source_id ${integer} not null,
      survey_no ${integer} not null,
      document ${text} not null,
      primary key (account_id, survey_id)
    )`,
    `create unique index survey_by_number on survey (account_id, source_id, survey_no)`,
    // Ids of surveys are unique in the whole store, because ingestion names nothing else.
    `create table survey_owner (
      survey_id ${text} not null primary key,
      account_id ${integer} not null
    )`,
    // A version stands here from its first response on: its questions can no longer change (D-47).
    `create table survey_used (
      account_id ${integer} not null,
      survey_id ${text} not null,
      primary key (account_id, survey_id)
    )`,
    // Held from the first statement of an append to its commit, so that no reader sees n + 1 without n.
    `create table log_counter (
      account_id ${integer} not null,
      source_id ${integer} not null,
      last_seq ${integer} not null,
      revision ${integer} not null,
      primary key (account_id, source_id)
    )`,
    // Not clustered, like the bodies below: SQLite keeps rows of this size whole only in a table of its ordinary kind.
    // In a clustered one what is beyond a thousand bytes has a page of its own, four times its size.
    `create table response (
      account_id ${integer} not null,
      source_id ${integer} not null,
      seq ${integer} not null,
      day ${integer} not null,
      response_id ${text} not null,
      survey_no ${integer} not null,
      submitted_at ${integer} not null,
      hash ${text},
      row_values ${text} not null,
      primary key (account_id, source_id, seq)
    )`,
    `create unique index response_by_id on response (account_id, response_id)`,
    // Apart, so that a page of rows does not drag the bodies through memory.
    `create table response_body (
      account_id ${integer} not null,
      source_id ${integer} not null,
      seq ${integer} not null,
      body ${text} not null,
      primary key (account_id, source_id, seq)
    )`,
    `create table response_external (
      account_id ${integer} not null,
      source_id ${integer} not null,
      seq ${integer} not null,
      external ${text} not null,
      primary key (account_id, source_id, seq)
    )${clustered}`,
    // One row for every full block of the log; see domain/feedback/block.ts.
    `create table log_block (
      account_id ${integer} not null,
      source_id ${integer} not null,
      block ${integer} not null,
      day_min ${integer} not null,
      day_max ${integer} not null,
      days ${text} not null,
      primary key (account_id, source_id, block)
    )${clustered}`,
    `create table log_day (
      account_id ${integer} not null,
      source_id ${integer} not null,
      day ${integer} not null,
      responses ${integer} not null,
      primary key (account_id, source_id, day)
    )${clustered}`,
    `create table log_day_latent (
      account_id ${integer} not null,
      source_id ${integer} not null,
      day ${integer} not null,
      latent_id ${text} not null,
      micros ${integer} not null,
      scored ${integer} not null,
      primary key (account_id, source_id, day, latent_id)
    )${clustered}`,
  ],
};
