// The catalogue from its first account to its last, a few hundred measures and projects at a time, for
// `soundings catalogue dump` (D-212).

import sql, { empty } from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type {
  CatalogueAccount,
  Measure,
  Project,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';
import { catalogueConnections } from '../access/catalogue-connections.ts';
import { limitsOf } from '../access/clients.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { catalogueWebhooks } from '../webhooks/webhooks.ts';
import {
  type AccountRow,
  insightOfColumn,
  readSurveys,
  retainDaysOfColumn,
  type SourceDocument,
  type SourceRow,
  slicesOf,
  versionsOfSource,
} from './catalogue-rows.ts';

const accountsAtOnce = 500;
const sourcesAtOnce = 500;
// Of definitions, in one part of an account; a document may have twice as much.
const partBytesMax = 4 * 1024 * 1024;

/**
 * The whole catalogue, or one account of it, in the order of ids. An account that is large comes in several parts, one
 * after the other; limits, retainDays, insight and webhooks stand in the first. A few hundred sources are in memory at a time.
 */
export async function* keptAccounts(db: Db, accountId: number | null): AsyncGenerator<CatalogueAccount> {
  let last = accountId === null ? 0 : accountId - 1;
  for (;;) {
    const accounts = await db.read<AccountRow>(sql`
      select id, name, limits, retain_days, insight_minimum
      from account
      where removed_at is null and id > ${last} ${accountId === null ? empty : sql`and id = ${accountId}`}
      order by id
      limit ${limitOf(accountsAtOnce)}`);
    if (accounts.length === 0) return;
    const ids = accounts.map(({ id }) => id);
    const webhooks = new Map(await catalogueWebhooks(db, ids));
    const connections = new Map(await catalogueConnections(db, ids));
    for await (const part of inParts(db, accounts)) {
      // Like limits they stand in the first part of their account.
      yield {
        ...part,
        webhooks: webhooks.get(part.id) ?? [],
        connections: connections.get(part.id) ?? [],
      };
      webhooks.delete(part.id);
      connections.delete(part.id);
    }
    last = accounts.at(-1)!.id;
  }
}

async function* inParts(db: Db, accounts: readonly AccountRow[]): AsyncGenerator<CatalogueAccount> {
  const left = [...accounts];
  let part = emptyPart(left.shift()!);
  for await (const { accountId, kind, source, bytes } of keptSources(db, accounts)) {
    while (part.account.id !== accountId) {
      yield part.account;
      part = emptyPart(left.shift()!);
    }
    if (part.bytes > 0 && part.bytes + bytes > partBytesMax) {
      yield part.account;
      const { id, name } = part.account;
      part = emptyPart({ id, name, limits: null, retain_days: null, insight_minimum: 1 });
    }
    part.bytes += bytes;
    if (kind === 'measure') part.account.measures.push(source as Measure);
    else part.account.projects.push(source as Project);
  }
  yield part.account;
  for (const account of left) yield emptyPart(account).account;
}

function emptyPart({ id, name, limits, retain_days: retainDays, insight_minimum: minimum }: AccountRow) {
  const measures: Measure[] = [];
  const projects: Project[] = [];
  const insight = insightOfColumn(minimum);
  return {
    account: { id, name, limits: limitsOf(limits), retainDays, insight, measures, projects },
    bytes: 0,
  };
}

interface KeptSourceOfAccount {
  readonly accountId: number;
  readonly kind: SourceName['kind'];
  readonly source: Measure | Project;
  readonly bytes: number;
}

async function* keptSources(db: Db, accounts: readonly AccountRow[]): AsyncGenerator<KeptSourceOfAccount> {
  const ids = accounts.map(({ id }) => id);
  const versions = versionsOfSource(ids.map((accountId) => ({ accountId })));
  let last = { account_id: 0, source_id: 0 };
  for (;;) {
    const rows = await db.read<SourceRow>(sql`
      select account_id, source_id, kind, source_key, document, retain_days, ${versions}
      from source
      where ${db.dialect.isAmong(sql`account_id`, ids, 'integer')}
        and (account_id, source_id) > (${last.account_id}, ${last.source_id})
      order by account_id, source_id
      limit ${limitOf(sourcesAtOnce)}`);
    if (rows.length === 0) return;
    for (const slice of slicesOf(rows)) {
      const surveys = Map.groupBy(
        await readSurveys(db, slice),
        (row) => `${row.account_id} ${row.source_id}`,
      );
      for (const row of slice) {
        const versions = surveys.get(`${row.account_id} ${row.source_id}`) ?? [];
        yield {
          accountId: row.account_id,
          kind: row.kind,
          source: {
            ...(JSON.parse(row.document) as SourceDocument),
            retainDays: retainDaysOfColumn(row.retain_days),
            surveys: versions.map(({ document }) => JSON.parse(document) as SurveyDefinition),
          } as Measure | Project,
          bytes: versions.reduce((sum, { document }) => sum + document.length, row.document.length),
        };
      }
    }
    last = rows.at(-1)!;
  }
}
