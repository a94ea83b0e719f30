// The messages of the survey page by language, and how they are filled in.

import type { SurveyLanguage } from '../../feedback/definition.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Messages, type Plural } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { sv } from './sv.ts';
import { zh } from './zh.ts';

export type { Messages, Plural } from './en.ts';

const byLanguage: Readonly<Record<SurveyLanguage, Messages>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  pt,
  pl,
  sv,
  ja,
  zh,
  ar,
};

export function messagesOf(language: SurveyLanguage): Messages {
  return byLanguage[language];
}

/** Puts values in the place of `{name}`; numbers in the way of the language. */
export function fill(
  text: string,
  values: Readonly<Record<string, string | number>>,
  language: SurveyLanguage,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? numberText(value, language) : value;
  });
}

/** A number in the way of the language. */
export function numberText(value: number, language: SurveyLanguage): string {
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.NumberFormat(language);
    formats.set(language, format);
  }
  return format.format(value);
}

// Making one takes far longer than using it, and a form has hundreds of numbers.
const formats = new Map<SurveyLanguage, Intl.NumberFormat>();

/** The form of a text that fits the count, with the count filled in. */
export function plural(forms: Plural, count: number, language: SurveyLanguage): string {
  const text = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return fill(text, { count }, language);
}
