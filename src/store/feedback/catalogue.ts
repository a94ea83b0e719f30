// Accounts, their measures and projects, and the versions of their surveys, as those who serve requests read them. What
// `soundings apply` reads is in kept-catalogue.ts, and what it writes in catalogue-group.ts.

import sql, { type Sql } from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { Measure, Project, SurveyDefinition } from '../../domain/feedback/definition.ts';
import type { Window } from '../../domain/window.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { BatchLoader } from '../engine/work/batch-loader.ts';

/** One version of a survey, with the small number that its rows in the log carry. */
export interface KeptSurvey {
  readonly number: number;
  readonly definition: SurveyDefinition;
}

interface SourceFacts {
  readonly accountId: number;
  readonly sourceId: number;
  /** Grows with every change of the definition: what was judged by an older one is judged again. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly surveys: readonly KeptSurvey[];
}

export type MeasureSource = SourceFacts & {
  readonly kind: 'measure';
  readonly measure: Omit<Measure, 'surveys'>;
};
export type ProjectSource = SourceFacts & {
  readonly kind: 'project';
  readonly project: Omit<Project, 'surveys'>;
};
/** A measure or a project as a stream of responses. */
export type Source = MeasureSource | ProjectSource;

/** The version that is shown as its definition; null while there is none. */
export function currentSurvey({ surveys }: Source): SurveyDefinition | null {
  return surveys.find(({ definition }) => definition.current)?.definition ?? null;
}

interface SourceRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly kind: 'measure' | 'project';
  readonly source_key: number;
  readonly document: string;
  readonly created_at: number;
  readonly revision: number;
}

interface SurveyRow {
  readonly source_id: number;
  readonly survey_no: number;
  readonly document: string;
}

/** The counters are asked one by one: in a join a planner with old statistics reads those of the whole account for each (D-750). */
function selectSources(accountId: number): Sql {
  return sql`
    select source.account_id, source.source_id, kind, source_key, document, created_at, (
      select revision
      from log_counter
      where log_counter.account_id = ${accountId} and log_counter.source_id = source.source_id
    ) as revision
    from source
    where source.account_id = ${accountId}`;
}

/** One row more than the window takes: its presence is the whole of `hasMore`, without a count. */
export async function listMeasures(
  db: Db,
  accountId: number,
  { skip, take }: Window,
): Promise<readonly MeasureSource[]> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and kind = 'measure'
    order by source_key
    limit ${limitOf(take + 1)}
    offset ${skip}`);
  return (await withSurveys(db, accountId, rows)) as readonly MeasureSource[];
}

/** All of them: an account has few projects, and the interface has no pages here. */
export async function listProjects(db: Db, accountId: number): Promise<readonly ProjectSource[]> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and kind = 'project'
    order by source_key
    limit 100000`);
  return (await withSurveys(db, accountId, rows)) as readonly ProjectSource[];
}

/** Measures and projects in the order in which they were made, behind one of them. */
export async function sourcesBehind(
  db: Db,
  accountId: number,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<readonly Source[]> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and kind in ('measure', 'project') and source.source_id > ${after}
    order by source.source_id
    limit ${limitOf(take)}`);
  return withSurveys(db, accountId, rows);
}

export async function findSource(db: Db, { accountId, kind, key }: SourceName): Promise<Source | null> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and kind = ${kind} and source_key = ${key}`);
  const [source] = await withSurveys(db, accountId, rows);
  return source ?? null;
}

/** Without its definition, which may be long. */
export async function findSourceId(
  db: Db,
  { accountId, kind, key }: SourceName,
): Promise<number | undefined> {
  const [row] = await db.read<{ source_id: number }>(sql`
    select source_id
    from source
    where account_id = ${accountId} and kind = ${kind} and source_key = ${key}`);
  return row?.source_id;
}

/** Those with these ids, of one account. */
export async function findSources(
  db: Db,
  accountId: number,
  sourceIds: readonly number[],
): Promise<readonly Source[]> {
  if (sourceIds.length === 0) return [];
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and ${db.dialect.isAmong(sql`source.source_id`, sourceIds, 'integer')}
    order by source.source_id
    limit 100000`);
  return withSurveys(db, accountId, rows);
}

/** A measure or project with the number that its rows carry. */
export interface NumberedName extends SourceName {
  readonly sourceId: number;
}

/** The names of measures and projects behind one of them, in the order in which they were made. */
export async function sourceNamesBehind(
  db: Db,
  accountId: number,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<readonly NumberedName[]> {
  const rows = await db.read<{ source_id: number; kind: SourceName['kind']; source_key: number }>(sql`
    select source_id, kind, source_key
    from source
    where account_id = ${accountId} and kind in ('measure', 'project') and source_id > ${after}
    order by source_id
    limit ${limitOf(take)}`);
  return rows.map(({ source_id: sourceId, kind, source_key: key }) => ({ accountId, sourceId, kind, key }));
}

/** The names of an account's measures and projects, in the order in which they were made. */
export async function listSourceNames(db: Db, accountId: number): Promise<readonly SourceName[]> {
  const rows = await db.read<{ kind: SourceName['kind']; source_key: number }>(sql`
    select kind, source_key
    from source
    where account_id = ${accountId} and kind in ('measure', 'project')
    order by source_id
    limit 100000`);
  return rows.map(({ kind, source_key: key }) => ({ accountId, kind, key }));
}

/** The source that a survey id belongs to, whoever owns it: ingestion knows no more when it begins. */
export async function findSourceOfSurvey(db: Db, surveyId: string): Promise<Source | null> {
  const [owner] = await db.read<{ account_id: number }>(sql`
    select account_id from survey_owner where survey_id = ${surveyId}`);
  if (owner === undefined) return null;
  const accountId = owner.account_id;
  const rows = await db.read<SourceRow>(sql`
    ${selectSources(accountId)} and source.source_id = (
      select source_id
      from survey
      where account_id = ${accountId} and survey_id = ${surveyId}
    )`);
  const [source] = await withSurveys(db, accountId, rows);
  return source ?? null;
}

async function withSurveys(
  db: Db,
  accountId: number,
  rows: readonly SourceRow[],
): Promise<readonly Source[]> {
  if (rows.length === 0) return [];
  const sourceIds = rows.map((row) => row.source_id);
  const surveys = await db.read<SurveyRow>(sql`
    select source_id, survey_no, document
    from survey
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`source_id`, sourceIds, 'integer')}
    order by source_id, survey_no
    limit 100000`);
  const bySource = Map.groupBy(surveys, (row) => row.source_id);
  return rows.map((row) => sourceOf(row, bySource.get(row.source_id) ?? []));
}

function sourceOf(row: SourceRow, surveys: readonly SurveyRow[]): Source {
  const facts: SourceFacts = {
    accountId: row.account_id,
    sourceId: row.source_id,
    revision: row.revision,
    createdAtMs: row.created_at,
    surveys: surveys.map((survey) => ({
      number: survey.survey_no,
      definition: JSON.parse(survey.document) as SurveyDefinition,
    })),
  };
  const document: unknown = JSON.parse(row.document);
  return row.kind === 'measure'
    ? { ...facts, kind: 'measure', measure: document as Omit<Measure, 'surveys'> }
    : { ...facts, kind: 'project', project: document as Omit<Project, 'surveys'> };
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await firstAccountId(db)) !== null;
}

export async function firstAccountId(db: Db): Promise<number | null> {
  const [row] = await db.read<{ id: number }>(sql`
    select id from account where removed_at is null order by id limit 1`);
  return row?.id ?? null;
}

/** The only account of a store; null where there are several or none. */
export async function onlyAccountId(db: Db): Promise<number | null> {
  const rows = await db.read<{ id: number }>(sql`
    select id from account where removed_at is null order by id limit 2`);
  return rows.length === 1 ? rows[0]!.id : null;
}

export async function hasAccount(db: Db, accountId: number): Promise<boolean> {
  return (
    (
      await db.read(sql`
    select id from account where id = ${accountId} and removed_at is null`)
    ).length > 0
  );
}

/** Null where there is no such account. */
export async function accountName(db: Db, accountId: number): Promise<string | null> {
  const [row] = await db.read<{ name: string }>(sql`
    select name from account where id = ${accountId} and removed_at is null`);
  return row?.name ?? null;
}

const askGeneration = sql`select generation from catalogue_generation where id = 1`;

/** Grows with every catalogue that is applied, whatever it changes. */
export async function catalogueGeneration(db: Db): Promise<number> {
  const [counter] = await db.read<{ generation: number }>(askGeneration);
  return counter?.generation ?? 0;
}

const revisions = new BatchLoader<number, number>(async (db, accountId, sourceIds) => {
  const rows = await db.read<{ source_id: number; revision: number }>(sql`
    select source_id, revision
    from log_counter
    where account_id = ${accountId} and ${db.dialect.isAmong(sql`source_id`, sourceIds, 'integer')}
    order by source_id
    limit 100000`);
  return new Map(rows.map(({ source_id: sourceId, revision }) => [sourceId, revision]));
});

/** The revision that a definition has now; those who ask in the same turn ask together. */
export function sourceRevision(db: Db, accountId: number, sourceId: number): Promise<number | null> {
  return revisions.find(db, accountId, sourceId);
}
