// The events of users, written in the transaction of the change itself: an account without webhooks costs a look into an
// index, and no row (D-243).

import sql, { type Sql } from 'sql-template-tag';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import { retryForMs } from '../../domain/webhooks/webhook.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import { insertInto, type ManyRows, type Steps } from '../engine/db.ts';

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

export interface NewEvent {
  readonly accountId: number;
  readonly webhookId: string;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly nowMs: number;
}

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
    placed.map(({ id, user: { changeId, nowMs } }) => ({
      ...{ accountId, webhookId: String(webhook.id), id: `evt_${changeId}`, type: 'user.created' },
      ...{ data: userData(accountId, id), nowMs },
    })),
  );
}

/** With what is to be done with those that are there already. */
export function eventRows(events: readonly NewEvent[], onConflict?: string): ManyRows {
  return insertInto(
    'webhook_delivery',
    events,
    {
      account_id: ['integer', ({ accountId }) => accountId],
      webhook_id: ['text', ({ webhookId }) => webhookId],
      id: ['text', ({ id }) => id],
      type: ['text', ({ type }) => type],
      body: ['text', ({ data }) => data],
      created_at: ['integer', ({ nowMs }) => nowMs],
      next_at: ['integer', ({ nowMs }) => nowMs],
      attempts: ['integer', () => 0],
      give_up_at: ['integer', ({ nowMs }) => nowMs + retryForMs],
    },
    onConflict,
  );
}
