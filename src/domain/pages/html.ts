// How texts become HTML. Everything that a catalogue or a person wrote passes through here, always.

import type { SurveyLanguage } from '../feedback/definition.ts';
import { directionOf } from './survey-language.ts';
import type { ShownText } from './survey-texts.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text for the inside of an element or of an attribute in double quotes. What HTML cannot hold, lone surrogates and NUL, is
 * shown as the character that stands for it.
 */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/** `lang` and `dir` for a text that is not in the language of the page around it. */
function languageAttributes(language: SurveyLanguage, pageLanguage: SurveyLanguage): string {
  if (language === pageLanguage) return '';
  return ` lang="${language}" dir="${directionOf(language)}"`;
}

/**
 * A text in an element of its own. `bdi` keeps what is around it in order, whatever marks of direction the text holds; in an
 * element that is a block nothing gets out anyway.
 */
export function textElement(
  element: 'bdi' | 'p' | 'h1' | 'h2',
  { text, language }: ShownText,
  pageLanguage: SurveyLanguage,
  attributes = '',
): string {
  return `<${element}${attributes}${languageAttributes(language, pageLanguage)}>${escaped(text)}</${element}>`;
}

/** JSON inside of a script element: nothing in it may end the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/**
 * What a question is called in ids of elements, which hold no white space: letters, digits, `_` and `-` stay, everything else
 * is written as its number between dots.
 */
export function elementName(questionId: string): string {
  return questionId.replaceAll(/[^\w-]/gu, (character) => `.${character.codePointAt(0)!.toString(16)}.`);
}
