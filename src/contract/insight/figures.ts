// Pieces of schema that the views over figures share.

import { calendarUnits } from '../../domain/dates.ts';
import { comparisons } from '../../domain/insight/compared-range.ts';
import { changeKinds } from '../../domain/insight/joining.ts';
import { DateText } from '../feedback/response-row.ts';
import { pairOf, Type } from '../schema.ts';

// ---- parameters

export const minimumMax = 1_000;

export const rangeParameters = {
  from: DateText,
  to: DateText,
  minimum: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: minimumMax,
      description: 'Figures of fewer responses are withheld. It can only raise what the account says.',
    }),
  ),
};

const filterCharactersMax = 20_000;

export const filterParameters = {
  filter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: filterCharactersMax,
      description:
        'Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.',
    }),
  ),
  within: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 10_000,
      description:
        'So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.',
    }),
  ),
};

export const compareParameter = {
  compare: Type.Optional(
    Type.Enum([...comparisons], {
      description: 'previous: as many days directly before. year: the same days a year before.',
    }),
  ),
};

/** Under a name of its own: what a generated client calls it stands for the parameter and for the member of the answer. */
export const CalendarUnitSchema = Type.Enum([...calendarUnits], {
  $id: 'CalendarUnit',
  description: '`day` unless asked for; weeks begin on Monday (ISO 8601).',
});

export const unitParameter = { unit: Type.Optional(CalendarUnitSchema) };

// ---- answers

const Days = Type.Object({ from: DateText, to: DateText });

const orNull = (schema: ReturnType<typeof Type.Number>, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const commonMembers = {
  from: DateText,
  to: DateText,
  minimum: Type.Integer({ description: 'The number in force: figures of fewer responses are withheld.' }),
  complete: Type.Boolean({ description: 'Whether the figures go over the whole range.' }),
  covered: Type.Union([Days, Type.Null()], {
    description: 'The days that the figures go over; null where there was time for none.',
  }),
  position: Type.Integer({ description: 'The position in the log at which the figures are true.' }),
};

export const comparedMember = { compared: Type.Optional(Days) };

export const Interval = Type.Union([pairOf(Type.Number()), Type.Null()], {
  description: 'At 95 %: its low and its high end, not rounded and not cut to the scale.',
});

export const withheldMember = {
  withheld: Type.Optional(
    Type.Literal('TOO_FEW', {
      description:
        'In the place of figures that go over fewer responses than the minimum, or would give such ones away.',
    }),
  ),
};

/** Present unless they are withheld. */
export const figuresMembers = {
  count: Type.Optional(Type.Integer({ minimum: 0 })),
  mean: Type.Optional(orNull(Type.Number(), 'Null where count is 0.')),
  deviation: Type.Optional(
    orNull(Type.Number(), 'The sample standard deviation; null where count is less than 2.'),
  ),
  interval: Type.Optional(Interval),
  ...withheldMember,
};

const versionsMember = {
  versions: Type.Array(Type.Integer(), { description: 'The versions whose responses are added up in it.' }),
};

const comparableMember = {
  comparable: Type.Boolean({
    description: 'False where versions with other questions, scales or weights are added up in it.',
  }),
};

export const totalMembers = { ...figuresMembers, ...versionsMember, ...comparableMember };

export const Difference = Type.Object(
  {
    value: Type.Number(),
    interval: pairOf(Type.Number(), { description: 'At 95 %.' }),
    change: Type.Enum(['up', 'down', 'unclear'], {
      description: 'up or down where the whole interval lies on one side of 0.',
    }),
  },
  { $id: 'InsightDifference' },
);

export const trendMembers = {
  points: Type.Array(Type.Object({ from: DateText, to: DateText, ...versionsMember, ...figuresMembers }), {
    description:
      'A unit without a value has none. The first and the last are cut to the range. Versions that must not be joined have a point each.',
  }),
  total: Type.Object(totalMembers, {
    description: 'Of the whole range; the same as in the summary of the data.',
  }),
  compared: Type.Optional(
    Type.Union([Type.Object(totalMembers), Type.Null()], {
      description: 'Of the range that is compared; null where there was no time for it.',
    }),
  ),
  difference: Type.Optional(
    Type.Union(
      [
        Type.Object({
          value: Type.Number(),
          interval: pairOf(Type.Number(), { description: "At 95 %, Welch's." }),
          change: Type.Enum(['up', 'down', 'unclear']),
          ...comparableMember,
        }),
        Type.Null(),
      ],
      {
        description: 'total less compared; null where one of both has fewer than two values or is withheld.',
      },
    ),
  ),
};

export const Breaks = Type.Array(
  Type.Object({
    day: DateText,
    version: Type.Integer(),
    latents: Type.Array(Type.String()),
    reason: Type.String({ description: 'What changed, in words.' }),
    changes: Type.Array(
      Type.Object({
        name: Type.String(),
        changes: Type.Array(
          Type.Object({
            kind: Type.Enum([...changeKinds]),
            question: Type.String(),
            before: Type.Union([Type.String(), Type.Number(), Type.Null()]),
            now: Type.Union([Type.String(), Type.Number(), Type.Null()]),
          }),
        ),
        more: Type.Integer({ description: 'How many further changes are not listed.' }),
      }),
      { description: 'The same for programs, one for each of latents.' },
    ),
  }),
  {
    description:
      'From these days on there are responses to a version whose figures must not be joined with those before.',
  },
);

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()]);

const counted = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const Distribution = Type.Object(
  {
    ...commonMembers,
    count: Type.Integer({ description: 'Responses that are not erased.' }),
    erased: Type.Integer({
      description: 'Responses that are erased: what they answered counts nowhere below.',
    }),
    questions: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        phrase: Type.String(),
        type: Type.Enum(['MQ', 'CQ']),
        responseType: Type.String(),
        latent: Type.Optional(
          Type.String({ description: 'The latent that a measured question belongs to.' }),
        ),
        versions: Type.Array(
          Type.Object({
            version: Type.Integer(),
            surveyDefinitionId: Type.String(),
            count: counted('Responses to the version that are not erased: asked and notAsked.'),
            asked: counted('answered and unanswered.'),
            notAsked: counted('The rules of the version hid the question.'),
            unanswered: counted('Asked and left out.'),
            dontKnow: counted(
              'Of a measured question that offers it; they are among those who answered. Absent where its count is withheld.',
            ),
            answered: counted('Chose an answer, or wrote something.'),
            mean: Type.Optional(
              orNull(
                Type.Number(),
                'Of the answers that have a number as their value; null where there is none, and where several can be chosen.',
              ),
            ),
            answers: Type.Optional(
              Type.Array(
                Type.Object({
                  id: Type.String(),
                  text: Type.String(),
                  value: Value,
                  count: counted('Responses that chose it.'),
                  ...withheldMember,
                }),
                { description: 'Open questions have none.' },
              ),
            ),
            ...withheldMember,
          }),
          { description: 'The versions with responses in the range, oldest first; they are never added up.' },
        ),
      }),
    ),
    completionTimes: Type.Object(
      {
        count: counted('Responses that say how long they took.'),
        median: Type.Optional(orNull(Type.Number(), 'In milliseconds, within the width of its bin.')),
        quartiles: Type.Optional(Type.Union([pairOf(Type.Number()), Type.Null()])),
        bins: Type.Optional(
          Type.Array(
            Type.Object({
              fromMs: Type.Integer(),
              toMs: Type.Union([Type.Integer(), Type.Null()], {
                description: 'The first time that is no longer in it.',
              }),
              count: counted('Responses that took so long.'),
              ...withheldMember,
            }),
            { description: 'Four to each doubling, from the first to the last that has a response.' },
          ),
        ),
        ...withheldMember,
      },
      { description: '`completionTimeInMs` of the responses.' },
    ),
  },
  { $id: 'InsightDistribution' },
);
