// One response, found by its id: as data shows it, and why it has its scores.

import { customStates, measuredStates } from '../../domain/insight/trace.ts';
import { MeasureKey, Respondent } from '../feedback/measures.ts';
import { ProjectEntry, ProjectId } from '../feedback/projects.ts';
import { readRefusals, toggleParameters } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';

// 128 characters, each of which may be two units of UTF-16.
const responseIdMax = 256;

export const ResponseId = Type.String({
  minLength: 1,
  maxLength: responseIdMax,
  description:
    'The responseId, percent-encoded. Many programs take a whole part of a path that is `.` or `..` for a step up, encoded or not: such a response is found by its position in the change feed.',
});

const OfMeasure = Type.Object({ ...MeasureKey.properties, responseId: ResponseId });

const OfProject = Type.Object({ ...ProjectId.properties, responseId: ResponseId });

export const placeMembers = {
  position: Type.Integer({
    minimum: 1,
    description: 'Its place in the log of the measure or project, as in the change feed.',
  }),
  version: Type.Integer({ description: 'The version of the survey that was answered.' }),
  erased: Type.Boolean({ description: 'Whether what was said is gone; scores of a measure stay.' }),
};

export const MeasureResponse = Type.Object(
  { ...Respondent.properties, ...placeMembers },
  { $id: 'MeasureResponse' },
);

export const ProjectResponse = Type.Object(
  { ...ProjectEntry.properties, ...placeMembers },
  { $id: 'ProjectResponse' },
);

const NumberOrNone = Type.Union([Type.Number(), Type.Null()]);

const TracedQuestion = {
  id: Type.String(),
  name: Type.String(),
  phrase: Type.String(),
};

export const tracedRuleMembers = {
  question: Type.String(),
  operator: Type.String(),
  answer: Type.Union([Type.String(), Type.Number()]),
  holds: Type.Boolean(),
  words: Type.String({ description: 'What the answers say of this rule, in a sentence.' }),
};

export const ofRules = 'Of a question that is not always asked: one rule that holds is enough.';

export const ScoreTrace = Type.Object(
  {
    id: Type.String({ description: 'The responseId.' }),
    ...placeMembers,
    latents: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Type.String(),
        score: Type.Union([Type.Number(), Type.Null()], {
          description: '0 to 100, as data shows it; null where nothing of it counted.',
        }),
        questions: Type.Array(
          Type.Object({
            ...TracedQuestion,
            state: Type.Enum([...measuredStates], {
              description: 'Whether the answer counted, and why not.',
            }),
            answer: Type.Union([Type.String(), Type.Null()], { description: 'As data shows it.' }),
            value: NumberOrNone,
            normalised: Type.Union([Type.Number(), Type.Null()], {
              description: '(value - min) / (max - min) * 100 of the scale of the question.',
            }),
            weight: Type.Number(),
            share: Type.Union([Type.Number(), Type.Null()], {
              description: 'Its weight over all weights that counted.',
            }),
            contribution: Type.Union([Type.Number(), Type.Null()], {
              description:
                'share * normalised, but for the last digits: added up in any order, as doubles, contributions are the score to the last bit. The largest of them has what rounding left.',
            }),
          }),
        ),
      }),
    ),
    questions: Type.Array(
      Type.Object({
        ...TracedQuestion,
        responseType: Type.String(),
        state: Type.Enum([...customStates]),
        rules: Type.Optional(Type.Array(Type.Object(tracedRuleMembers), { description: ofRules })),
      }),
      { description: 'The custom questions, in the order of the version.' },
    ),
  },
  { $id: 'ScoreTrace' },
);

const found = 'One that belongs to another measure, project or account is not found.';

export const responseOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/responses/:responseId': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: OfMeasure,
    query: Type.Object(toggleParameters),
    document: {
      operationId: 'measureResponse',
      summary: 'Read one respondent of a measure by its id',
      description: `As data shows it, with its place in the log and the version that was answered. ${found}`,
      tag: 'Measures',
      success: { status: 200, schema: MeasureResponse, description: 'The respondent', as: 'slices' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/measures/:measurementKey/responses/:responseId/trace': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: OfMeasure,
    query: Type.Object({}),
    document: {
      operationId: 'measureResponseTrace',
      summary: 'Read why one respondent of a measure has its scores',
      description: `For each latent every measured question with its value, its part of the score, or why it did not count; for each custom question whether it was asked, and which rules held. ${found}`,
      tag: 'Measures',
      success: { status: 200, schema: ScoreTrace, description: 'Why it has its scores', as: 'text' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/responses/:responseId': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: OfProject,
    query: Type.Object({}),
    document: {
      operationId: 'projectResponse',
      summary: 'Read one entry of a project by the id of its response',
      description: `As data shows it, with its place in the log and the version that was answered. ${found}`,
      tag: 'Projects',
      success: { status: 200, schema: ProjectResponse, description: 'The entry', as: 'slices' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
