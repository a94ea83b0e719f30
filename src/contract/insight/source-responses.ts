// /console/api/measures/KEY/responses and its neighbours: what single people said, for those who may see it, and as files for
// spreadsheets.

import type { TObject, TProperties } from 'typebox';
import { ruleOperators } from '../../domain/feedback/definition.ts';
import { pathOfKind, type SourceKind } from '../../domain/feedback/source-kind.ts';
import { askedStates } from '../../domain/insight/asked-questions.ts';
import { commentCursorLengthMax } from '../../domain/insight/comment-cursor.ts';
import { measureDataLimits, projectDataLimits } from '../../domain/window.ts';
import { DateText } from '../feedback/response-row.ts';
import { sourceKey, sourceRefusals } from '../feedback/source-key.ts';
import { limitWithin, toggleParameters } from '../feedback/source-parameters.ts';
import { consoleOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { CommentQuery, MeasureComments, ProjectComments } from './comments.ts';
import { PullCost } from './costs.ts';
import { filterParameters } from './figures.ts';
import {
  MeasureResponse,
  ofRules,
  ProjectResponse,
  placeMembers,
  ResponseId,
  ScoreTrace,
  tracedRuleMembers,
} from './responses.ts';

export const pageSize = { usual: 50, most: 200 };
/** So much of a comment stands in the list. */
export const excerptLength = 200;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const listedMembers = {
  id: Type.String({ description: 'The responseId.' }),
  ...placeMembers,
  responseTime: Type.String({ format: 'date-time' }),
  device: orNull('`deviceType`, as it was sent.'),
  comment: orNull(`The first answer in own words, cut to ${excerptLength} characters.`),
  comments: Type.Integer({ description: 'How many questions were answered in own words.' }),
};

function listSchema<Members extends TProperties>(name: string, members: Members) {
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

const responsesQuery = Type.Object({
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
  operator: Type.Enum([...ruleOperators]),
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

const {
  limit: _limit,
  cursor: _cursor,
  minimum: _minimum,
  within: _within,
  ...commentParameters
} = CommentQuery.properties;
const { limit: _size, cursor: _place, within: _time, ...responseParameters } = responsesQuery.properties;

const file = Type.Unknown({ description: 'The file: UTF-8 with a byte order mark, a header, no formulas.' });

const tag = 'Responses';
const csv = 'text/csv';
const access = { people: 'signedIn', ability: 'see responses' } as const;
const ofSource = (kind: SourceKind) =>
  ({ access, params: sourceKey, refusals: sourceRefusals(kind) }) as const;
const ofResponse = { access, params: responseOf, refusals: ['RESPONSE_NOT_FOUND'] } as const;

const commentList = <Schema extends TObject>(kind: SourceKind, schema: Schema) =>
  ({
    ...ofSource(kind),
    query: CommentQuery,
    document: {
      operationId: `${kind}CommentList`,
      summary: `What people wrote to a ${kind}, newest first`,
      description: `Parameters and answer are those of \`/v1/${pathOfKind[kind]}/{key}/comments\`.`,
      tag,
      success: { status: 200, schema, description: 'A page of comments.' },
    },
  }) as const;

const commentFile = (kind: SourceKind) =>
  ({
    ...ofSource(kind),
    produces: [csv],
    query: Type.Object(commentParameters),
    document: {
      operationId: `${kind}CommentFile`,
      summary: `What people wrote to a ${kind}, as a file`,
      description: 'All comments that the list has with the same parameters, newest first.',
      tag,
      success: { status: 200, schema: file, description: 'The file.', as: 'file' },
      typeExamples: { [csv]: 'id,responseTime,version,question,text\n' },
    },
  }) as const;

const responseList = <Schema extends TObject>(kind: SourceKind, schema: Schema) =>
  ({
    ...ofSource(kind),
    query: responsesQuery,
    document: {
      operationId: `${kind}ResponseList`,
      summary: `The responses of a ${kind}, newest first`,
      description:
        'By their place in the log. A walk by `next` neither loses nor repeats a response, whatever comes in or is erased meanwhile.',
      tag,
      success: { status: 200, schema, description: 'A page of them.' },
    },
  }) as const;

const responseFile = (kind: SourceKind) =>
  ({
    ...ofSource(kind),
    produces: [csv],
    query: Type.Object(responseParameters),
    document: {
      operationId: `${kind}ResponseFile`,
      summary: `The responses of a ${kind}, as a file`,
      description:
        'All responses that the list has with the same parameters, in the order of arrival, with the columns of the export (docs/export.md).',
      tag,
      success: { status: 200, schema: file, description: 'The file.', as: 'file' },
      typeExamples: { [csv]: 'id,responseTime,experienceDate\n' },
    },
  }) as const;

const oneResponse = <Schema extends TObject>(kind: SourceKind, schema: Schema) =>
  ({
    ...ofResponse,
    document: {
      operationId: `${kind}ResponseView`,
      summary: `One response of a ${kind}`,
      description: `The answer is that of \`/v1/${pathOfKind[kind]}/{key}/responses/{responseId}\`.`,
      tag,
      success: { status: 200, schema, description: 'The response.', as: 'slices' },
    },
  }) as const;

const trace = (kind: SourceKind) =>
  ({
    ...ofResponse,
    document: {
      operationId: `${kind}ResponseTraceView`,
      summary: 'Why a response has its scores, and why a question was not asked',
      description: 'The answer is that of `/v1/measures/{key}/responses/{responseId}/trace`.',
      tag,
      success: { status: 200, schema: ScoreTrace, description: 'The trace.' },
    },
  }) as const;

const asked = (kind: SourceKind) =>
  ({
    ...ofResponse,
    document: {
      operationId: `${kind}ResponseAsked`,
      summary: 'A response as it was asked',
      description:
        'The questions of its version in the order and sections of its page, what became of each and why, the answers in words, and the body as it was sent.',
      tag,
      success: { status: 200, schema: askedSchema, description: 'The questions and answers.' },
    },
  }) as const;

const erase = (kind: SourceKind) =>
  ({
    ...ofResponse,
    access: { people: 'signedIn', ability: 'erase responses' },
    document: {
      operationId: `${kind}ResponseErase`,
      summary: 'Erase what a person said',
      description:
        'As `soundings erase --response` does: answers, comments, parameters and the body go; place, day and scores stay, and so do the figures of scores.',
      tag,
      success: { status: 200, schema: erasure, description: 'It is erased.' },
    },
  }) as const;

const cost = <Query extends TObject>(kind: SourceKind, query: Query) =>
  ({
    ...ofSource(kind),
    query,
    document: {
      operationId: `${kind}CostView`,
      summary: `How many pages and bytes the data of a ${kind} has`,
      description: `Parameters and answer are those of \`/v1/${pathOfKind[kind]}/{key}/cost\`.`,
      tag,
      success: { status: 200, schema: PullCost, description: 'What it will take.' },
    },
  }) as const;

export const sourceResponseOperations = consoleOperations({
  'GET /measures/:key/comments': commentList('measure', MeasureComments),
  'GET /projects/:key/comments': commentList('project', ProjectComments),
  'GET /measures/:key/comments.csv': commentFile('measure'),
  'GET /projects/:key/comments.csv': commentFile('project'),
  'GET /measures/:key/responses': responseList('measure', listSchemas.measure),
  'GET /projects/:key/responses': responseList('project', listSchemas.project),
  'GET /measures/:key/responses.csv': responseFile('measure'),
  'GET /projects/:key/responses.csv': responseFile('project'),
  'GET /measures/:key/responses/:responseId': oneResponse('measure', MeasureResponse),
  'GET /projects/:key/responses/:responseId': oneResponse('project', ProjectResponse),
  'GET /measures/:key/responses/:responseId/trace': trace('measure'),
  'GET /projects/:key/responses/:responseId/trace': trace('project'),
  'GET /measures/:key/responses/:responseId/asked': asked('measure'),
  'GET /projects/:key/responses/:responseId/asked': asked('project'),
  'DELETE /measures/:key/responses/:responseId': erase('measure'),
  'DELETE /projects/:key/responses/:responseId': erase('project'),
  'GET /measures/:key/cost': cost(
    'measure',
    Type.Object({
      from: DateText,
      to: DateText,
      ...toggleParameters,
      limit: limitWithin(measureDataLimits),
    }),
  ),
  'GET /projects/:key/cost': cost(
    'project',
    Type.Object({ from: DateText, to: DateText, limit: limitWithin(projectDataLimits) }),
  ),
});
