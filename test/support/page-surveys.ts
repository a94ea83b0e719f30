// Surveys for tests of the survey page: random ones whose questions hang on each other, and one in which every text is hostile.

import {
  type Answer,
  type CustomQuestion,
  type CustomResponseType,
  type MeasuredQuestion,
  type Rule,
  type SurveyDefinition,
  surveyLanguages,
} from '../../src/domain/feedback/definition.ts';
import type { Seeded } from './seeded.ts';

/** Texts that would end an attribute, an element, a script or a selector, or turn what stands around them. */
export const hostileTexts = [
  '"><script>alert(1)</script>',
  "' onfocus=alert(1) autofocus x='",
  '&lt;b&gt; &amp;amp; &#x22;',
  '</textarea></select></fieldset></form><img src=x onerror=alert(1)>',
  '</script><!-- <script>',
  '</style><style>*{display:none}',
  '\\"],*{display:none}[a="',
  'line\u2028separator\u2029end',
  '\u202Eright to left\u202D and \u2066isolated',
  '{token} {{token}} $& $1 %s',
  'tab\tand\nline',
  '😀 漢字 عربي é\u0301',
] as const;

const idCharacters = [
  'a',
  'B',
  '7',
  '-',
  '_',
  '.',
  ' ',
  '"',
  "'",
  '\\',
  '<',
  '&',
  ':',
  '#',
  '}',
  'ß',
  '漢',
  '😀',
];

/** An id as the catalogue allows it: any characters but control characters, and never the same twice. */
function someId(chance: Seeded, unique: number): string {
  const length = chance.below(5);
  return `${Array.from({ length }, () => chance.pick(idCharacters)).join('')}${unique}`;
}

/** Some twenty questions; most of the custom ones wait for answers to others, in chains. */
export function randomSurvey(
  chance: Seeded,
  { openText = true }: { openText?: boolean } = {},
): SurveyDefinition {
  let unique = 0;
  const nextId = (): string => {
    unique += 1;
    return someId(chance, unique);
  };
  const sources: (MeasuredQuestion | CustomQuestion)[] = [];
  const measured = Array.from({ length: 1 + chance.below(3) }, () => {
    const min = chance.below(4) - 2;
    const question: MeasuredQuestion = {
      ...texts(nextId()),
      weight: 1,
      scale: { min, max: min + 1 + chance.below(chance.percent(20) ? 60 : 10) },
      required: chance.percent(30),
      dontKnow: chance.percent(40),
    };
    sources.push(question);
    return question;
  });
  const questions = Array.from({ length: 5 + chance.below(14) }, () => {
    const types: readonly CustomResponseType[] = openText
      ? ['RADIO', 'SELECT', 'CHECKBOX', 'STAR_RATING', 'NPS', 'TEXT', 'TEXT_AREA']
      : ['RADIO', 'SELECT', 'CHECKBOX', 'STAR_RATING', 'NPS'];
    const responseType = chance.pick(types);
    const isChoice = ['RADIO', 'SELECT', 'CHECKBOX'].includes(responseType);
    const isText = responseType.startsWith('TEXT');
    const question: CustomQuestion = {
      ...texts(nextId()),
      responseType,
      required: chance.percent(30),
      answers: isChoice
        ? Array.from({ length: 1 + chance.below(6) }, (_, index) => answer(nextId(), index))
        : [],
      scale:
        responseType === 'NPS'
          ? { min: 0, max: 10 }
          : responseType === 'STAR_RATING'
            ? { min: 1, max: 5 }
            : null,
      maxLength: isText && chance.percent(50) ? 1 + chance.below(300) : null,
      role: null,
      rules: chance.percent(70)
        ? Array.from({ length: 1 + chance.below(3) }, () => rule(chance, sources))
        : [],
    };
    sources.push(question);
    return question;
  });
  return survey('random', measured, chance.shuffle(questions));
}

function texts(id: string) {
  return { id, name: `Name of ${id}`, phrase: `Phrase of ${id}`, label: `Label of ${id}` };
}

function answer(id: string, value: number): Answer {
  return { id, text: `Answer ${id}`, label: id, value: value % 3 === 0 ? null : value };
}

function rule(chance: Seeded, sources: readonly (MeasuredQuestion | CustomQuestion)[]): Rule {
  const source = chance.pick(sources);
  const question = source.id;
  if ('responseType' in source && source.responseType.startsWith('TEXT'))
    return { question, operator: chance.pick(['equals', 'contains']), answer: chance.pick(['yes', 'no']) };
  if (source.scale !== null) {
    const { min, max } = source.scale;
    return {
      question,
      operator: chance.pick(['equals', 'lt', 'gt']),
      answer: min + chance.below(max - min + 1),
    };
  }
  const { answers } = source as CustomQuestion;
  return chance.percent(20)
    ? { question, operator: 'contains', answer: 'Answer' }
    : { question, operator: 'equals', answer: chance.pick(answers).id };
}

function survey(
  id: string,
  measured: readonly MeasuredQuestion[],
  questions: readonly CustomQuestion[],
  more: Partial<SurveyDefinition> = {},
): SurveyDefinition {
  return {
    id,
    modelInstanceId: id,
    version: 1,
    current: true,
    public: true,
    origins: [],
    closed: false,
    latents: measured.length === 0 ? [] : [{ id: 'L', name: 'L', type: 'ELEMENTS', questions: measured }],
    questions,
    parameters: { custom: [], external: [] },
    ...more,
  };
}

/** Every kind of question, each text and each id one of the hostile ones, in the survey's language and in all others. */
export function hostileSurvey(): SurveyDefinition {
  const text = (index: number): string => hostileTexts[index % hostileTexts.length]!;
  // Ids hold no control characters.
  const idText = (index: number): string => `${text(index).replaceAll(/\p{Cc}/gu, '')} ${index}`;
  const types: readonly CustomResponseType[] = [
    'RADIO',
    'SELECT',
    'CHECKBOX',
    'STAR_RATING',
    'NPS',
    'TEXT',
    'TEXT_AREA',
  ];
  const question = (index: number) => ({
    id: idText(index),
    name: text(index),
    phrase: text(index + 1),
    label: text(index + 2),
    help: text(index + 3),
    required: index % 2 === 0,
  });
  const labels = { min: text(4), max: text(5) };
  const measured = hostileTexts.map((_, index) => ({
    ...question(index),
    weight: 1,
    scale: { min: 1, max: 3, labels },
    dontKnow: true,
    dontKnowText: text(index + 6),
  }));
  const custom = types.map((responseType, at): CustomQuestion => {
    const isChoice = ['RADIO', 'SELECT', 'CHECKBOX'].includes(responseType);
    return {
      ...question(100 + at),
      responseType,
      answers: isChoice
        ? hostileTexts.map((_, index) => ({
            id: idText(200 + 20 * at + index),
            text: text(index),
            label: text(index),
            value: null,
          }))
        : [],
      scale:
        responseType === 'NPS'
          ? { min: 0, max: 10, labels }
          : responseType === 'STAR_RATING'
            ? { min: 1, max: 5, labels }
            : null,
      maxLength: responseType.startsWith('TEXT') ? 500 : null,
      role: null,
      rules: at === 6 ? [{ question: idText(100), operator: 'equals', answer: idText(200) }] : [],
    };
  });
  const all = [...measured, ...custom];
  const translation = {
    title: text(7),
    questions: Object.fromEntries(
      all.map(({ id }, index) => [
        id,
        { phrase: text(index), help: text(index + 1), dontKnow: text(index + 2) },
      ]),
    ),
  };
  return survey(idText(300), measured, custom, {
    title: text(0),
    language: 'en',
    translations: Object.fromEntries(
      surveyLanguages.filter((language) => language !== 'en').map((language) => [language, translation]),
    ),
    page: {
      intro: text(3),
      thanks: { text: text(0), url: 'https://shop.example/?a="b"&c=<d>' },
      privacy: 'https://shop.example/privacy?a="b"&c=<d>',
      sections: [{ title: text(4), questions: measured.slice(0, 3).map(({ id }) => id) }],
      prefill: [measured[0]!.id],
    },
  });
}
