import type { Step } from './steps.ts';

// Responses that were refused: how many, the last of them without their answers, and, of surveys with `quarantine: true`, the
// bodies, sealed. What belongs to no account stands under account 0, which no account can be.
export const refusedResponses: Step = {
  number: 20,
  name: 'refused responses and the quarantine',
  statements: ({ text, integer, clustered }) => [
    // An empty survey stands for every id that is not known.
    `create table refused_count (
      account_id ${integer} not null,
      day ${integer} not null,
      survey_id ${text} not null,
      cause ${text} not null,
      refused ${integer} not null,
      quarantined ${integer} not null,
      primary key (account_id, day, survey_id, cause)
    )${clustered}`,
    // The id is that of the request, which grows with time: the newest rows stand at the end of the key.
    `create table refused_response (
      account_id ${integer} not null,
      id ${text} not null,
      at ${integer} not null,
      survey_id ${text} not null,
      actor ${text},
      status ${integer} not null,
      code ${text} not null,
      cause ${text} not null,
      faults ${text} not null,
      more_faults ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
    // One row for an account: whoever changes its quarantine holds it. Bytes are those of the sealed texts.
    `create table quarantine_room (
      account_id ${integer} not null primary key,
      bytes ${integer} not null,
      bodies ${integer} not null
    )`,
    // An erased body leaves its row until its time is over: whoever has read it before sees so that it was erased.
    `create table quarantined_response (
      account_id ${integer} not null,
      id ${text} not null,
      survey_id ${text} not null,
      response_id ${text},
      received_at ${integer} not null,
      cause ${text} not null,
      faults ${text} not null,
      more_faults ${integer} not null,
      kid ${text},
      sealed ${text},
      bytes ${integer} not null,
      erased_at ${integer},
      redriven_at ${integer},
      primary key (account_id, id)
    )`,
    `create unique index quarantined_response_by_response on quarantined_response (account_id, response_id)`,
    `create index quarantined_response_by_survey on quarantined_response (account_id, survey_id, id)`,
    `create index quarantined_response_by_time on quarantined_response (account_id, received_at)`,
  ],
};
