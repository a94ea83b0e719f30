// A survey as pages need it that draw their own form: what is asked, in one language, and by which rules. Weights, latents and
// the labels of reports are nobody's business there (D-455).

import type {
  CustomQuestion,
  MeasuredQuestion,
  ResponseType,
  Rule,
  SurveyLanguage,
} from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import { type Direction, directionOf, languagesOf } from './survey-language.ts';
import { type QuestionTexts, surveyTexts } from './survey-texts.ts';
import { type Colours, themeColours } from './theme.ts';

interface PublicDefinition {
  readonly surveyDefinitionId: string;
  readonly version: number;
  readonly isOpen: boolean;
  readonly language: SurveyLanguage;
  readonly direction: Direction;
  readonly languages: readonly SurveyLanguage[];
  readonly title: string;
  readonly intro?: string;
  readonly thanks?: { readonly text?: string; readonly url?: string };
  readonly privacy?: string;
  readonly sections: readonly { readonly title?: string; readonly questions: readonly string[] }[];
  readonly questions: readonly PublicQuestion[];
  readonly theme: { readonly light: Colours; readonly dark: Colours };
}

interface PublicQuestion {
  readonly id: string;
  readonly type: ResponseType;
  readonly phrase: string;
  readonly help?: string;
  readonly required: boolean;
  readonly scale?: {
    readonly min: number;
    readonly max: number;
    readonly labels?: { min: string; max: string };
  };
  /** The answer beside the numbers of the scale. */
  readonly dontKnow?: { readonly id: string; readonly text?: string };
  readonly answers?: readonly {
    readonly id: string;
    readonly text: string;
    readonly value: number | string | null;
  }[];
  readonly maxLength?: number;
  readonly rules?: readonly Rule[];
}

export function publicDefinition(
  survey: PreparedSurvey,
  sourceName: string,
  language: SurveyLanguage,
): PublicDefinition {
  const { definition } = survey;
  const texts = surveyTexts(definition, language, sourceName);
  const { thanks, privacy, theme } = definition.page ?? {};
  const questions = [...definition.latents.flatMap((latent) => latent.questions), ...definition.questions];
  return {
    surveyDefinitionId: definition.id,
    version: definition.version,
    isOpen: isOpenNow(survey),
    language,
    direction: directionOf(language),
    languages: languagesOf(definition),
    title: texts.title.text,
    ...(texts.intro === null ? {} : { intro: texts.intro.text }),
    ...(thanks === undefined
      ? {}
      : {
          thanks: {
            ...(texts.thanks === null ? {} : { text: texts.thanks.text }),
            ...(thanks.url === undefined ? {} : { url: thanks.url }),
          },
        }),
    ...(privacy === undefined ? {} : { privacy }),
    sections: texts.sections.map(({ title, questions: ids }) => ({
      ...(title === null ? {} : { title: title.text }),
      questions: ids,
    })),
    questions: questions.map((question) => publicQuestion(question, texts.questions.get(question.id)!)),
    theme: themeColours(theme),
  };
}

/** Whether it takes responses that are no tests (D-46). */
export function isOpenNow({ definition, source }: Pick<PreparedSurvey, 'definition' | 'source'>): boolean {
  return !definition.closed && (source.kind === 'measure' ? source.active : source.status === 'ACTIVE');
}

function publicQuestion(question: MeasuredQuestion | CustomQuestion, texts: QuestionTexts): PublicQuestion {
  const { id, required, scale } = question;
  const { phrase, help, labels, answers } = texts;
  return {
    id,
    type: 'weight' in question ? 'MEASURED_QUESTION' : question.responseType,
    phrase: phrase.text,
    ...(help === null ? {} : { help: help.text }),
    required,
    ...(scale === null
      ? {}
      : {
          scale: {
            min: scale.min,
            max: scale.max,
            ...(labels === null ? {} : { labels: { min: labels.min.text, max: labels.max.text } }),
          },
        }),
    ...('weight' in question ? dontKnowOf(question, texts) : customParts(question, answers)),
  };
}

function dontKnowOf({ id, dontKnow }: MeasuredQuestion, texts: QuestionTexts): Partial<PublicQuestion> {
  if (!dontKnow) return {};
  // The id that `answersOf` gives it.
  return { dontKnow: { id: `${id}-DK`, ...(texts.dontKnow === null ? {} : { text: texts.dontKnow.text }) } };
}

function customParts(
  { answers, maxLength, rules }: CustomQuestion,
  texts: QuestionTexts['answers'],
): Partial<PublicQuestion> {
  return {
    ...(answers.length === 0
      ? {}
      : { answers: answers.map(({ id, value }) => ({ id, text: texts.get(id)!.text, value })) }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(rules.length === 0 ? {} : { rules }),
  };
}
