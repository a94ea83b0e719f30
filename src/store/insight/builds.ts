// Figures that are added up anew while those of before go on answering (D-630). A source has a cursor for each build of its form: the
// one that has come furthest answers and is moved first, and a later one follows the log beside it. When that has come as far, it is
// the one that answers, and what the others have is deleted. Whoever erases takes answers out of all of them.

import sql from 'sql-template-tag';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import { buildStep, form as currentForm, formOfBuild } from '../../domain/insight/layout.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Db, Steps } from '../engine/db.ts';
import { indexComments } from './comment-index.ts';
import { isOfForm, type RollOptions, type RollOutcome, rollUpSome } from './roll-up.ts';

/** What nobody has moved for so long is read by no replica of another release any more. */
export const buildAgeMaxMs = 3_600_000;

interface Build {
  readonly build: number;
  readonly rolledSeq: number;
  readonly updatedAtMs: number;
}

interface BuildsOfSource {
  /** Of the form of this release; null where there is none. */
  readonly answering: Build | null;
  /** The last one that was opened; it is the answering one where nothing is added up anew. */
  readonly latest: Build | null;
  /** Those with something to be deleted: earlier ones, and older forms that nobody moves any more. */
  readonly toDelete: readonly number[];
}

/** `isAtOnce`: also earlier builds that another release may still move. */
export async function buildsOf(
  db: Db,
  { accountId, sourceId }: SourceKey,
  nowMs: number,
  isAtOnce = false,
): Promise<BuildsOfSource> {
  const rows = await db.read<Build>(sql`
    select form as build, rolled_seq as "rolledSeq", updated_at as "updatedAtMs"
    from insight_cursor
    where account_id = ${accountId} and source_id = ${sourceId}
    order by form
    limit 100`);
  const own = rows.filter(({ build }) => formOfBuild(build) === currentForm);
  const answering = furthest(own);
  const isOld = ({ updatedAtMs }: Build): boolean => updatedAtMs < nowMs - buildAgeMaxMs;
  const isToDelete = (one: Build): boolean => {
    if (formOfBuild(one.build) !== currentForm) return formOfBuild(one.build) < currentForm && isOld(one);
    if (answering === null || one.build >= answering.build) return false;
    return one.rolledSeq === -1 || (one.rolledSeq >= 0 && (isAtOnce || isOld(one)));
  };
  return {
    answering,
    latest: own.at(-1) ?? null,
    toDelete: rows.filter(isToDelete).map(({ build }) => build),
  };
}

function furthest(builds: readonly Build[]): Build | null {
  return builds.reduce<Build | null>(
    (most, one) => (most === null || one.rolledSeq >= most.rolledSeq ? one : most),
    null,
  );
}

/** Adds some rows to a build that does not answer yet. Its comments are indexed as it goes, so that it is whole when it does. */
export async function advanceBuild(
  db: Db,
  source: SourceKey,
  build: number,
  options: Omit<RollOptions, 'build'>,
): Promise<{ readonly outcome: RollOutcome; readonly rolledSeq: number | null }> {
  const pause = options.pause === undefined ? {} : { pause: options.pause };
  if ((await indexComments(db, source, build, pause)) === 'indexed')
    return { outcome: 'moved', rolledSeq: null };
  return rollUpSome(db, source, { ...options, build });
}

interface RebuildFigures extends ChangeStamp, SourceName {
  readonly sourceId: number;
}

/**
 * Opens a build of a source behind all that it has, unless one is under way: that goes on. The cursor of the first build is held, as by
 * whoever erases: so each erasure either is over before the build begins, or finds it.
 */
export function* rebuildFigures(input: RebuildFigures): Steps<void> {
  const { accountId, sourceId, kind, key, nowMs } = input;
  yield sql`
    insert into insight_cursor (account_id, source_id, form, rolled_seq, rolled_id, change_no, moves, updated_at)
    values (${accountId}, ${sourceId}, ${currentForm}, 0, '', 0, 1, ${nowMs})
    on conflict (account_id, source_id, form) do update
    set moves = insight_cursor.moves + 1`;
  const { rows } = yield sql`
    select form as build, rolled_seq as "rolledSeq"
    from insight_cursor
    where account_id = ${accountId} and source_id = ${sourceId} and ${isOfForm(sql`form`, [currentForm])}
    order by form`;
  const builds = rows as unknown as readonly Build[];
  const latest = builds.at(-1)!;
  // Of a source of which nothing is added up, everything is about to be.
  if (furthest(builds) === latest && latest.rolledSeq > 0)
    yield sql`
      insert into insight_cursor (account_id, source_id, form, rolled_seq, rolled_id, change_no, moves, updated_at)
      values (${accountId}, ${sourceId}, ${latest.build + buildStep}, 0, '', 0, 1, ${nowMs})`;
  yield auditStatement(input, { accountId, action: 'insight.rebuild', subject: `${kind} ${key}` });
}
