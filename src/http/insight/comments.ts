// Comments of a measure or project: what people wrote, newest first, and those that contain a part of a text (docs/insight.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  filterOfRequest,
  insightDaysMax,
  refuseFaults,
  refuseForm,
  withinDefaultMs,
} from '../../acts/insight/views.ts';
import { commentLimits, commentOperations } from '../../contract/insight/comments.ts';
import { type DateRange, dayText, parseDay, readDateRange } from '../../domain/dates.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { fold } from '../../domain/fold.ts';
import {
  type CommentPlace,
  readCommentCursor,
  writeCommentCursor,
} from '../../domain/insight/comment-cursor.ts';
import { type Hit, hitsOf } from '../../domain/insight/comment-hits.ts';
import type { Filter } from '../../domain/insight/filter.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import { momentText } from '../../domain/moment-text.ts';
import type { Fault } from '../../domain/problem.ts';
import type { KeptSurvey } from '../../store/feedback/catalogue.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import type { CommentSearch, CommentWork, FoundComment } from '../../store/insight/comment-search.ts';
import type { Minimums } from '../../store/insight/minimum.ts';
import { sourceOfRequest } from '../feedback/source-requests.ts';
import { type SearchServices, searchWork } from '../server/request-budget.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';

export interface CommentRequest {
  readonly q?: string;
  readonly from?: string;
  readonly to?: string;
  readonly question?: string;
  readonly filter?: string;
  readonly minimum?: number;
  readonly limit?: number;
  readonly cursor?: string;
  readonly within?: number;
}

interface CommentServices extends SearchServices {
  readonly sources: Sources;
  readonly commentSearch: CommentSearch;
  readonly minimums: Minimums;
}

export function commentRoutes(app: FastifyInstance, services: CommentServices): void {
  const { sources } = services;
  addOperation(
    app,
    commentOperations,
    'GET /v1/measures/:measurementKey/comments',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const ready = await sourceOfRequest(sources, request, 'measure', measurementKey, () =>
        judgeQuestion(
          { accountId: callerOfRequest(request).accountId, kind: 'measure', key: measurementKey },
          query,
        ),
      );
      return answerMeasureComments(services, {
        ready,
        query,
        work: commentWork(services, request, reply, query),
      });
    },
  );

  addOperation(
    app,
    commentOperations,
    'GET /v1/projects/:projectId/comments',
    async ({ params: { projectId }, query }, request, reply) => {
      const ready = await sourceOfRequest(sources, request, 'project', projectId, () =>
        judgeQuestion(
          { accountId: callerOfRequest(request).accountId, kind: 'project', key: projectId },
          query,
        ),
      );
      return answerProjectComments(services, {
        ready,
        query,
        work: commentWork(services, request, reply, query),
      });
    },
  );
}

export function commentWork(
  services: CommentServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { within = withinDefaultMs }: CommentRequest,
): CommentWork {
  return { ...searchWork(services, request, reply), withinMs: within };
}

interface CommentsAsked {
  readonly ready: PreparedSource;
  readonly query: CommentRequest;
  readonly work: CommentWork;
}

/** For callers who may read comments. */
export function answerComments(services: CommentServices, asked: CommentsAsked) {
  const { kind } = asked.ready.source;
  return kind === 'measure' ? answerMeasureComments(services, asked) : answerProjectComments(services, asked);
}

function answerMeasureComments(services: CommentServices, asked: CommentsAsked) {
  return commentPage(services, asked, scoresOf);
}

function answerProjectComments(services: CommentServices, asked: CommentsAsked) {
  return commentPage(services, asked, ratingOf);
}

async function commentPage<Members>(
  { commentSearch, minimums }: CommentServices,
  { ready, query, work }: CommentsAsked,
  membersOf: (comment: FoundComment) => Members,
) {
  const { source } = ready;
  const asked = readQuestion(ready, query);
  const { range, part, filter, after } = asked;
  const minimum = await minimums.inForce(source.accountId, query.minimum);
  const { comments, next, isComplete, lastSeq } = await commentSearch.find(
    ready,
    { part, questionId: query.question ?? null, range, filter },
    { after, limit: query.limit ?? commentLimits.defaultTake },
    work,
  );
  const { from = null, to = null } = query;
  const items: (CommentItem & Members)[] = [];
  for (const comment of comments)
    items.push({ ...(await work.budget.run(itemOf(comment, part))), ...membersOf(comment) });
  return {
    from,
    to,
    minimum,
    complete: isComplete,
    covered: next === null && from !== null && to !== null ? { from, to } : null,
    position: lastSeq,
    items,
    next: next === null ? null : writeCommentCursor(next, asked.cursorOf),
  };
}

interface ReadQuestion {
  readonly range: DateRange | null;
  readonly part: string | null;
  readonly filter: Filter | null;
  readonly after: CommentPlace | null;
  /** What a cursor is bound to. */
  readonly cursorOf: readonly unknown[];
}

/** Every fault is named at once. */
export function readQuestion(ready: PreparedSource, query: CommentRequest): ReadQuestion {
  const { source } = ready;
  const { question } = query;
  const faults: Fault[] = [];
  const isOpen = (kept: KeptSurvey): boolean => ready.prepared(kept).byId.get(question!)?.form === 'open';
  const key = source.kind === 'measure' ? source.measure.key : source.project.id;
  const isKnown = question === undefined || source.surveys.some(isOpen);
  const form = readForm({ accountId: source.accountId, kind: source.kind, key }, query, isKnown, faults);
  const filter = filterOfRequest({ ready, query, mayReadComments: true }, faults);
  refuseFaults(faults);
  return { ...form, filter };
}

/** What is wrong with a search whatever it goes over: told before that there is no such thing (D-888). */
export function judgeQuestion(of: SourceName, query: CommentRequest): void {
  const faults: Fault[] = [];
  readForm(of, query, true, faults);
  refuseForm(faults, query.filter);
}

function readForm(
  { accountId, kind, key }: SourceName,
  query: CommentRequest,
  isQuestionKnown: boolean,
  faults: Fault[],
): Omit<ReadQuestion, 'filter'> {
  const { q, question, from, to, cursor } = query;
  const range = openRange(query, faults);
  const part = q === undefined ? null : fold(q);
  if (part === '' || q?.includes('\0') || q?.isWellFormed() === false)
    faults.push({ field: 'q', code: 'INVALID_TEXT', message: 'has a character that no comment has.' });
  if (!isQuestionKnown)
    faults.push({ field: 'question', code: 'UNKNOWN', message: 'is no open question of any version.' });
  const cursorOf = [accountId, kind, key, part, from, to, question, query.filter];
  const after = cursor === undefined ? null : readCommentCursor(cursor, cursorOf);
  if (cursor !== undefined && after === null)
    faults.push({
      field: 'cursor',
      code: 'INVALID',
      message:
        'is no cursor of this question: take `next` of a page with the same parameters, or leave it out to begin with the newest.',
    });
  return { range, part, after, cursorOf };
}

const firstDay = parseDay('0001-01-01')!;
const lastDay = parseDay('9999-12-31')!;

/** Null where no day is named; one end alone leaves the other open. */
export function openRange(
  { from, to }: Pick<CommentRequest, 'from' | 'to'>,
  faults: Fault[],
): DateRange | null {
  if (from === undefined && to === undefined) return null;
  const range = readDateRange(from ?? dayText(firstDay), to ?? dayText(lastDay), faults);
  const days = range.lastDay - range.firstDay + 1;
  if (from !== undefined && to !== undefined && days > insightDaysMax) {
    const most = insightDaysMax.toLocaleString('en-US');
    const message = `The range has ${days.toLocaleString('en-US')} days; at most ${most} can be asked for at once.`;
    faults.push({ field: 'to', code: 'RANGE_TOO_LONG', message });
  }
  return range;
}

/** What a comment of a measure and one of a project have alike. */
interface CommentItem {
  readonly id: string;
  readonly responseTime: string;
  readonly version: number;
  readonly question: string;
  readonly text: string;
  readonly hits: readonly Hit[];
}

function* itemOf(
  { responseId, submittedAtMs, survey, questionId, text }: FoundComment,
  part: string | null,
): Interruptible<CommentItem> {
  return {
    id: responseId,
    responseTime: momentText(submittedAtMs),
    version: survey.definition.version,
    question: questionId,
    text,
    hits: part === null ? [] : yield* hitsOf(text, part),
  };
}

/** A latent without a score is left out (D-33). */
function scoresOf({ survey, head }: FoundComment) {
  const scores = JSON.parse(`[${head}]`) as readonly (number | null)[];
  return {
    scores: survey.latents.flatMap(({ latent: { id } }, at) => {
      const score = scores[at] ?? null;
      return score === null ? [] : [{ id, score }];
    }),
  };
}

function ratingOf({ head }: FoundComment) {
  // The text of the row was written with these two (response.ts).
  const { rating, topic } = JSON.parse(`{${head}}`) as { rating: number | null; topic: string | null };
  return { rating, topic };
}
