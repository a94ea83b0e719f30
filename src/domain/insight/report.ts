// A report over a range of days: the answers of the views, side by side, with what it takes to read them. It is written for the
// terminal (report-text.ts), as a page (report-html.ts) and as a table (report-rows.ts), all from the same figures (D-511).

import type { CalendarUnit } from '../dates.ts';
import type { Distribution } from './distribution.ts';
import type { Drivers } from './drivers.ts';
import type { Figures } from './statistics.ts';
import type { Topics } from './topics.ts';
import type { Break, Point, SeriesTrend } from './trend.ts';
import type { ShownFigures, Withheld } from './view-source.ts';

/** Days as YYYY-MM-DD, UTC, both included. */
export interface ReportDays {
  readonly from: string;
  readonly to: string;
}

/** Points of one group may be joined by a line, others never. */
export type ReportPoint = Point & { readonly group: number };

/** A latent of a measure, or the rating of a project. */
export interface ReportSeries extends Omit<SeriesTrend, 'points'> {
  readonly id: string;
  readonly name: string;
  readonly points: readonly ReportPoint[];
}

export interface ReportComment {
  readonly responseTime: string;
  readonly version: number;
  /** What was asked, as reports call it. */
  readonly question: string;
  readonly text: string;
  /** Satisfaction of a respondent, or the rating of an entry. */
  readonly score: number | null;
  readonly topic: string | null;
}

export type ReportPage = { readonly url: string } & ShownFigures;

export interface Report {
  readonly account: { readonly id: number; readonly name: string };
  readonly source: { readonly kind: 'measure' | 'project'; readonly key: number; readonly name: string };
  readonly range: ReportDays;
  readonly unit: CalendarUnit;
  readonly compared: ReportDays | null;
  /** As it was asked for. */
  readonly filter: string | null;
  /** Figures over fewer responses are withheld. */
  readonly minimum: number;
  readonly isComplete: boolean;
  /** The days that the figures go over where they are not complete; null where they go over none. */
  readonly covered: ReportDays | null;
  /** The end of the log at which the figures are true. */
  readonly position: number;
  readonly madeAt: string;
  /** Of the scores, or of the ratings. */
  readonly scale: { readonly min: number; readonly max: number };
  readonly series: readonly ReportSeries[];
  readonly breaks: readonly Break[];
  readonly distribution: Distribution;
  /** Of a measure. */
  readonly drivers: Drivers | null;
  /** Of a project. */
  readonly topics: Topics | null;
  /** Of a project: those with the lowest ratings. */
  readonly pages: readonly ReportPage[];
  /** The newest ones. */
  readonly comments: readonly ReportComment[];
}

/** Points of fewer responses are shown as uncertain. */
export const certainCount = 30;

export function isShown(figures: ShownFigures): figures is Figures {
  return !('withheld' in figures);
}

export function isCount<T extends object>(cell: T | Withheld): cell is T {
  return !('withheld' in cell);
}

/** Breaks in the line of one series. */
export function breaksIn(
  { breaks }: Pick<Report, 'breaks'>,
  { id }: Pick<ReportSeries, 'id'>,
): readonly Break[] {
  return breaks.filter(({ latents }) => latents.includes(id));
}

/** What nobody answered has no report. */
export function isEmpty({ distribution: { count, erased } }: Report): boolean {
  return count + erased === 0;
}
