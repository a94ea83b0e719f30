// One response, found by its id: as data shows it, and why it has its scores.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { responseOperations } from '../../contract/insight/responses.ts';
import { ByteWriter } from '../../domain/byte-writer.ts';
import { type RespondentToggles, RowCursor, valuesText } from '../../domain/feedback/respondent.ts';
import { GivenRow } from '../../domain/insight/given-answers.ts';
import { type Trace, traceRow } from '../../domain/insight/trace.ts';
import { type ShownResponse, withoutComments } from '../../domain/insight/without-comments.ts';
import { Problem } from '../../domain/problem.ts';
import type { LogPage, LogRow } from '../../store/feedback/log-reader.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { type PageServices, sendPage } from '../feedback/data-page.ts';
import { respondentToggles, sourceOfRequest } from '../feedback/source-requests.ts';
import { addOperation, sendJsonText } from '../server/route.ts';

export function responseRoutes(app: FastifyInstance, services: PageServices): void {
  const { sources } = services;
  addOperation(
    app,
    responseOperations,
    'GET /v1/measures/:measurementKey/responses/:responseId',
    async ({ params: { measurementKey, responseId }, query }, request, reply) => {
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      const toggles = respondentToggles(query);
      return answerResponse(services, request, reply, { found, responseId, toggles, mayReadComments: true });
    },
  );

  addOperation(
    app,
    responseOperations,
    'GET /v1/measures/:measurementKey/responses/:responseId/trace',
    async ({ params: { measurementKey, responseId } }, request, reply) => {
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      return sendJsonText(request, reply, JSON.stringify(await answerTrace(services, { found, responseId })));
    },
  );

  addOperation(
    app,
    responseOperations,
    'GET /v1/projects/:projectId/responses/:responseId',
    async ({ params: { projectId, responseId } }, request, reply) => {
      const found = await sourceOfRequest(sources, request, 'project', projectId);
      return answerResponse(services, request, reply, { found, responseId, mayReadComments: true });
    },
  );
}

interface ResponseAsked {
  readonly found: PreparedSource;
  readonly responseId: string;
  /** Of a measure. */
  readonly toggles?: RespondentToggles;
  /** Whoever may not has answers to open questions left out (D-506). */
  readonly mayReadComments: boolean;
}

export async function answerResponse(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ResponseAsked,
): Promise<FastifyReply> {
  const { found, responseId, mayReadComments } = asked;
  const leave = await services.pageMemory.enter(found.source.accountId, reply.raw);
  try {
    const answer = await services.reader.readOne(found.source, responseId, async (page, seq) => {
      const ready = await services.sources.atLeast(found, page.facts.revision);
      try {
        const item = new OneItem(ready, seq, asked);
        if (!mayReadComments) return sendJsonText(request, reply, await textWithoutComments(page, item));
        await page.readAhead();
        const content = { hasMore: false, members: '', writeItem: item.write, membersOfOne: item.members };
        await services.workQueue.runShort(() => sendPage(services, request, reply, page, content, leave));
        return reply;
      } catch (error) {
        page[Symbol.dispose]();
        throw error;
      }
    });
    if (answer === null) throw responseNotFound(found);
    return answer;
  } catch (error) {
    leave();
    throw error;
  }
}

/** How the one row becomes the answer: the bytes of its item in data, and further members before the closing brace. */
class OneItem {
  readonly #ready: PreparedSource;
  readonly #seq: number;
  readonly #toggles: RespondentToggles | undefined;
  #version = 0;
  /** Whether what the entry of a project shows as its topic is open text. */
  hasOpenTopic = false;
  #isErased = false;

  constructor(ready: PreparedSource, seq: number, { toggles }: ResponseAsked) {
    this.#ready = ready;
    this.#seq = seq;
    this.#toggles = toggles;
  }

  readonly write = (cursor: RowCursor, writer: ByteWriter, row: LogRow, stopAt: number): boolean => {
    const { surveyNumber } = row;
    const { definition, topic } = this.#ready.version(surveyNumber);
    this.#version = definition.version;
    this.hasOpenTopic = topic?.form === 'open';
    this.#isErased = isErasedRow(row);
    const texts = this.#ready.texts(surveyNumber);
    return this.#toggles === undefined
      ? cursor.writeProjectEntry(writer, texts, row, stopAt)
      : cursor.writeRespondent(writer, texts, row, this.#toggles, stopAt);
  };

  /** The item of an erased response says so already. */
  readonly members = (): string =>
    `"position":${this.#seq},"version":${this.#version}${this.#isErased ? '' : ',"erased":false'}`;
}

async function textWithoutComments(page: LogPage, item: OneItem): Promise<string> {
  await page.next();
  using rows = page;
  const writer = new ByteWriter();
  const [row] = rows.rows;
  item.write(new RowCursor(), writer, row!, Number.POSITIVE_INFINITY);
  const shown = JSON.parse(writer.view().toString('utf8')) as ShownResponse;
  const place = JSON.parse(`{${item.members()}}`) as object;
  return JSON.stringify({ ...withoutComments(shown, item.hasOpenTopic), ...place });
}

interface ResponseTrace extends Trace {
  readonly id: string;
  readonly position: number;
  readonly version: number;
  readonly erased: boolean;
}

export async function answerTrace(
  { reader, sources, workQueue }: Pick<PageServices, 'reader' | 'sources' | 'workQueue'>,
  { found, responseId }: Pick<ResponseAsked, 'found' | 'responseId'>,
): Promise<ResponseTrace> {
  const trace = await reader.readOne(found.source, responseId, async (page, position) => {
    const ready = await sources.atLeast(found, page.facts.revision);
    await page.next();
    using rows = page;
    const [row] = rows.rows;
    return await workQueue.runShort(() => {
      const survey = ready.version(row!.surveyNumber);
      const given = new GivenRow(survey);
      given.read(valuesText(row!.values));
      const { version } = survey.definition;
      return { id: responseId, position, version, erased: given.isErased, ...traceRow(given) };
    });
  });
  if (trace === null) throw responseNotFound(found);
  return trace;
}

/** Every row that was not erased has several lines (D-48). */
function isErasedRow({ values }: LogRow): boolean {
  if (typeof values === 'string') return !values.includes('\n');
  const lineEnd = values.source.indexOf(10, values.begin);
  return lineEnd < 0 || lineEnd >= values.end;
}

export function responseNotFound({ source: { kind } }: PreparedSource): Problem {
  return new Problem('RESPONSE_NOT_FOUND', `The ${kind} has no response with this id.`);
}
