// The events of users, written in the transaction of the change itself: an account without webhooks costs a look into an
// index, and no row (D-243).

import sql, { type Sql } from 'sql-template-tag';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import { retryForMs } from '../../domain/webhooks/webhook.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import type { ManyRows, Steps } from '../engine/db.ts';

/** The id of a change is that of its event: each change is of one user. */
export function userEvent(
  { changeId, nowMs }: Pick<ChangeStamp, 'changeId' | 'nowMs'>,
  accountId: number,
  type: EventType,
  userId: number,
): Sql {
  return sql`
    insert into webhook_delivery (account_id, webhook_id, id, type, body, created_at, next_at, attempts, give_up_at)
    select cast(${accountId} as bigint), webhook.id, cast(${`evt_${changeId}`} as text), cast(${type} as text),
      cast(${userData(accountId, userId)} as text), cast(${nowMs} as bigint), cast(${nowMs} as bigint), 0,
      cast(${nowMs + retryForMs} as bigint)
    from webhook
    where webhook.account_id = ${accountId} and webhook.events like ${`% ${type} %`}`;
}

/** The internal id alone: an external one may be the address of a person. The function of step 17 writes the same. */
function userData(accountId: number, userId: number): string {
  return `{"accountId":${accountId},"userId":"${userId}"}`;
}

/** Of a change as the audit log calls it. */
export const eventOfAction: Readonly<Record<string, EventType>> = {
  'user.suspend': 'user.suspended',
  'user.reactivate': 'user.reactivated',
  'user.change': 'user.updated',
};

/** The values of a row, in the order of `eventColumns`. */
export type NewEvent = readonly (number | string)[];

/** The events of new users of an account, one for each of its webhooks that wants to hear of them. */
export function* createdEvents(
  accountId: number,
  placed: readonly {
    readonly id: number;
    readonly user: Pick<ChangeStamp, 'changeId' | 'nowMs'>;
  }[],
): Steps<readonly NewEvent[]> {
  const { rows } = yield sql`
    select id
    from webhook
    where account_id = ${accountId} and events like '% user.created %'
    limit 1000`;
  return rows.flatMap((webhook) =>
    placed.map(({ id, user: { changeId, nowMs } }) => [
      accountId,
      String(webhook.id),
      `evt_${changeId}`,
      'user.created',
      userData(accountId, id),
      nowMs,
      nowMs,
      0,
      nowMs + retryForMs,
    ]),
  );
}

export function eventRows(rows: readonly NewEvent[]): ManyRows {
  return { table: 'webhook_delivery', columns: eventColumns, rows };
}

const eventColumns: ManyRows['columns'] = [
  ['account_id', 'integer'],
  ['webhook_id', 'text'],
  ['id', 'text'],
  ['type', 'text'],
  ['body', 'text'],
  ['created_at', 'integer'],
  ['next_at', 'integer'],
  ['attempts', 'integer'],
  ['give_up_at', 'integer'],
];
