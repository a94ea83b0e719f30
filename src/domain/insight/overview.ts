// One figure for each measure or project, as an overview shows it: satisfaction of a measure, the rating of a project.

import type { CalendarUnit, DateRange } from '../dates.ts';
import type { SurveyDefinition } from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import type { Interruptible } from '../interruptible.ts';
import { type Composition, compositionOfLatent, compositionOfRating, JoinGroups } from './joining.ts';
import { responsesPlace } from './layout.ts';
import {
  type Break,
  latentSeries,
  ratingSeries,
  type SeriesTrend,
  seriesTrend,
  type TrendQuestion,
} from './trend.ts';

interface OverviewFigure {
  readonly id: string;
  readonly name: string;
  readonly scale: { readonly min: number; readonly max: number } | null;
  /** Versions whose figures may be joined, in groups: a line is drawn within a group alone. */
  readonly joined: readonly (readonly number[])[];
}

type UnjoinedFigure = Omit<OverviewFigure, 'joined'>;

export interface OverviewRow {
  /** Null where no version has one. */
  readonly figure: OverviewFigure | null;
  /** Of the range, whether they have the figure or not. */
  readonly responses: number;
  readonly trend: (SeriesTrend & { readonly breaks: readonly Break[] }) | null;
}

/** By which unit a small line is drawn: at most some sixty points. */
export function overviewUnit({ firstDay, lastDay }: DateRange): CalendarUnit {
  const days = lastDay - firstDay + 1;
  return days <= 62 ? 'day' : days <= 430 ? 'week' : 'month';
}

export function* overviewRow(
  kind: 'measure' | 'project',
  surveys: readonly PreparedSurvey[],
  question: TrendQuestion,
): Interruptible<OverviewRow> {
  const { source, now } = question;
  const responses = now.days.reduce((sum, { figures }) => sum + figures[responsesPlace]!, 0);
  const figure = mainFigure(kind, surveys);
  if (figure === null) return { figure, responses, trend: null };
  const series = kind === 'measure' ? latentSeries(source, figure.id) : ratingSeries(source);
  return { figure, responses, trend: yield* seriesTrend(series, question) };
}

/** Null where no version has one. */
export function mainFigure(
  kind: 'measure' | 'project',
  surveys: readonly PreparedSurvey[],
): OverviewFigure | null {
  const definitions = surveys.map(({ definition }) => definition);
  const figure = kind === 'measure' ? mainLatent(definitions) : rating(definitions);
  if (figure === null) return null;
  return {
    ...figure,
    joined: kind === 'measure' ? joinedByLatent(surveys, figure.id) : joinedByRating(surveys),
  };
}

/** Versions in groups whose scores of a latent may be joined. */
export function joinedByLatent(surveys: readonly PreparedSurvey[], id: string): OverviewFigure['joined'] {
  return joined(surveys, ({ latents }) => {
    const found = latents.find(({ latent }) => latent.id === id);
    return found === undefined ? null : compositionOfLatent(found.latent);
  });
}

function joinedByRating(surveys: readonly PreparedSurvey[]): OverviewFigure['joined'] {
  return joined(surveys, ({ rating }) => (rating === null ? null : compositionOfRating(rating)));
}

function joined(
  surveys: readonly PreparedSurvey[],
  compositionOf: (survey: PreparedSurvey) => Composition | null,
): OverviewFigure['joined'] {
  const groups = new JoinGroups();
  const versions = new Map<number, number[]>();
  for (const [place, survey] of surveys.entries()) {
    const composition = compositionOf(survey);
    if (composition === null) continue;
    const group = groups.groupOf(place, () => composition);
    versions.set(group, [...(versions.get(group) ?? []), survey.definition.version]);
  }
  return [...versions.values()];
}

/** The newest definitions that have one say which it is: satisfaction, or else the first latent. */
function mainLatent(definitions: readonly SurveyDefinition[]): UnjoinedFigure | null {
  const latents = newestFirst(definitions).flatMap((definition) => definition.latents);
  const main = latents.find(({ type }) => type === 'SATISFACTION') ?? latents[0];
  return main === undefined ? null : { id: main.id, name: main.name, scale: { min: 0, max: 100 } };
}

function rating(definitions: readonly SurveyDefinition[]): UnjoinedFigure | null {
  const question = newestFirst(definitions)
    .flatMap(({ questions }) => questions)
    .find(({ role }) => role === 'rating');
  return question === undefined ? null : { id: 'rating', name: question.name, scale: scaleOf(question) };
}

function scaleOf({ scale, answers }: SurveyDefinition['questions'][number]): OverviewFigure['scale'] {
  if (scale !== null) return { min: scale.min, max: scale.max };
  const numbers = answers.map(({ value }) => value).filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : { min: Math.min(...numbers), max: Math.max(...numbers) };
}

/** The current one before all others. */
function newestFirst(definitions: readonly SurveyDefinition[]): readonly SurveyDefinition[] {
  return definitions.toReversed().sort((one, other) => Number(other.current) - Number(one.current));
}
