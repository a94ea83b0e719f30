// The language of the pages: the one that was chosen here before, else the first of the browser's that we speak.

import { keep, kept } from './kept.ts';
import type { Messages } from './messages/en.ts';

const loaders = {
  en: async (): Promise<Messages> => (await import('./messages/en.ts')).en,
  de: async (): Promise<Messages> => (await import('./messages/de.ts')).de,
  fr: async (): Promise<Messages> => (await import('./messages/fr.ts')).fr,
};
export type Language = keyof typeof loaders;

/** Each in its own language, so that whoever reads none of the others finds it. */
export const languages: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
};

/** What the pages say; there once the language is loaded. */
export let t: Messages;
export let language: Language = 'en';

export async function loadLanguage(): Promise<void> {
  const wanted = [kept('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  await useLanguage((wanted.find((tag) => tag !== undefined && tag in loaders) ?? 'en') as Language);
}

export async function switchLanguage(to: string): Promise<void> {
  keep('language', to);
  await useLanguage(to as Language);
}

async function useLanguage(chosen: Language): Promise<void> {
  t = await loaders[chosen]();
  language = chosen;
  document.documentElement.lang = chosen;
}

export function momentText(iso: string): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
