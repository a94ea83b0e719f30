// Accounts and what they measure, as `soundings apply` keeps them.

import sql, { type Sql } from 'sql-template-tag';
import type { CatalogueAccount, Channel, Measure } from '../domain/catalogue.ts';
import type { Window } from '../domain/window.ts';
import { auditStatement } from './audit.ts';
import type { Db, StatementResult } from './db.ts';

type Steps<T> = Generator<Sql, T, StatementResult>;

interface MeasureRow {
  readonly measure_key: number;
  readonly name: string;
  readonly channel: string;
  readonly active: number;
  readonly created_at: number;
}

/** One row more than the window takes: its presence is the whole of `hasMore`, without a count. */
export async function listMeasures(
  db: Db,
  accountId: number,
  { skip, take }: Window,
): Promise<readonly Measure[]> {
  const rows = await db.read<MeasureRow>(sql`
    select measure_key, name, channel, active, created_at
    from measure
    where account_id = ${accountId}
    order by measure_key
    limit ${take + 1}
    offset ${skip}`);
  return rows.map(measureOf);
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.read(sql`select id from account limit 1`)).length > 0;
}

export async function hasAccount(db: Db, id: number): Promise<boolean> {
  return (await db.read(sql`select id from account where id = ${id}`)).length > 0;
}

/** The accounts of these ids with their measures, as far as they exist. */
export async function readAccounts(db: Db, ids: readonly number[]): Promise<readonly CatalogueAccount[]> {
  const accounts: CatalogueAccount[] = [];
  for (const id of ids) {
    const [account] = await db.read<{ name: string }>(sql`select name from account where id = ${id}`);
    if (account === undefined) continue;
    const rows = await db.read<MeasureRow>(sql`
      select measure_key, name, channel, active, created_at
      from measure
      where account_id = ${id}
      order by measure_key
      limit 100000`);
    accounts.push({ id, name: account.name, measures: rows.map(measureOf) });
  }
  return accounts;
}

function measureOf(row: MeasureRow): Measure {
  return {
    key: row.measure_key,
    name: row.name,
    channel: row.channel as Channel,
    active: row.active === 1,
    createdAtMs: row.created_at,
  };
}

export interface ApplyCatalogue {
  readonly changeId: string;
  readonly nowMs: number;
  readonly actor: string;
  readonly accounts: readonly CatalogueAccount[];
}

/** Everything or nothing; what the file does not name stays as it is (D-47). */
export function* applyCatalogue({ changeId, nowMs, actor, accounts }: ApplyCatalogue): Steps<void> {
  for (const account of accounts) {
    yield sql`
      insert into account (id, name, created_at)
      values (${account.id}, ${account.name}, ${nowMs})
      on conflict (id) do update
      set name = excluded.name`;
    for (const measure of account.measures) {
      yield sql`
        insert into measure (account_id, measure_key, name, channel, active, created_at)
        values (${account.id}, ${measure.key}, ${measure.name}, ${measure.channel}, ${measure.active ? 1 : 0}, ${nowMs})
        on conflict (account_id, measure_key) do update
        set name = excluded.name, channel = excluded.channel, active = excluded.active`;
    }
    yield auditStatement({
      accountId: account.id,
      id: changeId,
      atMs: nowMs,
      actor,
      action: 'catalogue.apply',
      subject: `account ${account.id}`,
    });
  }
}
