// The events that the log of a source tells of: responses that came in, and what happened to them later.

import sql from 'sql-template-tag';
import { type EventType, eventOfLogChange } from '../../domain/webhooks/event-types.ts';
import { eventId } from '../../domain/webhooks/webhook.ts';
import { type Db, limitOf } from '../engine/db.ts';

export interface LogEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: string;
}

export interface FollowedSource {
  readonly accountId: number;
  readonly sourceId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly lastSeq: number;
  readonly changeNo: number;
}

export async function findFollowedSource(
  db: Db,
  accountId: number,
  sourceId: number,
): Promise<FollowedSource | null> {
  const [row] = await db.read<Omit<FollowedSource, 'accountId' | 'sourceId'>>(sql`
    select source.kind, source.source_key as "key", log_counter.last_seq as "lastSeq", log_counter.change_no as "changeNo"
    from source
    join log_counter on log_counter.account_id = ${accountId} and log_counter.source_id = source.source_id
    where source.account_id = ${accountId} and source.source_id = ${sourceId}`);
  return row === undefined ? null : { accountId, sourceId, ...row };
}

export async function sourceIdOf(
  db: Db,
  accountId: number,
  kind: FollowedSource['kind'],
  key: number,
): Promise<number | null> {
  const [row] = await db.read<{ sourceId: number }>(sql`
    select source_id as "sourceId"
    from source
    where account_id = ${accountId} and kind = ${kind} and source_key = ${key}`);
  return row?.sourceId ?? null;
}

/** The responses behind a position, up to another one. */
export async function responseEvents(
  db: Db,
  source: FollowedSource,
  after: number,
  upTo: number,
): Promise<readonly LogEvent[]> {
  const { accountId, sourceId } = source;
  const rows = await db.read<{ seq: number; responseId: string; submittedAtMs: number }>(sql`
    select seq, response_id as "responseId", submitted_at as "submittedAtMs"
    from response
    where account_id = ${accountId} and source_id = ${sourceId} and seq > ${after} and seq <= ${upTo}
    order by seq
    limit ${limitOf(upTo - after)}`);
  return rows.map(({ seq, responseId, submittedAtMs }) => ({
    // A log that lost its last rows in a failover gives their numbers to others, so the number alone is no id.
    id: eventId(accountId, 'response.created', sourceId, seq, responseId),
    type: 'response.created',
    data: JSON.stringify({
      accountId,
      ...nameOf(source),
      responseId,
      position: seq,
      submittedAt: new Date(submittedAtMs).toISOString(),
    }),
  }));
}

/** What happened to responses behind a number of a change, up to another one; a change is of a range of positions. */
export async function changeEvents(
  db: Db,
  source: FollowedSource,
  after: number,
  upTo: number,
): Promise<readonly LogEvent[]> {
  const { accountId, sourceId } = source;
  const rows = await db.read<{
    no: number;
    kind: string;
    first: number;
    last: number;
    at: number;
    mark: string;
  }>(sql`
    select change_no as "no", kind, first_seq as "first", last_seq as "last", at, mark
    from log_change
    where account_id = ${accountId} and source_id = ${sourceId} and change_no > ${after} and change_no <= ${upTo}
    order by change_no
    limit ${limitOf(upTo - after)}`);
  return rows.flatMap(({ no, kind, first, last, at, mark }) => {
    const type = eventOfLogChange[kind];
    if (type === undefined) return [];
    const data = JSON.stringify({
      accountId,
      ...nameOf(source),
      firstPosition: first,
      lastPosition: last,
      change: no,
      ...(type === 'response.erased' && { reason: kind === 'retained' ? 'retention' : 'erasure' }),
      changedAt: new Date(at).toISOString(),
    });
    return [{ id: eventId(accountId, type, sourceId, no, mark), type, data }];
  });
}

function nameOf({ kind, key }: FollowedSource): object {
  return kind === 'measure' ? { measureKey: key } : { projectId: key };
}
