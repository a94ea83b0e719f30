// How far the figures of sources have come, whether they are those of the rows, and how they are added up anew: for operators (D-480).

import { setImmediate } from 'node:timers/promises';
import sql, { empty } from 'sql-template-tag';
import { dayText } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { DayFold } from '../../domain/insight/day-figures.ts';
import { packFigures } from '../../domain/insight/figures.ts';
import { form, fullPlace, responsesPlace } from '../../domain/insight/layout.ts';
import { accountIds } from '../access/accounts.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { withPauses } from '../engine/work/work-budget.ts';
import { advanceBuild, buildsOf } from './builds.ts';
import { indexComments } from './comment-index.ts';
import { indexDifferences } from './comment-index-check.ts';
import { commentsToKeep, largeComment, smallFolded } from './comments.ts';
import {
  answeringBuild,
  deleteForm,
  type FiguresPlace,
  isOfForm,
  largeValues,
  smallValues,
} from './roll-up.ts';
import { selectVersions, surveysOf, type Versions } from './versions.ts';

/** A measure or project with what is added up of it. */
export interface SourceStatus extends SourceName {
  readonly sourceId: number;
  readonly responses: number;
  readonly addedUp: number;
  /** How many are added up anew, beside those that answer meanwhile; null where nothing is. */
  readonly anew: number | null;
  readonly updatedAtMs: number | null;
}

const sourcesAtOnce = 500;

/** In the order of accounts and of what they have; of one account, or one source, where it is named. */
export async function* sourceStatuses(
  db: Db,
  accountIds: readonly number[],
  name: SourceName | null = null,
): AsyncGenerator<SourceStatus> {
  for (const accountId of accountIds)
    for (let last = 0; ; ) {
      const rows = await db.read<StatusRow>(sql`
        select source.source_id as "sourceId", kind, source_key as "key", last_seq as responses, rolled_seq as "rolledSeq",
          updated_at as "updatedAtMs", (
            select max(later.rolled_seq)
            from insight_cursor as later
            where later.account_id = ${accountId} and later.source_id = source.source_id
              and ${isOfForm(sql`later.form`, [form])} and later.form > insight_cursor.form
          ) as anew
        from source
        join log_counter on log_counter.account_id = ${accountId} and log_counter.source_id = source.source_id
        left join insight_cursor on insight_cursor.account_id = ${accountId}
          and insight_cursor.source_id = source.source_id
          and insight_cursor.form = ${answeringBuild({ accountId, sourceId: sql`source.source_id` })}
        where source.account_id = ${accountId} and source.source_id > ${last}
          ${name === null ? empty : sql`and kind = ${name.kind} and source_key = ${name.key}`}
        order by source.source_id
        limit ${limitOf(sourcesAtOnce)}`);
      for (const { sourceId, kind, key, responses, rolledSeq, updatedAtMs, anew } of rows)
        yield {
          accountId,
          kind,
          key,
          sourceId,
          responses,
          addedUp: Math.max(0, rolledSeq ?? 0),
          anew: anew === null ? null : Math.max(0, anew),
          updatedAtMs: updatedAtMs === 0 ? null : updatedAtMs,
        };
      if (rows.length < sourcesAtOnce) break;
      last = rows.at(-1)!.sourceId;
    }
}

interface StatusRow {
  readonly sourceId: number;
  readonly kind: SourceName['kind'];
  readonly key: number;
  readonly responses: number;
  readonly rolledSeq: number | null;
  readonly updatedAtMs: number | null;
  readonly anew: number | null;
}

/** Responses of the whole store that are not added up, and sources that they belong to; for doctor. */
export async function figuresBehind(
  db: Db,
): Promise<{ readonly responses: number; readonly sources: number }> {
  let responses = 0;
  let sources = 0;
  for (const accountId of await accountIds(db)) {
    const [row] = await db.read<{ responses: number; sources: number }>(sql`
      select cast(coalesce(sum(log_counter.last_seq - coalesce(case when rolled_seq > 0 then rolled_seq end, 0)), 0) as bigint)
          as responses,
        count(*) as sources
      from log_counter
      left join insight_cursor on insight_cursor.account_id = ${accountId}
        and insight_cursor.source_id = log_counter.source_id
        and insight_cursor.form = ${answeringBuild({ accountId, sourceId: sql`log_counter.source_id` })}
      where log_counter.account_id = ${accountId} and log_counter.last_seq <> coalesce(rolled_seq, 0)`);
    responses += row?.responses ?? 0;
    sources += row?.sources ?? 0;
  }
  return { responses, sources };
}

// ---- anew

/**
 * Adds all of a source up, by its latest build, sharing the work with services that do the same; tells how far it has come. What
 * earlier builds have is deleted at last: from then on only the new figures answer.
 */
export async function rollUpAll(
  db: Db,
  source: SourceKey,
  { versions, now }: { readonly versions: Versions; readonly now: () => number },
  onStep: (addedUp: number | null) => void,
): Promise<void> {
  const pause = async (): Promise<void> => void (await setImmediate());
  for (;;) {
    const { latest } = await buildsOf(db, source, now());
    const build = latest?.build ?? form;
    const { outcome, rolledSeq } = await advanceBuild(db, source, build, { versions, nowMs: now(), pause });
    onStep(rolledSeq);
    if (outcome === 'none') return;
    if (outcome !== 'end') continue;
    if ((await indexComments(db, source, build, { pause })) !== 'indexed') break;
  }
  for (;;) {
    const { toDelete } = await buildsOf(db, source, now(), true);
    if (toDelete.length === 0) return;
    await db.write(deleteForm, { ...source, form: toDelete[0]! });
    onStep(null);
  }
}

// ---- against the rows

const attemptsMax = 5;
const rowsAtOnce = 512;
/** So many differences of one source are named, and all of them counted. */
const namedMax = 20;

interface FiguresCheck {
  /** Rows that were counted again. */
  readonly rows: number;
  readonly differences: number;
  /** The first of them, as sentences. */
  readonly named: readonly string[];
  /** Responses were erased again and again while they were counted, so nothing can be said. */
  readonly isUndecided: boolean;
}

/** Counts the rows that are added up once more, and says where the figures, the comments or their index are others. */
export async function checkFigures(
  db: Db,
  source: SourceKey,
  onRows: (rows: number) => void,
): Promise<FiguresCheck> {
  for (let attempt = 1; ; attempt += 1) {
    const check = await checkOnce(db, source, onRows);
    if (check !== null) return check;
    if (attempt === attemptsMax) return { rows: 0, differences: 0, named: [], isUndecided: true };
  }
}

interface KeptDay {
  readonly kind: 'cursor' | 'day';
  readonly build: number;
  readonly day: number;
  readonly number: number;
  readonly text: string;
}

/** Null where responses were erased meanwhile, or other figures have taken their place, so that it has to be done again. */
async function checkOnce(
  db: Db,
  source: SourceKey,
  onRows: (rows: number) => void,
): Promise<FiguresCheck | null> {
  const { accountId, sourceId } = source;
  const ofSource = sql`account_id = ${accountId} and source_id = ${sourceId}`;
  // Of one moment; the rows up to the cursor stay as they are, but for erasures.
  const kept = await db.read<KeptDay>(sql`
    select 'cursor' as kind, form as build, rolled_seq as day, (select change_no from log_counter where ${ofSource}) as number,
      '' as text
    from insight_cursor
    where ${ofSource} and form = ${answeringBuild(source)}
    union all
    select 'day', form, day, survey_no, figures
    from insight_day
    where ${ofSource} and form = ${answeringBuild(source)}`);
  const cursor = kept.find(({ kind }) => kind === 'cursor');
  const rolledSeq = cursor?.day ?? 0;
  const build = cursor?.build ?? form;
  const found = new Differences();
  if (rolledSeq <= 0) return found.check(0);
  const surveyOf = surveysOf(await db.read(selectVersions(source)));
  const fold = new DayFold(surveyOf);
  for (let after = 0; after < rolledSeq; after += rowsAtOnce) {
    const last = Math.min(after + rowsAtOnce, rolledSeq);
    await countAgain(db, { ...source, form: build }, [after, last], fold, found);
    onRows(last - after);
    await setImmediate();
  }
  for await (const text of indexDifferences(db, source, build, () => setImmediate())) found.add(text);
  const counted = new Map(fold.days().map((of) => [`${of.day} ${of.surveyNumber}`, of.figures]));
  const days = kept.filter(({ kind }) => kind === 'day');
  for (const { day, number, text } of days) {
    const figures = counted.get(`${day} ${number}`);
    counted.delete(`${day} ${number}`);
    if (figures !== undefined && packFigures(figures) === text) continue;
    const read = new DayFold(surveyOf);
    read.addPacked(day, number, text);
    found.addDay(day, number, read.days()[0]!.figures, figures);
  }
  for (const [key, figures] of counted) {
    const [day, number] = key.split(' ').map(Number) as [number, number];
    found.addDay(day, number, undefined, figures);
  }
  const erased = await db.read(sql`
    select change_no
    from log_change
    where ${ofSource} and change_no > ${cursor?.number ?? 0} and kind <> 'external'
    limit 1`);
  const still = await db.read(sql`
    select form from insight_cursor where ${ofSource} and form = ${build} and rolled_seq >= ${rolledSeq}`);
  return erased.length > 0 || still.length === 0 ? null : found.check(rolledSeq);
}

async function countAgain(
  db: Db,
  source: FiguresPlace,
  [after, last]: readonly [number, number],
  fold: DayFold,
  found: Differences,
): Promise<void> {
  const { accountId, sourceId, form: build } = source;
  const these = sql`account_id = ${accountId} and source_id = ${sourceId} and seq > ${after} and seq <= ${last}`;
  const rows = await db.read<{ seq: number; day: number; number: number; text: string | null }>(sql`
    select seq, day, survey_no as number, ${smallValues} as text
    from response
    where ${these}
    order by seq
    limit ${limitOf(rowsAtOnce)}`);
  const comments = await db.read<{ seq: number; id: string; folded: string | null }>(sql`
    select seq, question_id as id, ${smallFolded} as folded
    from comment
    where ${these} and form = ${build}`);
  const kept = new Map(comments.map(({ seq, id, folded }) => [`${seq} ${id}`, folded]));
  for (const { seq, day, number, text } of rows) {
    const row = fold.add(day, number, text ?? (await largeValues(db, source, seq)));
    if (row.isErased) continue;
    for (const { questionId, folded } of await withPauses(commentsToKeep(row, { seq, day }), setImmediate)) {
      const key = `${seq} ${questionId}`;
      const known = kept.get(key) === null ? await largeComment(db, source, seq, questionId) : kept.get(key);
      if (known !== folded) found.addComment(seq, questionId, kept.has(key) ? 'is another' : 'is missing');
      kept.delete(key);
    }
  }
  for (const key of kept.keys()) {
    const at = key.indexOf(' ');
    found.addComment(Number(key.slice(0, at)), key.slice(at + 1), 'should not be there');
  }
}

class Differences {
  readonly #named: string[] = [];
  #count = 0;

  addDay(day: number, surveyNumber: number, kept?: Float64Array, counted?: Float64Array): void {
    const countOf = (figures: Float64Array | undefined, place: number): number => figures?.[place] ?? 0;
    const length = Math.max(kept?.length ?? 0, counted?.length ?? 0);
    let others = 0;
    for (let place = 0; place < length; place += 1)
      if (countOf(kept, place) !== countOf(counted, place)) others += 1;
    if (others === 0) return;
    const both = (place: number): string =>
      `${countOf(kept, place)} where ${countOf(counted, place)} are counted`;
    this.add(
      `${dayText(day)}, version number ${surveyNumber}: ${others} figures differ; responses ${both(responsesPlace)}, of them not erased ${both(fullPlace)}`,
    );
  }

  addComment(seq: number, questionId: string, how: string): void {
    this.add(`the comment of response ${seq} to question ${questionId} ${how}`);
  }

  add(text: string): void {
    this.#count += 1;
    if (this.#named.length < namedMax) this.#named.push(text);
  }

  check(rows: number): FiguresCheck {
    return { rows, differences: this.#count, named: this.#named, isUndecided: false };
  }
}
