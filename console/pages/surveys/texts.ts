// The texts of these pages, and how they say numbers and days.

import { dayWords as dayWordsOf } from '../../formats.ts';
import { areaTexts } from '../../frame/texts.ts';
import { language } from '../../language.ts';

export const surveyTexts = areaTexts({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  fr: () => import('./messages/fr.ts'),
});

export function numberText(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** "3 questions", by the rule of the language. */
export function counted(words: { readonly one: string; readonly other: string }, value: number): string {
  const isOne = new Intl.PluralRules(language).select(value) === 'one';
  return (isOne ? words.one.replace('1', '{n}') : words.other).replace('{n}', numberText(value));
}

/** A day, or the day of a moment, as UTC has it. */
export function dayWords(iso: string): string {
  return dayWordsOf(new Date(iso).toISOString().slice(0, 10));
}

export function momentWords(iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

export function languageName(tag: string, shownIn: string = language): string {
  return new Intl.DisplayNames(shownIn, { type: 'language' }).of(tag) ?? tag;
}
