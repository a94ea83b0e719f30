import type { Step } from './steps.ts';

// How many people an entry of the audit log says were invited; null for all other entries, and for those that a release of before
// has written until a task has read their notes (store/pages/invited-counts.ts, D-1042).
export const invited: Step = {
  number: 31,
  name: 'how many people were invited',
  statements: ({ integer }) => [`alter table audit add column invited ${integer}`],
};
