// The versions of a source, made ready for reading its rows. A version that has responses keeps all that a row is read by (D-47), so
// they are asked for again only when rows come from a newer definition.

import sql, { type Sql } from 'sql-template-tag';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { type PreparedSurvey, prepareSurvey } from '../../domain/feedback/survey.ts';
import type { Db } from '../engine/db.ts';
import { Cache } from '../engine/work/cache.ts';

/** A version by its number. */
export type SurveyOf = (surveyNumber: number) => PreparedSurvey;

interface VersionRow {
  readonly number: number;
  readonly document: string;
  readonly kind: 'measure' | 'project';
}

export function selectVersions({ accountId, sourceId }: SourceKey): Sql {
  return sql`
    select survey_no as number, survey.document, source.kind
    from survey
    join source on source.account_id = ${accountId} and source.source_id = survey.source_id
    where survey.account_id = ${accountId} and survey.source_id = ${sourceId}
    order by survey_no
    limit 100000`;
}

/** Each is made ready when it is first asked for. */
export function surveysOf(rows: readonly unknown[]): SurveyOf {
  const byNumber = new Map((rows as readonly VersionRow[]).map((row) => [row.number, row]));
  const prepared = new Map<number, PreparedSurvey>();
  return (surveyNumber) => {
    let survey = prepared.get(surveyNumber);
    if (survey === undefined) {
      const row = byNumber.get(surveyNumber);
      if (row === undefined) throw new Error('A row of the log names a version that is not there.');
      const definition = JSON.parse(row.document) as SurveyDefinition;
      survey = prepareSurvey(
        definition,
        row.kind === 'measure' ? { kind: 'measure', active: true } : { kind: 'project', status: 'ACTIVE' },
      );
      prepared.set(surveyNumber, survey);
    }
    return survey;
  };
}

interface Remembered {
  readonly revision: number;
  readonly surveyOf: SurveyOf;
  readonly bytes: number;
}

const bytesMax = 32 * 1024 * 1024;
// What is made ready of a definition takes some ten times the bytes of its text.
const preparedShare = 12;

export class Versions {
  readonly #db: Db;
  readonly #remembered = new Cache<string, Remembered>({ bytesMax, bytesOf: ({ bytes }) => bytes });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Those of a definition that is at least as new as this revision. */
  async of(source: SourceKey, revision: number): Promise<SurveyOf> {
    const key = `${source.accountId} ${source.sourceId}`;
    const known = this.#remembered.get(key);
    if (known !== undefined && known.revision >= revision) return known.surveyOf;
    const rows = await this.#db.read<VersionRow>(selectVersions(source));
    const bytes = rows.reduce((sum, { document }) => sum + preparedShare * document.length, 200);
    const surveyOf = surveysOf(rows);
    this.#remembered.set(key, { revision, surveyOf, bytes });
    return surveyOf;
  }
}
