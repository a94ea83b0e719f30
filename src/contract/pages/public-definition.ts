// The form of /s/{name}/definition.json.

import { customResponseTypes, ruleOperators, surveyLanguages } from '../../domain/feedback/definition.ts';
import { Type } from '../schema.ts';

const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$' });

const Colours = Type.Object(
  {
    accent: Colour,
    onAccent: Colour,
    background: Colour,
    text: Colour,
    muted: Colour,
    border: Colour,
    focus: Colour,
    fault: Colour,
  },
  { $id: 'PageColours' },
);

const PublicQuestionBody = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum([...customResponseTypes, 'MEASURED_QUESTION']),
    phrase: Type.String({ description: 'What is asked.' }),
    help: Type.Optional(Type.String()),
    required: Type.Boolean({ description: 'Whether it needs an answer whenever it is asked.' }),
    scale: Type.Optional(
      Type.Object({
        min: Type.Integer(),
        max: Type.Integer(),
        labels: Type.Optional(Type.Object({ min: Type.String(), max: Type.String() })),
      }),
    ),
    dontKnow: Type.Optional(
      Type.Object(
        { id: Type.String(), text: Type.Optional(Type.String()) },
        { description: 'An answer beside the numbers of the scale.' },
      ),
    ),
    answers: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'Sent as the answer.' }),
          text: Type.String(),
          value: Type.Union([Type.Number(), Type.String(), Type.Null()]),
        }),
      ),
    ),
    maxLength: Type.Optional(Type.Integer({ description: 'Of a text, in characters.' })),
    rules: Type.Optional(
      Type.Array(
        Type.Object({
          question: Type.String(),
          operator: Type.Enum([...ruleOperators]),
          answer: Type.Union([Type.String(), Type.Number()]),
        }),
        { description: 'It is asked when one of them holds, of a question that is asked itself.' },
      ),
    ),
  },
  { $id: 'PublicQuestion' },
);

export const PublicDefinitionBody = Type.Object(
  {
    surveyDefinitionId: Type.String(),
    version: Type.Integer(),
    isOpen: Type.Boolean({ description: 'Whether it takes responses now.' }),
    language: Type.Enum([...surveyLanguages]),
    direction: Type.Enum(['ltr', 'rtl']),
    languages: Type.Array(Type.Enum([...surveyLanguages]), { description: 'Its own language first.' }),
    title: Type.String(),
    intro: Type.Optional(Type.String()),
    thanks: Type.Optional(
      Type.Object({ text: Type.Optional(Type.String()), url: Type.Optional(Type.String()) }),
    ),
    privacy: Type.Optional(Type.String({ description: 'The address of the privacy notice.' })),
    sections: Type.Array(
      Type.Object({ title: Type.Optional(Type.String()), questions: Type.Array(Type.String()) }),
      { description: 'Steps of the page, by the ids of questions. Every question stands in one.' },
    ),
    questions: Type.Array(PublicQuestionBody),
    theme: Type.Object({ light: Colours, dark: Colours }),
  },
  { $id: 'PublicSurveyDefinition' },
);
