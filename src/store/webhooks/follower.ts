// Follows the logs of the accounts that have webhooks, and puts what they tell of on its way. The cursor of a source is
// the number of its last response that was seen, and that of its last change (D-243).

import sql from 'sql-template-tag';
import { type Db, limitOf } from '../engine/db.ts';
import {
  type BackgroundTask,
  moveOf,
  type StepOutcome,
  type TaskContext,
  type TaskCursor,
  type TaskScope,
} from '../engine/work/background-task.ts';
import { deliveriesWaiting, queueEvents } from './deliveries.ts';
import { webhookTask } from './follower-name.ts';
import {
  changeEvents,
  type FollowedSource,
  findFollowedSource,
  type LogEvent,
  responseEvents,
} from './log-events.ts';
import { listWebhooks, type Webhook } from './webhooks.ts';

const eventsAtOnce = 200;
/** Beyond it events of the account stay in its logs until there is room again: what waits here has an end. */
export const waitingMax = 10_000;
const sourcesAtOnce = 200;
// A turn of all tasks must not be used up by asking account after account.
const askForMs = 100;

/** One for each process: it remembers which account comes next. */
export function webhookFollower(): BackgroundTask {
  let lastAccountId = 0;
  return {
    name: webhookTask,
    about: 'turns new responses into events for webhooks',
    ends: false,
    async scopes({ db }: TaskContext): Promise<readonly TaskScope[]> {
      const accounts = await accountsFollowed(db);
      const inTurn = [
        ...accounts.filter((id) => id > lastAccountId),
        ...accounts.filter((id) => id <= lastAccountId),
      ];
      const untilMs = performance.now() + askForMs;
      const scopes: TaskScope[] = [];
      for (const accountId of inTurn) {
        lastAccountId = accountId;
        const behind = await sourcesBehind(db, accountId);
        // One whose receivers take nothing holds up no other account.
        if (behind.length > 0 && (await hasRoom(db, accountId))) scopes.push(...behind);
        if (performance.now() > untilMs || scopes.length > 0) break;
      }
      return scopes;
    },
    step: followLog,
  };
}

async function accountsFollowed(db: Db): Promise<readonly number[]> {
  const rows = await db.read<{ accountId: number }>(sql`
    select distinct account_id as "accountId"
    from webhook
    where events like '% response.%'
    order by account_id
    limit 100000`);
  return rows.map(({ accountId }) => accountId);
}

/** Sources whose counter is not where the cursor stands. */
async function sourcesBehind(db: Db, accountId: number): Promise<readonly TaskScope[]> {
  const rows = await db.read<{ scope: string }>(sql`
    select 'source ' || cast(log_counter.source_id as text) as scope
    from log_counter
    join source on source.account_id = ${accountId} and source.source_id = log_counter.source_id
    left join background_task on background_task.account_id = ${accountId} and background_task.name = ${webhookTask}
      and background_task.scope = 'source ' || cast(log_counter.source_id as text)
    where log_counter.account_id = ${accountId}
      and cast(log_counter.last_seq as text) || ' ' || cast(log_counter.change_no as text)
        <> coalesce(background_task.cursor, '0 0')
    order by log_counter.source_id
    limit ${limitOf(sourcesAtOnce)}`);
  return rows.map(({ scope }) => ({ accountId, scope }));
}

async function hasRoom(db: Db, accountId: number): Promise<boolean> {
  return (await deliveriesWaiting(db, accountId, waitingMax)) < waitingMax;
}

async function followLog({ db, now }: TaskContext, at: TaskCursor): Promise<StepOutcome> {
  const { accountId } = at;
  const source = await findFollowedSource(db, accountId, Number(at.scope.slice('source '.length)));
  if (source === null) return 'idle';
  const [seq = 0, changeNo = 0] = at.cursor.split(' ').map(Number);
  if (seq === source.lastSeq && changeNo === source.changeNo) return 'idle';
  if (!(await hasRoom(db, accountId))) return 'idle';
  // A store that was restored may have fewer rows than were seen: what comes next has their numbers.
  const [fromSeq, fromNo] = [Math.min(seq, source.lastSeq), Math.min(changeNo, source.changeNo)];
  const toSeq = Math.min(source.lastSeq, fromSeq + eventsAtOnce);
  const toNo = Math.min(source.changeNo, fromNo + eventsAtOnce);
  const webhooks = await listWebhooks(db, accountId);
  const events = [
    ...(await wanted(webhooks, 'response.created', () => responseEvents(db, source, fromSeq, toSeq))),
    ...(await changeEvents(db, source, fromNo, toNo)),
  ];
  const nowMs = now();
  const moved = await db.write(queueEvents, {
    accountId,
    deliveries: deliveriesOf(webhooks, events),
    nowMs,
    move: moveOf(at, `${toSeq} ${toNo}`, nowMs),
  });
  return moved ? 'moved' : 'lost';
}

/** Rows that nobody wants to hear of are not read. */
async function wanted(
  webhooks: readonly Webhook[],
  type: LogEvent['type'],
  read: () => Promise<readonly LogEvent[]>,
): Promise<readonly LogEvent[]> {
  return webhooks.some(({ events }) => events.includes(type)) ? read() : [];
}

function deliveriesOf(webhooks: readonly Webhook[], events: readonly LogEvent[]) {
  return webhooks.flatMap((webhook) =>
    events
      .filter(({ type }) => webhook.events.includes(type))
      .map((event) => ({ webhookId: webhook.id, ...event })),
  );
}

/** The events of a source for one webhook, from a position on, for a replay: the position behind them, and what to queue. */
export async function replayedEvents(
  db: Db,
  webhook: Webhook,
  source: FollowedSource,
  after: number,
  upTo: number,
) {
  const last = Math.min(upTo, after + eventsAtOnce);
  return { last, deliveries: deliveriesOf([webhook], await responseEvents(db, source, after, last)) };
}
