// What would be deleted or emptied if a time was believed, in numbers: for an operator who is to say that a clock is right. The
// conditions are those of the statements that delete. Accounts are asked one after the other, for as long as there is patience.

import sql, { raw, type Sql } from 'sql-template-tag';
import { dayMs, dayOf } from '../domain/dates.ts';
import { type EndedKind, endedKinds } from '../domain/operations/ended-kind.ts';
import { endedViews } from './access/shared-views.ts';
import { wholeStore } from './engine/audit.ts';
import { endedEntries } from './engine/audit-log.ts';
import { type Db, limitOf } from './engine/db.ts';
import type { TrustedMs } from './engine/trusted-time.ts';
import { countRetained, retainedSources } from './erasure/retention.ts';
import { endedChanges } from './feedback/change-end.ts';
import { endedBodies } from './feedback/quarantine.ts';
import { endedRefusals } from './feedback/refusals.ts';
import { endedRevocations } from './pages/invitations.ts';
import { endedLinks } from './people/one-time-links.ts';
import { endedSessionRows } from './people/sessions.ts';
import { endedRequests } from './provisioning/provisioning-log.ts';
import { endedDeliveries } from './webhooks/deliveries.ts';

export interface EndedRows {
  readonly counts: Readonly<Record<EndedKind, number>>;
  /** False where there is more than was counted. */
  readonly isWhole: boolean;
}

export interface CountLimits {
  /** Entries of the audit log are kept for so many days; 0 is for ever. */
  readonly auditKeepDays: number;
  /** Changes of the feed are kept for so many days; 0 is for ever. */
  readonly changesDays: number;
  /** Asked between two questions: false when there is no time left. */
  readonly mayGoOn: () => boolean;
}

const accountsAtOnce = 100;
// So many of one account and kind are counted; nobody decides otherwise because of more.
const countedMax = 100_000;

export async function countEndedRows(
  db: Db,
  now: TrustedMs,
  { auditKeepDays, changesDays, mayGoOn }: CountLimits,
): Promise<EndedRows> {
  const counts = Object.fromEntries(endedKinds.map((kind) => [kind, 0])) as Record<EndedKind, number>;
  let isWhole = true;
  for (let last: number | null = null; ; ) {
    const accounts = await accountsAfter(db, last);
    for (const accountId of accounts)
      for (const [kind, table, ended] of endedTables(now, { auditKeepDays, changesDays }, accountId)) {
        if (!mayGoOn()) return { counts, isWhole: false };
        const count = await countOf(db, table, accountId, ended);
        counts[kind] += count;
        isWhole &&= count < countedMax;
        await nextTurn();
      }
    if (accounts.length < accountsAtOnce) break;
    last = accounts.at(-1)!;
  }
  for await (const sources of retainedSources(db))
    for (const source of sources) {
      const whole = await countRetained(db, source, dayOf(now), (more) => {
        counts.responses += more;
        return mayGoOn();
      });
      if (!whole) return { counts, isWhole: false };
    }
  return { counts, isWhole };
}

function endedTables(
  now: TrustedMs,
  { auditKeepDays, changesDays }: Pick<CountLimits, 'auditKeepDays' | 'changesDays'>,
  accountId: number,
): readonly (readonly [kind: EndedKind, table: string, ended: Sql])[] {
  return [
    ['refusedResponses', 'refused_response', endedRefusals(now)],
    ['refusedResponses', 'quarantined_response', endedBodies(now)],
    ['sessions', 'session', endedSessionRows(now)],
    ['links', 'one_time_link', endedLinks(now)],
    ['sharedViews', 'shared_view', endedViews(now)],
    ['invitations', 'revoked_invitation', endedRevocations(now)],
    ['deliveries', 'webhook_delivery', endedDeliveries(now)],
    ['provisioningRequests', 'provisioning_request', endedRequests(now)],
    ...(changesDays === 0
      ? []
      : ([
          ['changes', 'log_change', sql`${endedChanges(now, changesDays)} and ${isNotNewest(accountId)}`],
        ] as const)),
    ...(auditKeepDays === 0
      ? []
      : ([['auditEntries', 'audit', endedEntries(now, auditKeepDays * dayMs)]] as const)),
  ];
}

/** The newest change of a source stays. */
function isNotNewest(accountId: number): Sql {
  return sql`exists (
    select 1
    from log_counter
    where log_counter.account_id = ${accountId} and log_counter.source_id = log_change.source_id
      and log_counter.change_no > log_change.change_no
  )`;
}

/** The store's own rows, and those of operators, are of account 0. */
async function accountsAfter(db: Db, last: number | null): Promise<readonly number[]> {
  const rows = await db.read<{ id: number }>(sql`
    select id
    from account
    where id > ${last ?? wholeStore}
    order by id
    limit ${limitOf(last === null ? accountsAtOnce - 1 : accountsAtOnce)}`);
  const ids = rows.map(({ id }) => id);
  return last === null ? [wholeStore, ...ids] : ids;
}

async function countOf(db: Db, table: string, accountId: number, ended: Sql): Promise<number> {
  const [row] = await db.read<{ count: number }>(sql`
    select count(*) as count
    from (
      select 1 as one
      from ${raw(table)}
      where account_id = ${accountId} and ${ended}
      limit ${limitOf(countedMax)}
    ) as ended_row`);
  return Number(row?.count ?? 0);
}

/** Requests of this process come first. */
function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
