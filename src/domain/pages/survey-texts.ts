// The texts of a survey in one language. What a translation leaves out is shown in the survey's own language (D-410), and
// every text says in which one it is, so that a page can mark it for voices and fonts.

import type {
  CustomQuestion,
  MeasuredQuestion,
  SurveyDefinition,
  SurveyLanguage,
} from '../feedback/definition.ts';
import { ownLanguageOf } from './survey-language.ts';

export interface ShownText {
  readonly text: string;
  readonly language: SurveyLanguage;
}

export interface SurveyTexts {
  readonly title: ShownText;
  readonly intro: ShownText | null;
  readonly thanks: ShownText | null;
  readonly sections: readonly SectionTexts[];
  /** By the id of the question. */
  readonly questions: ReadonlyMap<string, QuestionTexts>;
}

export interface SectionTexts {
  readonly title: ShownText | null;
  /** Ids of questions, in the order of the page. */
  readonly questions: readonly string[];
}

export interface QuestionTexts {
  readonly phrase: ShownText;
  readonly help: ShownText | null;
  readonly labels: { readonly min: ShownText; readonly max: ShownText } | null;
  /** Null where the page says it in its own words. */
  readonly dontKnow: ShownText | null;
  /** By the id of the answer; those of a scale are numbers and have no text. */
  readonly answers: ReadonlyMap<string, ShownText>;
}

/** `sourceName`, of the measure or project, is the heading of a survey without a title. */
export function surveyTexts(
  definition: SurveyDefinition,
  language: SurveyLanguage,
  sourceName: string,
): SurveyTexts {
  const own = ownLanguageOf(definition);
  const isOwn = language === own;
  const translated = isOwn ? undefined : definition.translations?.[language];
  const page = definition.page ?? {};
  const pageTranslated = isOwn ? undefined : page.translations?.[language];
  const pick: Pick = (translation, text) => {
    if (translation !== undefined) return { text: translation, language };
    return text === undefined ? null : { text, language: own };
  };

  const questions = new Map<string, QuestionTexts>();
  for (const question of questionsOf(definition))
    questions.set(
      question.id,
      questionTexts(question, ownMember(translated?.questions, question.id) ?? {}, pick),
    );
  return {
    title: pick(translated?.title, definition.title ?? sourceName)!,
    intro: pick(pageTranslated?.intro, page.intro),
    thanks: pick(pageTranslated?.thanks, page.thanks?.text),
    sections: sectionsOf(definition).map((section, index) => ({
      // One without a title has none in any language.
      title: section.title === undefined ? null : pick(pageTranslated?.sections?.[index], section.title),
      questions: section.questions,
    })),
    questions,
  };
}

type Pick = (translation: string | undefined, text: string | undefined) => ShownText | null;
type Translation = NonNullable<
  NonNullable<NonNullable<SurveyDefinition['translations']>[SurveyLanguage]>['questions']
>[string];

function questionTexts(
  question: MeasuredQuestion | CustomQuestion,
  translation: Translation,
  pick: Pick,
): QuestionTexts {
  const labels = question.scale?.labels;
  const answers = 'answers' in question ? question.answers : [];
  const dontKnow = 'dontKnowText' in question ? question.dontKnowText : undefined;
  return {
    // The name is the sentence that people are asked; `phrase` is what reports call it (D-430).
    phrase: pick(translation.phrase, question.name)!,
    help: pick(translation.help, question.help),
    labels:
      labels === undefined && translation.labels === undefined
        ? null
        : {
            min: pick(translation.labels?.min, labels?.min)!,
            max: pick(translation.labels?.max, labels?.max)!,
          },
    dontKnow: pick(translation.dontKnow, dontKnow),
    answers: new Map(answers.map(({ id, text }) => [id, pick(ownMember(translation.answers, id), text)!])),
  };
}

interface Section {
  readonly title?: string;
  readonly questions: readonly string[];
}

/** The sections of the page, each question in the first that names it; the rest in a last one without a title. */
export function sectionsOf(definition: SurveyDefinition): readonly Section[] {
  const left = new Set(questionsOf(definition).map(({ id }) => id));
  const sections: Section[] = [];
  for (const { title, questions } of definition.page?.sections ?? []) {
    const own = questions.filter((id) => left.delete(id));
    sections.push({ ...(title === undefined ? {} : { title }), questions: own });
  }
  if (left.size > 0) sections.push({ questions: [...left] });
  return sections;
}

function questionsOf({
  latents,
  questions,
}: SurveyDefinition): readonly (MeasuredQuestion | CustomQuestion)[] {
  return [...latents.flatMap((latent) => latent.questions), ...questions];
}

/** An id may be the name of something that every object has, such as toString. */
function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
