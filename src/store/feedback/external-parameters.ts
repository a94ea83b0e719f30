// External passed parameters: appended to responses that are in the log already, kept beside it and joined when
// read, so that the rows of the log never change (D-37). One call is one file: all of it, or nothing.

import sql from 'sql-template-tag';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { addExternal } from '../../domain/feedback/parameters.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { recordChanges } from './change-log.ts';
import { renewMarks } from './log-history.ts';
import { lookupColumn, responsesWith } from './response-lookup.ts';

/** What an account's surveys declare as external parameters: their names, and their ids. */
export async function externalNames(db: Db, accountId: number): Promise<ReadonlySet<string>> {
  const rows = await db.read<{ document: string }>(sql`
    select document
    from survey
    where account_id = ${accountId}
    order by survey_id
    limit 100000`);
  const definitions = rows.map(({ document }) => JSON.parse(document) as SurveyDefinition);
  const external = definitions.flatMap(({ parameters }) => parameters.external);
  return new Set(external.flatMap(({ id, name }) => [name, id]));
}

/** One line of a file: values by the place of their column; an empty one says nothing. */
export interface ExternalLine {
  readonly line: number;
  readonly responseId: string;
  readonly values: readonly string[];
}

export interface AppendExternal extends ChangeStamp {
  readonly accountId: number;
  readonly columns: readonly string[];
  readonly lines: readonly ExternalLine[];
  /** Says what would change, and changes nothing. */
  readonly isOnlyCheck?: boolean;
}

export interface SkippedLine {
  readonly line: number;
  readonly responseId: string;
  /** `erased`: nothing is added to a response whose person wanted to be forgotten (D-48, D-121). */
  readonly reason: 'unknown' | 'erased';
}

export interface ExternalOutcome {
  /** Responses that get a value they did not have. */
  readonly changed: number;
  /** Responses that had everything already. */
  readonly unchanged: number;
  readonly skipped: readonly SkippedLine[];
  /** With one of these nothing was changed. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

interface Place {
  readonly sourceId: number;
  readonly seq: number;
  readonly definition: SurveyDefinition;
  readonly isErased: boolean;
  readonly before: string | null;
  external: string | null;
}

// As many as one question or one insert carries; more would only make single statements long.
const atOnce = 2_000;

export function* appendExternal(input: AppendExternal, dialect: Dialect): Steps<ExternalOutcome> {
  const { accountId, columns } = input;
  yield* holdAccount(accountId);
  const definitions = yield* definitionsOf(accountId);
  const places = new Map<string, Place>();
  const skipped: SkippedLine[] = [];
  const faults: { line: number; message: string }[] = [];
  for (let first = 0; first < input.lines.length; first += atOnce) {
    const lines = input.lines.slice(first, first + atOnce);
    yield* findPlaces(dialect, accountId, lines, definitions, places);
    for (const { line, responseId, values } of lines) {
      const place = places.get(responseId);
      if (place === undefined || place.isErased) {
        skipped.push({ line, responseId, reason: place === undefined ? 'unknown' : 'erased' });
        continue;
      }
      const said = new Map(columns.flatMap((column, index) => saidOf(column, values[index])));
      const added = addExternal(place.definition, place.external, said);
      for (const message of added.faults) faults.push({ line, message });
      // A response that the file names twice meets what its first line said.
      if (added.changed) place.external = added.external;
    }
  }
  const changed = [...places.values()].filter(({ before, external }) => before !== external);
  const outcome = { changed: changed.length, unchanged: unchangedAmong(places), skipped, faults };
  if (faults.length > 0 || changed.length === 0 || input.isOnlyCheck === true) return outcome;
  for (let first = 0; first < changed.length; first += atOnce)
    yield externalRows(accountId, changed.slice(first, first + atOnce));
  for (const [sourceId, ofSource] of Map.groupBy(changed, (place) => place.sourceId)) {
    const seqs = ofSource.map(({ seq }) => seq);
    for (let first = 0; first < seqs.length; first += atOnce)
      yield* renewMarks(dialect, { accountId, sourceId }, seqs.slice(first, first + atOnce), input.changeId);
  }
  yield auditStatement(input, {
    accountId,
    action: 'external.append',
    subject: `${changed.length} responses: ${columns.join(', ')}`.slice(0, 1_000),
  });
  yield* recordChanges(
    dialect,
    input,
    accountId,
    changed
      .toSorted((one, other) => one.seq - other.seq)
      .map(({ sourceId, seq }) => ({ sourceId, kind: 'external', firstSeq: seq, lastSeq: seq })),
  );
  return outcome;
}

/**
 * Holds the account until the commit: those who change what was appended go one after the other, so that nothing is
 * added to a response while it is erased (D-120). Appends do not ask for it, and are not kept waiting.
 */
export function* holdAccount(accountId: number): Steps<void> {
  yield sql`
    update account
    set name = name
    where id = ${accountId}`;
}

function saidOf(column: string, value = ''): [string, string][] {
  return value === '' ? [] : [[column, value]];
}

function unchangedAmong(places: ReadonlyMap<string, Place>): number {
  let count = 0;
  for (const { before, external, isErased } of places.values())
    if (!isErased && before === external) count += 1;
  return count;
}

function* definitionsOf(accountId: number): Steps<Map<string, SurveyDefinition>> {
  const { rows } = yield sql`
    select source_id, survey_no, document
    from survey
    where account_id = ${accountId}
    order by source_id, survey_no
    limit 100000`;
  const versions = rows as unknown as { source_id: number; survey_no: number; document: string }[];
  return new Map(
    versions.map((row) => [
      `${row.source_id} ${row.survey_no}`,
      JSON.parse(row.document) as SurveyDefinition,
    ]),
  );
}

interface PlaceRow {
  readonly response_id: string;
  readonly source_id: number;
  readonly seq: number;
  readonly survey_no: number;
  readonly hash: string | null;
  readonly external: string | null;
}

function* findPlaces(
  dialect: Dialect,
  accountId: number,
  lines: readonly ExternalLine[],
  definitions: ReadonlyMap<string, SurveyDefinition>,
  places: Map<string, Place>,
): Steps<void> {
  const ids = new Set(lines.map(({ responseId }) => responseId).filter((id) => !places.has(id)));
  const { rows } = yield sql`
    select response_id, source_id, seq, survey_no, hash, ${lookupColumn(accountId, 'response_external', 'external')}
    from ${responsesWith(dialect, accountId, [...ids])}`;
  for (const row of rows as unknown as PlaceRow[]) {
    const definition = definitions.get(`${row.source_id} ${row.survey_no}`);
    if (definition === undefined) throw new Error('A row of the log names a version that is not there.');
    places.set(row.response_id, {
      sourceId: row.source_id,
      seq: row.seq,
      definition,
      // Only an erased response has its hash in the log.
      isErased: row.hash !== null,
      before: row.external,
      external: row.external,
    });
  }
}

function externalRows(accountId: number, places: readonly Place[]) {
  return {
    table: 'response_external',
    columns: [
      ['account_id', 'integer'],
      ['source_id', 'integer'],
      ['seq', 'integer'],
      ['external', 'text'],
    ],
    rows: places.map(({ sourceId, seq, external }) => [accountId, sourceId, seq, external]),
    onConflict: 'on conflict (account_id, source_id, seq) do update set external = excluded.external',
  } as const;
}
