// The figures of a measure: its latents over time, and what goes along with satisfaction.

import { Type } from '../schema.ts';
import {
  Breaks,
  CalendarUnitSchema,
  commonMembers,
  comparedMember,
  compareParameter,
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
