// Numbers, days and moments in the language of the page.

import { language } from './language.ts';

export function momentText(iso: string): string {
  return new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day of UTC, YYYY-MM-DD. */
export function dayWords(day: string, style: 'short' | 'medium' | 'long' = 'medium'): string {
  const options = {
    short: { day: 'numeric', month: 'short' },
    medium: { day: 'numeric', month: 'short', year: 'numeric' },
    long: { dateStyle: 'full' },
  } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language, { ...options[style], timeZone: 'UTC' });
}

export function numberText(value: number, digits = 0): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Between a name and what is said of it. */
export function colon(): string {
  return language === 'fr' ? '\u00a0: ' : ': ';
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
