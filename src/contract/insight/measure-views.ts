// The figures of a measure: its latents over time, and what goes along with satisfaction.

import { MeasureKey } from '../feedback/measures.ts';
import { readRefusals } from '../feedback/source-parameters.ts';
import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import {
  Breaks,
  CalendarUnitSchema,
  commonMembers,
  comparedMember,
  compareParameter,
  Distribution,
  filterParameters,
  Interval,
  rangeParameters,
  totalMembers,
  trendMembers,
  unitParameter,
  withheldMember,
} from './figures.ts';

const latentFacts = { id: Type.String(), name: Type.String(), type: Type.String() };

export const MeasureTrend = Type.Object(
  {
    ...commonMembers,
    unit: CalendarUnitSchema,
    ...comparedMember,
    latents: Type.Array(Type.Object({ ...latentFacts, ...trendMembers }), {
      description: 'Those of the summary of the data, in its order.',
    }),
    breaks: Breaks,
  },
  { $id: 'MeasureTrend' },
);

export const driversNote = 'Association, not cause.';

export const MeasureDrivers = Type.Object(
  {
    ...commonMembers,
    satisfaction: Type.Union([
      Type.Object({ id: Type.String(), name: Type.String(), ...totalMembers }),
      Type.Null(),
    ]),
    drivers: Type.Array(
      Type.Object({
        ...latentFacts,
        ...totalMembers,
        correlation: Type.Object({
          count: Type.Optional(Type.Integer({ description: 'Responses that have both scores.' })),
          value: Type.Optional(
            Type.Union([Type.Number(), Type.Null()], {
              description:
                "Pearson's coefficient with the score of satisfaction, -1 to 1; null where one of both never varies.",
            }),
          ),
          interval: Type.Optional(Interval),
          ...withheldMember,
        }),
      }),
      { description: 'Every other latent; the strongest association first, whatever its direction.' },
    ),
    note: Type.Literal(driversNote),
  },
  { $id: 'MeasureDrivers' },
);

/** What each of the views can be asked. */
export const trendQuery = Type.Object({
  ...rangeParameters,
  ...unitParameter,
  ...compareParameter,
  ...filterParameters,
});

export const rangeQuery = Type.Object({ ...rangeParameters, ...filterParameters });

const rangeWords =
  'Days are UTC, both ends included, at most 3,700 of them. How figures are made: docs/insight.md.';

export const measureViewOperations = serviceOperations({
  'GET /v1/measures/:measurementKey/trend': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: trendQuery,
    document: {
      operationId: 'measureTrend',
      summary: 'Read the scores of a measure over time, with their intervals',
      description: `Mean, spread and 95 % interval of each latent by day, week or month, of the whole range, and of another range to compare it with. Versions whose questions, scales or weights differ are never joined in one point. ${rangeWords}`,
      tag: 'Measures',
      success: { status: 200, schema: MeasureTrend, description: 'The scores over time', as: 'slices' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/measures/:measurementKey/distribution': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: rangeQuery,
    document: {
      operationId: 'measureDistribution',
      summary: 'Read how every question of a measure was answered',
      description: `How often each answer was given, by version, and how long people took. ${rangeWords}`,
      tag: 'Measures',
      success: { status: 200, schema: Distribution, description: 'The answers', as: 'slices' },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
  'GET /v1/measures/:measurementKey/drivers': {
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    params: MeasureKey,
    query: rangeQuery,
    document: {
      operationId: 'measureDrivers',
      summary: 'Read which latents of a measure go along with satisfaction',
      description: `Mean of each latent, and the correlation of its scores with those of satisfaction: association, not cause. ${rangeWords}`,
      tag: 'Measures',
      success: {
        status: 200,
        schema: MeasureDrivers,
        description: 'The latents, by the strength of the association',
        as: 'slices',
      },
    },
    refusals: readRefusals('MEASURE_NOT_FOUND'),
  },
});
