// The figures of the days of a measure or project, for whoever asks.

import sql from 'sql-template-tag';
import type { DateRange } from '../../domain/dates.ts';
import { type DayFigures, DayFold } from '../../domain/insight/day-figures.ts';
import { type Db, limitOf } from '../engine/db.ts';
import type { DigestWork } from '../feedback/digest-reader.ts';
import type { PreparedSource, Sources } from '../feedback/sources.ts';

export interface FiguresAtEnd {
  /** By day, then by the number of the version. */
  readonly days: readonly DayFigures[];
  /** The end of the log at which they are true. */
  readonly lastSeq: number;
  /** The source with a definition that explains all of them: it may be newer than the one that was handed in. */
  readonly ready: PreparedSource;
}

/** How far the figures have come where the time was not enough. */
export interface FiguresReached {
  readonly rolledSeq: number;
  readonly lastSeq: number;
}

/** The time that is left for one request. */
export type FiguresWork = DigestWork;

const rowsAtOnce = 512;

export class FiguresReader {
  readonly #db: Db;
  readonly #sources: Sources;

  constructor(db: Db, sources: Sources) {
    this.#db = db;
    this.#sources = sources;
  }

  async read(
    ready: PreparedSource,
    { firstDay, lastDay }: DateRange,
    work: FiguresWork,
  ): Promise<{ readonly figures: FiguresAtEnd } | { readonly reached: FiguresReached }> {
    const { accountId, sourceId } = ready.source;
    const [end] = await this.#db.read<{ last_seq: number; revision: number }>(sql`
      select last_seq, revision
      from log_counter
      where account_id = ${accountId} and source_id = ${sourceId}`);
    const { last_seq: lastSeq, revision } = end ?? { last_seq: 0, revision: 0 };
    const known = await this.#sources.atLeast(ready, revision);
    const fold = new DayFold((number) => preparedVersion(known, number));
    for (let after = 0; after < lastSeq; after += rowsAtOnce) {
      await work.pause();
      const rows = await this.#db.read<{ day: number; number: number; text: string }>(sql`
        select day, survey_no as number, row_values as text
        from response
        where account_id = ${accountId} and source_id = ${sourceId} and seq > ${after}
          and seq <= ${Math.min(after + rowsAtOnce, lastSeq)} and day between ${firstDay} and ${lastDay}
        order by seq
        limit ${limitOf(rowsAtOnce)}`);
      for (const { day, number, text } of rows) fold.add(day, number, text);
    }
    return { figures: { days: fold.days(), lastSeq, ready: known } };
  }
}

/** The version with this number. */
export function preparedVersion(ready: PreparedSource, surveyNumber: number) {
  const kept = ready.source.surveys.find(({ number }) => number === surveyNumber);
  if (kept === undefined) throw new Error('A row of the log names a version that is not there.');
  return ready.prepared(kept);
}
