// Numbers, days and changes as a report says them.

import { parseDay } from '../dates.ts';
import type { QuestionDistribution } from './distribution.ts';
import type { Report, ReportDays, ReportSeries } from './report.ts';
import { isShown } from './report.ts';
import type { Difference } from './statistics.ts';
import type { ShownFigures } from './view-source.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 12,345. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Scores go to 100 and have one decimal, ratings two. */
export function decimalsOf({ source }: Pick<Report, 'source'>): number {
  return source.kind === 'measure' ? 1 : 2;
}

export function numberText(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

function signedText(value: number, decimals: number): string {
  const text = numberText(value, decimals);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

export function percentText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.5) return '< 1 %';
  if (percent < 100 && percent >= 99.5) return '> 99 %';
  return `${Math.round(percent)} %`;
}

/** Half of the interval, which is as wide to both sides; empty where there is none. */
export function reachText(figures: ShownFigures, decimals: number): string {
  if (!isShown(figures) || figures.interval === null) return '';
  const [low, high] = figures.interval;
  return numberText((high - low) / 2, decimals);
}

export function meanText(figures: ShownFigures, decimals: number): string {
  if (!isShown(figures)) return 'withheld';
  return figures.mean === null ? 'none' : numberText(figures.mean, decimals);
}

type Direction = 'up' | 'down' | 'unclear' | 'none';

/** A change in a few words, and where it points to. */
export interface SaidChange {
  readonly words: string;
  readonly direction: Direction;
  /** The interval of the difference, where there is one to tell. */
  readonly interval: string;
}

/** Whether there is anything in the days that these are compared with. */
export function hasComparison({ series }: Report): boolean {
  return series.some(({ compared }) => compared && (!isShown(compared) || compared.count > 0));
}

export function changeOf({ difference, compared }: ReportSeries, decimals: number): SaidChange | null {
  if (compared === undefined) return null;
  if (difference === undefined || difference === null)
    return { words: compared === null ? 'not known' : 'too few to compare', direction: 'none', interval: '' };
  if (!difference.comparable) return { words: 'other questions or weights', direction: 'none', interval: '' };
  return saidChange(difference, (value) => signedText(value, decimals));
}

export function saidChange(
  { value, interval: [low, high], change }: Difference,
  textOf: (value: number) => string,
): SaidChange {
  const interval = `${textOf(low)} to ${textOf(high)}`;
  if (change === 'unclear') return { words: 'no clear change', direction: change, interval };
  return { words: `${change} ${textOf(Math.abs(value)).replace('+', '')}`, direction: change, interval };
}

/** A share less another, in points of a hundred. */
export function pointsText(value: number): string {
  return signedText(value * 100, 0);
}

// ---- days

export function dayWords(day: string, withYear = true): string {
  const [year, month, date] = day.split('-');
  const words = `${Number(date)} ${months[Number(month) - 1]}`;
  return withYear ? `${words} ${year}` : words;
}

export function daysWords({ from, to }: ReportDays, withYear = true): string {
  if (from === to) return dayWords(from, withYear);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${dayWords(from, withYear && !isOneYear)} to ${dayWords(to, withYear)}`;
}

/** How many days there are. */
export function dayCount({ from, to }: ReportDays): number {
  return parseDay(to)! - parseDay(from)! + 1;
}

/** A length of time: 48 s, 2 min 5 s. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

// ---- sentences

/** Where a line begins and ends, and its highest and lowest points, in a sentence. */
export function trendSentence(series: ReportSeries, report: Report): string {
  const decimals = decimalsOf(report);
  const points = series.points.flatMap((point) =>
    isShown(point) && point.mean !== null ? [{ mean: point.mean, days: daysWords(point, false) }] : [],
  );
  const [first] = points;
  if (first === undefined) return `${series.name}: nothing to show.`;
  if (points.length === 1) return `${series.name}: ${numberText(first.mean, decimals)}, ${first.days}.`;
  const lowest = points.reduce((one, other) => (other.mean < one.mean ? other : one));
  const highest = points.reduce((one, other) => (other.mean > one.mean ? other : one));
  const text = ({ mean, days }: (typeof points)[number]): string => `${numberText(mean, decimals)} (${days})`;
  return `Lowest ${text(lowest)}, highest ${text(highest)}.`;
}

/** The values of choices are mere numbers of them; their mean says something where people give a number. */
export function hasMean({ responseType }: Pick<QuestionDistribution, 'responseType'>): boolean {
  return ['MEASURED_QUESTION', 'STAR_RATING', 'NPS'].includes(responseType);
}

export function questionCounts(counts: {
  readonly answered: number;
  readonly unanswered: number;
  readonly notAsked: number;
  readonly dontKnow?: number;
}): string {
  const parts = [`${countText(counts.answered)} answered`];
  if (counts.dontKnow !== undefined && counts.dontKnow > 0)
    parts.push(`${countText(counts.dontKnow)} of them “don’t know”`);
  if (counts.unanswered > 0) parts.push(`${countText(counts.unanswered)} left out`);
  if (counts.notAsked > 0) parts.push(`${countText(counts.notAsked)} not asked`);
  return parts.join(', ');
}

/** What is to be known before anything of it is believed: an incomplete scan, a filter, figures that are withheld. */
export function cautions(report: Report): readonly string[] {
  const { isComplete, covered, filter, minimum, range, compared } = report;
  const said: string[] = [];
  if (!isComplete)
    said.push(
      covered === null
        ? 'The time was not enough to look through any day, so there are no figures.'
        : `The time was not enough for all days: figures are of ${daysWords(covered)} alone, not of ${daysWords(range)}.`,
    );
  if (isComplete && compared !== null && !hasComparison(report))
    said.push(`There is nothing to compare with: no responses in ${daysWords(compared)}.`);
  if (filter !== null) said.push(`Only responses that meet the filter ${filter} are counted.`);
  if (minimum > 1) said.push(`Figures of fewer than ${minimum} responses are withheld.`);
  return said;
}
