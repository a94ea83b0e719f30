import type { Step } from './steps.ts';

// Nothing is addressed by the externalId of a group, so that two may have the same (D-96). Searches by it keep an index.
export const groupExternalIds: Step = {
  number: 7,
  name: 'externalIds of groups',
  statements: () => [
    `drop index user_group_by_external_id`,
    `create index user_group_with_external_id on user_group (account_id, external_id, id)`,
  ],
};
