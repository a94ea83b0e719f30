import sql, { type Sql } from 'sql-template-tag';
import { dayMs } from '../../../domain/dates.ts';
import { wholeStore } from '../audit.ts';
import type { Steps } from '../db.ts';
import type { Step } from './steps.ts';

// `trusted_time` is one row: what deletes and empties rows by time takes for now (D-845). `claimed_at` is what a wall clock says
// that differs by more than a day, and `agreed` for how many milliseconds of serving it has agreed with the clock that only goes
// forward. Only who knows `moves` may change it, so that replicas do not add up the time that each of them has served.
export const trustedTime: Step = {
  number: 29,
  name: 'trusted time',
  statements: ({ integer }) => [
    `create table trusted_time (
      id ${integer} not null primary key,
      at ${integer} not null,
      claimed_at ${integer},
      agreed ${integer} not null,
      moves ${integer} not null
    )`,
  ],
  *fill({ nowMs }) {
    const newestMs = yield* newestTime();
    const atMs = newestMs === null ? nowMs : Math.min(nowMs, newestMs + dayMs);
    yield sql`
      insert into trusted_time (id, at, claimed_at, agreed, moves)
      values (1, ${atMs}, null, 0, 0)`;
  },
};

/**
 * The newest time that the service itself has written: what callers send may be of any day. Background tasks move every hour that
 * somebody serves. Each question names one table, and of an account's the store's own rows, so that it can be asked where
 * accounts are spread over machines.
 */
function* newestTime(): Steps<number | null> {
  let newestMs: number | null = null;
  for (const question of timeQuestions) {
    const { rows } = yield question;
    const atMs = rows[0]?.at;
    if (typeof atMs === 'number' && atMs > (newestMs ?? 0)) newestMs = atMs;
  }
  return newestMs;
}

const timeQuestions: readonly Sql[] = [
  sql`select max(created_at) as at from store`,
  sql`select max(at) as at from heartbeat`,
  sql`select max(updated_at) as at from background_task where account_id = ${wholeStore}`,
  sql`select max(updated_at) as at from job`,
  sql`select max(recorded_at) as at from backup_record`,
  sql`select max(used_at) as at from provisioning_token_use`,
  sql`select at from audit where account_id = ${wholeStore} order by id desc limit 1`,
];
