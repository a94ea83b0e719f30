import type { Step } from './steps.ts';

// Limits of requests that an account has of its own, as JSON; null where the settings say them. Replicas of before leave
// the column alone.
export const accountLimits: Step = {
  number: 12,
  name: 'limits of an account',
  statements: ({ text }) => [`alter table account add column limits ${text}`],
};
