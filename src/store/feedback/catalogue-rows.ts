// How the tables of the catalogue are read by those who read many accounts at once: `soundings apply`, which compares
// them with a file, and `soundings catalogue dump`, which writes all of them down.

import sql, { empty, type Sql } from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { AccountInsight, Measure, Project, RetainDays } from '../../domain/feedback/definition.ts';
import type { Db } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

export interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly limits: string | null;
  readonly retain_days: number | null;
  readonly insight_minimum: number;
}

export interface SourceRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly kind: 'measure' | 'project';
  readonly source_key: number;
  readonly document: string;
  readonly retain_days: number | null;
  readonly versions: number;
}

export interface SurveyRow {
  readonly account_id: number;
  readonly source_id: number;
  readonly survey_id: string;
  readonly survey_no: number;
  readonly document: string;
}

/** A measure or project as its row has it; its versions have rows of their own, and how long it keeps what was said is a column. */
export type SourceDocument =
  | Omit<Measure, 'surveys' | 'retainDays'>
  | Omit<Project, 'surveys' | 'retainDays'>;

/** A minimum of 1 withholds nothing, and nobody has to write it down. */
export function insightOfColumn(minimum: number): AccountInsight | null {
  return minimum === 1 ? null : { minimum };
}

// In a column a number can be asked for; nobody can keep responses for no days.
const foreverDays = 0;

export function retainDaysOfColumn(column: number | null): RetainDays {
  return column === foreverDays ? 'forever' : column;
}

export function columnOfRetainDays(retainDays: RetainDays | undefined): number | null {
  return retainDays === 'forever' ? foreverDays : (retainDays ?? null);
}

export interface SurveyName {
  readonly accountId: number;
  readonly surveyId: string;
}

// Versions that are read at once. All versions of a source are looked at, also those that the file does not name.
const versionsAtOnce = 2_000;

/** How many versions each source has, where the sources are of these accounts. */
export function versionsOfSource(named: readonly OfAccount[]): Sql {
  return sql`(
    select count(*)
    from survey
    where survey.account_id = ${onlyAccount(named) ?? sql`source.account_id`} and survey.source_id = source.source_id
  ) as versions`;
}

/** Sources whose versions are read at once. */
export function* slicesOf(rows: readonly SourceRow[]): Generator<readonly SourceRow[]> {
  let slice: SourceRow[] = [];
  let versions = 0;
  for (const row of rows) {
    if (slice.length > 0 && versions + row.versions > versionsAtOnce) {
      yield slice;
      slice = [];
      versions = 0;
    }
    slice.push(row);
    versions += row.versions;
  }
  if (slice.length > 0) yield slice;
}

export async function readSurveys(db: Db, sources: readonly SourceRow[]): Promise<readonly SurveyRow[]> {
  const found: SurveyRow[] = [];
  for (const some of askedTogether(db.dialect, sources, ({ account_id: id }) => id)) {
    const wanted = db.dialect.rowsWithKeys({
      table: 'survey',
      key: sourceKey,
      keys: some.map((row) => [row.account_id, row.source_id]),
    });
    const rows = await db.read<SurveyRow>(sql`
      select survey.account_id, survey.source_id, survey_id, survey_no, document
      from ${wanted}
      order by 1, 2, survey_no`);
    for (const row of rows) found.push(row);
  }
  return found;
}

/** What is asked in one statement: all of it, and where accounts are spread over machines what is of one account (D-222). */
export function askedTogether<T>(
  { isSpread }: Dialect,
  items: readonly T[],
  accountOf: (item: T) => number,
): readonly (readonly T[])[] {
  return isSpread ? [...Map.groupBy(items, accountOf).values()] : [items];
}

export const sourceKey = [
  ['account_id', 'integer'],
  ['source_id', 'integer'],
] as const;

export function nameText({ accountId, kind, key }: SourceName): string {
  return `${accountId} ${kind} ${key}`;
}

/** The rows of `survey_used` of these versions, to stand behind `from`. */
export function usedVersions(dialect: Dialect, named: readonly SurveyName[]): Sql {
  return dialect.rowsWithKeys({
    table: 'survey_used',
    key: [
      ['account_id', 'integer'],
      ['survey_id', 'text'],
    ],
    keys: named.map(({ accountId, surveyId }) => [accountId, surveyId]),
  });
}

interface OfAccount {
  readonly accountId: number;
}

/** Where all rows are of one account the statement says so: a store that is spread by account asks one machine then. */
export function andOneAccount(column: Sql, named: readonly OfAccount[]): Sql {
  const id = onlyAccount(named);
  return id === null ? empty : sql`and ${column} = ${id}`;
}

/** The account that all of these are of; null where there are several. */
export function onlyAccount(named: readonly OfAccount[]): number | null {
  const ids = new Set(named.map(({ accountId }) => accountId));
  const [id] = ids;
  return ids.size === 1 ? id! : null;
}
