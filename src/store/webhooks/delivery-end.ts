// Messages for webhooks end by age and by number, whatever they tell of (D-896). What waits for too long, or beyond a number, is given
// up; what was given up is deleted after a month, and beyond a number at once. A background task looks at every webhook once an hour,
// and works on some messages at a time, so that the changes which write them pay for nothing. Its cursor for a webhook is the number
// of the given up messages that were deleted.

import sql, { type Sql } from 'sql-template-tag';
import { deadKeptMs, waitMaxMs } from '../../domain/webhooks/webhook.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { readTrustedNow, type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import {
  type BackgroundTask,
  moveOf,
  moveTask,
  type TaskMove,
  type TaskScope,
} from '../engine/work/background-task.ts';
import { endedDeliveries, type OfWebhook } from './deliveries.ts';
import { deliveryEndTask } from './follower-name.ts';
import { listWebhooks } from './webhooks.ts';

/** So many messages of a webhook wait at most: more than a receiver that works is ever behind. */
export const waitingKept = 100_000;
/** So many given up messages of a webhook are kept to be looked at and sent again. */
export const deadKept = 10_000;

const messagesAtOnce = 1_000;
const scopesAtOnce = 50;
const lookAgainMs = 3_600_000;
/** A process that has just started has other things to do. */
const firstLookMs = 600_000;

/** What a process has found to look at, and when. */
interface Look {
  readonly atMs: number;
  readonly due: Map<string, TaskScope>;
}

const looks = new WeakMap<Db, Look>();

export const deliveryEnd: BackgroundTask = {
  name: deliveryEndTask,
  about: 'gives up and deletes messages of webhooks by age and number',
  ends: false,
  async scopes({ db, now }) {
    const nowMs = now();
    let look = looks.get(db) ?? { atMs: nowMs - lookAgainMs + firstLookMs, due: new Map() };
    // The wall clock may be set in either direction.
    if (look.due.size === 0 && Math.abs(nowMs - look.atMs) >= lookAgainMs) {
      const webhooks = await listWebhooks(db, null);
      const due = webhooks.map(({ id, accountId }) => [id, { accountId, scope: id }] as const);
      look = { atMs: nowMs, due: new Map(due) };
    }
    looks.set(db, look);
    return [...look.due.values()].slice(0, scopesAtOnce);
  },
  async step({ db, now }, at) {
    const nowMs = now();
    const ofWebhook = { accountId: at.accountId, webhookId: at.scope };
    const ends = await messagesToEnd(db, ofWebhook, await readTrustedNow(db, nowMs), nowMs);
    if (ends === null) {
      looks.get(db)?.due.delete(at.scope);
      return 'idle';
    }
    const input = { ...ofWebhook, ...ends, nowMs, move: moveOf(at, at.cursor, nowMs) };
    return (await db.write(endDeliveries, input)) ? 'moved' : 'lost';
  },
};

interface MessagesToEnd {
  /** Beyond the number that waits. */
  readonly waitingMore: number;
  /** Beyond the number that is kept of those that were given up. */
  readonly deadMore: number;
}

/** What there is too much of, some at a time; null where there is nothing to do. */
async function messagesToEnd(
  db: Db,
  ofWebhook: OfWebhook,
  now: TrustedMs,
  nowMs: number,
): Promise<MessagesToEnd | null> {
  const [row] = await db.read<
    Record<'waiting' | 'dead' | 'overdue' | 'unsigned' | 'putOff' | 'ended', number>
  >(
    sql`
      select ${count(ofWebhook, sql`next_at is not null`, waitingKept + messagesAtOnce)} as waiting,
        ${count(ofWebhook, sql`next_at is null`, deadKept + messagesAtOnce)} as dead,
        ${count(ofWebhook, endedWaiting(now), 1)} as overdue,
        ${count(ofWebhook, endedUnsigned(now, ofWebhook, nowMs), 1)} as unsigned,
        ${count(ofWebhook, isPutOff(nowMs), 1)} as "putOff",
        ${count(ofWebhook, endedDeliveries(now), 1)} as ended`,
  );
  if (row === undefined) return null;
  const waitingMore = Math.max(0, row.waiting - waitingKept);
  const deadMore = Math.max(0, row.dead - deadKept);
  const found = waitingMore + deadMore + row.overdue + row.unsigned + row.putOff + row.ended;
  return found === 0 ? null : { waitingMore, deadMore };
}

function count({ accountId, webhookId }: OfWebhook, condition: Sql, countMax: number): Sql {
  return sql`(
    select count(*)
    from (
      select 1 as one
      from webhook_delivery
      where account_id = ${accountId} and webhook_id = ${webhookId} and ${condition}
      limit ${limitOf(countMax)}
    ) as counted
  )`;
}

/** A month beyond the days for which they are tried: nobody has come to them. */
function endedWaiting(now: TrustedMs): Sql {
  return sql`next_at is not null and give_up_at < ${now - deadKeptMs}`;
}

/** What waits for a secret would else hold the places of its account. */
function endedUnsigned(now: TrustedMs, { accountId, webhookId }: OfWebhook, nowMs: number): Sql {
  return sql`next_at <= ${nowMs} and give_up_at <= ${now} and exists (
    select 1
    from webhook
    where webhook.account_id = ${accountId} and webhook.id = ${webhookId} and webhook.secret is null
  )`;
}

/** What was put off while the clock was far ahead would wait until then (D-845). */
function isPutOff(nowMs: number): Sql {
  return sql`next_at > ${nowMs + waitMaxMs}`;
}

interface EndDeliveries extends OfWebhook, MessagesToEnd {
  readonly nowMs: number;
  /** With the cursor as it was read. */
  readonly move: TaskMove;
}

/** Some of each at most; false when another replica was first. */
export function* endDeliveries(input: EndDeliveries): Steps<boolean> {
  const { accountId, webhookId, nowMs, move } = input;
  if (!(yield* moveTask(move))) return false;
  const now = yield* trustedNow(nowMs);
  yield sql`update webhook_delivery set next_at = ${nowMs} where ${yield* some(input, isPutOff(nowMs))}`;
  yield* giveUp(input, 'no secret within 3 days', endedUnsigned(now, input, nowMs));
  yield* giveUp(input, 'not sent within 33 days', endedWaiting(now));
  if (input.waitingMore > 0)
    yield* giveUp(
      input,
      `more than ${waitingKept} messages waited`,
      sql`next_at is not null`,
      input.waitingMore,
    );
  let { changed: deleted } = yield sql`
    delete from webhook_delivery where ${yield* some(input, endedDeliveries(now))}`;
  if (input.deadMore > 0)
    deleted += (yield sql`
      delete from webhook_delivery where ${yield* some(input, sql`next_at is null`, input.deadMore)}`)
      .changed;
  if (deleted > 0)
    yield sql`
      update background_task
      set cursor = ${String(Number(move.cursor) + deleted)}
      where account_id = ${accountId} and name = ${deliveryEndTask} and scope = ${webhookId}`;
  return true;
}

function* giveUp(input: EndDeliveries, failure: string, condition: Sql, countMax?: number): Steps<void> {
  yield sql`
    update webhook_delivery
    set next_at = null, dead_at = ${input.nowMs}, last_failure = ${failure}
    where ${yield* some(input, condition, countMax)}`;
}

/**
 * The first messages for which a condition holds, in the order of the index: those that wait are due the longest, and of the others
 * those of users are the oldest. Those of responses come in no order; the log still has them. They end at a message that was read
 * before, because PostgreSQL would hold every row against every id of a list where it has no statistics of the table yet.
 */
function* some({ accountId, webhookId }: OfWebhook, condition: Sql, countMax = messagesAtOnce): Steps<Sql> {
  const these = sql`account_id = ${accountId} and webhook_id = ${webhookId} and ${condition}`;
  const { rows } = yield sql`
    select next_at, id
    from webhook_delivery
    where ${these}
    order by next_at, id
    limit 1 offset ${limitOf(Math.min(countMax, messagesAtOnce) - 1)}`;
  const [last] = rows as unknown as readonly { readonly next_at: number | null; readonly id: string }[];
  if (last === undefined) return these;
  return last.next_at === null
    ? sql`${these} and id <= ${last.id}`
    : sql`${these} and (next_at, id) <= (${last.next_at}, ${last.id})`;
}
