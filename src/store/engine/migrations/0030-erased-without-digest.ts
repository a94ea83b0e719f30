import type { Step } from './steps.ts';

// Responses that were erased by a release that knows no digests, found without a look at the whole log (erasure-mending.ts, D-858). Of
// every other response the index has nothing, so that it costs appends no more than the look at its condition.
export const erasedWithoutDigest: Step = {
  number: 30,
  name: 'responses that were erased without their digest',
  statements: () => [
    `create index response_erased_without_digest on response (account_id, source_id, seq)
    where hash is not null and digest is null`,
  ],
};
