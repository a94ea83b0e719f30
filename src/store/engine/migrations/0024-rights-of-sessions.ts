import type { Step } from './steps.ts';

// A session keeps the roles that its owner had when its secret was made, one bit each; null in a session of before, which
// has whatever its owner has. `admits_admin` is 0 for what goes back to a one-time link that somebody without admin made:
// the link, the session that it began, and whatever was added there to come back with.
export const rightsOfSessions: Step = {
  number: 24,
  name: 'rights of sessions',
  statements: ({ integer }) => [
    `alter table session add column role_bits ${integer}`,
    ...['session', 'one_time_link', 'passkey', 'password'].map(
      (table) => `alter table ${table} add column admits_admin ${integer} not null default 1`,
    ),
  ],
};
