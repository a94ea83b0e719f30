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
  // So that the server knows which texts the next page will want.
  // biome-ignore lint/suspicious/noDocumentCookie: the API that would take its place is not in every browser
  document.cookie = `soundings-language=${chosen}; Path=/console; SameSite=Strict; Max-Age=31536000`;
}

export function momentText(iso: string): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day of UTC, YYYY-MM-DD. */
export function dayWords(day: string, style: 'short' | 'medium' | 'long' = 'medium'): string {
  const options = {
    short: { day: 'numeric', month: 'short' },
    medium: { dateStyle: 'medium' },
    long: { dateStyle: 'full' },
  } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language, { ...options[style], timeZone: 'UTC' });
}

export function numberText(value: number, digits = 0): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A share between 0 and 1. */
export function shareText(share: number, digits = 0): string {
  return share.toLocaleString(language, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

const spans = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "5 minutes ago", "in 3 days". */
export function agoText(iso: string, nowMs: number = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [unit, length] = spans.find(([, long]) => Math.abs(seconds) >= long) ?? ['second', 1];
  return words.format(Math.round(seconds / length), unit);
}
