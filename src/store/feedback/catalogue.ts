// Accounts, their measures and projects, and the versions of their surveys, as `soundings apply` keeps them.

import sql, { join } from 'sql-template-tag';
import type { CatalogueChange, KeptCatalogue, SourceName } from '../../domain/feedback/catalogue-change.ts';
import type {
  Catalogue,
  CatalogueAccount,
  Measure,
  Project,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import type { Window } from '../../domain/window.ts';
import { auditStatement } from '../engine/audit.ts';
import { BatchLoader } from '../engine/batch-loader.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

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

const selectSources = sql`
  select source.account_id, source.source_id, kind, source_key, document, created_at, revision
  from source
  join log_counter on log_counter.account_id = source.account_id and log_counter.source_id = source.source_id`;

/** One row more than the window takes: its presence is the whole of `hasMore`, without a count. */
export async function listMeasures(
  db: Db,
  accountId: number,
  { skip, take }: Window,
): Promise<readonly MeasureSource[]> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources}
    where source.account_id = ${accountId} and kind = 'measure'
    order by source_key
    limit ${limitOf(take + 1)}
    offset ${skip}`);
  return (await withSurveys(db, accountId, rows)) as readonly MeasureSource[];
}

/** All of them: an account has few projects, and the interface has no pages here. */
export async function listProjects(db: Db, accountId: number): Promise<readonly ProjectSource[]> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources}
    where source.account_id = ${accountId} and kind = 'project'
    order by source_key
    limit 100000`);
  return (await withSurveys(db, accountId, rows)) as readonly ProjectSource[];
}

export async function findSource(db: Db, { accountId, kind, key }: SourceName): Promise<Source | null> {
  const rows = await db.read<SourceRow>(sql`
    ${selectSources}
    where source.account_id = ${accountId} and kind = ${kind} and source_key = ${key}`);
  const [source] = await withSurveys(db, accountId, rows);
  return source ?? null;
}

/** The source that a survey id belongs to, whoever owns it: ingestion knows no more when it begins. */
export async function findSourceOfSurvey(db: Db, surveyId: string): Promise<Source | null> {
  const [owner] = await db.read<{ account_id: number; source_id: number }>(sql`
    select survey.account_id, source_id
    from survey_owner
    join survey on survey.account_id = survey_owner.account_id and survey.survey_id = survey_owner.survey_id
    where survey_owner.survey_id = ${surveyId}`);
  if (owner === undefined) return null;
  const rows = await db.read<SourceRow>(sql`
    ${selectSources}
    where source.account_id = ${owner.account_id} and source.source_id = ${owner.source_id}`);
  const [source] = await withSurveys(db, owner.account_id, rows);
  return source ?? null;
}

async function withSurveys(
  db: Db,
  accountId: number,
  rows: readonly SourceRow[],
): Promise<readonly Source[]> {
  if (rows.length === 0) return [];
  const surveys = await db.read<SurveyRow>(sql`
    select source_id, survey_no, document
    from survey
    where account_id = ${accountId} and source_id in (${join(rows.map((row) => row.source_id))})
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
  const [row] = await db.read<{ id: number }>(sql`select id from account order by id limit 1`);
  return row?.id ?? null;
}

export async function hasAccount(db: Db, accountId: number): Promise<boolean> {
  return (await db.read(sql`select id from account where id = ${accountId}`)).length > 0;
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

/** What is kept of everything that a wanted catalogue touches, and the generation it was read at. */
export async function readKept(db: Db, wanted: Catalogue): Promise<KeptCatalogue & { generation: number }> {
  const generation = await catalogueGeneration(db);
  const ids = new Set(wanted.accounts.map(({ id }) => id));
  for (const surveyId of surveyIdsOf(wanted)) {
    const [owner] = await db.read<{ account_id: number }>(sql`
      select account_id from survey_owner where survey_id = ${surveyId}`);
    if (owner !== undefined) ids.add(owner.account_id);
  }
  const accounts: CatalogueAccount[] = [];
  const surveysWithResponses = new Set<string>();
  for (const id of ids) {
    const account = await readAccount(db, id);
    if (account === null) continue;
    accounts.push(account);
    const used = await db.read<{ survey_id: string }>(sql`
      select survey_id from survey_used where account_id = ${id} order by survey_id limit 100000`);
    for (const { survey_id } of used) surveysWithResponses.add(survey_id);
  }
  return { catalogue: { accounts }, surveysWithResponses, generation };
}

function surveyIdsOf({ accounts }: Catalogue): string[] {
  return accounts.flatMap(({ measures, projects }) =>
    [...measures, ...projects].flatMap(({ surveys }) => surveys.map(({ id }) => id)),
  );
}

async function readAccount(db: Db, id: number): Promise<CatalogueAccount | null> {
  const [account] = await db.read<{ name: string }>(sql`select name from account where id = ${id}`);
  if (account === undefined) return null;
  const rows = await db.read<SourceRow>(sql`
    ${selectSources}
    where source.account_id = ${id}
    order by source.source_id
    limit 100000`);
  const sources = await withSurveys(db, id, rows);
  const definitions = ({ surveys }: Source): SurveyDefinition[] =>
    surveys.map(({ definition }) => definition);
  return {
    id,
    name: account.name,
    measures: sources.flatMap((source) =>
      source.kind === 'measure' ? [{ ...source.measure, surveys: definitions(source) }] : [],
    ),
    projects: sources.flatMap((source) =>
      source.kind === 'project' ? [{ ...source.project, surveys: definitions(source) }] : [],
    ),
  };
}

export interface ApplyCatalogue {
  readonly changeId: string;
  readonly nowMs: number;
  readonly actor: string;
  /** What the comparison saw; when it has moved on, the comparison is made again. */
  readonly generation: number;
  readonly changes: readonly CatalogueChange[];
  /** Versions that are rewritten because they had no responses; they must have none still. */
  readonly mustBeUnused: readonly string[];
}

/** Everything or nothing; false when somebody else's change came in between and the comparison is stale (D-47). */
export function* applyCatalogue(
  { changeId, nowMs, actor, generation, changes, mustBeUnused }: ApplyCatalogue,
  dialect: Dialect,
): Steps<boolean> {
  const turn = yield sql`
    update catalogue_generation
    set generation = generation + 1
    where id = 1 and generation = ${generation}`;
  if (turn.changed !== 1) return false;
  const touched = new Map<number, Set<number>>();
  for (const change of changes) {
    if (change.action === 'unchanged') continue;
    if (change.kind === 'account') {
      yield* keepAccount(change.value, nowMs);
      continue;
    }
    const sourceId =
      change.kind === 'survey'
        ? yield* keepSurvey(change.source, change.value)
        : yield* keepSource(change.source, documentOf(change.value), nowMs);
    const { accountId } = change.source;
    touched.set(accountId, (touched.get(accountId) ?? new Set()).add(sourceId));
  }
  // Last of all: appends to these sources are held up from here to the commit, and must not be for long.
  for (const [accountId, sourceIds] of [...touched].sort(([one], [other]) => one - other))
    yield* touchSources(dialect, accountId, [...sourceIds]);
  // Asked after the sources' counters are held: from here on no response can make a version used unnoticed.
  if (mustBeUnused.length > 0) {
    const used =
      yield sql`select survey_id from survey_used where survey_id in (${join(mustBeUnused)}) limit 1`;
    if (used.rows.length > 0)
      throw new Problem(
        'CONFLICT',
        'A response came in while the catalogue was compared. Please apply it again.',
      );
  }
  const accounts = new Set(
    changes.map((change) => (change.kind === 'account' ? change.value.id : change.source.accountId)),
  );
  for (const accountId of accounts) {
    yield auditStatement(
      { changeId, nowMs, actor },
      { accountId, action: 'catalogue.apply', subject: `account ${accountId}` },
    );
  }
  return true;
}

function* keepAccount({ id, name }: CatalogueAccount, nowMs: number): Steps<void> {
  yield sql`
    insert into account (id, name, created_at)
    values (${id}, ${name}, ${nowMs})
    on conflict (id) do update
    set name = excluded.name`;
}

function documentOf({ surveys: _surveys, ...rest }: Measure | Project): object {
  return rest;
}

function* keepSource({ accountId, kind, key }: SourceName, document: object, nowMs: number): Steps<number> {
  const existing = yield sql`
    update source
    set document = ${JSON.stringify(document)}
    where account_id = ${accountId} and kind = ${kind} and source_key = ${key}
    returning source_id`;
  const known = existing.rows[0]?.source_id as number | undefined;
  if (known !== undefined) return known;
  const last =
    yield sql`select coalesce(max(source_id), 0) as last from source where account_id = ${accountId}`;
  const sourceId = (last.rows[0]?.last as number) + 1;
  yield sql`
    insert into source (account_id, source_id, kind, source_key, document, created_at)
    values (${accountId}, ${sourceId}, ${kind}, ${key}, ${JSON.stringify(document)}, ${nowMs})`;
  yield sql`
    insert into log_counter (account_id, source_id, last_seq, revision)
    values (${accountId}, ${sourceId}, 0, 0)`;
  return sourceId;
}

/**
 * Holds the counters of sources, so that appends wait, and tells them that the definition has changed. They are taken
 * in the order in which appends take them, so that neither waits for the other for ever.
 */
function* touchSources(dialect: Dialect, accountId: number, sourceIds: readonly number[]): Steps<void> {
  yield* dialect.holdRows({
    table: 'log_counter',
    key: ['account_id', 'source_id'],
    keys: sourceIds.map((sourceId) => [accountId, sourceId]),
    columns: ['source_id'],
    mayWait: true,
  });
  yield sql`
    update log_counter
    set revision = revision + 1
    where account_id = ${accountId} and ${dialect.isAmong(sql`source_id`, sourceIds, 'integer')}`;
}

function* keepSurvey({ accountId, kind, key }: SourceName, survey: SurveyDefinition): Steps<number> {
  const source = yield sql`
    select source_id from source
    where account_id = ${accountId} and kind = ${kind} and source_key = ${key}`;
  const sourceId = source.rows[0]?.source_id as number;
  const document = JSON.stringify(survey);
  const existing = yield sql`
    update survey
    set document = ${document}
    where account_id = ${accountId} and survey_id = ${survey.id}`;
  if (existing.changed > 0) return sourceId;
  const last = yield sql`
    select coalesce(max(survey_no), 0) as last from survey
    where account_id = ${accountId} and source_id = ${sourceId}`;
  yield sql`insert into survey_owner (survey_id, account_id) values (${survey.id}, ${accountId})`;
  yield sql`
    insert into survey (account_id, survey_id, source_id, survey_no, document)
    values (${accountId}, ${survey.id}, ${sourceId}, ${(last.rows[0]?.last as number) + 1}, ${document})`;
  return sourceId;
}
