// How the page of a survey looks and behaves, and the texts of a survey in other languages, as the catalogue writes them.

import type { Interruptible } from '../interruptible.ts';
import { themeFaults } from '../pages/theme.ts';
import { phrase } from './catalogue-fault.ts';
import {
  aLine,
  anAddress,
  anInteger,
  aParagraph,
  type FileNode,
  type Kind,
  oneOf,
  readEach,
  readEachInPieces,
} from './catalogue-file.ts';
import {
  type ByLanguage,
  type CustomQuestion,
  type MeasuredQuestion,
  type PageColours,
  type PageInvite,
  type PageSection,
  type PageTheme,
  type PageTranslation,
  type QuestionTranslation,
  type ScaleLabels,
  type SurveyDefinition,
  type SurveyLanguage,
  type SurveyPage,
  type SurveyTranslation,
  surveyLanguages,
} from './definition.ts';

const titleMax = 200;
const helpMax = 1_000;
const labelMax = 200;
const introMax = 5_000;
const phraseMax = 4_000;
const sectionsMax = 100;
const prefillMax = 200;
const urlsMax = 100;
const urlMax = 500;

export const aTitle = aLine(titleMax);
export const aHelp = aLine(helpMax);
export const aLabel = aLine(labelMax);
const aPhrase = aParagraph(phraseMax);
const anIntro = aParagraph(introMax);

type Question = MeasuredQuestion | CustomQuestion;
type Asked = Pick<SurveyDefinition, 'latents' | 'questions' | 'parameters' | 'language'>;

/** What the ends of a scale mean. */
export function readLabels(place: FileNode): { labels?: ScaleLabels } {
  const labels = place.object('labels');
  if (labels === null) return {};
  const read = { min: labels.required('min', aLabel, ''), max: labels.required('max', aLabel, '') };
  labels.refuseOthers();
  return { labels: read };
}

// ---- translations

/** By language, without the survey's own; nothing where there is nothing. */
function* byLanguage<T extends object>(
  place: FileNode,
  { language: own = 'en' }: Pick<SurveyDefinition, 'language'>,
  read: (place: FileNode) => Interruptible<T>,
): Interruptible<{ translations?: ByLanguage<T> }> {
  const translations = place.object('translations');
  if (translations === null) return {};
  const found: [SurveyLanguage, T][] = [];
  for (const language of surveyLanguages) {
    const translation = translations.object(language);
    if (translation === null) continue;
    if (language === own) translation.fault(phrase('ownLanguage', { language }));
    for (const value of yield* readEachInPieces([translation], read))
      if (Object.keys(value).length > 0) found.push([language, value]);
  }
  translations.refuseOthers();
  return found.length === 0 ? {} : { translations: Object.fromEntries(found) };
}

export function readTranslations(
  survey: FileNode,
  asked: Asked,
): Interruptible<{ translations?: ByLanguage<SurveyTranslation> }> {
  const byId = new Map(questionsOf(asked).map((question) => [question.id, question]));
  return byLanguage(survey, asked, function* (place) {
    const questions: [string, QuestionTranslation][] = [];
    const places = place.object('questions');
    for (const id of places?.names() ?? []) {
      yield;
      const one = places!.object(id);
      const question = byId.get(id);
      if (one === null) continue;
      if (question === undefined) one.fault(phrase('unknownQuestion', { question: id }));
      else
        for (const translation of one.read((at) => readQuestion(at, question)))
          if (Object.keys(translation).length > 0) questions.push([id, translation]);
    }
    return {
      ...said(place, 'title', aTitle),
      ...(questions.length > 0 && { questions: Object.fromEntries(questions) }),
    };
  });
}

function readQuestion(place: FileNode, question: Question): QuestionTranslation {
  const translation: QuestionTranslation = {
    ...said(place, 'phrase', aPhrase),
    ...said(place, 'help', aHelp),
    ...said(place, 'dontKnow', aLabel),
    ...readLabels(place),
    ...readAnswers(place, question),
  };
  const { id } = question;
  // What nobody asks in the survey's own language is a slip, and would be asked of some and not of others.
  if (translation.help !== undefined && question.help === undefined)
    place.at('help').fault(phrase('noHelp', { question: id }));
  if (translation.labels !== undefined && question.scale?.labels === undefined)
    place.at('labels').fault(phrase('noLabels', { question: id }));
  if (translation.dontKnow !== undefined && !('dontKnow' in question && question.dontKnow))
    place.at('dontKnow').fault(phrase('noDontKnow', { question: id }));
  return translation;
}

function readAnswers(place: FileNode, question: Question): { answers?: Record<string, string> } {
  const answers = place.object('answers');
  if (answers === null) return {};
  const known = new Set('answers' in question ? question.answers.map(({ id }) => id) : []);
  const texts: [string, string][] = [];
  for (const id of answers.names()) {
    const text = answers.optional(id, aPhrase, '');
    if (known.has(id)) texts.push([id, text]);
    else answers.at(id).fault(phrase('noAnswerText', { question: question.id, answer: id }));
  }
  return texts.length === 0 ? {} : { answers: Object.fromEntries(texts) };
}

// ---- the page

export function* readPage(survey: FileNode, asked: Asked): Interruptible<{ page?: SurveyPage }> {
  const place = survey.object('page');
  if (place === null) return {};
  const sections = yield* readSections(place, asked);
  const page: SurveyPage = {
    ...said(place, 'intro', anIntro),
    ...sections,
    ...readThanks(place),
    ...readTheme(place),
    ...said(place, 'privacy', anAddress),
    ...readPrefill(place, asked),
    ...readInvite(place),
    ...said(place, 'protect', oneOf(['page'] as const)),
    ...(yield* byLanguage(place, asked, function* (one) {
      yield;
      return readPageTranslation(one, sections.sections ?? []);
    })),
  };
  checkTranslated(place, page);
  place.refuseOthers();
  return Object.keys(page).length === 0 ? {} : { page };
}

function* readSections(page: FileNode, asked: Asked): Interruptible<{ sections?: readonly PageSection[] }> {
  const places = page.list('sections');
  if (places.length > sectionsMax)
    page.at('sections').fault(phrase('tooManyEntries', { list: 'sections', most: sectionsMax }));
  const known = new Set(questionsOf(asked).map(({ id }) => id));
  const named = new Map<string, number>();
  const sections = yield* readEach(places, (place): PageSection => {
    const questions = place.list('questions').map((question) => {
      const id = question.value(aQuestionId, '');
      const first = named.get(id);
      if (id !== '' && !known.has(id)) question.fault(phrase('unknownQuestion', { question: id }));
      else if (first !== undefined) question.fault(phrase('inSection', { question: id, line: first }));
      if (id !== '') named.set(id, first ?? question.line);
      return id;
    });
    if (questions.length === 0) place.fault(phrase('emptySection'));
    return { ...said(place, 'title', aTitle), questions };
  });
  return sections.length === 0 ? {} : { sections };
}

function readThanks(page: FileNode): { thanks?: { text?: string; url?: string } } {
  const place = page.object('thanks');
  if (place === null) return {};
  const thanks = { ...said(place, 'text', anIntro), ...said(place, 'url', anAddress) };
  place.refuseOthers();
  return Object.keys(thanks).length === 0 ? {} : { thanks };
}

function readTheme(page: FileNode): { theme?: PageTheme } {
  const place = page.object('theme');
  if (place === null) return {};
  const darkPlace = place.object('dark');
  const dark = darkPlace === null ? {} : readColours(darkPlace);
  darkPlace?.refuseOthers();
  const theme = { ...readColours(place), ...(Object.keys(dark).length > 0 && { dark }) };
  place.refuseOthers();
  for (const { path, ...what } of themeFaults(theme)) {
    const isDark = path.startsWith('dark.');
    (isDark && darkPlace !== null ? darkPlace : place).at(isDark ? path.slice(5) : path).fault(what);
  }
  return Object.keys(theme).length === 0 ? {} : { theme };
}

function readColours(place: FileNode): PageColours {
  return {
    ...said(place, 'accent', aColour),
    ...said(place, 'background', aColour),
    ...said(place, 'text', aColour),
  };
}

/** An address may fill in what is asked, and what the page passes on. */
function readPrefill(page: FileNode, asked: Asked): { prefill?: readonly string[] } {
  const places = page.list('prefill');
  if (places.length > prefillMax)
    page.at('prefill').fault(phrase('tooManyEntries', { list: 'prefill', most: prefillMax }));
  const known = new Set([
    ...questionsOf(asked).map(({ id }) => id),
    ...asked.parameters.custom.map(({ name }) => name),
  ]);
  const named = new Set<string>();
  for (const place of places) {
    const name = place.value(aQuestionId, '');
    if (name === '') continue;
    if (!known.has(name)) place.fault(phrase('unknownName', { name }));
    else if (named.has(name)) place.fault(phrase('namedAlready', { name }));
    named.add(name);
  }
  return named.size === 0 ? {} : { prefill: [...named] };
}

function readInvite(page: FileNode): { invite?: PageInvite } {
  const place = page.object('invite');
  if (place === null) return {};
  const urlPlaces = place.list('urls');
  if (urlPlaces.length > urlsMax)
    place.at('urls').fault(phrase('tooManyEntries', { list: 'urls', most: urlsMax }));
  const urls = urlPlaces.map((url) => url.value(aPath, ''));
  const invite = {
    ...said(place, 'sample', aPercentage),
    ...said(place, 'after', anInteger(0, 86_400)),
    ...(urls.length > 0 && { urls }),
    ...said(place, 'repeatDays', anInteger(0, 3_650)),
    ...said(place, 'quietDays', anInteger(0, 3_650)),
  };
  place.refuseOthers();
  return { invite };
}

function readPageTranslation(place: FileNode, sections: readonly PageSection[]): PageTranslation {
  const places = place.list('sections');
  if (places.length > sections.length)
    place.at('sections').fault(phrase('otherSections', { sections: sections.length, titles: places.length }));
  const titles = places.map((title, index) => {
    const section = sections[index];
    if (section === undefined || section.title !== undefined) return title.value(aTitle, '');
    const text = title.value(anEmptyText, '');
    return text;
  });
  return {
    ...said(place, 'intro', anIntro),
    ...said(place, 'thanks', anIntro),
    ...(titles.length > 0 && { sections: titles }),
  };
}

function checkTranslated(page: FileNode, { intro, thanks, translations }: SurveyPage): void {
  for (const [language, translation] of Object.entries(translations ?? {})) {
    const place = page.at('translations').at(language);
    if (translation.intro !== undefined && intro === undefined) place.at('intro').fault(phrase('noIntro'));
    if (translation.thanks !== undefined && thanks?.text === undefined)
      place.at('thanks').fault(phrase('noThanks'));
  }
}

// ---- what members may be

/** The member where it is said, under its own name. */
function said<Name extends string, T>(
  place: FileNode,
  name: Name,
  kind: Kind<T>,
): { readonly [Member in Name]?: T } {
  const value = place.optional(name, kind, undefined);
  return (value === undefined ? {} : { [name]: value }) as { readonly [Member in Name]?: T };
}

const aQuestionId: Kind<string> = {
  called: phrase('aQuestionId'),
  read: (value) => (typeof value === 'string' && value !== '' && value.length <= 128 ? value : undefined),
};

const anEmptyText: Kind<string> = {
  called: phrase('anEmptyText'),
  read: (value) => (value === '' ? value : undefined),
};

const aColour: Kind<string> = {
  called: phrase('aColour'),
  read: (value) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined,
};

const aPercentage: Kind<number> = {
  called: phrase('aPercentage'),
  read: (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 100
      ? value + 0 // -0 is 0
      : undefined,
};

const aPath: Kind<string> = {
  called: phrase('aPath', { most: urlMax }),
  read: (value) =>
    typeof value === 'string' &&
    /^[/*]/.test(value) &&
    value.length <= urlMax &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
      ? value
      : undefined,
};

function questionsOf({ latents, questions }: Pick<Asked, 'latents' | 'questions'>): readonly Question[] {
  return [...latents.flatMap((latent) => latent.questions), ...questions];
}
