// What is on its way to webhooks. A delivery is claimed by moving its next attempt, so that replicas share the work and
// what a killed process had claimed comes again; it goes when it was delivered, and stays as a dead letter when its time
// is over (D-243).

import sql, { empty, type Sql } from 'sql-template-tag';
import { auditNote } from '../../domain/access/audit-note.ts';
import { deadKeptMs, retryForMs } from '../../domain/webhooks/webhook.ts';
import { type AuditDetails, auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type ManyRows, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { TrustedMs } from '../engine/trusted-time.ts';
import { findTask, moveTask, type TaskMove } from '../engine/work/background-task.ts';
import { deliveryEndTask } from './follower-name.ts';
import { eventRows } from './user-events.ts';

export interface NewDelivery {
  readonly webhookId: string;
  readonly id: string;
  readonly type: string;
  /** JSON of ids and positions. */
  readonly data: string;
}

interface DeliveriesOfAccount {
  readonly accountId: number;
  readonly deliveries: readonly NewDelivery[];
  readonly nowMs: number;
}

/** One step along the log of a source; false when another replica has made it. */
export function* queueEvents(input: DeliveriesOfAccount & { readonly move: TaskMove }): Steps<boolean> {
  if (!(yield* moveTask(input.move))) return false;
  yield* queueDeliveries(input);
  return true;
}

/** What is on its way already begins anew, and so does what was given up. */
export function* queueAgain(input: DeliveriesOfAccount): Steps<void> {
  yield* queueDeliveries(input);
}

/** For those webhooks that are still there: nobody would ever send the others, or delete them. */
function* queueDeliveries(input: DeliveriesOfAccount): Steps<void> {
  if (input.deliveries.length === 0) return;
  const { rows } = yield sql`select id from webhook where account_id = ${input.accountId} limit 1000`;
  const known = new Set(rows.map(({ id }) => String(id)));
  const deliveries = input.deliveries.filter(({ webhookId }) => known.has(webhookId));
  if (deliveries.length > 0) yield deliveryRows({ ...input, deliveries });
}

function deliveryRows({ accountId, deliveries, nowMs }: DeliveriesOfAccount): ManyRows {
  const events = deliveries.map((delivery) => ({ ...delivery, accountId, nowMs }));
  return eventRows(
    events,
    `on conflict (account_id, webhook_id, id) do update
      set next_at = excluded.next_at, attempts = 0, give_up_at = excluded.give_up_at, dead_at = null`,
  );
}

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly createdAtMs: number;
  readonly attempts: number;
  readonly giveUpAtMs: number;
}

export interface OfWebhook {
  readonly accountId: number;
  readonly webhookId: string;
}

/** Whether anything is due: a question, so that nothing is written where nothing is. */
export async function hasDueDeliveries(
  db: Db,
  { accountId, webhookId }: OfWebhook,
  nowMs: number,
): Promise<boolean> {
  const rows = await db.read(sql`
    select 1 as found
    from webhook_delivery
    where account_id = ${accountId} and webhook_id = ${webhookId} and next_at <= ${nowMs}
    limit 1`);
  return rows.length > 0;
}

export interface ClaimDeliveries extends OfWebhook {
  readonly nowMs: number;
  /** When they are anybody's again, unless what became of them is told before. */
  readonly untilMs: number;
  readonly take: number;
}

export function* claimDeliveries(input: ClaimDeliveries): Steps<readonly Delivery[]> {
  const { accountId, webhookId, nowMs } = input;
  const { rows } = yield sql`
    update webhook_delivery
    set next_at = ${input.untilMs}
    where account_id = ${accountId} and webhook_id = ${webhookId} and next_at <= ${nowMs} and id in (
      select due.id
      from webhook_delivery due
      where due.account_id = ${accountId} and due.webhook_id = ${webhookId} and due.next_at <= ${nowMs}
      order by due.next_at, due.id
      limit ${limitOf(input.take)}
    )
    returning id, type, body as data, created_at as "createdAtMs", attempts, give_up_at as "giveUpAtMs"`;
  return rows as unknown as Delivery[];
}

/** What became of a delivery that was not taken. */
export interface FailedDelivery {
  readonly id: string;
  readonly attempts: number;
  /** Null when it is given up. */
  readonly nextAtMs: number | null;
  readonly status: number | null;
  readonly failure: string;
}

export interface SettleDeliveries extends OfWebhook {
  readonly delivered: readonly string[];
  readonly failed: readonly FailedDelivery[];
  /** Nobody has tried these: they are due again at once. */
  readonly released: readonly string[];
  readonly nowMs: number;
}

export function* settleDeliveries(input: SettleDeliveries, dialect: Dialect): Steps<void> {
  const { accountId, webhookId, delivered, failed, released, nowMs } = input;
  if (delivered.length > 0)
    yield sql`
      delete from webhook_delivery
      where account_id = ${accountId} and webhook_id = ${webhookId} and ${dialect.isAmong(sql`id`, delivered, 'text')}`;
  for (const { id, attempts, nextAtMs, status, failure } of failed)
    yield sql`
      update webhook_delivery
      set attempts = ${attempts}, next_at = ${nextAtMs}, dead_at = ${nextAtMs === null ? nowMs : null},
        last_status = ${status}, last_failure = ${failure}
      where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${id}`;
  if (released.length > 0)
    yield sql`
      update webhook_delivery
      set next_at = ${nowMs}
      where account_id = ${accountId} and webhook_id = ${webhookId} and ${dialect.isAmong(sql`id`, released, 'text')}`;
  if (delivered.length + failed.length === 0) return;
  const deliveredAtMs = delivered.length === 0 ? null : nowMs;
  const failedAtMs = failed.length === 0 ? null : nowMs;
  const failure = failed.at(-1)?.failure ?? null;
  // A webhook that was removed while its last attempts were under way leaves nothing behind.
  yield sql`
    insert into webhook_state (account_id, webhook_id, delivered, failed, delivered_at, failed_at, last_failure)
    select cast(${accountId} as bigint), webhook.id, cast(${delivered.length} as bigint), cast(${failed.length} as bigint),
      cast(${deliveredAtMs} as bigint), cast(${failedAtMs} as bigint), cast(${failure} as text)
    from webhook
    where webhook.account_id = ${accountId} and webhook.id = ${webhookId}
    on conflict (account_id, webhook_id) do update
    set delivered = webhook_state.delivered + excluded.delivered, failed = webhook_state.failed + excluded.failed,
      delivered_at = coalesce(excluded.delivered_at, webhook_state.delivered_at),
      failed_at = coalesce(excluded.failed_at, webhook_state.failed_at),
      last_failure = coalesce(excluded.last_failure, webhook_state.last_failure)`;
}

/** Dead letters that were kept for as long as they are. */
export function endedDeliveries(now: TrustedMs): Sql {
  return sql`next_at is null and dead_at < ${now - deadKeptMs}`;
}

/** How many are on their way in an account, counted no further than to the number. */
export async function deliveriesWaiting(db: Db, accountId: number, countMax: number): Promise<number> {
  const [row] = await db.read<{ count: number }>(sql`
    select count(*) as count
    from (
      select 1 as one
      from webhook_delivery
      where account_id = ${accountId} and next_at is not null
      limit ${limitOf(countMax)}
    ) as waiting`);
  return row?.count ?? 0;
}

// As many are looked at from either end of the times of the next attempts.
const endsLookedAt = 100;

/**
 * When the oldest event happened that is still on its way to a webhook; null when none is. What has waited longest is due
 * now or has the longest wait before its next attempt, so both ends of the index know it without a look at all the rest.
 */
export async function oldestWaiting(db: Db, { accountId, webhookId }: OfWebhook): Promise<number | null> {
  const waiting = sql`account_id = ${accountId} and webhook_id = ${webhookId} and next_at is not null`;
  const [row] = await db.read<{ oldest: number | null }>(sql`
    select min(created_at) as oldest
    from (
      select created_at
      from (
        select created_at from webhook_delivery where ${waiting} order by next_at, id limit ${limitOf(endsLookedAt)}
      ) as due
      union all
      select created_at
      from (
        select created_at from webhook_delivery where ${waiting} order by next_at desc, id desc limit ${limitOf(endsLookedAt)}
      ) as later
    ) as ends`);
  return row?.oldest ?? null;
}

export interface WebhookState {
  readonly delivered: number;
  readonly failed: number;
  readonly deliveredAtMs: number | null;
  readonly failedAtMs: number | null;
  readonly lastFailure: string | null;
  readonly waiting: number;
  readonly dead: number;
  /** Dead letters, and those of before that are no longer kept. */
  readonly givenUp: number;
}

export async function stateOfWebhook(db: Db, { accountId, webhookId }: OfWebhook): Promise<WebhookState> {
  const [state] = await db.read<Omit<WebhookState, 'waiting' | 'dead' | 'givenUp'>>(sql`
    select delivered, failed, delivered_at as "deliveredAtMs", failed_at as "failedAtMs", last_failure as "lastFailure"
    from webhook_state
    where account_id = ${accountId} and webhook_id = ${webhookId}`);
  const [counts] = await db.read<{ waiting: number; dead: number }>(sql`
    select count(next_at) as waiting, count(dead_at) as dead
    from webhook_delivery
    where account_id = ${accountId} and webhook_id = ${webhookId}`);
  const { waiting = 0, dead = 0 } = counts ?? {};
  const { cursor } = await findTask(db, deliveryEndTask, { accountId, scope: webhookId });
  return {
    ...(state ?? { delivered: 0, failed: 0, deliveredAtMs: null, failedAtMs: null, lastFailure: null }),
    waiting,
    dead,
    givenUp: dead + Number(cursor),
  };
}

/** What an operator should know of a webhook: whether it has dead letters, what waits longest, the last failure. */
export async function webhookTrouble(
  db: Db,
  ofWebhook: OfWebhook,
): Promise<{
  readonly hasDead: boolean;
  readonly oldestMs: number | null;
  readonly lastFailure: string | null;
}> {
  const { accountId, webhookId } = ofWebhook;
  const dead = await db.read(sql`
    select 1 as found
    from webhook_delivery
    where account_id = ${accountId} and webhook_id = ${webhookId} and next_at is null
    limit 1`);
  const [state] = await db.read<{ lastFailure: string | null }>(sql`
    select last_failure as "lastFailure"
    from webhook_state
    where account_id = ${accountId} and webhook_id = ${webhookId}`);
  return {
    hasDead: dead.length > 0,
    oldestMs: await oldestWaiting(db, ofWebhook),
    lastFailure: state?.lastFailure ?? null,
  };
}

export interface ListedDelivery extends Delivery {
  readonly nextAtMs: number | null;
  readonly deadAtMs: number | null;
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
}

/** Where a page ends. */
export type DeliveryPlace = Pick<Delivery, 'createdAtMs' | 'id'>;

/** The oldest first. */
export async function listDeliveries(
  db: Db,
  { accountId, webhookId }: OfWebhook,
  {
    isDead,
    take,
    after = null,
  }: { readonly isDead: boolean; readonly take: number; readonly after?: DeliveryPlace | null },
): Promise<readonly ListedDelivery[]> {
  const behind = after === null ? empty : sql`and (created_at, id) > (${after.createdAtMs}, ${after.id})`;
  return db.read<ListedDelivery>(sql`
    select id, type, body as data, created_at as "createdAtMs", attempts, give_up_at as "giveUpAtMs",
      next_at as "nextAtMs", dead_at as "deadAtMs", last_status as "lastStatus", last_failure as "lastFailure"
    from webhook_delivery
    where account_id = ${accountId} and webhook_id = ${webhookId} ${isDead ? sql`and next_at is null` : empty}
      ${behind}
    order by created_at, id
    limit ${limitOf(take)}`);
}

/** Dead letters, all of them or one, begin anew; says how many. */
export function* reviveDeliveries(
  input: OfWebhook & ChangeStamp & { readonly id: string | null },
): Steps<number> {
  const { accountId, webhookId, id, nowMs } = input;
  const { changed } = yield sql`
    update webhook_delivery
    set next_at = ${nowMs}, attempts = 0, give_up_at = ${nowMs + retryForMs}, dead_at = null
    where account_id = ${accountId} and webhook_id = ${webhookId}
      ${id === null ? sql`and next_at is null` : sql`and id = ${id}`}`;
  if (changed > 0) yield noteOfWebhook(input, 'webhook.replay', auditNote('messages', { count: changed }));
  return changed;
}

export interface TestOutcome {
  readonly status: number | null;
  readonly failure: string | null;
}

/** Somebody has sent a message by hand to see whether it is taken. */
export function* noteTestDelivery(
  input: OfWebhook & ChangeStamp & { readonly outcome: TestOutcome },
): Steps<void> {
  const { status, failure } = input.outcome;
  const outcome =
    failure === null
      ? auditNote('messageTaken', { status: status ?? 0 })
      : auditNote('messageFailed', { reason: failure });
  yield noteOfWebhook(input, 'webhook.test', outcome);
}

function noteOfWebhook(input: OfWebhook & ChangeStamp, action: string, details: AuditDetails): Sql {
  const { accountId, webhookId } = input;
  return auditStatement(input, { accountId, action, subject: `webhook ${webhookId}`, details });
}
