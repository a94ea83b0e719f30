import type { Step } from './steps.ts';

// Digests of responses and of days (domain/feedback/digest.ts). A response that is there has its digest in its body; the
// column is for one that is erased. The digest of a day goes over its rows up to `digested_seq` of the counter, and
// `digested` is their count; whoever fills a block brings them up to its end. A replica of before fills blocks without
// it: then `digested_seq` stays behind, and the next one who fills a block, or the background task, works out what is
// missing. The same holds for every log that was there before this step, which begins at 0.
export const digests: Step = {
  number: 14,
  name: 'digests of responses and days',
  statements: ({ text, integer }) => [
    `alter table response add column digest ${text}`,
    `alter table log_day add column digest ${text}`,
    `alter table log_day add column digested ${integer} not null default 0`,
    `alter table log_counter add column digested_seq ${integer} not null default 0`,
  ],
};
