// Figures and changes in words.

import { numberText } from '../../formats.ts';
import { language } from '../../language.ts';
import { type Difference, type Figures, isShown, type Series } from './figures.ts';
import { insightTexts } from './texts.ts';

/** Scores go to 100 and have one decimal, ratings two. */
export const digitsOf = { measure: 1, project: 2 } as const;

export function signedText(value: number, digits: number): string {
  const text = value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  });
  return text.replace('-', '−');
}

export function meanText(figures: Figures, digits: number): string {
  if (!isShown(figures)) return insightTexts.t.withheld;
  return figures.mean === null ? '–' : numberText(figures.mean, digits);
}

/** Half of the interval, which is as wide to both sides. */
export function reachText(figures: Figures, digits: number): string {
  if (!isShown(figures) || figures.interval === null) return '';
  const [low, high] = figures.interval;
  return `± ${numberText((high - low) / 2, digits)}`;
}

export function intervalText([low, high]: readonly [number, number], digits: number): string {
  return insightTexts.t.between(numberText(low, digits), numberText(high, digits));
}

type Direction = 'up' | 'down' | 'unclear' | 'none';

export interface SaidChange {
  readonly direction: Direction;
  /** In a few words. */
  readonly words: string;
  readonly value: string | null;
  /** The same without its sign. */
  readonly size: string | null;
  readonly interval: string | null;
}

/** Null where nothing is compared. */
export function changeOf(
  { compared, difference }: Pick<Series, 'compared' | 'difference'>,
  digits: number,
): SaidChange | null {
  if (compared === undefined) return null;
  const { t } = insightTexts;
  const none = { direction: 'none', value: null, size: null, interval: null } as const;
  if (compared === null) return { ...none, words: t.notLooked };
  if (difference === undefined || difference === null) {
    const isEmpty = isShown(compared) && compared.count === 0;
    return { ...none, words: isEmpty ? t.nothingBefore : t.tooFewToCompare };
  }
  if (!difference.comparable) return { ...none, words: t.notComparable };
  return saidChange(difference, (value) => signedText(value, digits));
}

export function saidChange(
  { value, interval, change }: Difference,
  textOf: (value: number) => string,
): SaidChange {
  return {
    direction: change,
    words: insightTexts.t.changes[change],
    value: textOf(value),
    size: textOf(Math.abs(value)).replace('+', ''),
    interval: insightTexts.t.between(textOf(interval[0]), textOf(interval[1])),
  };
}
