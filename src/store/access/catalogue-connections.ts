// Connections as a catalogue has them: by name, without their secrets (D-359).

import sql from 'sql-template-tag';
import { connectionsPerAccount } from '../../domain/access/connection.ts';
import type { CatalogueConnection } from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { beginAnew, namesOthers } from './connections.ts';

const connectionsMax = 100_000;

/** Those of these accounts, in the order of their names. */
export async function catalogueConnections(
  db: Db,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CatalogueConnection[]>> {
  const rows = await db.read<CatalogueConnection & { readonly accountId: number }>(sql`
    select account_id as "accountId", name, issuer, client_id as "clientId", subject_claim as "subjectClaim"
    from connection
    where ${db.dialect.isAmong(sql`account_id`, accountIds, 'integer')}
    order by account_id, name
    limit ${limitOf(connectionsMax)}`);
  return new Map(
    [...Map.groupBy(rows, ({ accountId }) => accountId)].map(([accountId, ofAccount]) => [
      accountId,
      ofAccount.map(({ accountId: _, ...one }) => one),
    ]),
  );
}

/** New ones have no secret, and let nobody in before "soundings connection secret" has set one. */
export function* keepConnections(
  { changeId, nowMs }: Pick<ChangeStamp, 'changeId' | 'nowMs'>,
  accountId: number,
  connections: readonly CatalogueConnection[],
): Steps<void> {
  if (connections.length === 0) return;
  const { rows } = yield sql`
    select id, name, issuer, client_id as "clientId", subject_claim as "subjectClaim"
    from connection
    where account_id = ${accountId}
    limit 1000`;
  const kept = new Map(
    (rows as unknown as readonly (CatalogueConnection & { readonly id: string })[]).map((one) => [
      one.name,
      one,
    ]),
  );
  const names = new Set([...kept.keys(), ...connections.map(({ name }) => name)]);
  if (names.size > connectionsPerAccount)
    throw new Problem(
      'CONFLICT',
      `Account ${accountId} would have ${names.size} connections, and ${connectionsPerAccount} is the most: remove one by "soundings connection remove".`,
    );
  for (const [index, wanted] of connections.entries()) {
    const { name, issuer, clientId, subjectClaim } = wanted;
    const before = kept.get(name);
    if (before === undefined)
      yield sql`
        insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at)
        values (${accountId}, ${`cn_${changeId.replaceAll('-', '')}_${accountId}_${index}`}, ${name}, ${issuer},
          ${clientId}, ${subjectClaim}, 0, ${nowMs})`;
    else if (namesOthers(before, wanted)) {
      yield sql`
        update connection
        set issuer = ${issuer}, client_id = ${clientId}, subject_claim = ${subjectClaim}
        where account_id = ${accountId} and id = ${before.id}`;
      yield* beginAnew(accountId, before.id);
    }
  }
}
