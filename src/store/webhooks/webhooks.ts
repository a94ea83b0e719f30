// The webhooks of accounts: where events are sent, and the sealed secrets that sign them (D-242).

import sql, { empty } from 'sql-template-tag';
import type { CatalogueWebhook } from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import { eventsOf, eventsText, webhooksPerAccount } from '../../domain/webhooks/webhook.ts';
import { requireAccount } from '../access/known-account.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { deliveryEndTask, webhookTask } from './follower-name.ts';

export interface Webhook {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Sealed; null where none was made yet, and then nothing is sent. */
  readonly secret: string | null;
  /** Sealed; while a receiver learns the new one, messages carry a signature of each. */
  readonly olderSecret: string | null;
  readonly createdAtMs: number;
}

const webhooksMax = 100_000;

interface WebhookRow extends Omit<Webhook, 'events'> {
  readonly events: string;
}

/** All of them, or those of an account. */
export async function listWebhooks(db: Db, accountId: number | null): Promise<readonly Webhook[]> {
  const rows = await db.read<WebhookRow>(sql`
    select id, account_id as "accountId", name, url, events, secret, older_secret as "olderSecret",
      created_at as "createdAtMs"
    from webhook
    ${accountId === null ? empty : sql`where account_id = ${accountId}`}
    order by account_id, id
    limit ${limitOf(webhooksMax)}`);
  return rows.map((row) => ({ ...row, events: eventsOf(row.events) }));
}

/** Some of all accounts behind one, in the order of accounts and ids. */
export async function webhooksBehind(
  db: Db,
  after: Pick<Webhook, 'accountId' | 'id'>,
  take: number,
): Promise<readonly Webhook[]> {
  const rows = await db.read<WebhookRow>(sql`
    select id, account_id as "accountId", name, url, events, secret, older_secret as "olderSecret",
      created_at as "createdAtMs"
    from webhook
    where (account_id, id) > (${after.accountId}, ${after.id})
    order by account_id, id
    limit ${limitOf(take)}`);
  return rows.map((row) => ({ ...row, events: eventsOf(row.events) }));
}

export async function findWebhook(db: Db, id: string): Promise<Webhook | null> {
  const [row] = await db.read<WebhookRow>(sql`
    select id, account_id as "accountId", name, url, events, secret, older_secret as "olderSecret",
      created_at as "createdAtMs"
    from webhook
    where id = ${id}`);
  return row === undefined ? null : { ...row, events: eventsOf(row.events) };
}

/** What a webhook is bound to when its secret is sealed. */
export function secretPurpose(accountId: number, id: string): string {
  return `secret of webhook ${id} of account ${accountId}`;
}

export async function webhookSecretsSealedBy(db: Db, kid: string): Promise<number> {
  const [row] = await db.read<{ count: number }>(sql`
    select count(*) as count
    from webhook
    where secret_kid = ${kid} or older_secret_kid = ${kid}`);
  return row?.count ?? 0;
}

interface SealedSecret {
  readonly kid: string;
  readonly text: string;
}

export interface CreateWebhook extends ChangeStamp {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret: SealedSecret | null;
}

/** It hears of what happens from now on: what is in the logs already can be replayed. */
export function* createWebhook(input: CreateWebhook): Steps<void> {
  const { accountId, id, name, url, secret, nowMs } = input;
  yield* requireAccount(accountId);
  const { rows } = yield sql`select name, events from webhook where account_id = ${accountId} limit 1000`;
  if (rows.some((row) => row.name === name))
    throw new Problem('CONFLICT', `Account ${accountId} has a webhook of the name ${name} already.`);
  if (rows.length >= webhooksPerAccount)
    throw new Problem(
      'CONFLICT',
      `Account ${accountId} has ${rows.length} webhooks already, which is the most.`,
    );
  yield sql`
    insert into webhook (id, account_id, name, url, events, secret, secret_kid, created_at)
    values (${id}, ${accountId}, ${name}, ${url}, ${eventsText(input.events)}, ${secret?.text ?? null},
      ${secret?.kid ?? null}, ${nowMs})`;
  yield auditStatement(input, {
    accountId,
    action: 'webhook.create',
    subject: `webhook ${id}`,
    details: { attributes: input.events },
  });
  if (!rows.some(followsLogs)) yield* followFromNow(accountId, nowMs);
}

/** Where no webhook wants to hear of responses nobody follows the logs, and a cursor of before stands where it stood. */
function followsLogs(row: Readonly<Record<string, unknown>>): boolean {
  return String(row.events).includes(' response.');
}

function* followFromNow(accountId: number, nowMs: number): Steps<void> {
  yield sql`
    insert into background_task (account_id, name, scope, cursor, moves, updated_at, failures)
    select log_counter.account_id, cast(${webhookTask} as text),
      'source ' || cast(log_counter.source_id as text),
      cast(log_counter.last_seq as text) || ' ' || cast(log_counter.change_no as text), 1, cast(${nowMs} as bigint), 0
    from log_counter
    where log_counter.account_id = ${accountId}
    on conflict (account_id, name, scope) do update
    set cursor = excluded.cursor, moves = background_task.moves + 1, updated_at = excluded.updated_at`;
}

interface WebhookChange extends ChangeStamp {
  readonly accountId: number;
  readonly id: string;
}

/** What is on its way to it goes too. */
export function* removeWebhook(input: WebhookChange): Steps<boolean> {
  const { accountId, id } = input;
  const { changed } = yield sql`delete from webhook where id = ${id} and account_id = ${accountId}`;
  if (changed === 0) return false;
  yield sql`delete from webhook_delivery where account_id = ${accountId} and webhook_id = ${id}`;
  yield sql`delete from webhook_state where account_id = ${accountId} and webhook_id = ${id}`;
  yield sql`
    delete from background_task
    where account_id = ${accountId} and name = ${deliveryEndTask} and scope = ${id}`;
  yield auditStatement(input, { accountId, action: 'webhook.remove', subject: `webhook ${id}` });
  return true;
}

/** A new secret beside the one of before; a further one takes the place of the oldest. */
export function* rotateWebhookSecret(
  input: WebhookChange & { readonly secret: SealedSecret },
): Steps<boolean> {
  const { accountId, id, secret } = input;
  const { changed } = yield sql`
    update webhook
    set older_secret = secret, older_secret_kid = secret_kid, secret = ${secret.text}, secret_kid = ${secret.kid}
    where id = ${id} and account_id = ${accountId}`;
  if (changed === 0) return false;
  yield auditStatement(input, { accountId, action: 'webhook.rotate', subject: `webhook ${id}` });
  return true;
}

export function* finishWebhookRotation(input: WebhookChange): Steps<boolean> {
  const { accountId, id } = input;
  const { changed } = yield sql`
    update webhook
    set older_secret = null, older_secret_kid = null
    where id = ${id} and account_id = ${accountId} and older_secret is not null`;
  if (changed === 0) return false;
  yield auditStatement(input, { accountId, action: 'webhook.rotate.finish', subject: `webhook ${id}` });
  return true;
}

/** The webhooks of these accounts as a catalogue has them, in the order of their names. */
export async function catalogueWebhooks(
  db: Db,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CatalogueWebhook[]>> {
  const rows = await db.read<{ accountId: number; name: string; url: string; events: string }>(sql`
    select account_id as "accountId", name, url, events
    from webhook
    where ${db.dialect.isAmong(sql`account_id`, accountIds, 'integer')}
    order by account_id, name
    limit ${limitOf(webhooksMax)}`);
  const webhooks = rows.map(({ accountId, events, ...one }) => ({
    accountId,
    ...one,
    events: eventsOf(events),
  }));
  return new Map(
    [...Map.groupBy(webhooks, ({ accountId }) => accountId)].map(([accountId, ofAccount]) => [
      accountId,
      ofAccount.map(({ accountId: _, ...one }) => one),
    ]),
  );
}

/** New ones get no secret, and so send nothing before "soundings webhook rotate" has made one. */
export function* keepWebhooks(
  { changeId, nowMs }: Pick<ChangeStamp, 'changeId' | 'nowMs'>,
  accountId: number,
  webhooks: readonly CatalogueWebhook[],
): Steps<void> {
  if (webhooks.length === 0) return;
  const { rows } = yield sql`select name, events from webhook where account_id = ${accountId} limit 1000`;
  const names = new Set([...rows.map((row) => String(row.name)), ...webhooks.map(({ name }) => name)]);
  if (names.size > webhooksPerAccount)
    throw new Problem(
      'CONFLICT',
      `Account ${accountId} would have ${names.size} webhooks, and ${webhooksPerAccount} is the most: remove one by "soundings webhook remove".`,
    );
  for (const [index, { name, url, events }] of webhooks.entries())
    yield sql`
      insert into webhook (id, account_id, name, url, events, created_at)
      values (${`wh_${changeId.replaceAll('-', '')}_${accountId}_${index}`}, ${accountId}, ${name}, ${url},
        ${eventsText(events)}, ${nowMs})
      on conflict (account_id, name) do update
      set url = excluded.url, events = excluded.events`;
  if (!rows.some(followsLogs)) yield* followFromNow(accountId, nowMs);
}
