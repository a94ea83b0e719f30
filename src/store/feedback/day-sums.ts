// The daily sums of a log: how many responses a day has, and what the scores of each latent add up to, as whole
// millionths, so that they come out the same in any order (D-34); and the digest of each day, which is of this order. They
// are kept for full blocks; what lies behind the last one is summed from its rows when somebody asks (D-188).

import sql, { empty, type Sql } from 'sql-template-tag';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { type DayDigest, DayDigests, digestOfBody } from '../../domain/feedback/digest.ts';
import { type LatentSum, scoreMicros } from '../../domain/feedback/score.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { insertInto, type ManyRows, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { digestOfErased } from './response-lookup.ts';

/** The rows after one number and up to another. */
export type SeqRange = readonly [afterSeq: number, lastSeq: number];

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

/** Rows of a log that are to be summed, in no order, and the versions by which their scores are read. */
export interface RowsToSum {
  readonly rows: readonly SummedRowAt[];
  readonly latents: LatentsOfVersions;
  /** What the digests of their days are before them; none where digests were not asked for. */
  readonly days: readonly (readonly [day: number, digest: DayDigest])[];
}

interface SummedRowAt extends SummedRow {
  readonly seq: number;
  /** Null where it was not asked for. */
  readonly digest: string | null;
}

interface RowOrVersion extends SummedRowAt {
  /** Of a version; null of a row. */
  readonly document: string | null;
}

/** In the place of the number of a version, which is never below 0. */
const ofBody = -1;
const noBody = digestOfBody('{}');

/** The rows after one number and up to another, and what else is needed to sum them. */
export function* rowsToSum(
  dialect: Dialect,
  { accountId, sourceId }: SourceKey,
  [afterSeq, lastSeq]: SeqRange,
  hasDigests: boolean,
): Steps<RowsToSum> {
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  const these = sql`${ofSource} and seq > ${afterSeq} and seq <= ${lastSeq}`;
  // Bodies are read as a run of their own and joined below: looked up row by row they would take twice as long.
  const digest = hasDigests ? digestOfErased(dialect) : sql`cast(null as text)`;
  const ofBodies = sql`
    union all
    select seq, 0, ${ofBody}, '', null, ${dialect.sha256(sql`body`)}
    from response_body
    where ${these}`;
  const { rows } = yield sql`
    select seq, day, survey_no, ${scoresOf(dialect)} as scores, cast(null as text) as document, ${digest} as digest
    from response
    where ${these}
    union all
    select 0, 0, survey_no, '', document, null
    from survey
    where ${ofSource}
    ${hasDigests ? ofBodies : empty}`;
  const all = rows as unknown as readonly RowOrVersion[];
  const versions = all.flatMap(({ survey_no: number, document }) =>
    document === null ? [] : [{ number, document }],
  );
  const bodies = new Map(
    all.flatMap(({ seq, survey_no: number, digest: text }) => (number === ofBody ? [[seq, text!]] : [])),
  );
  const summed = all
    .filter(({ document, survey_no: number }) => document === null && number !== ofBody)
    .map((row) => (hasDigests ? { ...row, digest: row.digest ?? bodies.get(row.seq) ?? noBody } : row));
  const days = hasDigests ? yield* digestsOfDays(dialect, ofSource, summed) : [];
  return { rows: summed, latents: latentsOfRows(versions), days };
}

/** A question of its own: within the one above the rows would be read twice to know their days. */
function* digestsOfDays(
  dialect: Dialect,
  ofSource: Sql,
  rows: readonly SummedRowAt[],
): Steps<RowsToSum['days']> {
  const days = [...new Set(rows.map(({ day }) => day))];
  const { rows: known } = yield sql`
    select day, digested, digest
    from log_day
    where ${ofSource} and digested > 0 and ${dialect.isAmong(sql`day`, days, 'integer')}`;
  return (known as unknown as { day: number; digested: number; digest: string }[]).map(
    ({ day, digested: count, digest }) => [day, { digest, count }] as const,
  );
}

/** What rows make of the digests of their days. */
export function digestsAfter({
  rows,
  days,
}: {
  readonly rows: readonly Pick<SummedRowAt, 'seq' | 'day' | 'digest'>[];
  readonly days: RowsToSum['days'];
}): FoldedDays {
  const digests = new DayDigests(days);
  const inOrder = rows.toSorted((one, other) => one.seq - other.seq);
  for (const { day, digest } of inOrder) digests.add({ day, digest: digest! });
  const before = new Map(days.map(([day, { count }]) => [day, count]));
  return digests
    .entries()
    .map(([day, { digest, count }]) => ({ day, digest, added: count - (before.get(day) ?? 0) }));
}

/** The digests of days, and how many rows they go over that the digests before them did not. */
export type FoldedDays = readonly { readonly day: number; readonly digest: string; readonly added: number }[];

/** What rows add to the daily sums. */
export function sumsOf(
  source: SourceKey,
  all: readonly RowsToSum[],
  folded: FoldedDays,
): readonly ManyRows[] {
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
  return [dayRows(source, counts, folded), latentRows(source, sums)];
}

/** The rows of days: what is added to their counts, and the digests that they have now. */
export function dayRows(
  { accountId, sourceId }: SourceKey,
  counts: ReadonlyMap<number, number>,
  folded: FoldedDays,
): ManyRows {
  const digests = new Map(folded.map((of) => [of.day, of]));
  const days = [...new Set([...counts.keys(), ...digests.keys()])];
  return insertInto(
    'log_day',
    days,
    {
      account_id: ['integer', () => accountId],
      source_id: ['integer', () => sourceId],
      day: ['integer', (day) => day],
      responses: ['integer', (day) => counts.get(day) ?? 0],
      digest: ['text', (day) => digests.get(day)?.digest ?? null],
      digested: ['integer', (day) => digests.get(day)?.added ?? 0],
    },
    `on conflict (account_id, source_id, day) do update
      set responses = log_day.responses + excluded.responses, digest = coalesce(excluded.digest, log_day.digest),
        digested = log_day.digested + excluded.digested`,
  );
}

function latentRows(
  { accountId, sourceId }: SourceKey,
  sums: ReadonlyMap<number, ReadonlyMap<string, LatentSum>>,
): ManyRows {
  const ofDays = [...sums].flatMap(([day, ofDay]) =>
    [...ofDay].map(([latentId, { micros, count }]) => ({ day, latentId, micros, count })),
  );
  return insertInto(
    'log_day_latent',
    ofDays,
    {
      account_id: ['integer', () => accountId],
      source_id: ['integer', () => sourceId],
      day: ['integer', ({ day }) => day],
      latent_id: ['text', ({ latentId }) => latentId],
      micros: ['integer', ({ micros }) => micros],
      scored: ['integer', ({ count }) => count],
    },
    `on conflict (account_id, source_id, day, latent_id) do update
      set micros = log_day_latent.micros + excluded.micros, scored = log_day_latent.scored + excluded.scored`,
  );
}
