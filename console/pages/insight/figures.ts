// The figures that the service answers with, under names that the pages about them share, and what may be read of those.

import type { AnswerTo } from '../../call.ts';

/** Of a measure or a project: what only one of them has may be absent. */
export type OfEither<Measure, Project> = (
  | Pick<Measure, keyof Measure & keyof Project>
  | Pick<Project, keyof Measure & keyof Project>
) &
  Partial<Omit<Measure, keyof Project> & Omit<Project, keyof Measure>>;

export type Overview = AnswerTo<'GET /overview'>;
export type OverviewRow = Overview['items'][number];

export type SourceFacts = AnswerTo<'GET /measures/:key'>;
export type Joined = SourceFacts['latents'][number]['joined'];
export type Scale = NonNullable<NonNullable<SourceFacts['rating']>['scale']>;

type MeasureTrend = AnswerTo<'GET /measures/:key/trend'>;
export type ProjectTrend = AnswerTo<'GET /projects/:key/trend'>;
export type Trend = MeasureTrend | ProjectTrend;
export type LatentTrend = MeasureTrend['latents'][number];
/** Of one figure. */
export type Series = ProjectTrend['rating'];
export type Point = Series['points'][number];
export type Break = Trend['breaks'][number];
export type Days = Pick<Trend, 'from' | 'to'>;
/** What an answer goes over. */
export type Coverage = Pick<Trend, 'complete' | 'covered' | 'minimum'>;

export type Distribution = AnswerTo<'GET /measures/:key/distribution'>;
export type QuestionDistribution = Distribution['questions'][number];
export type VersionDistribution = QuestionDistribution['versions'][number];
export type CompletionTimes = Distribution['completionTimes'];

export type Drivers = AnswerTo<'GET /measures/:key/drivers'>;
export type Driver = Drivers['drivers'][number];

export type Topics = AnswerTo<'GET /projects/:key/topics'>;
export type Topic = Topics['topics'][number];
export type Difference = NonNullable<NonNullable<Topic['change']>['share']>;

type MeasureBreakdown = AnswerTo<'GET /measures/:key/breakdown'>;
type ProjectBreakdown = AnswerTo<'GET /projects/:key/breakdown'>;
export type Breakdown = MeasureBreakdown | ProjectBreakdown;
export type Group = OfEither<MeasureBreakdown['groups'][number], ProjectBreakdown['groups'][number]>;

export type Comment = OfEither<
  AnswerTo<'GET /measures/:key/comments'>['items'][number],
  AnswerTo<'GET /projects/:key/comments'>['items'][number]
>;

/** A mean with its interval, or that it is withheld. */
export type Figures = Pick<Series['total'], 'count' | 'mean' | 'deviation' | 'interval' | 'withheld'>;
export type ShownFigures = Required<Omit<Figures, 'withheld'>>;

interface Withholdable {
  readonly withheld?: 'TOO_FEW';
}

export function isShown<Of extends Figures>(figures: Of): figures is Of & ShownFigures {
  return !isWithheld(figures);
}

/** In the place of a number of responses. */
export function isWithheld(cell: Withholdable): boolean {
  return 'withheld' in cell;
}

/** Points of fewer responses are drawn hollow. */
export const certainCount = 30;
