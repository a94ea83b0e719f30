// The language of the pages: the one that was chosen here before, else the first of the browser's that we speak.

import { keep, kept } from './kept.ts';

/** Each in its own language, so that whoever reads none of the others finds it. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof languages;

export let language: Language = 'en';

export function chooseLanguage(): void {
  const wanted = [kept('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  speak((wanted.find((tag) => tag !== undefined && tag in languages) ?? 'en') as Language);
}

/** The texts in it are for whoever asks to load. */
export function switchLanguage(to: string): void {
  keep('language', to);
  speak(to as Language);
}

function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
  // So that the server knows which texts the next page will want.
  // biome-ignore lint/suspicious/noDocumentCookie: the API that would take its place is not in every browser
  document.cookie = `soundings-language=${chosen}; Path=/console; SameSite=Strict; Max-Age=31536000`;
}
