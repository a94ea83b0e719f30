// Exports of measures and projects: the responses of a range of days as a file, sent while it is read. How many rows it has
// and where the log ended is said before the first row. What fails on the way breaks the connection: an answer without
// its end is never taken for a whole one (D-267).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { exportOperations, exportTypes } from '../../contract/feedback/exports.ts';
import type { DateRange } from '../../domain/dates.ts';
import type { ExportFormat } from '../../domain/feedback/export-format.ts';
import { excludeNothing, type RespondentToggles } from '../../domain/feedback/respondent.ts';
import { type Fault, invalidRequest, Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { LogReader } from '../../store/feedback/log-reader.ts';
import type { ScanBounds } from '../../store/feedback/log-scan.ts';
import { type ExportRequest, RangeExport } from '../../store/feedback/range-export.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import type { TableThread } from '../../store/feedback/table-thread.ts';
import { chooseType } from '../server/accept.ts';
import { SliceStream } from '../server/compress.ts';
import type { ChargedThrottle } from '../server/request-budget.ts';
import { logFailure } from '../server/request-log.ts';
import { addOperation } from '../server/route.ts';
import type { ExportSlots } from './export-slots.ts';
import { daysOf, respondentToggles, sourceOfRequest } from './source-requests.ts';

interface ExportServices {
  readonly context: Context;
  /** Left out where people call, who have no throttle that rows are charged to. */
  readonly gate?: ChargedThrottle;
  readonly reader: LogReader;
  readonly sources: Sources;
  readonly workQueue: WorkQueue;
  readonly exportSlots: ExportSlots;
  readonly tableThread: TableThread;
}

/** One token of the throttle for so many rows. */
const rowsAToken = 1000;

export function exportRoutes(app: FastifyInstance, services: ExportServices): void {
  addOperation(
    app,
    exportOperations,
    'GET /v1/measures/:measurementKey/export',
    ({ params: { measurementKey }, query }, request, reply) =>
      answerExport(services, request, reply, {
        ...askedFor(request, query),
        kind: 'measure',
        key: measurementKey,
        toggles: respondentToggles(query),
      }),
  );

  addOperation(
    app,
    exportOperations,
    'GET /v1/projects/:projectId/export',
    ({ params: { projectId }, query }, request, reply) =>
      answerExport(services, request, reply, {
        ...askedFor(request, query),
        kind: 'project',
        key: projectId,
        toggles: excludeNothing,
      }),
  );
}

interface ExportQuery {
  readonly from: string;
  readonly to: string;
  readonly format: ExportFormat;
  readonly after?: number;
  readonly until?: number;
  readonly header?: boolean;
  readonly spreadsheet?: boolean;
}

interface AskedExport {
  readonly range: DateRange;
  readonly format: ExportFormat;
  readonly after: number;
  readonly until: number | null;
  readonly hasHeader: boolean;
  readonly isForSpreadsheet: boolean;
}

function askedFor({ headers }: FastifyRequest, query: ExportQuery): AskedExport {
  const { format, after = 0, until = null, header, spreadsheet } = query;
  const range = daysOf(query);
  const faults: Fault[] = [];
  for (const [field, value] of Object.entries({ header, spreadsheet }))
    if (value !== undefined && format !== 'csv')
      faults.push({ field, code: 'INVALID', message: `${field} goes with format=csv.` });
  if (until !== null && until < after)
    faults.push({ field: 'until', code: 'INVALID', message: 'until must not be smaller than after.' });
  if (faults.length > 0) throw invalidRequest(faults);
  chooseType(headers.accept, { accept: 'required', produces: [exportTypes[format]] });
  return { range, format, after, until, hasHeader: header ?? true, isForSpreadsheet: spreadsheet ?? false };
}

interface ExportOfSource extends AskedExport {
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly toggles: RespondentToggles;
}

async function answerExport(
  services: ExportServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ExportOfSource,
): Promise<FastifyReply> {
  const found = await sourceOfRequest(services.sources, request, asked.kind, asked.key);
  return sendExport(services, request, reply, { ...asked, found });
}

/** Sends the file, whoever asks for it. */
export async function sendExport(
  services: ExportServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ExportRequest,
): Promise<FastifyReply> {
  const { sources, reader, tableThread, workQueue, exportSlots } = services;
  const { found } = asked;
  // Whoever left while the source was looked up is not told of again, and would keep the place for ever.
  if (reply.raw.closed)
    throw new Problem('REQUEST_ABANDONED', 'The caller went away before the export began.');
  const leave = exportSlots.enter(found.source.accountId, asked.format);
  reply.raw.once('close', leave);
  try {
    const tools = { reader, sources, tables: tableThread, pause: () => workQueue.nextSlice() };
    const begun = await RangeExport.begin(tools, asked);
    judgePositions(asked, begun.lastPosition);
    reply.type(asked.format === 'csv' ? `${exportTypes.csv}; charset=utf-8` : exportTypes[asked.format]);
    // How many rows meet a filter is known when all were read.
    if (asked.filter === undefined) reply.header('export-rows', begun.rowCount);
    reply.header('export-end-position', begun.endPosition);
    if (request.method === 'HEAD') return await reply.send('');
    const pieces = chargedPieces(services, request, reply, begun);
    // A failure that shows at once is still told by its status.
    const first = await pieces.next();
    endInTime(services, request, reply);
    reply.send(new SliceStream(withFirst(first, pieces), asked.format === 'parquet'));
  } catch (error) {
    leave();
    throw error;
  }
  return reply;
}

/** A position that the log does not have is of another log, or of a store that has lost its end. */
function judgePositions({ after, until }: ScanBounds, lastPosition: number): void {
  const faults: Fault[] = [];
  for (const [field, value] of Object.entries({ after, until })) {
    if (value === null || value <= lastPosition) continue;
    const message = `The log ends at position ${lastPosition}, before ${value}.`;
    faults.push({ field, code: 'INVALID', message });
  }
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Each piece is paid for when it is made: what nobody reads costs nothing. */
async function* chargedPieces(
  { context, gate }: ExportServices,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: RangeExport,
): AsyncGenerator<Buffer, undefined> {
  const { caller } = request;
  let charged = 0;
  try {
    for await (const piece of begun.pieces()) {
      if (caller !== null) gate?.charge(caller, (begun.rowsRead - charged) / rowsAToken);
      charged = begun.rowsRead;
      yield piece;
    }
  } catch (error) {
    // That the connection breaks is all that the caller can be told once the status has been sent.
    if (reply.raw.headersSent) logFailure(context.log, request, error, 'An export broke off.');
    throw error;
  }
}

export async function* withFirst(
  first: IteratorResult<Buffer, undefined>,
  rest: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<Buffer> {
  try {
    if (first.done !== true) {
      yield first.value;
      yield* rest;
    }
  } finally {
    await rest.return(undefined);
  }
}

/** A reader that takes a few bytes now and then would keep its place for ever. */
export function endInTime(
  { context }: Pick<ExportServices, 'context'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { exportTimeLimitMs } = context.config;
  const timer = setTimeout(() => {
    context.log.warn({ requestId: request.id }, 'An export was not read within its time.');
    reply.raw.destroy();
  }, exportTimeLimitMs).unref();
  reply.raw.once('close', () => clearTimeout(timer));
}
