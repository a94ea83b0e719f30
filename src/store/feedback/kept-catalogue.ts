// What is kept of the accounts, measures and projects that a file names, as `soundings apply` compares them: a group at a
// time, by a handful of statements, whatever their number (D-211). catalogue-group.ts writes what differs.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { KeptCatalogue, SourceName } from '../../domain/feedback/catalogue-change.ts';
import type {
  Catalogue,
  CatalogueAccount,
  Measure,
  Project,
  RetainDays,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';
import { catalogueConnections } from '../access/catalogue-connections.ts';
import { limitsOf } from '../access/clients.ts';
import type { Db } from '../engine/db.ts';
import { catalogueWebhooks } from '../webhooks/webhooks.ts';
import { catalogueGeneration } from './catalogue.ts';
import {
  type AccountRow,
  insightOfColumn,
  nameText,
  onlyAccount,
  readSurveys,
  retainDaysOfColumn,
  type SourceDocument,
  type SourceRow,
  type SurveyName,
  type SurveyRow,
  slicesOf,
  usedVersions,
  versionsOfSource,
} from './catalogue-rows.ts';
import { keptPageNames } from './page-names.ts';

/** What is kept of everything that a group touches, and what has to be known to add to it. */
export interface KeptGroup extends KeptCatalogue {
  /** Of the whole catalogue: when it has moved on, the comparison is stale. */
  readonly generation: number;
  readonly sources: ReadonlyMap<string, KeptSource>;
  /** The last source id of each account. */
  readonly lastSourceIds: ReadonlyMap<number, number>;
}

export interface KeptSource {
  readonly accountId: number;
  readonly sourceId: number;
  readonly document: SourceDocument;
  readonly retainDays: RetainDays;
  readonly surveys: Map<string, { readonly number: number; readonly definition: SurveyDefinition }>;
}

export async function readKept(db: Db, wanted: Catalogue): Promise<KeptGroup> {
  const generation = await catalogueGeneration(db);
  const names = sourceNamesOf(wanted);
  const namesOf = Map.groupBy(names, ({ accountId }) => accountId);
  const surveyIds = new Set(surveyIdsOf(wanted));
  const known = await readAccounts(db, wanted);
  const accounts = known.filter(({ removed_at: removedAt }) => removedAt === null);
  const ids = accounts.map(({ id }) => id);
  const webhooks = await catalogueWebhooks(db, ids);
  const connections = await catalogueConnections(db, ids);
  const rows = await readSources(db, names);
  const sources = new Map<string, KeptSource>();
  for (const slice of slicesOf(rows)) {
    const surveys = Map.groupBy(await readSurveys(db, slice), (row) => `${row.account_id} ${row.source_id}`);
    for (const row of slice) {
      const { account_id: accountId, source_id: sourceId, kind, source_key: key, document } = row;
      const kept = (surveys.get(`${accountId} ${sourceId}`) ?? []).map((row) => keptSurvey(row, surveyIds));
      sources.set(nameText({ accountId, kind, key }), {
        accountId,
        sourceId,
        document: JSON.parse(document) as KeptSource['document'],
        retainDays: retainDaysOfColumn(row.retain_days),
        surveys: new Map(kept.map((survey) => [survey.definition.id, survey])),
      });
    }
  }
  return {
    generation,
    sources,
    catalogue: {
      accounts: accounts.map((account) => ({
        ...withSources(account, namesOf.get(account.id), sources),
        webhooks: webhooks.get(account.id) ?? [],
        connections: connections.get(account.id) ?? [],
      })),
    },
    surveysWithResponses: await usedAmong(db, [...wantedSurveys(wanted), ...currentOnes(sources.values())]),
    surveysElsewhere: await elsewhere(db, surveyIds, sources),
    removedAccounts: new Set(known.flatMap((row) => (row.removed_at === null ? [] : [row.id]))),
    lastSourceIds: await readLastSourceIds(db, wanted),
    pageNames: await keptPageNames(db, wanted),
  };
}

interface KnownAccount extends AccountRow {
  readonly removed_at: number | null;
}

async function readAccounts(db: Db, { accounts }: Catalogue): Promise<readonly KnownAccount[]> {
  const ids = accounts.map(({ id }) => id);
  return db.read<KnownAccount>(sql`
    select id, name, limits, retain_days, insight_minimum, removed_at
    from account
    where ${db.dialect.isAmong(sql`id`, ids, 'integer')}
    order by id`);
}

async function readSources(db: Db, names: readonly SourceName[]): Promise<readonly SourceRow[]> {
  if (names.length === 0) return [];
  const wanted = db.dialect.rowsWithKeys({
    table: 'source',
    key: [
      ['account_id', 'integer'],
      ['kind', 'text'],
      ['source_key', 'integer'],
    ],
    keys: names.map(({ accountId, kind, key }) => [accountId, kind, key]),
  });
  return db.read<SourceRow>(sql`
    select source.account_id, source.source_id, source.kind, source.source_key, document, retain_days,
      ${versionsOfSource(names)}
    from ${wanted}
    order by 1, 2`);
}

/** Of a version that the file does not name, and that need not step back, the types of its latents are enough. */
function keptSurvey(
  row: SurveyRow,
  named: ReadonlySet<string>,
): { number: number; definition: SurveyDefinition } {
  const definition = JSON.parse(row.document) as SurveyDefinition;
  if (definition.current || named.has(row.survey_id)) return { number: row.survey_no, definition };
  const latents = definition.latents.map((latent) => ({ ...latent, questions: [] }));
  const rest = { latents, questions: [], parameters: { custom: [], external: [] } };
  return { number: row.survey_no, definition: { ...definition, ...rest } };
}

function withSources(
  { id, name, limits, retain_days: retainDays, insight_minimum: minimum }: AccountRow,
  names: readonly SourceName[] | undefined,
  sources: ReadonlyMap<string, KeptSource>,
): CatalogueAccount {
  const ofKind = <T>(kind: SourceName['kind']): T[] =>
    (names ?? []).flatMap((wanted) => {
      const source = wanted.kind === kind ? sources.get(nameText(wanted)) : undefined;
      if (source === undefined) return [];
      const surveys = [...source.surveys.values()].map(({ definition }) => definition);
      return [{ ...source.document, retainDays: source.retainDays, surveys } as T];
    });
  return {
    id,
    name,
    limits: limitsOf(limits),
    retainDays,
    insight: insightOfColumn(minimum),
    measures: ofKind<Measure>('measure'),
    projects: ofKind<Project>('project'),
  };
}

/** The versions that may have to step back for another one, although the file does not name them. */
function* currentOnes(sources: Iterable<KeptSource>): Generator<SurveyName> {
  for (const { accountId, surveys } of sources)
    for (const { definition } of surveys.values())
      if (definition.current) yield { accountId, surveyId: definition.id };
}

/** Of these versions: those that have responses. */
async function usedAmong(db: Db, named: readonly SurveyName[]): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set();
  const rows = await db.read<{ survey_id: string }>(sql`
    select survey_used.survey_id
    from ${usedVersions(db.dialect, named)}
    order by 1`);
  return new Set(rows.map(({ survey_id: id }) => id));
}

/** Of the wanted survey ids: those that belong to another source than the one that names them. */
async function elsewhere(
  db: Db,
  surveyIds: ReadonlySet<string>,
  sources: ReadonlyMap<string, KeptSource>,
): Promise<ReadonlySet<string>> {
  if (surveyIds.size === 0) return new Set();
  const owned = await db.read<{ survey_id: string }>(sql`
    select survey_id
    from survey_owner
    where ${db.dialect.isAmong(sql`survey_id`, [...surveyIds], 'text')}
    order by survey_id`);
  // What is among the sources of this group is told from there: the comparison sees whose it is.
  const here = new Set([...sources.values()].flatMap(({ surveys }) => [...surveys.keys()]));
  return new Set(owned.flatMap(({ survey_id: id }) => (here.has(id) ? [] : [id])));
}

/** Numbers of sources that were removed are not given again. */
async function readLastSourceIds(db: Db, { accounts }: Catalogue): Promise<ReadonlyMap<number, number>> {
  const ids = accounts.map(({ id }) => id);
  const account = onlyAccount(ids.map((accountId) => ({ accountId }))) ?? sql`account.id`;
  // By itself for each account the key answers it; grouped, all of their rows would be read.
  const lastOf = (table: string): Sql => sql`(
    select max(source_id)
    from ${raw(table)}
    where ${raw(table)}.account_id = ${account}
  )`;
  const rows = await db.read<{ id: number; last: number | null; removed: number | null }>(sql`
    select id, ${lastOf('source')} as last, ${lastOf('removed_source')} as removed
    from account
    where ${db.dialect.isAmong(sql`id`, ids, 'integer')}
    order by id`);
  return new Map(rows.map(({ id, last, removed }) => [id, Math.max(last ?? 0, removed ?? 0)]));
}

function sourceNamesOf({ accounts }: Catalogue): SourceName[] {
  return accounts.flatMap(({ id: accountId, measures, projects }) => [
    ...measures.map(({ key }) => ({ accountId, kind: 'measure', key }) as const),
    ...projects.map(({ id: key }) => ({ accountId, kind: 'project', key }) as const),
  ]);
}

function wantedSurveys({ accounts }: Catalogue): SurveyName[] {
  return accounts.flatMap(({ id: accountId, measures, projects }) =>
    [...measures, ...projects].flatMap(({ surveys }) =>
      surveys.map(({ id }) => ({ accountId, surveyId: id })),
    ),
  );
}

function surveyIdsOf(wanted: Catalogue): string[] {
  return wantedSurveys(wanted).map(({ surveyId }) => surveyId);
}
