// Scores of a measure, or ratings of a project, by groups of responses.

import type { TProperties } from 'typebox';
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
