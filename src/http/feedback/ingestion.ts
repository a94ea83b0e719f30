// POST /v1/surveys/ingestion: one survey response, judged by the version it names, durable before it is answered.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayUse } from '../../acts/feedback/survey-access.ts';
import type { Context } from '../../context.ts';
import { ingestionOperations } from '../../contract/feedback/ingestion.ts';
import type { AnswerOf } from '../../contract/operation.ts';
import { namedScores, type SurveyResponse } from '../../domain/feedback/response.ts';
import {
  type ResponseDraft,
  readDraft,
  unknownMembersText,
  withExactIntegers,
} from '../../domain/feedback/response-draft.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import { Problem } from '../../domain/problem.ts';
import type { LogAppender } from '../../store/feedback/appender.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { parameterLimits, takeResponse } from '../../store/feedback/take-response.ts';
import {
  isProtected,
  judgeProtected,
  type ProtectedDraft,
  type ProtectedServices,
} from '../pages/protected-ingestion.ts';
import { removeCorsHeaders } from '../server/cross-origin.ts';
import type { ResponseFigures } from '../server/response-figures.ts';
import { addOperation } from '../server/route.ts';

export interface IngestionServices extends ProtectedServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly appender: LogAppender;
  readonly responseFigures: ResponseFigures;
}

export function ingestionRoutes(app: FastifyInstance, services: IngestionServices): void {
  const { context, sources } = services;
  addOperation(
    app,
    ingestionOperations,
    'POST /v1/surveys/ingestion',
    async (_input, request, reply) => {
      const { draft, faults } = readDraft(withExactIntegers(request.body, request.bodyText ?? ''));
      if (draft === null)
        throw new Problem('INVALID_RESPONSE', 'The survey response is not valid.', { details: faults });
      const { surveyDefinitionId } = draft;
      const remembered =
        sources.rememberedOfSurvey(surveyDefinitionId) ?? (await sources.ofSurvey(surveyDefinitionId));
      // A survey that this caller may not use is looked up like an unknown one, so that the time taken is the same.
      const isUsable = remembered !== null && mayUse(request.caller, remembered, surveyDefinitionId);
      const ready = isUsable ? remembered : await sources.freshOfSurvey(surveyDefinitionId);
      admit(request, reply, ready, surveyDefinitionId);
      const isFree = request.caller !== null || !isProtected(ready!.survey(surveyDefinitionId)!.definition);
      const judged = isFree
        ? { draft, quality: null }
        : await judgeProtected(services, request, draft, ready!);
      return keep(services, judged, request, reply, ready!);
    },
    { bodyLimitBytes: context.config.ingestionBodyLimitBytes },
  );
}

/**
 * Whether this caller may send to this survey (D-12). With a token, what belongs to another account does not exist;
 * without one, an unknown, a private and a foreign survey are the same refusal.
 */
function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: PreparedSource | null,
  surveyId: string,
): void {
  const { caller } = request;
  const isUsable = ready !== null && mayUse(caller, ready, surveyId);
  if (caller !== null) {
    if (isUsable) return;
    throw surveyNotFound();
  }
  if (!isUsable) {
    throw new Problem('CREDENTIALS_REQUIRED', 'This survey needs an access token: Authorization: Bearer ...');
  }
  const { origin } = request.headers;
  const origins = ready.survey(surveyId)?.definition.origins ?? [];
  if (origin === undefined || origins.length === 0 || origins.includes(origin)) return;
  removeCorsHeaders(reply);
  throw new Problem('ORIGIN_NOT_ALLOWED', 'This survey takes no responses from pages of this origin.');
}

function surveyNotFound(): Problem {
  return new Problem('SURVEY_NOT_FOUND', 'The account has no survey definition with this id.');
}

type IngestionResult = AnswerOf<(typeof ingestionOperations)['all']['POST /v1/surveys/ingestion']>;

async function keep(
  { context, sources, appender, responseFigures: { accepted } }: IngestionServices,
  { draft, quality }: ProtectedDraft,
  request: FastifyRequest,
  reply: FastifyReply,
  ready: PreparedSource,
): Promise<IngestionResult> {
  const taken = await takeResponse(
    { db: context.db, appender },
    {
      draft,
      body: request.bodyText ?? '',
      judging: {
        nowMs: context.now(),
        newId: context.newId,
        limits: parameterLimits(context.config),
        quality,
      },
      ready,
      async again() {
        const fresh = await sources.freshOfSurvey(draft.surveyDefinitionId);
        // The definition may have been changed in order to keep this caller out.
        admit(request, reply, fresh, draft.surveyDefinitionId);
        return fresh!;
      },
    },
  );
  switch (taken.outcome) {
    case 'kept':
      accepted.kept += 1;
      return success(context, taken.responseId, 'The response is kept.', draft);
    case 'repeated':
      accepted.repeated += 1;
      return success(context, taken.responseId, 'The response was kept before.', draft);
    case 'test':
      accepted.test += 1;
      return preview(context, taken.prepared, taken.response, draft);
    case 'conflict':
      throw conflict();
    case 'unknownSurvey':
      throw surveyNotFound();
    case 'invalid':
      request.refusedBySurvey = { draft, ready: taken.ready };
      throw new Problem('INVALID_RESPONSE', 'The survey response is not valid.', { details: taken.faults });
  }
}

function conflict(): Problem {
  return new Problem(
    'RESPONSE_CONFLICT',
    'Another response is kept under this responseId; the first one stays.',
    {
      details: [
        { field: 'responseId', code: 'CONFLICT', message: 'is taken by a response with other content.' },
      ],
    },
  );
}

function success(
  context: Context,
  responseId: string,
  sentence: string,
  draft: ResponseDraft,
): IngestionResult {
  const unknown = unknownMembersText(draft);
  return {
    message: unknown === '' ? sentence : `${sentence} ${unknown}`,
    responseCode: 200,
    responseId,
    responseType: 'SUCCESS',
    timestamp: new Date(context.now()).toISOString(),
  };
}

function preview(
  context: Context,
  prepared: PreparedSurvey,
  response: SurveyResponse,
  draft: ResponseDraft,
): IngestionResult {
  const sentence = 'This is a test response: it is valid, and it was not kept.';
  return {
    ...success(context, response.responseId, sentence, draft),
    preview: { latentScores: namedScores(prepared, response.scores) },
  };
}
