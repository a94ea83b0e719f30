// Bodies of responses that were refused for what they say, of surveys with `quarantine: true`: kept for a week, sealed, until
// the survey is mended and they are judged once more (`soundings redrive`). What an account keeps here has an end in
// bytes; one row of the account says how much there is, and whoever changes anything here holds it (D-287).

import sql, { empty, type Sql } from 'sql-template-tag';
import { auditSubject } from '../../domain/access/audit-subject.ts';
import { dayMs } from '../../domain/dates.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import type { CountKey } from './refusals.ts';

export const quarantineBytesMax = 64 * 1024 * 1024;
export const quarantineAgeMaxMs = 7 * dayMs;
/** Rows that one transaction forgets. */
const forgottenAtOnce = 1_000;

export interface BodyToKeep extends CountKey {
  /** The id of the request; a body without a responseId gets this one when it is accepted. */
  readonly id: string;
  readonly responseId: string | null;
  readonly receivedAtMs: number;
  readonly faults: string;
  readonly moreFaults: number;
  readonly kid: string;
  readonly sealed: string;
}

/** What a text was sealed for: nothing else opens it. */
export function purposeOf(accountId: number, id: string): string {
  return `quarantine ${accountId} ${id}`;
}

/** Keeps what there is room for, and says which; of several bodies with one responseId the first stays. */
export function* keepBodies(
  { accountId, bodies, nowMs }: { accountId: number; bodies: readonly BodyToKeep[]; nowMs: number },
  dialect: Dialect,
): Steps<readonly BodyToKeep[]> {
  if (bodies.length === 0) return [];
  yield* holdRoom(accountId);
  yield* forgetOldBodies(accountId, yield* trustedNow(nowMs), dialect);
  let room = quarantineBytesMax - (yield* holdRoom(accountId));
  const taken = yield* takenIds(accountId, bodies, dialect);
  const kept: BodyToKeep[] = [];
  let bytes = 0;
  for (const body of bodies) {
    if (taken.has(body.id) || (body.responseId !== null && taken.has(body.responseId))) continue;
    if (body.sealed.length > room) continue;
    taken.add(body.id);
    if (body.responseId !== null) taken.add(body.responseId);
    room -= body.sealed.length;
    bytes += body.sealed.length;
    kept.push(body);
  }
  if (kept.length === 0) return [];
  yield insertInto('quarantined_response', kept, {
    account_id: ['integer', () => accountId],
    id: ['text', (body) => body.id],
    survey_id: ['text', (body) => body.surveyId],
    response_id: ['text', (body) => body.responseId],
    received_at: ['integer', (body) => body.receivedAtMs],
    cause: ['text', (body) => body.cause],
    faults: ['text', (body) => body.faults],
    more_faults: ['integer', (body) => body.moreFaults],
    kid: ['text', (body) => body.kid],
    sealed: ['text', (body) => body.sealed],
    bytes: ['integer', (body) => body.sealed.length],
  });
  yield* changeRoom(accountId, bytes, kept.length);
  return kept;
}

/** Ids of requests and of responses that have a row already. */
function* takenIds(accountId: number, bodies: readonly BodyToKeep[], dialect: Dialect): Steps<Set<string>> {
  const ids = bodies.map(({ id }) => id);
  const responseIds = bodies.flatMap(({ responseId }) => responseId ?? []);
  const { rows } = yield sql`
    select id, response_id as "responseId"
    from quarantined_response
    where account_id = ${accountId}
      and (${dialect.isAmong(sql`id`, ids, 'text')} or ${dialect.isAmong(sql`response_id`, responseIds, 'text')})`;
  return new Set(
    rows.flatMap(({ id, responseId }) => [String(id), ...(responseId === null ? [] : [String(responseId)])]),
  );
}

/** Holds the quarantine of the account to the commit, and says how many bytes it has. */
function* holdRoom(accountId: number): Steps<number> {
  const { rows } = yield sql`
    insert into quarantine_room (account_id, bytes, bodies)
    values (${accountId}, 0, 0)
    on conflict (account_id) do update
    set bytes = quarantine_room.bytes
    returning bytes`;
  return Number(rows[0]?.bytes ?? 0);
}

function* changeRoom(accountId: number, bytes: number, bodies: number): Steps<void> {
  yield sql`
    update quarantine_room
    set bytes = bytes + ${bytes}, bodies = bodies + ${bodies}
    where account_id = ${accountId}`;
}

/** Bodies whose time is over. */
export function endedBodies(now: TrustedMs): Sql {
  return sql`received_at < ${now - quarantineAgeMaxMs}`;
}

/** Drops rows whose time is over, some at a time; the room must be held. Says how many there were. */
function* forgetOldBodies(accountId: number, now: TrustedMs, dialect: Dialect): Steps<number> {
  const { rows } = yield sql`
    select id
    from quarantined_response
    where account_id = ${accountId} and ${endedBodies(now)}
    order by received_at
    limit ${limitOf(forgottenAtOnce)}`;
  yield* dropRows(
    accountId,
    rows.map(({ id }) => String(id)),
    dialect,
  );
  return rows.length;
}

function* dropRows(accountId: number, ids: readonly string[], dialect: Dialect): Steps<void> {
  if (ids.length === 0) return;
  yield* dialect.overwriteDeleted();
  const { rows } = yield sql`
    delete from quarantined_response
    where account_id = ${accountId} and ${dialect.isAmong(sql`id`, ids, 'text')}
    returning bytes, erased_at as "erasedAtMs"`;
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  yield* changeRoom(accountId, -bytes, -rows.filter(({ erasedAtMs }) => erasedAtMs === null).length);
}

/** The end of what nobody redrove; true while there may be more of it. */
export function* forgetQuarantined(accountId: number, now: TrustedMs, dialect: Dialect): Steps<boolean> {
  yield* holdRoom(accountId);
  return (yield* forgetOldBodies(accountId, now, dialect)) === forgottenAtOnce;
}

/** Part of an erasure: empties the bodies that wait under these ids, and says under which there were some. */
export function* eraseQuarantined(
  accountId: number,
  responseIds: readonly string[],
  nowMs: number,
  dialect: Dialect,
): Steps<readonly string[]> {
  const among = isUnder(responseIds, dialect);
  const { rows: found } = yield sql`
    select id
    from quarantined_response
    where account_id = ${accountId} and erased_at is null and ${among}`;
  if (found.length === 0) return [];
  yield* holdRoom(accountId);
  yield* dialect.overwriteDeleted();
  const { rows } = yield sql`
    select id, response_id as "responseId", bytes
    from quarantined_response
    where account_id = ${accountId} and erased_at is null and ${among}`;
  yield sql`
    update quarantined_response
    set sealed = null, kid = null, faults = '[]', bytes = 0, erased_at = ${nowMs}
    where account_id = ${accountId} and erased_at is null and ${among}`;
  yield* changeRoom(accountId, -rows.reduce((sum, row) => sum + Number(row.bytes), 0), -rows.length);
  return rows.map(({ id, responseId }) => String(responseId ?? id));
}

/** A body that came without a responseId is known to its sender by the id of the request alone. */
function isUnder(responseIds: readonly string[], dialect: Dialect): Sql {
  return sql`(${dialect.isAmong(sql`response_id`, responseIds, 'text')} or ${dialect.isAmong(sql`id`, responseIds, 'text')})`;
}

/** Under which of these ids a body waits. */
export async function waitingIds(
  db: Db,
  accountId: number,
  responseIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.read<{ id: string }>(sql`
    select coalesce(response_id, id) as id
    from quarantined_response
    where account_id = ${accountId} and erased_at is null and ${isUnder(responseIds, db.dialect)}
    order by 1
    limit ${limitOf(responseIds.length)}`);
  return rows.map(({ id }) => id);
}

export interface EraseWaiting extends ChangeStamp {
  readonly accountId: number;
  readonly responseIds: readonly string[];
}

/** The erasure of bodies alone, whatever is kept under their ids. */
export function* eraseWaiting(input: EraseWaiting, dialect: Dialect): Steps<void> {
  const { accountId, responseIds, nowMs } = input;
  const erased = yield* eraseQuarantined(accountId, responseIds, nowMs, dialect);
  if (erased.length > 0)
    yield auditStatement(input, {
      accountId,
      action: 'responses.erase',
      ...auditSubject('quarantineListed', { count: erased.length }),
    });
}

export interface QuarantinedBody {
  readonly id: string;
  readonly responseId: string | null;
  readonly receivedAtMs: number;
  readonly cause: string;
  readonly sealed: string;
}

/** In the order of arrival, behind the id. */
export async function quarantinedBodies(
  db: Db,
  {
    accountId,
    surveyId,
    afterId,
    nowMs,
    take,
    cause,
    id,
  }: {
    accountId: number;
    surveyId: string;
    afterId: string;
    nowMs: number;
    take: number;
    /** Only those that are refused for this cause now. */
    cause?: string;
    /** Only this one. */
    id?: string;
  },
): Promise<readonly QuarantinedBody[]> {
  return db.read<QuarantinedBody>(sql`
    select id, response_id as "responseId", received_at as "receivedAtMs", cause, sealed
    from quarantined_response
    where account_id = ${accountId} and survey_id = ${surveyId} and id > ${afterId} and erased_at is null
      and received_at >= ${nowMs - quarantineAgeMaxMs}
      ${cause === undefined ? empty : sql`and cause = ${cause}`}
      ${id === undefined ? empty : sql`and id = ${id}`}
    order by id
    limit ${limitOf(take)}`);
}

export interface WaitingByCause {
  readonly surveyId: string;
  readonly cause: string;
  readonly bodies: number;
  readonly oldestMs: number;
}

/** How many bodies wait now, by survey and by why they are refused. */
export async function waitingByCause(
  db: Db,
  accountId: number,
  nowMs: number,
): Promise<readonly WaitingByCause[]> {
  return db.read<WaitingByCause>(sql`
    select survey_id as "surveyId", cause, count(*) as bodies, min(received_at) as "oldestMs"
    from quarantined_response
    where account_id = ${accountId} and erased_at is null and received_at >= ${nowMs - quarantineAgeMaxMs}
    group by survey_id, cause
    order by survey_id, cause
    limit ${limitOf(surveysMax)}`);
}

export interface WaitingBody extends QuarantinedBody {
  readonly surveyId: string;
  /** A JSON text: fields and codes. */
  readonly faults: string;
  readonly moreFaults: number;
}

export interface WaitingFacts {
  readonly id: string;
  readonly receivedAtMs: number;
  /** A JSON text: fields and codes. */
  readonly faults: string;
  readonly moreFaults: number;
}

/** Those of a survey and cause that wait, the newest first, before an id; without what they say. */
export async function waitingBodies(
  db: Db,
  {
    accountId,
    surveyId,
    cause,
    beforeId,
    nowMs,
    take,
  }: {
    readonly accountId: number;
    readonly surveyId: string;
    readonly cause: string;
    readonly beforeId: string | null;
    readonly nowMs: number;
    readonly take: number;
  },
): Promise<readonly WaitingFacts[]> {
  return db.read<WaitingFacts>(sql`
    select id, received_at as "receivedAtMs", faults, more_faults as "moreFaults"
    from quarantined_response
    where account_id = ${accountId} and survey_id = ${surveyId} and cause = ${cause} and erased_at is null
      and received_at >= ${nowMs - quarantineAgeMaxMs} ${beforeId === null ? empty : sql`and id < ${beforeId}`}
    order by id desc
    limit ${limitOf(take)}`);
}

/** One body that waits; null where there is none under this id. */
export async function waitingBody(
  db: Db,
  accountId: number,
  id: string,
  nowMs: number,
): Promise<WaitingBody | null> {
  const [row] = await db.read<WaitingBody>(sql`
    select id, survey_id as "surveyId", response_id as "responseId", received_at as "receivedAtMs", cause, sealed, faults,
      more_faults as "moreFaults"
    from quarantined_response
    where account_id = ${accountId} and id = ${id} and erased_at is null
      and received_at >= ${nowMs - quarantineAgeMaxMs}`);
  return row ?? null;
}

export interface QuarantineOfSurvey {
  readonly surveyId: string;
  readonly bodies: number;
  readonly bytes: number;
  readonly oldestMs: number;
}

const surveysMax = 10_000;

/** What is kept now, by survey. */
export async function quarantineOf(
  db: Db,
  accountId: number,
  nowMs: number,
): Promise<readonly QuarantineOfSurvey[]> {
  return db.read<QuarantineOfSurvey>(sql`
    select survey_id as "surveyId", count(*) as bodies, cast(sum(bytes) as bigint) as bytes, min(received_at) as "oldestMs"
    from quarantined_response
    where account_id = ${accountId} and erased_at is null and received_at >= ${nowMs - quarantineAgeMaxMs}
    group by survey_id
    order by survey_id
    limit ${limitOf(surveysMax)}`);
}

/** How many bodies a sealing key holds, over all accounts: asked by hand, before a key is revoked. */
export async function bodiesSealedBy(db: Db, kid: string): Promise<number> {
  const [row] = await db.read<{ counted: number }>(sql`
    select count(*) as counted
    from quarantined_response
    where kid = ${kid}`);
  return row?.counted ?? 0;
}

export interface SettleRedriven extends ChangeStamp {
  readonly accountId: number;
  readonly surveyId: string;
  /** Ids of rows whose responses are kept now. */
  readonly accepted: readonly string[];
  readonly refused: readonly { id: string; cause: string; faults: string; moreFaults: number }[];
}

/**
 * What was accepted leaves the quarantine; what is still refused stays, with its new cause. Says which of the accepted were
 * erased while they were on their way: these must be erased where they are now.
 */
export function* settleRedriven(input: SettleRedriven, dialect: Dialect): Steps<readonly string[]> {
  const { accountId, accepted, refused, nowMs } = input;
  yield* holdRoom(accountId);
  const { rows } = yield sql`
    select id
    from quarantined_response
    where account_id = ${accountId} and erased_at is not null and ${dialect.isAmong(sql`id`, accepted, 'text')}`;
  yield* dropRows(accountId, accepted, dialect);
  for (const { id, cause, faults, moreFaults } of refused)
    yield sql`
      update quarantined_response
      set cause = ${cause}, faults = ${faults}, more_faults = ${moreFaults}, redriven_at = ${nowMs}
      where account_id = ${accountId} and id = ${id} and erased_at is null`;
  yield auditStatement(input, {
    accountId,
    action: 'response.redrive',
    ...auditSubject('redriven', {
      ...{ survey: input.surveyId, accepted: accepted.length, refused: refused.length },
    }),
  });
  return rows.map(({ id }) => String(id));
}
