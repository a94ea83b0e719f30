// The measures of an account: the list, the definition of one, and the respondents behind it.

import type { FastifyInstance } from 'fastify';
import { measureOperations } from '../../contract/feedback/measures.ts';
import { dayOf, dayText } from '../../domain/dates.ts';
import type { RespondentToggles } from '../../domain/feedback/respondent.ts';
import { rangeScores } from '../../domain/feedback/score.ts';
import { emptyMeasure, showMeasure } from '../../domain/feedback/views.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { measureDataLimits, measureListLimits, pageWindow } from '../../domain/window.ts';
import { currentSurvey, listMeasures, type MeasureSource } from '../../store/feedback/catalogue.ts';
import type { RangeFacts } from '../../store/feedback/log-reader.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { addOperation, callerOfRequest, sendJsonText } from '../server/route.ts';
import { answerData, type PageServices } from './data-page.ts';
import type { SourceLists } from './source-lists.ts';
import { daysOf, respondentToggles, sourceOfRequest } from './source-requests.ts';

const linkedDays = 30;

interface MeasureServices extends PageServices {
  readonly sourceLists: SourceLists;
}

export function measureRoutes(app: FastifyInstance, services: MeasureServices): void {
  const { context, publicUrl, sources, sourceLists } = services;
  addOperation(app, measureOperations, 'GET /v1/measures', async ({ query }, request, reply) => {
    const { accountId } = callerOfRequest(request);
    const { offset = 0, limit = measureListLimits.defaultTake } = query;
    // The links to data name days, so a list is made anew when the day changes.
    const today = dayOf(context.now());
    const text = await sourceLists.text(`measures ${accountId} ${offset} ${limit} ${today}`, async () => {
      const window = pageWindow(offset, limit, measureListLimits);
      const found = await listMeasures(context.db, accountId, window);
      return showList(found, offset, limit, today, publicUrl);
    });
    return sendJsonText(request, reply, text);
  });

  addOperation(
    app,
    measureOperations,
    'GET /v1/measures/:measurementKey/definition',
    async ({ params: { measurementKey }, query }, request) => {
      const ready = await sourceOfRequest(sources, request, 'measure', measurementKey);
      const { measure } = ready.source as MeasureSource;
      const { excludeQuestions = false, excludeAnswers = false } = query;
      const survey = currentSurvey(ready.source);
      const base = `/v1/measures/${measurementKey}`;
      return {
        ...(survey === null
          ? emptyMeasure(measure)
          : showMeasure(measure, survey, { excludeQuestions, excludeAnswers })),
        links: [
          { rel: 'self', href: publicUrl.to(`${base}/definition`) },
          { rel: 'MEASURE_DATA', href: publicUrl.to(`${base}/data?${lastDays(dayOf(context.now()))}`) },
        ],
      };
    },
  );

  addOperation(
    app,
    measureOperations,
    'GET /v1/measures/:measurementKey/data',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const range = daysOf(query);
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      const toggles = respondentToggles(query);
      return answerData(services, request, reply, {
        found,
        range,
        window: pageWindow(query.offset, query.limit, measureDataLimits),
        nextOffset: (query.offset ?? 0) + 1,
        writeItem: (ready) => (cursor, writer, row, stopAt) =>
          cursor.writeRespondent(writer, ready.texts(row.surveyNumber), row, toggles, stopAt),
        members: (ready, facts) => measureMembers(ready, facts, toggles),
      });
    },
  );
}

/** What stands behind the respondents of a page. */
export function measureMembers(
  { source }: PreparedSource,
  { total, sums }: RangeFacts,
  { excludeLatentScores }: RespondentToggles,
): string {
  const definitions = source.surveys.map(({ definition }) => definition);
  // The scores of each respondent are left out where it is written, in domain/feedback/respondent.ts.
  const summary = excludeLatentScores ? {} : { latentScores: rangeScores(definitions, sums) };
  return `"total":${total},"summary":${JSON.stringify(summary)}`;
}

function showList(
  found: readonly MeasureSource[],
  offset: number,
  limit: number,
  today: number,
  publicUrl: PublicUrl,
): object {
  const hasMore = found.length > limit;
  const page = (number: number): string => publicUrl.to(`/v1/measures?offset=${number}&limit=${limit}`);
  return {
    hasMore,
    links: [
      { rel: 'self', href: page(offset) },
      ...(hasMore ? [{ rel: 'next', href: page(offset + 1) }] : []),
      ...(offset > 0 ? [{ rel: 'prev', href: page(offset - 1) }] : []),
    ],
    items: found.slice(0, limit).map((source) => showItem(source, publicUrl, today)),
  };
}

function showItem(source: MeasureSource, publicUrl: PublicUrl, today: number): object {
  const { measure, createdAtMs } = source;
  const base = `/v1/measures/${measure.key}`;
  return {
    id: measure.key,
    name: measure.name,
    active: measure.active,
    dateCreated: new Date(createdAtMs).toISOString(),
    channel: measure.channel,
    factType: 'NON_HIERARCHY',
    modelInstanceId: currentSurvey(source)?.modelInstanceId ?? null,
    links: [
      { rel: 'MEASURE_DEFINITION', href: publicUrl.to(`${base}/definition`) },
      { rel: 'MEASURE_DATA', href: publicUrl.to(`${base}/data?${lastDays(today)}`) },
    ],
  };
}

function lastDays(today: number): string {
  return `from=${dayText(today - linkedDays + 1)}&to=${dayText(today)}`;
}
