// Pieces of schema that several routes share.

import { suspicions } from '../../domain/pages/quality.ts';
import { Type } from '../schema.ts';

export const Link = Type.Object({ rel: Type.String(), href: Type.String() });

export const LinksOfSurvey = Type.Array(Link, { description: 'self and MEASURE_DATA.' });

export const DateText = Type.String({ format: 'date', description: 'A UTC day, YYYY-MM-DD.' });

export const Fault = Type.Object({
  field: Type.String({ description: 'The parameter, header or path within the body.' }),
  code: Type.String({ description: 'A stable word: see the codes of single faults in docs/errors.md.' }),
  message: Type.String({ description: 'What is wrong, in words for people.' }),
});

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** What stands in a definition about a question, and beside the answers to it. */
const questionWords = {
  id: Type.String(),
  name: Type.String(),
  phrase: Type.String(),
  type: Type.Enum(['MQ', 'CQ', 'CPP', 'EPP']),
  label: Type.String(),
  responseType: Type.String(),
};

export const Question = Type.Object(
  {
    ...questionWords,
    required: Type.Boolean(),
    scale: Type.Optional(Type.Object({ min: Type.Number(), max: Type.Number() })),
    weight: Type.Optional(Type.Number()),
    maxLength: Type.Optional(Type.Integer()),
    valueType: Type.Optional(Type.String()),
    topic: Type.Optional(
      Type.Boolean({ description: 'On the question whose answer is the topic of an entry.' }),
    ),
    answers: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), text: Type.String(), label: Type.String(), value: Value })),
    ),
    rules: Type.Optional(
      Type.Array(Type.Object({ question: Type.String(), operator: Type.String(), answer: Value }), {
        description: 'Any of them shows the question; without rules it always shows.',
      }),
    ),
  },
  { $id: 'Question' },
);

/** What is shown of every response, whether of a measure or of a project. */
export const responseFacts = {
  id: Type.String({ description: 'The responseId.' }),
  responseTime: Type.String({ format: 'date-time' }),
  experienceDate: DateText,
  modelInstanceId: Type.String(),
};

/** What stands at the end of a response where there is something to say. */
export const responseMarks = {
  quality: Type.Optional(
    Type.Object(
      { suspect: Type.Array(Type.Enum([...suspicions]), { minItems: 1 }) },
      {
        description:
          'What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other.',
      },
    ),
  ),
  erased: Type.Optional(Type.Boolean()),
};

/** Of a range of days. */
export const LatentScores = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    score: Type.Union([Type.Number(), Type.Null()], {
      description: '0 to 100, or null where nothing was answered.',
    }),
    count: Type.Optional(Type.Integer({ description: 'In a summary: how many respondents have a score.' })),
  }),
);

/** Of one respondent: only what has a score is there (D-33). */
export const RespondentScores = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    score: Type.Number({ description: '0 to 100.' }),
  }),
  { description: 'The latents of which something was answered with a value.' },
);

export const ResponseRow = Type.Object(
  {
    ...questionWords,
    answers: Type.Array(Type.String()),
  },
  { $id: 'ResponseRow' },
);
