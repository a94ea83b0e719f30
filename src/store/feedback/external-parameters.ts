// External passed parameters: appended to responses that are in the log already, kept beside it and joined when read, so
// that the rows of the log never change (D-37). A file is first held against the store as a whole, by questions that
// keep nobody waiting; only what changes something is then written, in slices of 1,000 lines, each a transaction with its
// audit entry. Whoever is stopped in between does the same again: what is there already changes nothing (D-260).

import sql, { type Sql } from 'sql-template-tag';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import { ExternalJudging, type SkippedLine } from '../../domain/feedback/external-judging.ts';
import type { ExternalLine, LineFault } from '../../domain/feedback/external-lines.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, insertInto, type Row, type Steps } from '../engine/db.ts';
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
  return namesOf(rows.map(({ document }) => JSON.parse(document) as SurveyDefinition));
}

export function namesOf(definitions: readonly SurveyDefinition[]): ReadonlySet<string> {
  const external = definitions.flatMap(({ parameters }) => parameters.external);
  return new Set(external.flatMap(({ id, name }) => [name, id]));
}

/** What lines of parameters are about. */
interface ExternalRequest {
  readonly accountId: number;
  /** Responses of other sources are unknown to it; null for all sources of the account. */
  readonly sourceId: number | null;
  readonly columns: readonly string[];
  /** Whether a value that is there may become another one. */
  readonly isReplacing: boolean;
}

interface AppendExternal extends ExternalRequest, ChangeStamp {
  readonly lines: readonly ExternalLine[];
}

export interface ExternalOutcome {
  /** Responses that get a value they did not have. */
  readonly changed: number;
  /** Responses that had everything already. */
  readonly unchanged: number;
  readonly skipped: readonly SkippedLine[];
  /** With one of these nothing was changed. */
  readonly faults: readonly LineFault[];
}

/** As many as one question or one insert carries; more would only make single statements long, and locks. */
const externalSliceLines = 1_000;
// On the embedded engine a question is answered on the event loop.
const checkedAtOnce = 200;

/**
 * Holds lines against what is kept, and changes nothing. The lines that would change something are handed over; `pause`
 * is waited for between the questions.
 */
export async function checkExternal(
  db: Db,
  request: ExternalRequest,
  lines: Iterable<ExternalLine>,
  take: (line: ExternalLine) => void,
  pause: (judged: number) => Promise<void>,
): Promise<ExternalOutcome> {
  const judging = new ExternalJudging(request.columns, request.isReplacing);
  const definitions = new Map<string, SurveyDefinition>();
  for (const slice of slicesOf(lines, checkedAtOnce)) {
    const ids = judging.idsOf(slice);
    const places = (await db.read(placesQuery(db.dialect, request.accountId, ids))) as unknown as PlaceRow[];
    const missing = sourcesWithout(definitions, places);
    if (missing.length > 0)
      addDefinitions(definitions, await db.read(definitionsQuery(db.dialect, request.accountId, missing)));
    knowPlaces(judging, request, places, definitions);
    for (const line of slice) if (judging.judge(line)) take(line);
    await pause(slice.length);
  }
  const { skipped, faults, unchanged } = judging;
  return { changed: judging.changed.length, unchanged, skipped, faults };
}

/**
 * Writes lines that were checked, in slices. Where somebody else has changed a response meanwhile, so that a line of a slice
 * is at fault, that slice and those behind it are not written.
 */
export async function appendChecked(
  db: Db,
  request: ExternalRequest,
  lines: Iterable<ExternalLine>,
  stampOf: () => ChangeStamp,
  pause: (written: number) => Promise<void>,
): Promise<ExternalOutcome> {
  const whole = { changed: 0, unchanged: 0 };
  const skipped: SkippedLine[] = [];
  for (const slice of slicesOf(lines, externalSliceLines)) {
    const outcome = await db.write(appendExternal, { ...request, ...stampOf(), lines: slice });
    whole.changed += outcome.changed;
    whole.unchanged += outcome.unchanged;
    skipped.push(...outcome.skipped);
    if (outcome.faults.length > 0) return { ...whole, skipped, faults: outcome.faults };
    await pause(slice.length);
  }
  return { ...whole, skipped, faults: [] };
}

/** One slice: all of it, or nothing. */
export function* appendExternal(input: AppendExternal, dialect: Dialect): Steps<ExternalOutcome> {
  const { accountId, columns, isReplacing } = input;
  yield* holdAccount(accountId);
  const judging = new ExternalJudging(columns, isReplacing);
  const found = yield placesQuery(dialect, accountId, judging.idsOf(input.lines));
  const places = found.rows as unknown as PlaceRow[];
  const definitions = new Map<string, SurveyDefinition>();
  const versions = yield definitionsQuery(dialect, accountId, sourcesWithout(definitions, places));
  addDefinitions(definitions, versions.rows);
  knowPlaces(judging, input, places, definitions);
  for (const line of input.lines) judging.judge(line);
  const { changed, skipped, faults, unchanged } = judging;
  const outcome = { changed: changed.length, unchanged, skipped, faults };
  if (faults.length > 0 || changed.length === 0) return outcome;
  yield insertInto(
    'response_external',
    changed,
    {
      account_id: ['integer', () => accountId],
      source_id: ['integer', ({ sourceId }) => sourceId],
      seq: ['integer', ({ seq }) => seq],
      external: ['text', ({ external }) => external],
    },
    'on conflict (account_id, source_id, seq) do update set external = excluded.external',
  );
  for (const [sourceId, ofSource] of Map.groupBy(changed, (place) => place.sourceId)) {
    const seqs = ofSource.map(({ seq }) => seq);
    yield* renewMarks(dialect, { accountId, sourceId }, seqs, input.changeId);
  }
  yield auditStatement(input, {
    accountId,
    action: isReplacing ? 'external.replace' : 'external.append',
    ...auditSubject('external', {
      count: changed.length,
      columns: columns.join(', ').slice(0, 1_000),
    }),
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

function* slicesOf<T>(values: Iterable<T>, size: number): Generator<readonly T[]> {
  let slice: T[] = [];
  for (const value of values) {
    slice.push(value);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

interface PlaceRow {
  readonly response_id: string;
  readonly source_id: number;
  readonly seq: number;
  readonly survey_no: number;
  readonly hash: string | null;
  readonly external: string | null;
}

function placesQuery(dialect: Dialect, accountId: number, ids: readonly string[]): Sql {
  return sql`
    select response_id, source_id, seq, survey_no, hash, ${lookupColumn(accountId, 'response_external', 'external')}
    from ${responsesWith(dialect, accountId, ids)}`;
}

function knowPlaces(
  judging: ExternalJudging,
  { sourceId }: Pick<ExternalRequest, 'sourceId'>,
  places: readonly PlaceRow[],
  definitions: ReadonlyMap<string, SurveyDefinition>,
): void {
  for (const row of places) {
    if (sourceId !== null && row.source_id !== sourceId) continue;
    const definition = definitions.get(versionKey(row));
    // Its source is being removed: callers find it no more, and the row is about to go.
    if (definition === undefined) continue;
    judging.know(row.response_id, {
      sourceId: row.source_id,
      seq: row.seq,
      definition,
      // Only an erased response has its hash in the log.
      isErased: row.hash !== null,
      before: row.external,
    });
  }
}

function definitionsQuery(dialect: Dialect, accountId: number, sourceIds: readonly number[]): Sql {
  return sql`
    select source_id, survey_no, document
    from survey
    where account_id = ${accountId} and ${dialect.isAmong(sql`source_id`, sourceIds, 'integer')}
    order by source_id, survey_no
    limit 100000`;
}

function addDefinitions(definitions: Map<string, SurveyDefinition>, rows: readonly Row[]): void {
  for (const row of rows as unknown as (VersionRow & { document: string })[])
    definitions.set(versionKey(row), JSON.parse(row.document) as SurveyDefinition);
}

/** Sources of which a version is not known. */
function sourcesWithout(
  definitions: ReadonlyMap<string, SurveyDefinition>,
  places: readonly PlaceRow[],
): readonly number[] {
  const missing = places.filter((row) => !definitions.has(versionKey(row)));
  return [...new Set(missing.map(({ source_id: sourceId }) => sourceId))];
}

interface VersionRow {
  readonly source_id: number;
  readonly survey_no: number;
}

function versionKey({ source_id: sourceId, survey_no: number }: VersionRow): string {
  return `${sourceId} ${number}`;
}
