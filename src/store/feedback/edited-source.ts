// A measure or project as the editor of the console begins from it, and what tells whether somebody else has changed it since.

import sql from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { Measure, Project, RetainDays, SurveyDefinition } from '../../domain/feedback/definition.ts';
import type { AuditEntry } from '../engine/audit-log.ts';
import type { Db } from '../engine/db.ts';
import { auditPage } from '../people/audit-reader.ts';
import { findSource, sourceRevision } from './catalogue.ts';
import { retainDaysOfColumn, usedVersions } from './catalogue-rows.ts';

interface EditedSource {
  /** With all its versions. */
  readonly source: Measure | Project;
  readonly base: string;
  /** Ids of the versions that have responses: what they ask stays as it is. */
  readonly usedSurveys: ReadonlySet<string>;
}

/** Null where there is none. */
export async function readEditedSource(db: Db, name: SourceName): Promise<EditedSource | null> {
  const found = await findSource(db, name);
  if (found === null) return null;
  const { accountId, sourceId, revision } = found;
  const surveys: SurveyDefinition[] = found.surveys.map(({ definition }) => definition);
  const source = {
    ...(found.kind === 'measure' ? found.measure : found.project),
    retainDays: await readRetainDays(db, accountId, sourceId),
    surveys,
  } as Measure | Project;
  return { source, base: baseOf(sourceId, revision), usedSurveys: await usedOf(db, accountId, surveys) };
}

async function readRetainDays(db: Db, accountId: number, sourceId: number): Promise<RetainDays> {
  const [row] = await db.read<{ retain_days: number | null }>(sql`
    select retain_days from source where account_id = ${accountId} and source_id = ${sourceId}`);
  return retainDaysOfColumn(row?.retain_days ?? null);
}

async function usedOf(
  db: Db,
  accountId: number,
  surveys: readonly SurveyDefinition[],
): Promise<ReadonlySet<string>> {
  if (surveys.length === 0) return new Set();
  const named = surveys.map(({ id }) => ({ accountId, surveyId: id }));
  const rows = await db.read<{ survey_id: string }>(sql`
    select survey_used.survey_id
    from ${usedVersions(db.dialect, named)}
    order by 1`);
  return new Set(rows.map(({ survey_id: id }) => id));
}

/**
 * What a draft was begun from. The number of a source is given once, and its revision grows with every change of its definition:
 * a text that was seen once is not seen again, even where somebody has put everything back (D-572).
 */
function baseOf(sourceId: number, revision: number): string {
  return `${sourceId}.${revision}`;
}

/** As it is now; null for what is not there. */
export async function baseNow(
  db: Db,
  accountId: number,
  sourceId: number | undefined,
): Promise<string | null> {
  if (sourceId === undefined) return null;
  const revision = await sourceRevision(db, accountId, sourceId);
  return revision === null ? null : baseOf(sourceId, revision);
}

// A busy account has other entries between these.
const entriesLookedAt = 50;

/**
 * Who changed the catalogue last as far as it may have been this source: the console names it, the command line names the account.
 * Null where it was too long ago to be found quickly.
 */
export async function lastChangeOf(
  db: Db,
  { accountId, kind, key }: SourceName,
  betweenSlices: () => Promise<void>,
): Promise<AuditEntry | null> {
  const filter = { accountId, action: 'catalogue.apply' };
  const page = await auditPage(db, filter, { after: null, take: entriesLookedAt }, betweenSlices);
  const subjects = [subjectOf({ kind, key }), `account ${accountId}`];
  return page.entries.find(({ subject }) => subjects.includes(subject)) ?? null;
}

/** As the audit log names it. */
export function subjectOf({ kind, key }: Pick<SourceName, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** A number that no measure or project of the account has; null where the largest is taken. */
export async function freeKey(db: Db, accountId: number, kind: SourceName['kind']): Promise<number | null> {
  const rows = await Promise.all([
    db.read<{ last: number | null }>(sql`
      select max(source_key) as last from source where account_id = ${accountId} and kind = ${kind}`),
    db.read<{ last: number | null }>(sql`
      select max(source_key) as last from removed_source where account_id = ${accountId} and kind = ${kind}`),
  ]);
  const last = Math.max(0, ...rows.map(([row]) => row?.last ?? 0));
  const most = kind === 'measure' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  return last < most ? last + 1 : null;
}
