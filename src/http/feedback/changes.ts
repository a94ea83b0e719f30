// What happened to a measure or project, for those who keep a copy of its data: every response, and what became of it
// later, in one order, by pages behind a cursor (D-258).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MeasureKey, Respondent } from '../../contract/feedback/measures.ts';
import { ProjectEntry, ProjectId } from '../../contract/feedback/projects.ts';
import { limitWithin } from '../../contract/feedback/source-parameters.ts';
import { Type } from '../../contract/schema.ts';
import type { ByteWriter } from '../../domain/byte-writer.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import {
  cursorLengthMax,
  type FeedCursor,
  type FeedPlace,
  readCursor,
  writeCursor,
} from '../../domain/feedback/feed-cursor.ts';
import { excludeNothing, type RowCursor } from '../../domain/feedback/respondent.ts';
import { Problem } from '../../domain/problem.ts';
import { changeFeedLimits } from '../../domain/window.ts';
import { type ChangeReader, FeedEnded, FeedLost } from '../../store/feedback/change-reader.ts';
import type { FeedEnd, FeedEntry, FeedPage, FeedRow, ShownEntry } from '../../store/feedback/feed-page.ts';
import type { LogRow } from '../../store/feedback/log-reader.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { invalidRequest } from '../server/input.ts';
import { addRoute, callerOfRequest } from '../server/route.ts';
import { type ChangeWaits, waitSecondsMax } from './change-waits.ts';
import { type PageServices, sendPage } from './data-page.ts';
import type { FeedFollowers } from './feed-followers.ts';
import { readFailures, sourceOfRequest } from './source-requests.ts';

const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: cursorLengthMax,
      description: '`next` of the page before; the start unless given.',
    }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Instead of `after`: begin behind the response with this position, such as the last one of an export.',
    }),
  ),
  limit: limitWithin(changeFeedLimits),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: waitSecondsMax,
      description: 'So many seconds to wait for a change while there is none; 0 unless given.',
    }),
  ),
});

const entryFacts = {
  position: Type.Integer({
    description:
      'Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made.',
  }),
};

const itemFacts = {
  digest: Type.String({
    description:
      'The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased.',
  }),
};

const changeFacts = {
  ...entryFacts,
  change: Type.Integer({ description: 'The number of the change, from 1 on, without a gap.' }),
  from: Type.Integer({ description: 'The position of the first response that it concerns.' }),
  to: Type.Integer({ description: 'The position of the last one.' }),
  at: Type.String({ format: 'date-time' }),
};

function feedSchema(id: string, item: typeof Respondent | typeof ProjectEntry) {
  return Type.Object(
    {
      hasMore: Type.Boolean({ description: 'Whether there is more behind this page already.' }),
      items: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('response'), ...entryFacts, ...itemFacts, item }),
          Type.Object({ type: Type.Literal('external'), ...changeFacts, ...itemFacts, item }),
          Type.Object({
            type: Type.Enum(['erased', 'retained']),
            ...changeFacts,
            id: Type.Optional(
              Type.String({ description: 'The responseId, where it concerns one response.' }),
            ),
          }),
        ]),
        {
          description:
            'response: a response came in. external: its external parameters were added or corrected, and `item` is all of it as it is now. erased, retained: nothing but place, day and scores is left of every response from `from` to `to`.',
        },
      ),
      next: Type.String({ description: 'The cursor behind this page, for `after`.' }),
    },
    { $id: id },
  );
}

const MeasureChanges = feedSchema('MeasureChanges', Respondent);
const ProjectChanges = feedSchema('ProjectChanges', ProjectEntry);

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

const description =
  'Responses and what happened to them later, in one order that never shifts. `next` leads to the page behind this one; an entry is met once. A response that was erased after it came in shows `erased` here, and its erasure follows. A store that was restored, and has lost some of what a cursor has seen, answers 410; so does one that no longer keeps changes behind the cursor, and says how to begin again from an export.';

export function changeRoutes(app: FastifyInstance, services: ChangeServices): void {
  const failures = [...readFailures, 410].sort();
  addRoute(app, {
    method: 'GET',
    path: '/v1/measures/:measurementKey/changes',
    area: 'service',
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: FeedQuery,
    document: {
      operationId: 'measureChanges',
      summary: 'Follow the responses of a measure and what becomes of them',
      description,
      tag: 'Measures',
      success: { status: 200, schema: MeasureChanges, description: 'One page of changes' },
      conditions: failures,
    },
    handle: ({ params: { measurementKey }, query }, request, reply) =>
      answerChanges(
        services,
        request,
        reply,
        { kind: 'measure', key: measurementKey },
        query,
        writeRespondent,
      ),
  });

  addRoute(app, {
    method: 'GET',
    path: '/v1/projects/:projectId/changes',
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: FeedQuery,
    document: {
      operationId: 'projectChanges',
      summary: 'Follow the entries of a project and what becomes of them',
      description,
      tag: 'Projects',
      success: { status: 200, schema: ProjectChanges, description: 'One page of changes' },
      conditions: failures,
    },
    handle: ({ params: { projectId }, query }, request, reply) =>
      answerChanges(services, request, reply, { kind: 'project', key: projectId }, query, writeProjectEntry),
  });
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
