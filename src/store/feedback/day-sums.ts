// The daily sums of a log: how many responses a day has, and what the scores of each latent add up to, as whole
// millionths, so that they come out the same in any order (D-34). They are kept for full blocks; what lies behind the
// last one is summed from its rows when somebody asks (D-188).

import sql, { type Sql } from 'sql-template-tag';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { type LatentSum, scoreMicros } from '../../domain/feedback/score.ts';
import type { ManyRows, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

export interface SourceKey {
  readonly accountId: number;
  readonly sourceId: number;
}

/** What of a row is summed: its scores stand in front of its values, as JSON without brackets; an erased row has them too. */
export interface SummedRow {
  readonly day: number;
  readonly survey_no: number;
  readonly scores: string;
}

/** The scores of a row, as a value of a query over `response`. */
export function scoresOf(dialect: Dialect): Sql {
  return dialect.firstLine(sql`row_values`);
}

/** The ids of the latents of each version, in the order in which rows hold their scores. A used version keeps them. */
export type LatentsOfVersions = ReadonlyMap<number, readonly string[]>;

export function latentsOf(
  versions: readonly { readonly number: number; readonly definition: SurveyDefinition }[],
): LatentsOfVersions {
  return new Map(versions.map(({ number, definition }) => [number, definition.latents.map(({ id }) => id)]));
}

/** The versions of a source, for those who do not know them. */
export function selectVersions({ accountId, sourceId }: SourceKey): Sql {
  return sql`
    select survey_no as number, document
    from survey
    where account_id = ${accountId} and source_id = ${sourceId}
    order by survey_no
    limit 100000`;
}

export interface VersionRow {
  readonly number: number;
  readonly document: string;
}

export function latentsOfRows(rows: readonly VersionRow[]): LatentsOfVersions {
  return latentsOf(
    rows.map(({ number, document }) => ({ number, definition: JSON.parse(document) as SurveyDefinition })),
  );
}

/** Adds the scores of one row to sums by latent. */
export function addScores(
  { survey_no: number, scores }: Pick<SummedRow, 'survey_no' | 'scores'>,
  latents: LatentsOfVersions,
  add: (latentId: string, micros: number) => void,
): void {
  const ids = latents.get(number);
  if (ids === undefined) throw new Error('A row of the log names a version that is not there.');
  if (ids.length === 0) return;
  const values = scores.split(',');
  for (const [index, id] of ids.entries()) {
    const score = values[index];
    if (score !== undefined && score !== 'null') add(id, scoreMicros(Number(score)));
  }
}

export function addTo(sums: Map<string, LatentSum>, key: string, micros: number): void {
  const sum = sums.get(key);
  sums.set(key, { micros: (sum?.micros ?? 0) + micros, count: (sum?.count ?? 0) + 1 });
}

/** Rows of a log that are to be summed, and the versions by which their scores are read. */
export interface RowsToSum {
  readonly rows: readonly (SummedRow & { readonly seq: number })[];
  readonly latents: LatentsOfVersions;
}

interface RowOrVersion {
  readonly seq: number;
  readonly day: number;
  readonly survey_no: number;
  readonly scores: string;
  /** Of a version; null of a row. */
  readonly document: string | null;
}

/** The rows after one number and up to another, in no order, and the versions of their source in the same question. */
export function* rowsToSum(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  afterSeq: number,
  lastSeq: number,
): Steps<RowsToSum> {
  const { rows } = yield sql`
    select seq, day, survey_no, ${scoresOf(dialect)} as scores, cast(null as text) as document
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and seq > ${afterSeq} and seq <= ${lastSeq}
    union all
    select 0, 0, survey_no, '', document
    from survey
    where account_id = ${accountId} and source_id = ${sourceId}`;
  const all = rows as unknown as readonly RowOrVersion[];
  const versions = all.flatMap(({ survey_no: number, document }) =>
    document === null ? [] : [{ number, document }],
  );
  return { rows: all.filter(({ document }) => document === null), latents: latentsOfRows(versions) };
}

/** What rows add to the daily sums. */
export function sumsOf(source: SourceKey, all: readonly RowsToSum[]): readonly ManyRows[] {
  const counts = new Map<number, number>();
  const sums = new Map<number, Map<string, LatentSum>>();
  for (const { rows, latents } of all) {
    for (const row of rows) {
      const { day } = row;
      counts.set(day, (counts.get(day) ?? 0) + 1);
      const ofDay = sums.get(day) ?? new Map<string, LatentSum>();
      sums.set(day, ofDay);
      addScores(row, latents, (id, micros) => addTo(ofDay, id, micros));
    }
  }
  return [dayRows(source, counts), latentRows(source, sums)];
}

function dayRows({ accountId, sourceId }: SourceKey, counts: ReadonlyMap<number, number>): ManyRows {
  return {
    table: 'log_day',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['day', 'integer'],
      ['responses', 'integer'],
    ],
    rows: [...counts].map(([day, count]) => [accountId, sourceId, day, count]),
    onConflict:
      'on conflict (account_id, source_id, day) do update set responses = log_day.responses + excluded.responses',
  };
}

function latentRows(
  { accountId, sourceId }: SourceKey,
  sums: ReadonlyMap<number, ReadonlyMap<string, LatentSum>>,
): ManyRows {
  return {
    table: 'log_day_latent',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['day', 'integer'],
      ['latent_id', 'text'],
      ['micros', 'integer'],
      ['scored', 'integer'],
    ],
    rows: [...sums].flatMap(([day, ofDay]) =>
      [...ofDay].map(([latentId, { micros, count }]) => [accountId, sourceId, day, latentId, micros, count]),
    ),
    onConflict: `on conflict (account_id, source_id, day, latent_id) do update
      set micros = log_day_latent.micros + excluded.micros, scored = log_day_latent.scored + excluded.scored`,
  };
}
