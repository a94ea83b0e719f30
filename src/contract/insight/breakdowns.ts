// Scores of a measure, or ratings of a project, by groups of responses.

import type { TProperties } from 'typebox';
import { MeasureKey } from '../feedback/measures.ts';
import { ProjectId } from '../feedback/projects.ts';
import { readRefusals } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { commonMembers, figuresMembers, filterParameters, rangeParameters } from './figures.ts';

const groupsMax = 200;

export const groupsDefault = 50;

export const breakdownQuery = Type.Object({
  ...rangeParameters,
  by: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'cpp:NAME, epp:NAME (passed and external parameters), question:ID, device, locale, weekday, page or version.',
  }),
  ...filterParameters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: groupsMax,
      description: `So many groups; ${groupsDefault} unless given.`,
    }),
  ),
});

const comparableFigures = {
  ...figuresMembers,
  comparable: Type.Boolean({
    description: 'False where versions with other questions, scales or weights are added up in it.',
  }),
};

const measureParts = {
  latents: Type.Array(Type.Object({ id: Type.String(), ...comparableFigures }), {
    description: 'In the order of `latents` of the answer.',
  }),
};

const projectParts = { rating: Type.Object(comparableFigures) };

function breakdownMembers<Parts extends TProperties>(parts: Parts) {
  const facts = {
    count: Type.Integer({ minimum: 1, description: 'The responses of the group.' }),
    versions: Type.Array(Type.Integer(), { description: 'The versions that they answered.' }),
    ...parts,
  };
  return {
    by: Type.String(),
    groups: Type.Array(
      Type.Object({
        value: Type.Union([Type.String(), Type.Null()], {
          description:
            'The id of an answer, 1 to 7 for Monday to Sunday, or what was sent, cut to 200 characters. Null for responses that have none.',
        }),
        label: Type.Union([Type.String(), Type.Null()], { description: 'In words.' }),
        ...facts,
      }),
      {
        description:
          'Most responses first, then by value. A response that has several values is in the group of each; an erased one is in none but by weekday or version.',
      },
    ),
    other: Type.Union(
      [
        Type.Object({
          groups: Type.Union([Type.Integer(), Type.Null()], {
            description: 'How many groups these are; null where there are more than 10,000 values.',
          }),
          ...facts,
        }),
        Type.Null(),
      ],
      { description: 'All further groups as one.' },
    ),
    withheld: Type.Union(
      [
        Type.Object({
          groups: Type.Integer(),
          count: Type.Integer({ description: 'Their responses.' }),
        }),
        Type.Null(),
      ],
      { description: 'Groups of fewer responses than the minimum, or that would give such ones away.' },
    ),
  };
}

export const MeasureBreakdown = Type.Object(
  {
    ...commonMembers,
    latents: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: Type.String() })),
    ...breakdownMembers(measureParts),
  },
  { $id: 'MeasureBreakdown' },
);

export const ProjectBreakdown = Type.Object(
  { ...commonMembers, ...breakdownMembers(projectParts) },
  { $id: 'ProjectBreakdown' },
);

const description =
  'The responses are looked through, newest days first, for as long as `within` says. Where that is not enough, `complete` is false, and the figures go over the days that `covered` names, and over all of their responses. Days are UTC, both ends included, at most 3,700 of them. How figures are made: docs/insight.md.';

export const breakdownOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/breakdown': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: breakdownQuery,
    document: {
      operationId: 'measureBreakdown',
      summary: 'Read the scores of a measure by groups of responses',
      description,
      tag: 'Measures',
      success: { status: 200, schema: MeasureBreakdown, description: 'The groups', as: 'slices' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/projects/:projectId/breakdown': {
    area: 'projectData',
    access: { grant: 'r_cx_projects' },
    params: ProjectId,
    query: breakdownQuery,
    document: {
      operationId: 'projectBreakdown',
      summary: 'Read the ratings of a project by groups of entries',
      description,
      tag: 'Projects',
      success: { status: 200, schema: ProjectBreakdown, description: 'The groups', as: 'slices' },
    },
    refusals: readRefusals('PROJECT_NOT_FOUND'),
  },
});
