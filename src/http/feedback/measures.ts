// The measures of an account: the list, the definition of one, and the respondents behind it.

import type { FastifyInstance } from 'fastify';
import { dayOf, dayText, readDateRange } from '../../domain/dates.ts';
import { channels } from '../../domain/feedback/definition.ts';
import { rangeScores } from '../../domain/feedback/score.ts';
import { emptyMeasure, showMeasure } from '../../domain/feedback/views.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import { measureDataLimits, measureListLimits, pageWindow } from '../../domain/window.ts';
import { listMeasures, type MeasureSource } from '../../store/feedback/catalogue.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { invalidRequest } from '../server/input.ts';
import type { PublicUrl } from '../server/public-url.ts';
import { addRoute, callerOfRequest } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { answerData, type PageServices } from './data-page.ts';
import {
  DateText,
  LatentScores,
  Link,
  LinksOfSurvey,
  Question,
  RespondentScores,
  ResponseRow,
} from './feedback-schemas.ts';
import type { Listings } from './source-lists.ts';

const linkedDays = 30;
const pageMax = 2 ** 31 - 1;

const MeasureKey = Type.Object({
  measurementKey: Type.Integer({
    minimum: -(2 ** 31),
    maximum: 2 ** 31 - 1,
    description: 'The id of a measure in the list.',
  }),
});

const MeasureItem = Type.Object({
  id: Type.Integer({ description: 'The measurementKey.' }),
  name: Type.String(),
  active: Type.Boolean(),
  dateCreated: Type.String({ format: 'date-time' }),
  channel: Type.Enum([...channels]),
  factType: Type.Literal('NON_HIERARCHY'),
  modelInstanceId: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the current version; null while there is none.',
  }),
  links: Type.Array(Link),
});

const MeasuresList = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether there is a further page.' }),
    links: Type.Array(Link, { description: 'self, and next and prev where there are any.' }),
    items: Type.Array(MeasureItem),
  },
  { $id: 'MeasuresList' },
);

const MeasureDefinition = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    modelInstanceId: Type.Union([Type.String(), Type.Null()]),
    version: Type.Union([Type.Integer(), Type.Null()]),
    links: LinksOfSurvey,
    MQ: Type.Object({
      latents: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          type: Type.String(),
          questions: Type.Optional(Type.Array(Question)),
        }),
      ),
    }),
    CQ: Type.Array(Question),
    CPP: Type.Array(Question),
    EPP: Type.Array(Question),
  },
  { $id: 'MeasureDefinition' },
);

const Respondent = Type.Object({
  id: Type.String({ description: 'The responseId.' }),
  responseTime: Type.String({ format: 'date-time' }),
  experienceDate: DateText,
  modelInstanceId: Type.String(),
  latentScores: Type.Optional(RespondentScores),
  responses: Type.Optional(Type.Array(ResponseRow)),
  erased: Type.Optional(Type.Boolean()),
});

const MeasureData = Type.Object(
  {
    hasMore: Type.Boolean({ description: 'Whether respondents remain behind this page.' }),
    items: Type.Array(Respondent),
    total: Type.Integer({ description: 'Respondents in the whole range.' }),
    summary: Type.Object({ latentScores: Type.Optional(LatentScores) }),
  },
  { $id: 'MeasureData' },
);

const readFailures = [400, 401, 403, 404, 406, 429, 500, 502, 503];

interface MeasureServices extends PageServices {
  readonly listings: Listings;
}

export function measureRoutes(app: FastifyInstance, services: MeasureServices): void {
  const { context, publicUrl, listings } = services;
  const shared = {
    area: 'service',
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    method: 'GET',
  } as const;

  addRoute(app, {
    ...shared,
    path: '/v1/measures',
    query: Type.Object({
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: pageMax, description: 'Page number, from 0.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: measureListLimits.maxTake,
          description: 'Page size; 100 unless given.',
        }),
      ),
    }),
    document: {
      operationId: 'listMeasures',
      summary: 'List the measures of the account',
      description:
        'Ordered by id. The links of an item work as they are; that to the data covers the last 30 days.',
      tag: 'Measures',
      success: { status: 200, schema: MeasuresList, description: 'One page of measures' },
      conditions: readFailures.filter((status) => status !== 404),
    },
    async handle({ query }, request, reply) {
      const { accountId } = callerOfRequest(request);
      const { offset = 0, limit = measureListLimits.defaultTake } = query;
      // The links to data name days, so a list is made anew when the day changes.
      const today = dayOf(context.now());
      const text = await listings.text(`measures ${accountId} ${offset} ${limit} ${today}`, async () => {
        const window = pageWindow(offset, limit, measureListLimits, []);
        const found = await listMeasures(context.db, accountId, window);
        return showList(found, offset, limit, today, publicUrl);
      });
      return reply.type('application/json; charset=utf-8').send(text);
    },
  });

  addRoute(app, {
    ...shared,
    path: '/v1/measures/:measurementKey/definition',
    params: MeasureKey,
    query: Type.Object({
      excludeQuestions: Type.Optional(
        Type.Boolean({ description: 'Leave out the questions; implies excludeAnswers.' }),
      ),
      excludeAnswers: Type.Optional(Type.Boolean({ description: 'Leave out the answers of questions.' })),
    }),
    document: {
      operationId: 'measureDefinition',
      summary: 'Read the definition of a measure',
      description:
        'The current version: latents with their measured questions, custom questions, passed parameters.',
      tag: 'Measures',
      success: { status: 200, schema: MeasureDefinition, description: 'The definition' },
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request) {
      const ready = await findMeasure(services, callerOfRequest(request).accountId, measurementKey);
      const { measure } = ready.source as MeasureSource;
      const { excludeQuestions = false, excludeAnswers = false } = query;
      const survey = ready.current?.definition ?? null;
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
  });

  const toggle = (what: string) => Type.Optional(Type.Boolean({ description: `Leave out ${what}.` }));
  addRoute(app, {
    ...shared,
    path: '/v1/measures/:measurementKey/data',
    params: MeasureKey,
    query: Type.Object({
      from: DateText,
      to: DateText,
      excludeResponseDetails: toggle('questions and answers of every respondent'),
      excludeMQ: toggle('measured questions'),
      excludeCQ: toggle('custom questions'),
      excludePassedParams: toggle('custom and external passed parameters'),
      excludeLatentScores: toggle('latent scores, of respondents and of the summary'),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: pageMax, description: 'Page number, from 0.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: measureDataLimits.maxTake,
          description: 'Page size; 25 unless given.',
        }),
      ),
    }),
    document: {
      operationId: 'measureData',
      summary: 'Read the respondents of a measure for a range of days',
      description:
        'Days are UTC, both ends included. Respondents stand in the order of arrival, so a page that was full stays as it was, and a caller who walks the pages while responses keep coming neither misses nor doubles one. While there is more, the header Link names the next page.',
      tag: 'Measures',
      success: { status: 200, schema: MeasureData, description: 'One page of respondents' },
      answerHeaders: ['Link'],
      conditions: readFailures,
    },
    async handle({ params: { measurementKey }, query }, request, reply) {
      const faults: Fault[] = [];
      const range = readDateRange(query.from, query.to, faults);
      if (faults.length > 0) throw invalidRequest(faults);
      const found = await findMeasure(services, callerOfRequest(request).accountId, measurementKey);
      const window = pageWindow(query.offset, query.limit, measureDataLimits, []);
      const toggles = {
        excludeResponseDetails: query.excludeResponseDetails ?? false,
        excludeMQ: query.excludeMQ ?? false,
        excludeCQ: query.excludeCQ ?? false,
        excludePassedParams: query.excludePassedParams ?? false,
        excludeLatentScores: query.excludeLatentScores ?? false,
      };
      return answerData(services, request, reply, {
        found,
        range,
        window,
        nextOffset: (query.offset ?? 0) + 1,
        writeItem: (ready) => (cursor, writer, row, stopAt) =>
          cursor.writeRespondent(writer, ready.texts(row.surveyNumber), row, toggles, stopAt),
        members: (ready, { total, sums }) => {
          const definitions = ready.source.surveys.map(({ definition }) => definition);
          const summary = toggles.excludeLatentScores ? {} : { latentScores: rangeScores(definitions, sums) };
          return `"total":${total},"summary":${JSON.stringify(summary)}`;
        },
      });
    },
  });
}

async function findMeasure(
  { sources }: MeasureServices,
  accountId: number,
  key: number,
): Promise<PreparedSource> {
  const ready = await sources.byName({ accountId, kind: 'measure', key });
  if (ready === null) throw new Problem('MEASURE_NOT_FOUND', `No measure has the key ${key}.`);
  return ready;
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
  const { measure, surveys, createdAtMs } = source;
  const base = `/v1/measures/${measure.key}`;
  return {
    id: measure.key,
    name: measure.name,
    active: measure.active,
    dateCreated: new Date(createdAtMs).toISOString(),
    channel: measure.channel,
    factType: 'NON_HIERARCHY',
    modelInstanceId: surveys.find(({ definition }) => definition.current)?.definition.modelInstanceId ?? null,
    links: [
      { rel: 'MEASURE_DEFINITION', href: publicUrl.to(`${base}/definition`) },
      { rel: 'MEASURE_DATA', href: publicUrl.to(`${base}/data?${lastDays(today)}`) },
    ],
  };
}

function lastDays(today: number): string {
  return `from=${dayText(today - linkedDays + 1)}&to=${dayText(today)}`;
}
