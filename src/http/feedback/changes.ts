// What happened to a measure or project, for those who keep a copy of its data: every response, and what became of it
// later, in one order, by pages behind a cursor (D-258).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changeOperations } from '../../contract/feedback/changes.ts';
import type { ByteWriter } from '../../domain/byte-writer.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import {
  type FeedCursor,
  type FeedPlace,
  readCursor,
  writeCursor,
} from '../../domain/feedback/feed-cursor.ts';
import { excludeNothing, type RowCursor } from '../../domain/feedback/respondent.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import { changeFeedLimits } from '../../domain/window.ts';
import { type ChangeReader, FeedEnded, FeedLost } from '../../store/feedback/change-reader.ts';
import type { FeedEnd, FeedEntry, FeedPage, FeedRow, ShownEntry } from '../../store/feedback/feed-page.ts';
import type { LogRow } from '../../store/feedback/log-reader.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';
import type { ChangeWaits } from './change-waits.ts';
import { type PageServices, sendPage } from './data-page.ts';
import type { FeedFollowers } from './feed-followers.ts';
import { sourceOfRequest } from './source-requests.ts';

interface ChangeServices extends PageServices {
  readonly changes: ChangeReader;
  readonly changeWaits: ChangeWaits;
  readonly feedFollowers: FeedFollowers;
}

interface FeedRequest {
  readonly after?: string;
  readonly position?: number;
  readonly limit?: number;
  readonly wait?: number;
}

type WriteRow = (
  ready: PreparedSource,
  cursor: RowCursor,
  writer: ByteWriter,
  row: LogRow,
  stopAt: number,
) => boolean;

export function changeRoutes(app: FastifyInstance, services: ChangeServices): void {
  addOperation(
    app,
    changeOperations,
    'GET /v1/measures/:measurementKey/changes',
    ({ params: { measurementKey }, query }, request, reply) =>
      answerChanges(
        services,
        request,
        reply,
        { kind: 'measure', key: measurementKey },
        query,
        writeRespondent,
      ),
  );

  addOperation(
    app,
    changeOperations,
    'GET /v1/projects/:projectId/changes',
    ({ params: { projectId }, query }, request, reply) =>
      answerChanges(services, request, reply, { kind: 'project', key: projectId }, query, writeProjectEntry),
  );
}

const writeRespondent: WriteRow = (ready, cursor, writer, row, stopAt) =>
  cursor.writeRespondent(writer, ready.texts(row.surveyNumber), row, excludeNothing, stopAt);

const writeProjectEntry: WriteRow = (ready, cursor, writer, row, stopAt) =>
  cursor.writeProjectEntry(writer, ready.texts(row.surveyNumber), row, stopAt);

async function answerChanges(
  services: ChangeServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, key }: Pick<SourceName, 'kind' | 'key'>,
  query: FeedRequest,
  writeRow: WriteRow,
): Promise<FastifyReply | object> {
  const { accountId, apiClientId } = callerOfRequest(request);
  const name = { accountId, kind, key };
  const sent = cursorOf(query, name);
  const found = await sourceOfRequest(services.sources, request, kind, key).catch((error: unknown) => {
    // A cursor was given out for it once, so that it was there and is gone.
    const isGone = sent !== null && error instanceof Problem && error.condition === 'notFound';
    throw isGone ? new Problem('CHANGES_GONE', `This ${kind} was removed, and its changes with it.`) : error;
  });
  const { source } = found;
  const { changes, changeWaits } = services;
  try {
    const cursor = sent ?? (await changes.cursorAt(source, query.position ?? 0));
    const isBehind = ({ seq, changeNo }: FeedPlace): boolean =>
      seq !== cursor.seq || changeNo !== cursor.changeNo;
    const { limit = changeFeedLimits.defaultTake, wait: seconds = 0 } = query;
    let end = await changes.endFor(source, cursor);
    if (seconds > 0 && !isBehind(end)) {
      await changeWaits.wait({ source, place: cursor, apiClientId, seconds }, reply.raw);
      end = await changes.endFor(source, cursor);
    }
    // Nothing has to be read for it, so that it needs no room either.
    const follower = `${apiClientId} ${kind} ${key}`;
    if (!isBehind(end)) {
      services.feedFollowers.note(follower, false);
      return { hasMore: false, items: [], next: writeCursor(cursor, name) };
    }
    const shown = { found, cursor, end, limit, name, writeRow, follower };
    return await sendChanges(services, request, reply, shown);
  } catch (error) {
    if (error instanceof FeedEnded) throw ended(kind, key);
    throw error instanceof FeedLost ? lost(error) : error;
  }
}

/** Null when none was sent; then the place is that of `position`. */
function cursorOf({ after, position }: FeedRequest, name: SourceName): FeedCursor | null {
  if (after === undefined) return null;
  if (position !== undefined)
    throw invalidRequest([
      {
        field: 'position',
        code: 'INVALID',
        message: 'is another way to say where to begin than `after`: give one.',
      },
    ]);
  const cursor = readCursor(after, name);
  if (cursor !== null) return cursor;
  const message = `is no cursor of this ${name.kind}: take \`next\` of a page of the same address, or leave it out to begin at the start.`;
  throw invalidRequest([{ field: 'after', code: 'INVALID', message }]);
}

interface Shown {
  readonly found: PreparedSource;
  readonly cursor: FeedCursor;
  readonly end: FeedEnd;
  readonly limit: number;
  readonly name: SourceName;
  readonly writeRow: WriteRow;
  /** Whose page it is. */
  readonly follower: string;
}

/** Sends the page behind the cursor. */
async function sendChanges(
  services: ChangeServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { found, cursor, end, limit, name, writeRow, follower }: Shown,
): Promise<FastifyReply> {
  const leave = await services.pageMemory.enter(found.source.accountId, reply.raw);
  try {
    await services.changes.read(found.source, cursor, end, limit, async (page: FeedPage) => {
      const ready = await services.sources.atLeast(found, page.end.revision);
      try {
        await page.readAhead();
        const content = {
          hasMore: page.hasMore,
          members: `"next":${JSON.stringify(writeCursor(page.nextCursor, name))}`,
          itemEnd: '}',
          writeItem: (rows: RowCursor, writer: ByteWriter, { entry, row }: ShownEntry, stopAt: number) => {
            writer.text(entryBegin(entry, row));
            return row === null || writeRow(ready, rows, writer, row, stopAt);
          },
        };
        services.feedFollowers.note(follower, page.hasMore);
        await services.workQueue.runShort(() => sendPage(services, request, reply, page, content, leave));
      } catch (error) {
        page[Symbol.dispose]();
        throw error;
      }
    });
  } catch (error) {
    leave();
    throw error;
  }
  return reply;
}

/** Up to the item, or up to the closing brace where there is none. */
function entryBegin(entry: FeedEntry, row: FeedRow | null): string {
  const { kind, position } = entry;
  const item = row === null ? '' : `,"digest":"${row.digest}","item":`;
  if (kind === 'response') return `{"type":"response","position":${position}${item}`;
  const { changeNo, firstSeq, lastSeq, atMs, responseId } = entry;
  const facts = `{"type":"${kind}","position":${position},"change":${changeNo},"from":${firstSeq},"to":${lastSeq},"at":"${new Date(atMs).toISOString()}"`;
  return responseId === null ? `${facts}${item}` : `${facts},"id":${JSON.stringify(responseId)}`;
}

/** Whoever has some of the responses does not know what became of them; an export has all of them as they are now. */
function ended(kind: SourceName['kind'], key: number): Problem {
  const address = `/v1/${kind}s/${key}`;
  return new Problem(
    'CHANGES_GONE',
    `Changes behind this place are gone: the feed keeps them for a time (SOUNDINGS_CHANGES_DAYS). Begin again from an export, which has every response as it is now: read ${address}/export for all days, write its rows over yours, and go on with ${address}/changes?position=N, where N is its header Export-End-Position.`,
  );
}

function lost({ end }: FeedLost): Problem {
  return new Problem(
    'CHANGES_GONE',
    `The store no longer has what was read up to here: it was restored, or taken over, without its last changes, and ends at position ${end.seq} now. Begin at the start (leave out after), or behind a position that it still has (position=${end.seq} at most): what you have already is then only written again.`,
  );
}
