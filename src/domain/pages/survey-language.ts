// In which language a survey is shown: the one that the address asks for, else the first of the reader's own that the survey
// has, else the survey's.

import { type SurveyDefinition, type SurveyLanguage, surveyLanguages } from '../feedback/definition.ts';

export type Direction = 'ltr' | 'rtl';

/** What a request says about languages: `?lang=` and the header Accept-Language, as they came. */
interface WantedLanguages {
  readonly lang?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

export function ownLanguageOf({ language = 'en' }: Pick<SurveyDefinition, 'language'>): SurveyLanguage {
  return language;
}

/** The languages of a survey, its own first. */
export function languagesOf(
  definition: Pick<SurveyDefinition, 'language' | 'translations'>,
): readonly SurveyLanguage[] {
  const own = ownLanguageOf(definition);
  const { translations = {} } = definition;
  return [own, ...surveyLanguages.filter((language) => language !== own && language in translations)];
}

export function chooseLanguage(
  definition: Pick<SurveyDefinition, 'language' | 'translations'>,
  wanted: WantedLanguages,
): SurveyLanguage {
  return chooseAmong(languagesOf(definition), wanted);
}

/** Of pages that belong to no survey: any of the languages, English before all others. */
export function chooseNoticeLanguage(wanted: WantedLanguages): SurveyLanguage {
  return chooseAmong(surveyLanguages, wanted);
}

export function directionOf(language: SurveyLanguage): Direction {
  return language === 'ar' ? 'rtl' : 'ltr';
}

function chooseAmong(
  offered: readonly SurveyLanguage[],
  { lang, acceptLanguage }: WantedLanguages,
): SurveyLanguage {
  const asked = lang === undefined ? undefined : findIn(offered, lang);
  if (asked !== undefined) return asked;
  const [usual = 'en'] = offered;
  if (acceptLanguage === undefined || offered.length === 1) return usual;
  for (const range of wantedRanges(acceptLanguage)) {
    const language = range === '*' ? usual : findIn(offered, range);
    if (language !== undefined) return language;
  }
  return usual;
}

/** `de-AT` is answered in `de`: surveys are translated to languages, not to regions. */
function findIn(offered: readonly SurveyLanguage[], tag: string): SurveyLanguage | undefined {
  const [primary] = tag.slice(0, tagCharactersMax).toLowerCase().split('-');
  return offered.find((language) => language === primary);
}

const tagCharactersMax = 35;
// Browsers send a handful. Whoever sends more is not read to the end.
const rangesMax = 32;
const headerCharactersMax = 1_024;

/** The ranges of Accept-Language (RFC 9110 12.5.4), the most wanted first, without those of no weight. */
function wantedRanges(header: string): string[] {
  const ranges: { readonly range: string; readonly weight: number }[] = [];
  for (const part of header.slice(0, headerCharactersMax).split(',', rangesMax)) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (range === '') continue;
    const quality = parameters.find((text) => /^q\s*=/i.test(text));
    const weight = quality === undefined ? 1 : Number(quality.slice(quality.indexOf('=') + 1));
    if (weight > 0 && weight <= 1) ranges.push({ range, weight });
  }
  // The sort is stable: of equal weights the first comes first.
  return ranges.sort((one, other) => other.weight - one.weight).map(({ range }) => range);
}
