// /console/api/measures/KEY/comments.csv and responses.csv: what a page of comments or responses shows, all of it, as a file for
// spreadsheets. It is sent while it is read, as fast as its reader takes it; what fails on the way breaks the connection. Whoever
// takes it has signed in lately, and that they took it is in the audit log (D-552).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { filterOfRequest, refuseFaults, refuseForm } from '../../../acts/insight/views.ts';
import { sourceResponseOperations } from '../../../contract/insight/source-responses.ts';
import { excludeNothing } from '../../../domain/feedback/respondent.ts';
import { pathOfKind, type SourceKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { type Fault, Problem } from '../../../domain/problem.ts';
import { WorkBudget } from '../../../store/engine/work/work-budget.ts';
import { noteExport } from '../../../store/feedback/export-note.ts';
import type { PreparedSource } from '../../../store/feedback/sources.ts';
import { CommentFile } from '../../../store/insight/comment-file.ts';
import { endInTime, sendExport, withFirst } from '../../feedback/exports.ts';
import { type CommentRequest, judgeQuestion, openRange, readQuestion } from '../../insight/comments.ts';
import { SliceStream } from '../../server/compress.ts';
import { logFailure } from '../../server/request-log.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { sourceOfVisitor } from './console-sources.ts';

const csvType = 'text/csv';

export function readingFileRoutes(app: FastifyInstance, services: ConsoleServices): void {
  for (const kind of sourceKinds) {
    const path = `/${pathOfKind[kind]}/:key` as const;

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/comments.csv`,
      async ({ params: { key }, query }, request, reply) => {
        const ready = await sourceOfVisitor(services, request, kind, key, () =>
          judgeQuestion({ accountId: accountOf(request), kind, key }, query),
        );
        return sendComments(services, request, reply, ready, query);
      },
    );

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/responses.csv`,
      async ({ params: { key }, query }, request, reply) => {
        const faults: Fault[] = [];
        const range = openRange(query, faults) ?? openRange({ from: '0001-01-01' }, faults)!;
        const found = await sourceOfVisitor(services, request, kind, key, () =>
          refuseForm(faults, query.filter),
        );
        const filter = filterOfRequest({ ready: found, query, mayReadComments: true }, faults);
        refuseFaults(faults);
        await note(services, request, found, 'responses', query);
        attach(reply, nameOf(kind, key, 'responses'));
        return sendExport(services, request, reply, {
          ...{ found, range, format: 'csv', after: 0, until: null, toggles: excludeNothing },
          ...{ isForSpreadsheet: true, hasHeader: true },
          ...(filter === null ? {} : { filter }),
        });
      },
    );
  }
}

async function sendComments(
  services: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  ready: PreparedSource,
  query: CommentRequest,
): Promise<FastifyReply> {
  const { context, commentSearch, exportSlots, scans, workQueue } = services;
  const { source } = ready;
  const { range, part, filter } = readQuestion(ready, query);
  const question = { range, part, filter, questionId: query.question ?? null };
  if (reply.raw.closed)
    throw new Problem('REQUEST_ABANDONED', 'The caller went away before the export began.');
  const leave = exportSlots.enter(source.accountId, 'csv');
  reply.raw.once('close', leave);
  try {
    await note(services, request, ready, 'comments', query);
    const key = source.kind === 'measure' ? source.measure.key : source.project.id;
    attach(reply, nameOf(source.kind, key, 'comments'));
    if (request.method === 'HEAD') return await reply.send('');
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { workLimitMs, workLimitUnits } = context.config;
    // Each page has the time of a request: how many pages there may be is for the time of the whole export to say.
    const work = () => ({
      budget: new WorkBudget(workQueue, { timeMs: workLimitMs, units: workLimitUnits, signal: gone.signal }),
      scans,
      withinMs: workLimitMs,
    });
    const pieces = told(
      services,
      request,
      reply,
      new CommentFile(commentSearch, ready, question).pieces(work),
    );
    // A failure that shows at once is still told by its status.
    const first = await pieces.next();
    endInTime(services, request, reply);
    reply.send(new SliceStream(withFirst(first, pieces)));
  } catch (error) {
    leave();
    throw error;
  }
  return reply;
}

async function* told(
  { context }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    // That the connection breaks is all that the reader can be told once the status has been sent.
    if (reply.raw.headersSent) logFailure(context.log, request, error, 'An export broke off.');
    throw error;
  }
}

function attach(reply: FastifyReply, name: string): void {
  reply.type(`${csvType}; charset=utf-8`);
  reply.header('content-disposition', `attachment; filename="${name}"`);
}

function nameOf(kind: SourceKind, key: number, what: string): string {
  return `${kind}-${key}-${what}.csv`;
}

/** A look ahead by HEAD takes nothing away. */
async function note(
  { context }: ConsoleServices,
  request: FastifyRequest,
  { source }: PreparedSource,
  what: 'comments' | 'responses',
  { from, to, ...narrowed }: Pick<CommentRequest, 'from' | 'to' | 'q' | 'question' | 'filter'>,
): Promise<void> {
  if (request.method === 'HEAD') return;
  await context.db.write(noteExport, {
    ...stampOf(context, request),
    accountId: accountOf(request),
    what,
    subject: source.kind === 'measure' ? `measure ${source.measure.key}` : `project ${source.project.id}`,
    from: from ?? null,
    to: to ?? null,
    isFiltered: Object.values(narrowed).some((value) => value !== undefined),
  });
}
