// What a view over figures is made of: the versions of a measure or project, and how much of it may be told.

import type { DateRange } from '../dates.ts';
import type { SurveyDefinition } from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import type { DayFigures } from './day-figures.ts';
import type { Figures } from './statistics.ts';

/** The versions of a source. */
export interface ViewSource {
  readonly definitions: readonly SurveyDefinition[];
  /** The version with this number; one that has responses. */
  readonly surveyOf: (surveyNumber: number) => PreparedSurvey;
}

/** A number of days, as they are read: by day, then by the number of the version. */
export interface ViewDays {
  readonly range: DateRange;
  readonly days: readonly DayFigures[];
}

/** In the place of figures that go over fewer responses than may be told of. */
export interface Withheld {
  readonly withheld: 'TOO_FEW';
}

export type ShownFigures = Figures | Withheld;

/** Those of a range among others. */
export function daysWithin(
  days: readonly DayFigures[],
  { firstDay, lastDay }: DateRange,
): readonly DayFigures[] {
  return days.filter(({ day }) => day >= firstDay && day <= lastDay);
}

/** The numbers of versions as callers know them, each once, in their order. */
export function versionsOf({ surveyOf }: ViewSource, surveyNumbers: ReadonlySet<number>): readonly number[] {
  const versions = [...surveyNumbers].map((number) => surveyOf(number).definition.version);
  if (versions.length === 1) return versions;
  return [...new Set(versions)].sort((one, other) => one - other);
}
