// Responses that were refused, for an operator who asks what a collector does wrong: how many by day, survey and cause, and
// the last thousand of an account with the paths and codes of their faults. Both forget by themselves.

import sql, { type Sql } from 'sql-template-tag';
import { dayMs, dayOf } from '../../domain/dates.ts';
import type { BriefFault } from '../../domain/feedback/refusal.ts';
import { refusalsKept } from '../../domain/feedback/refusal.ts';
import { type Db, insertInto, limitOf, type Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';
import { type TrustedMs, trustedNow } from '../engine/trusted-time.ts';
import { type BodyToKeep, keepBodies } from './quarantine.ts';

export const refusalAgeMaxMs = 30 * dayMs;
export const countedDays = 400;

/** Of refusals that belong to nobody: no known survey, and no caller. */
export const noAccount = 0;

export interface Refusal {
  /** The id of the request, as its answer told it. */
  readonly id: string;
  readonly atMs: number;
  /** Empty where the survey is not known to whoever sent it. */
  readonly surveyId: string;
  /** The API client; null for who came without a token. */
  readonly actor: string | null;
  readonly status: number;
  readonly code: string;
  readonly cause: string;
  /** A JSON text: fields and codes. */
  readonly faults: string;
  readonly moreFaults: number;
}

/** By what refusals are counted. */
export interface CountKey {
  readonly day: number;
  readonly surveyId: string;
  readonly cause: string;
}

export interface NewCount extends CountKey {
  readonly refused: number;
}

export interface KeepRefusals {
  readonly accountId: number;
  readonly counts: readonly NewCount[];
  readonly refusals: readonly Refusal[];
  readonly bodies: readonly BodyToKeep[];
  readonly nowMs: number;
}

/**
 * Counts, and keeps what is to be kept. The list and the quarantine take nothing twice. A count whose commit was not heard of is
 * made again, and may then be too high by what one process refused in one second (D-285).
 */
export function* keepRefusals(input: KeepRefusals, dialect: Dialect): Steps<void> {
  const { accountId, counts, refusals, nowMs } = input;
  const kept = yield* keepBodies(input, dialect);
  yield insertInto(
    'refused_count',
    withQuarantined(counts, kept),
    {
      account_id: ['integer', () => accountId],
      day: ['integer', (one) => one.day],
      survey_id: ['text', (one) => one.surveyId],
      cause: ['text', (one) => one.cause],
      refused: ['integer', (one) => one.refused],
      quarantined: ['integer', (one) => one.quarantined],
    },
    `on conflict (account_id, day, survey_id, cause) do update
      set refused = refused_count.refused + excluded.refused,
        quarantined = refused_count.quarantined + excluded.quarantined`,
  );
  if (refusals.length > 0) {
    yield insertInto(
      'refused_response',
      refusals,
      {
        account_id: ['integer', () => accountId],
        id: ['text', (one) => one.id],
        at: ['integer', (one) => one.atMs],
        survey_id: ['text', (one) => one.surveyId],
        actor: ['text', (one) => one.actor],
        status: ['integer', (one) => one.status],
        code: ['text', (one) => one.code],
        cause: ['text', (one) => one.cause],
        faults: ['text', (one) => one.faults],
        more_faults: ['integer', (one) => one.moreFaults],
      },
      'on conflict (account_id, id) do nothing',
    );
    const { rows } = yield sql`
      select id
      from refused_response
      where account_id = ${accountId}
      order by id desc
      limit 1 offset ${limitOf(refusalsKept)}`;
    const newestTooMany = rows[0]?.id;
    if (typeof newestTooMany === 'string')
      yield sql`delete from refused_response where account_id = ${accountId} and id <= ${newestTooMany}`;
  }
  yield* forgetOldRefusals(accountId, yield* trustedNow(nowMs));
}

/** What is too old to be of interest. */
export function* forgetOldRefusals(accountId: number, now: TrustedMs): Steps<void> {
  yield sql`delete from refused_response where account_id = ${accountId} and ${endedRefusals(now)}`;
  yield sql`delete from refused_count where account_id = ${accountId} and ${endedCounts(now)}`;
}

export function endedRefusals(now: TrustedMs): Sql {
  return sql`at < ${now - refusalAgeMaxMs}`;
}

export function endedCounts(now: TrustedMs): Sql {
  return sql`day < ${dayOf(now) - countedDays}`;
}

interface WholeCount extends NewCount {
  readonly quarantined: number;
}

/** In the order of the key: two processes that count the same then follow one another, and never wait for each other. */
function withQuarantined(counts: readonly NewCount[], kept: readonly CountKey[]): readonly WholeCount[] {
  const byKey = new Map<string, WholeCount>();
  const add = (key: CountKey, refused: number, quarantined: number): void => {
    const text = `${key.day} ${key.cause} ${key.surveyId}`;
    const before = byKey.get(text) ?? { ...key, refused: 0, quarantined: 0 };
    byKey.set(text, {
      ...before,
      refused: before.refused + refused,
      quarantined: before.quarantined + quarantined,
    });
  };
  for (const count of counts) add(count, count.refused, 0);
  for (const key of kept) add(key, 0, 1);
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

/** A refusal with the name of the API client; null where there is none, or it is gone. */
export interface NamedRefusal extends Omit<Refusal, 'faults'> {
  readonly who: string | null;
  readonly faults: readonly BriefFault[];
}

/** Oldest first, as many as are asked for of the newest. */
export async function lastRefusals(
  db: Db,
  accountId: number,
  nowMs: number,
  count: number,
): Promise<readonly NamedRefusal[]> {
  const rows = await db.read<Refusal & { who: string | null }>(sql`
    select refused_response.id, at as "atMs", survey_id as "surveyId", actor, status, code, cause, faults,
      more_faults as "moreFaults", api_client.name as who
    from refused_response
    left join api_client on api_client.id = refused_response.actor
    where refused_response.account_id = ${accountId} and at >= ${nowMs - refusalAgeMaxMs}
    order by refused_response.id desc
    limit ${limitOf(count)}`);
  return rows
    .toReversed()
    .map((row) => ({ ...row, faults: JSON.parse(row.faults) as readonly BriefFault[] }));
}

export interface RefusalCount extends CountKey {
  readonly refused: number;
  readonly quarantined: number;
}

const countsMax = 100_000;

/** In the order of days, then of surveys and causes. */
export async function refusalCounts(
  db: Db,
  accountId: number,
  from: number,
  to: number,
): Promise<readonly RefusalCount[]> {
  return db.read<RefusalCount>(sql`
    select day, survey_id as "surveyId", cause, refused, quarantined
    from refused_count
    where account_id = ${accountId} and day >= ${from} and day <= ${to}
    order by day, survey_id, cause
    limit ${limitOf(countsMax)}`);
}
