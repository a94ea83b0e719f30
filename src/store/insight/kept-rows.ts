// Rows of a log as searches look at them, newest first, with the version that each answered and whether it meets the filter.

import sql, { type Sql } from 'sql-template-tag';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { type Filter, filterOf } from '../../domain/insight/filter.ts';
import type { RowText } from '../../domain/insight/row-text.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { lookupColumn } from '../feedback/response-lookup.ts';
import type { PreparedSource } from '../feedback/sources.ts';

export interface KeptRow {
  readonly seq: number;
  readonly day: number;
  readonly number: number;
  readonly id: string;
  readonly submittedAtMs: number;
  /** Null of a large row, which is read by itself. */
  readonly values: string | null;
  readonly external: string | null;
}

interface Version {
  readonly survey: PreparedSurvey;
  readonly holds: (row: RowText) => boolean;
}

/** A row of more bytes is read by itself. */
const smallRowBytes = 8_192;

export class KeptRows {
  readonly #db: Db;
  readonly #ready: PreparedSource;
  readonly #filter: Filter | null;
  readonly #withExternal: boolean;
  readonly #versions = new Map<number, Version>();

  constructor(db: Db, ready: PreparedSource, filter: Filter | null) {
    this.#db = db;
    this.#ready = ready;
    this.#filter = filter;
    this.#withExternal = filter?.conditions.some(({ property }) => property.kind === 'epp') ?? false;
  }

  read(which: Sql, most: number): Promise<readonly KeptRow[]> {
    const values = sql`case when octet_length(row_values) <= ${smallRowBytes} then row_values end`;
    return this.#db.read<KeptRow>(this.#query(which, values, most));
  }

  /** Also of a large row; null of one that is gone meanwhile. */
  async valuesOf({ seq, values }: KeptRow): Promise<string | null> {
    if (values !== null) return values;
    const [row] = await this.#db.read<KeptRow>(this.#query(sql`seq = ${seq}`, sql`row_values`, 1));
    return row?.values ?? null;
  }

  /** What a row was asked, and whether it meets the filter. */
  version({ number }: KeptRow): Version {
    let version = this.#versions.get(number);
    if (version === undefined) {
      const survey = this.#ready.version(number);
      version = { survey, holds: filterOf(this.#filter, survey) };
      this.#versions.set(number, version);
    }
    return version;
  }

  #query(which: Sql, values: Sql, most: number): Sql {
    const { accountId, sourceId } = this.#ready.source;
    const external = this.#withExternal
      ? lookupColumn(accountId, 'response_external', 'external')
      : sql`cast(null as text) as external`;
    return sql`
      select seq, day, survey_no as number, response_id as id, submitted_at as "submittedAtMs", ${values} as "values",
        ${external}
      from response
      where account_id = ${accountId} and source_id = ${sourceId} and ${which}
      order by seq desc
      limit ${limitOf(most)}`;
  }
}

/** Where the log ends now, and which definition explains all of it. */
export async function endOfLog(
  db: Db,
  { source: { accountId, sourceId } }: PreparedSource,
): Promise<{ readonly lastSeq: number; readonly revision: number }> {
  const [row] = await db.read<{ last_seq: number; revision: number }>(sql`
    select last_seq, revision
    from log_counter
    where account_id = ${accountId} and source_id = ${sourceId}`);
  return { lastSeq: row?.last_seq ?? 0, revision: row?.revision ?? 0 };
}
