// The figures of a report, from the readers and views that the interface answers from (D-511).

import type { Context } from '../../context.ts';
import type { CalendarUnit } from '../../domain/dates.ts';
import type { Comparison } from '../../domain/insight/compared-range.ts';
import { distributionOf } from '../../domain/insight/distribution.ts';
import { driversOf } from '../../domain/insight/drivers.ts';
import { JoinGroups } from '../../domain/insight/joining.ts';
import type { Report, ReportComment, ReportPoint, ReportSeries } from '../../domain/insight/report.ts';
import type { Topics, WorstPage } from '../../domain/insight/topics.ts';
import {
  type Break,
  latentSeries,
  latentTrends,
  type Point,
  ratingSeries,
  ratingTrend,
  type Series,
} from '../../domain/insight/trend.ts';
import { momentText } from '../../domain/moment-text.ts';
import { answerTopics } from '../../acts/insight/topics.ts';
import { readView, type View, type ViewReaders, type ViewRequest } from '../../acts/insight/views.ts';
import { ScanSlots, scanLimits } from '../../store/engine/work/scan-slots.ts';
import { WorkBudget, WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { CommentSearch, type FoundComment } from '../../store/insight/comment-search.ts';
import { FiguresReader } from '../../store/insight/figures-reader.ts';
import { Minimums } from '../../store/insight/minimum.ts';
import { Scanner } from '../../store/insight/scanner.ts';

interface ReportWish {
  readonly accountName: string;
  readonly found: PreparedSource;
  readonly from: string;
  readonly to: string;
  readonly unit: CalendarUnit;
  readonly compare: Comparison | null;
  readonly filter: string | null;
  /** How many comments are shown. */
  readonly comments: number;
}

// Nobody waits for a command but whoever typed it.
const timeMs = 30 * 60_000;
const pagesShown = 8;

export async function reportOf(context: Context, sources: Sources, wish: ReportWish): Promise<Report> {
  const workQueue = new WorkQueue();
  const scanner = new Scanner(context, sources, scanLimits(context.config));
  const services: ViewReaders = {
    scanner,
    figuresReader: new FiguresReader(context.db, sources, workQueue, context.now),
    minimums: new Minimums(context, sources),
  };
  try {
    return await readReport(context, sources, services, workQueue, wish);
  } finally {
    await scanner.stop();
  }
}

async function readReport(
  context: Context,
  sources: Sources,
  services: ViewReaders,
  workQueue: WorkQueue,
  wish: ReportWish,
): Promise<Report> {
  const { found, unit } = wish;
  const work = new WorkBudget(workQueue, { timeMs, units: Number.POSITIVE_INFINITY });
  const asked = {
    ...{ ready: found, work, mayReadComments: true },
    query: {
      ...{ from: wish.from, to: wish.to, within: timeMs },
      ...(wish.compare !== null && { compare: wish.compare }),
      ...(wish.filter !== null && { filter: wish.filter }),
    },
  };
  const view = await readView(services, asked);
  const { source, now, minimum, members } = view;
  const { kind } = found.source;
  const trend = kind === 'measure' ? await latents(work, view, unit) : await rating(work, view, unit);
  const topics = kind === 'project' ? await topicsOf(services, asked) : null;
  return {
    account: { id: found.source.accountId, name: wish.accountName },
    source: namesOf(found),
    range: { from: members.from, to: members.to },
    unit,
    compared: members.compared ?? null,
    filter: wish.filter,
    ...{ minimum, isComplete: members.complete, covered: members.covered, position: members.position },
    madeAt: momentText(context.now()),
    scale: kind === 'measure' ? { min: 0, max: 100 } : ratingScale(view),
    ...trend,
    distribution: await work.run(distributionOf(source, now, minimum)),
    drivers: kind === 'measure' ? await work.run(driversOf(source, now, minimum)) : null,
    topics,
    pages: topics?.pages ?? [],
    comments: wish.comments === 0 ? [] : await commentsOf(context, sources, work, view, wish.comments),
  };
}

function namesOf({ source }: PreparedSource): Report['source'] {
  return source.kind === 'measure'
    ? { kind: 'measure', key: source.measure.key, name: source.measure.name }
    : { kind: 'project', key: source.project.id, name: source.project.name };
}

// ---- trends

interface Trend {
  readonly series: readonly ReportSeries[];
  readonly breaks: readonly Break[];
}

async function latents(work: WorkBudget, view: View, unit: CalendarUnit): Promise<Trend> {
  const trend = await work.run(latentTrends({ ...view, unit }));
  const series = trend.latents.map((one) => ({
    ...one,
    points: grouped(view, latentSeries(view.source, one.id), one.points),
  }));
  return { series, breaks: trend.breaks };
}

async function rating(work: WorkBudget, view: View, unit: CalendarUnit): Promise<Trend> {
  const trend = await work.run(ratingTrend({ ...view, unit }));
  const its = ratingSeries(view.source);
  const points = grouped(view, its, trend.rating.points);
  return { series: [{ id: its.id, name: 'Rating', ...trend.rating, points }], breaks: trend.breaks };
}

/** Says of each point with which others it may be joined: versions of one point may be. */
function grouped({ ready }: View, series: Series, points: readonly Point[]): readonly ReportPoint[] {
  const groups = new JoinGroups();
  const numbers = new Map(ready.source.surveys.map(({ number, definition }) => [definition.version, number]));
  return points.map((point) => {
    const number = numbers.get(point.versions[0]!)!;
    return { ...point, group: groups.groupOf(number, () => series.compositionIn(number)) };
  });
}

/** From the lowest to the highest rating that a version takes. */
function ratingScale({ ready }: View): Report['scale'] {
  const values = ready.source.surveys.flatMap((kept) =>
    (ready.prepared(kept).rating?.answers ?? []).flatMap(({ value }) =>
      typeof value === 'number' ? value : [],
    ),
  );
  if (values.length === 0) return { min: 1, max: 5 };
  return { min: Math.min(...values), max: Math.max(...values) };
}

// ---- topics

interface TopicsAnswer extends Topics {
  readonly pages?: readonly WorstPage[];
}

async function topicsOf(
  services: ViewReaders,
  asked: ViewRequest<Parameters<typeof answerTopics>[1]['query']>,
): Promise<TopicsAnswer> {
  const query = { ...asked.query, pages: pagesShown };
  return (await answerTopics(services, { ...asked, query })) as TopicsAnswer;
}

// ---- comments

/**
 * The newest comments of the range. Only what was written into a box for text is one: a line of text is where people leave their
 * address, which is nothing to be passed on with figures (D-513).
 */
async function commentsOf(
  { db, config }: Context,
  sources: Sources,
  budget: WorkBudget,
  { ready, filter, now }: View,
  count: number,
): Promise<readonly ReportComment[]> {
  const search = new CommentSearch(db, sources);
  const work = { budget, scans: new ScanSlots(scanLimits(config)), withinMs: timeMs };
  const found: FoundComment[] = [];
  for (const questionId of boxesFor(ready)) {
    const question = { part: null, questionId, range: now.range, filter };
    const { comments } = await search.find(ready, question, { after: null, limit: count }, work);
    found.push(...comments);
  }
  return found
    .sort((one, other) => other.submittedAtMs - one.submittedAtMs || other.seq - one.seq)
    .slice(0, count)
    .map(commentOf);
}

function boxesFor({ source }: PreparedSource): ReadonlySet<string> {
  return new Set(
    source.surveys.flatMap(({ definition: { questions } }) =>
      questions.filter(({ responseType }) => responseType === 'TEXT_AREA').map(({ id }) => id),
    ),
  );
}

function commentOf({ survey, head, questionId, text, submittedAtMs }: FoundComment): ReportComment {
  const { definition, latents, source } = survey;
  const asked = definition.questions.find(({ id }) => id === questionId);
  const facts = {
    ...{ responseTime: momentText(submittedAtMs), version: definition.version, text },
    question: asked === undefined ? questionId : asked.phrase || asked.name,
  };
  if (source.kind === 'measure') {
    const scores = JSON.parse(`[${head}]`) as readonly (number | null)[];
    const place = latents.findIndex(({ latent }) => latent.type === 'SATISFACTION');
    return { ...facts, score: scores[place] ?? null, topic: null };
  }
  const { rating, topic } = JSON.parse(`{${head}}`) as { rating: unknown; topic: unknown };
  return {
    ...facts,
    score: typeof rating === 'number' ? rating : null,
    topic: typeof topic === 'string' ? topic : null,
  };
}
