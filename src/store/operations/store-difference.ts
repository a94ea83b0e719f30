// What a store has that a backup of it has not: for whoever is about to restore the backup, or just did.

import { existsSync } from 'node:fs';
import sql from 'sql-template-tag';
import { StoreFault } from '../engine/store-fault.ts';
import { openDb } from '../open-db.ts';
import type { StoreContent } from './backup-check.ts';

interface LostSource {
  readonly accountId: number;
  readonly kind: string;
  readonly key: number;
  readonly responses: number;
}

export interface StoreDifference {
  /** Sources with responses that the backup has not. */
  readonly sources: readonly LostSource[];
  readonly responses: number;
  /** What was done since, by the audit log: how often each. */
  readonly actions: readonly { readonly action: string; readonly count: number }[];
}

const sourcesMax = 1_000_000;
const timeoutMs = 10_000;

/** Looks at a store as it is, without bringing its schema up to date. */
export async function differenceOf(
  storePath: string,
  content: StoreContent,
  sinceMs: number,
): Promise<StoreDifference> {
  if (!existsSync(storePath)) throw new StoreFault(`There is no store at ${storePath}.`);
  const db = await openDb(`sqlite:${storePath}`, { timeoutMs, poolSize: 1 });
  try {
    const inBackup = new Map(
      content.positions.map(({ accountId, kind, key, position }) => [
        `${accountId} ${kind} ${key}`,
        position,
      ]),
    );
    const rows = await db.read<Omit<LostSource, 'responses'> & { position: number }>(sql`
      select source.account_id as "accountId", source.kind as kind, source.source_key as key,
        log_counter.last_seq as position
      from source
      join log_counter on log_counter.account_id = source.account_id and log_counter.source_id = source.source_id
      order by 1, 2, 3
      limit ${sourcesMax}`);
    const sources = rows
      .map(({ accountId, kind, key, position }) => ({
        accountId,
        kind,
        key,
        responses: position - (inBackup.get(`${accountId} ${kind} ${key}`) ?? 0),
      }))
      .filter(({ responses }) => responses > 0);
    const actions = await db.read<{ action: string; count: number }>(sql`
      select action, count(*) as count
      from audit
      where at >= ${sinceMs} and action not like 'backup.%'
      group by action
      order by action
      limit 1000`);
    return { sources, responses: sources.reduce((sum, one) => sum + one.responses, 0), actions };
  } finally {
    await db.close();
  }
}
