// /console/api/measures/KEY/responses and its neighbours: single responses for people who may see them. One response and its trace
// are answered by the handlers of the interface.

import type { FastifyInstance } from 'fastify';
import type { TProperties } from 'typebox';
import { DateText } from '../../contract/feedback/response-row.ts';
import { filterParameters } from '../../contract/insight/figures.ts';
import { Type } from '../../contract/schema.ts';
import { excludeNothing, valuesText } from '../../domain/feedback/respondent.ts';
import { pathOfKind, sourceKinds } from '../../domain/feedback/source-kind.ts';
import { askedSections, askedStates } from '../../domain/insight/asked-questions.ts';
import {
  commentCursorLengthMax,
  readCommentCursor,
  writeCommentCursor,
} from '../../domain/insight/comment-cursor.ts';
import { GivenRow } from '../../domain/insight/given-answers.ts';
import { parameterPlace, type RowText, textsOfPiece } from '../../domain/insight/row-text.ts';
import { momentText } from '../../domain/moment-text.ts';
import type { Fault } from '../../domain/problem.ts';
import { measureDataLimits, projectDataLimits } from '../../domain/window.ts';
import { eraseResponse } from '../../store/feedback/erase.ts';
import { bodyAsSent } from '../../store/feedback/response-body.ts';
import { preparedVersion } from '../../store/insight/figures-reader.ts';
import type { FoundResponse } from '../../store/insight/response-search.ts';
import { daysOf, limitWithin, toggleParameters } from '../feedback/source-requests.ts';
import { commentWork, openRange } from '../insight/comments.ts';
import { answerMeasureCost, answerProjectCost, PullCost } from '../insight/costs.ts';
import {
  answerResponse,
  answerTrace,
  MeasureResponse,
  ofRules,
  ProjectResponse,
  placeMembers,
  ResponseId,
  responseNotFound,
  ScoreTrace,
  tracedRuleMembers,
} from '../insight/responses.ts';
import { filterOfRequest, refuseFaults, refuseForm } from '../insight/view-requests.ts';
import { addRoute } from '../server/route.ts';
import { consoleDocument } from './console-document.ts';
import { accountOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { sourceKey, sourceOfVisitor } from './console-sources.ts';
import { stampOf } from './visitor-stamp.ts';

const pageSize = { usual: 50, most: 200 };
/** So much of a comment stands in the list. */
const excerptLength = 200;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const listedMembers = {
  id: Type.String({ description: 'The responseId.' }),
  ...placeMembers,
  responseTime: Type.String({ format: 'date-time' }),
  device: orNull('`deviceType`, as it was sent.'),
  comment: orNull(`The first answer in own words, cut to ${excerptLength} characters.`),
  comments: Type.Integer({ description: 'How many questions were answered in own words.' }),
};

function listSchema(name: string, members: TProperties) {
  return Type.Object(
    {
      complete: Type.Boolean({
        description:
          'False where the time was over before the page was full: `next` goes on where the search ended.',
      }),
      position: Type.Integer({ description: 'The position in the log when the search began.' }),
      items: Type.Array(Type.Object({ ...listedMembers, ...members }), {
        description: 'Newest first, by their place in the log.',
      }),
      next: orNull('The cursor of the next page; null when there are no more.'),
    },
    { $id: name },
  );
}

const listSchemas = {
  measure: listSchema('MeasureResponses', {
    scores: Type.Array(Type.Object({ id: Type.String(), score: Type.Number() })),
  }),
  project: listSchema('ProjectResponses', {
    rating: Type.Union([Type.Number(), Type.String(), Type.Null()]),
    topic: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  }),
};

export const responsesQuery = Type.Object({
  from: Type.Optional(DateText),
  to: Type.Optional(DateText),
  ...filterParameters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSize.most,
      description: `Page size; ${pageSize.usual} unless given.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: commentCursorLengthMax,
      description: '`next` of the page before, of the same days and filter.',
    }),
  ),
});

const responseOf = Type.Object({ ...sourceKey.properties, responseId: ResponseId });

const askedRule = Type.Object({
  ...tracedRuleMembers,
  answerText: Type.String({ description: 'Its answer as it was to be read.' }),
});

const askedSchema = Type.Object(
  {
    id: Type.String(),
    ...placeMembers,
    survey: Type.String({ description: 'The id of the version.' }),
    title: orNull('Of its page.'),
    sections: Type.Array(
      Type.Object({
        title: orNull('Null where the section has none.'),
        questions: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            phrase: Type.String(),
            help: orNull('The sentence below the question.'),
            responseType: Type.String(),
            latent: orNull('The latent that it measures.'),
            state: Type.Enum([...askedStates]),
            answers: Type.Array(Type.String(), { description: 'In words.' }),
            scale: Type.Union([Type.Object({ min: Type.Number(), max: Type.Number() }), Type.Null()]),
            rules: Type.Optional(Type.Array(askedRule, { description: ofRules })),
          }),
        ),
      }),
    ),
    body: orNull('As it was sent; null once it is erased.'),
  },
  { $id: 'ResponseAsAsked' },
);

const erasure = Type.Object(
  { erased: Type.Literal(true), changed: Type.Boolean({ description: 'False where it was erased before.' }) },
  { $id: 'ErasedResponse' },
);

export function consoleResponseRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, reader, sources, responseSearch, workQueue } = services;
  const readers = {
    method: 'GET',
    area: 'console',
    access: { people: 'signedIn', ability: 'see responses' },
  } as const;

  for (const kind of sourceKinds) {
    const path = `/console/api/${pathOfKind[kind]}/:key`;

    addRoute(app, {
      ...readers,
      path: `${path}/responses`,
      params: sourceKey,
      query: responsesQuery,
      document: consoleDocument({
        operationId: `${kind}ResponseList`,
        summary: `The responses of a ${kind}, newest first`,
        description:
          'By their place in the log. A walk by `next` neither loses nor repeats a response, whatever comes in or is erased meanwhile.',
        tag: 'Responses',
        success: { status: 200, schema: listSchemas[kind], description: 'A page of them.' },
        conditions: [404],
      }),
      async handle({ params: { key }, query }, request, reply) {
        const faults: Fault[] = [];
        const range = openRange(query, faults);
        const { from, to, cursor, limit = pageSize.usual } = query;
        const cursorOf = ['responses', accountOf(request), kind, key, from, to, query.filter];
        const place = cursor === undefined ? null : readCommentCursor(cursor, cursorOf);
        if (cursor !== undefined && place === null)
          faults.push({
            field: 'cursor',
            code: 'INVALID',
            message:
              'is no cursor of these days and this filter: leave it out to begin with the newest response.',
          });
        const ready = await sourceOfVisitor(services, request, kind, key, () =>
          refuseForm(faults, query.filter),
        );
        const filter = filterOfRequest({ ready, query, mayReadComments: true }, faults);
        refuseFaults(faults);
        const { responses, nextSeq, isComplete, lastSeq } = await responseSearch.find(
          ready,
          { range, filter },
          { upToSeq: place?.seq ?? null, limit },
          commentWork(services, request, reply, query),
          listed,
        );
        return {
          complete: isComplete,
          position: lastSeq,
          items: responses,
          next: nextSeq === null ? null : writeCommentCursor({ seq: nextSeq, question: -1 }, cursorOf),
        };
      },
    });

    addRoute(app, {
      ...readers,
      path: `${path}/responses/:responseId`,
      params: responseOf,
      document: consoleDocument({
        operationId: `${kind}ResponseView`,
        summary: `One response of a ${kind}`,
        description: `The answer is that of \`/v1/${pathOfKind[kind]}/{key}/responses/{responseId}\`.`,
        tag: 'Responses',
        success: {
          status: 200,
          schema: kind === 'measure' ? MeasureResponse : ProjectResponse,
          description: 'The response.',
        },
        conditions: [404],
      }),
      async handle({ params: { key, responseId } }, request, reply) {
        const found = await sourceOfVisitor(services, request, kind, key);
        const toggles = kind === 'measure' ? { toggles: excludeNothing } : {};
        return answerResponse(services, request, reply, {
          found,
          responseId,
          ...toggles,
          mayReadComments: true,
        });
      },
    });

    addRoute(app, {
      ...readers,
      path: `${path}/responses/:responseId/trace`,
      params: responseOf,
      document: consoleDocument({
        operationId: `${kind}ResponseTraceView`,
        summary: 'Why a response has its scores, and why a question was not asked',
        description: 'The answer is that of `/v1/measures/{key}/responses/{responseId}/trace`.',
        tag: 'Responses',
        success: { status: 200, schema: ScoreTrace, description: 'The trace.' },
        conditions: [404],
      }),
      handle: async ({ params: { key, responseId } }, request) =>
        answerTrace(services, { found: await sourceOfVisitor(services, request, kind, key), responseId }),
    });

    addRoute(app, {
      ...readers,
      path: `${path}/responses/:responseId/asked`,
      params: responseOf,
      document: consoleDocument({
        operationId: `${kind}ResponseAsked`,
        summary: 'A response as it was asked',
        description:
          'The questions of its version in the order and sections of its page, what became of each and why, the answers in words, and the body as it was sent.',
        tag: 'Responses',
        success: { status: 200, schema: askedSchema, description: 'The questions and answers.' },
        conditions: [404],
      }),
      handle: async ({ params: { key, responseId } }, request) => {
        const found = await sourceOfVisitor(services, request, kind, key);
        const asked = await reader.readOne(found.source, responseId, async (page, position) => {
          const ready = await sources.atLeast(found, page.facts.revision);
          await page.next();
          using rows = page;
          const [row] = rows.rows;
          const told = await workQueue.runShort(() => {
            const survey = preparedVersion(ready, row!.surveyNumber);
            const given = new GivenRow(survey);
            given.read(valuesText(row!.values));
            const { id: surveyId, version, title = null } = survey.definition;
            return {
              ...{ id: responseId, position, version, erased: given.isErased, survey: surveyId, title },
              sections: askedSections(given),
            };
          });
          // It may be erased between the two: what is gone is told as gone.
          return { ...told, body: told.erased ? null : await bodyAsSent(context.db, ready.source, position) };
        });
        if (asked === null) throw responseNotFound(found);
        return asked;
      },
    });

    addRoute(app, {
      method: 'DELETE',
      area: 'console',
      access: { people: 'signedIn', ability: 'erase responses' },
      path: `${path}/responses/:responseId`,
      params: responseOf,
      document: consoleDocument({
        operationId: `${kind}ResponseErase`,
        summary: 'Erase what a person said',
        description:
          'As `soundings erase --response` does: answers, comments, parameters and the body go; place, day and scores stay, and so do the figures of scores.',
        tag: 'Responses',
        success: { status: 200, schema: erasure, description: 'It is erased.' },
        conditions: [404],
      }),
      handle: async ({ params: { key, responseId } }, request) => {
        const found = await sourceOfVisitor(services, request, kind, key);
        // The id is unique in the account: that it is of this measure or project is looked at here.
        const isThere = await reader.readOne(found.source, responseId, async (page) => {
          page[Symbol.dispose]();
          return true;
        });
        if (isThere === null) throw responseNotFound(found);
        const outcome = await context.db.write(eraseResponse, {
          ...stampOf(context, request),
          accountId: accountOf(request),
          responseId,
        });
        if (outcome === 'unknown') throw responseNotFound(found);
        return { erased: true, changed: outcome === 'erased' };
      },
    });
  }

  addRoute(app, {
    ...readers,
    path: '/console/api/measures/:key/cost',
    params: sourceKey,
    query: Type.Object({
      from: DateText,
      to: DateText,
      ...toggleParameters,
      limit: limitWithin(measureDataLimits),
    }),
    document: consoleDocument({
      operationId: 'measureCostView',
      summary: 'How many pages and bytes the data of a measure has',
      description: 'Parameters and answer are those of `/v1/measures/{key}/cost`.',
      tag: 'Responses',
      success: { status: 200, schema: PullCost, description: 'What it will take.' },
      conditions: [404],
    }),
    async handle({ params: { key }, query }, request, reply) {
      daysOf(query);
      const found = await sourceOfVisitor(services, request, 'measure', key);
      return answerMeasureCost(services, reply, found, query);
    },
  });

  addRoute(app, {
    ...readers,
    path: '/console/api/projects/:key/cost',
    params: sourceKey,
    query: Type.Object({ from: DateText, to: DateText, limit: limitWithin(projectDataLimits) }),
    document: consoleDocument({
      operationId: 'projectCostView',
      summary: 'How many pages and bytes the data of a project has',
      description: 'Parameters and answer are those of `/v1/projects/{key}/cost`.',
      tag: 'Responses',
      success: { status: 200, schema: PullCost, description: 'What it will take.' },
      conditions: [404],
    }),
    async handle({ params: { key }, query }, request, reply) {
      daysOf(query);
      const found = await sourceOfVisitor(services, request, 'project', key);
      return answerProjectCost(services, reply, found, query);
    },
  });
}

function listed({ seq, responseId, submittedAtMs, survey }: FoundResponse, row: RowText): object {
  const texts = row.isErased ? [] : openTexts(survey, row);
  const [first = null] = texts;
  const place = parameterPlace(survey, 'deviceType');
  const piece = row.isErased ? null : row.parameterPiece(place);
  const item = {
    id: responseId,
    position: seq,
    version: survey.definition.version,
    erased: row.isErased,
    responseTime: momentText(submittedAtMs),
    device: piece === null ? null : (textsOfPiece(piece)[0] ?? null),
    comment: first === null ? null : excerptOf(first),
    comments: texts.length,
  };
  if (survey.source.kind === 'measure') {
    // A latent without a score is left out (D-33).
    const scores = JSON.parse(`[${row.head}]`) as readonly (number | null)[];
    return {
      ...item,
      scores: survey.latents.flatMap(({ latent: { id } }, at) => {
        const score = scores[at] ?? null;
        return score === null ? [] : [{ id, score }];
      }),
    };
  }
  const { rating, topic } = JSON.parse(`{${row.head}}`) as { rating: unknown; topic: unknown };
  return { ...item, rating, topic };
}

function openTexts(survey: FoundResponse['survey'], row: RowText): readonly string[] {
  return survey.pieces.flatMap((question) => {
    if (question.form !== 'open') return [];
    const piece = row.answerPiece(question);
    const text = piece === null ? '' : (textsOfPiece(piece)[0] ?? '');
    return text === '' ? [] : [text];
  });
}

/** No character is cut in two. */
function excerptOf(text: string): string {
  const cut = text.slice(0, excerptLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
