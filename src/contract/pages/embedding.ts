// What pages of other sites load: /embed.js, what it must know of a survey before it shows anything, and the definition for
// pages that draw their own form.

import type { Code } from '../../domain/problem.ts';
import { serviceOperations, usualRefusals } from '../operation.ts';
import { Type } from '../schema.ts';
import { PublicDefinitionBody } from './public-definition.ts';

const SurveyToken = Type.Object(
  { token: Type.String(), expires: Type.String({ format: 'date-time' }) },
  { $id: 'SurveyToken' },
);

const script = { access: 'anyone', unknownQuery: 'ignored', produces: ['text/javascript'] } as const;

const ofSurvey = {
  access: 'anyone',
  allowsCrossOrigin: true,
  params: Type.Object({
    name: Type.String({ description: 'The id of a survey, or the site key of a project', maxLength: 200 }),
  }),
} as const;

const languageQuery = Type.Object({
  lang: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The language of the texts, where the survey has it; else that of Accept-Language.',
    }),
  ),
});

const refusals: readonly Code[] = [
  'INVALID_REQUEST',
  'ORIGIN_NOT_ALLOWED',
  'SURVEY_NOT_FOUND',
  ...usualRefusals,
];

export const embeddingOperations = serviceOperations({
  'GET /embed.js': script,
  'GET /s/:name/embed.js': { ...ofSurvey, ...script, query: languageQuery },
  'GET /s/:name/definition.json': {
    ...ofSurvey,
    query: languageQuery,
    answersUnmodified: true,
    document: {
      operationId: 'surveyDefinition',
      summary: 'A public survey, for pages that draw their own form',
      description:
        'What the survey asks, in one language: questions with their types, answers, scales and rules, the sections and the colours of the page. Responses go to `/v1/surveys/ingestion`. Pages of the origins of the survey may read it, or pages of any origin where it names none; an unknown survey and one that is not public are the same 404. The answer has an `ETag` and may be kept for five minutes.',
      tag: 'Survey pages',
      success: { status: 200, schema: PublicDefinitionBody, description: 'The survey', as: 'text' },
      answerHeaders: ['ETag'],
    },
    refusals,
  },
  'GET /s/:name/token': {
    ...ofSurvey,
    query: Type.Object({}),
    document: {
      operationId: 'surveyToken',
      summary: 'A token for one response to a public survey',
      description:
        'For pages that draw their own form of a survey with `protect: page`: the token goes with the response to `/v1/surveys/ingestion`, in the header `Soundings-Page-Token`, and is good for one response. A page asks for it when it shows the form, because what is sent within moments of it is flagged. Who may read it is as for the definition.',
      tag: 'Survey pages',
      success: { status: 200, schema: SurveyToken, description: 'A token, for 24 hours' },
    },
    refusals,
  },
});
