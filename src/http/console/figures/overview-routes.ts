// /console/api/overview: every measure and project of the account with one figure each, some of them at a time. However many responses
// there are, it reads what was added up by day, for all of a page by one statement.

import type { FastifyInstance } from 'fastify';
import {
  type ComparedQuery,
  insightRange,
  refuseFaults,
  textsOf,
  viewSourceOf,
} from '../../../acts/insight/views.ts';
import { overviewOperations, rowsUsual } from '../../../contract/insight/overview.ts';
import type { AnswerOf } from '../../../contract/operation.ts';
import { dayOf, unitAround } from '../../../domain/dates.ts';
import { type OverviewRow, overviewRow, overviewUnit } from '../../../domain/insight/overview.ts';
import { daysWithin } from '../../../domain/insight/view-source.ts';
import { momentText } from '../../../domain/moment-text.ts';
import type { Fault } from '../../../domain/problem.ts';
import { sourceNamesBehind } from '../../../store/feedback/catalogue.ts';
import { refusalCounts } from '../../../store/feedback/refusals.ts';
import type { PreparedSource } from '../../../store/feedback/sources.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { type Asker, askerOf, sightOf } from './console-sources.ts';
import { nameOfSource, surveysOf, takesResponses } from './source-routes.ts';

/** Days of sources that one answer reads: with a long range a page has fewer of them (D-541). */
const daysOfSourcesMax = 12_000;

interface OverviewQuery extends ComparedQuery {
  readonly after?: number;
  readonly limit?: number;
}

type OverviewItem = AnswerOf<(typeof overviewOperations)['all']['GET /overview']>['items'][number];

export async function answerOverview(
  services: ConsoleServices,
  { visitor, accountId, work }: Asker,
  query: OverviewQuery,
) {
  const { context, sources, figuresReader, minimums } = services;
  const { db } = context;
  const faults: Fault[] = [];
  const { range, compared } = insightRange(query, faults);
  refuseFaults(faults);
  const minimum = await minimums.inForce(accountId, sightOf(visitor, query.minimum).minimum);
  const unit = overviewUnit(range);
  const both = { firstDay: compared?.firstDay ?? range.firstDay, lastDay: range.lastDay };
  const daysRead = both.lastDay - both.firstDay + 1;
  const take = Math.max(1, Math.min(query.limit ?? rowsUsual, Math.floor(daysOfSourcesMax / daysRead)));
  const names = await sourceNamesBehind(db, accountId, { after: query.after ?? 0, take: take + 1 });
  const page = names.slice(0, take);
  const all = await sources.several(accountId, page);
  const today = dayOf(context.now());
  const refused = visitor.abilities.has('edit surveys')
    ? Map.groupBy(await refusalCounts(db, accountId, today, today), ({ surveyId }) => surveyId)
    : null;
  // Days that are shown as one are added up as one: those of a point, and those that the range is compared with.
  const dayOfPoint = (day: number): number => {
    if (day >= range.firstDay) return Math.max(range.firstDay, unitAround(day, unit).firstDay);
    return compared !== null && day <= compared.lastDay ? compared.firstDay : range.firstDay - 1;
  };
  const outcomes = await figuresReader.readMany(all, both, work, { dayOf: dayOfPoint });
  const items: OverviewItem[] = [];
  for (const [place, outcome] of outcomes.entries()) {
    const { lastAtMs } = outcome;
    const ready = 'figures' in outcome ? outcome.figures.ready : all[place]!;
    const facts = {
      ...factsOf(ready),
      lastResponse: lastAtMs === null ? null : momentText(lastAtMs),
      refusedToday: refused === null ? null : refusedOf(ready, refused),
    };
    if (!('figures' in outcome)) {
      const { rolledSeq, lastSeq } = outcome.reached;
      items.push({
        ...facts,
        figure: null,
        reached: { added: Math.max(0, rolledSeq), of: lastSeq },
        trend: null,
      });
      continue;
    }
    const { days } = outcome.figures;
    const row: OverviewRow = await work.run(
      overviewRow(ready.source.kind, surveysOf(ready), {
        source: viewSourceOf(ready),
        now: { range, days: daysWithin(days, range) },
        ...(compared !== null && { compared: { range: compared, days: daysWithin(days, compared) } }),
        unit,
        minimum,
      }),
    );
    items.push({ ...facts, ...row });
  }
  return {
    ...{ ...textsOf(range), minimum, unit },
    ...(compared !== null && { compared: textsOf(compared) }),
    items,
    next: names.length > take ? String(page.at(-1)!.sourceId) : null,
  };
}

function factsOf({ source }: PreparedSource) {
  return {
    kind: source.kind,
    ...nameOfSource(source),
    active: takesResponses(source),
    version: source.surveys.find(({ definition }) => definition.current)?.definition.version ?? null,
  };
}

function refusedOf(
  { source }: PreparedSource,
  refused: ReadonlyMap<string, readonly { readonly refused: number }[]>,
): number {
  const counts = source.surveys.flatMap(({ definition }) => refused.get(definition.id) ?? []);
  return counts.reduce((sum, count) => sum + count.refused, 0);
}

export function overviewRoutes(app: FastifyInstance, services: ConsoleServices): void {
  addOperation(app, overviewOperations, 'GET /overview', ({ query }, request, reply) =>
    answerOverview(services, askerOf(services, request, reply), query),
  );
}
