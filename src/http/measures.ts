// The measures of an account.

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { channels, type Measure } from '../domain/catalogue.ts';
import { windowOfPage } from '../domain/window.ts';
import type { House } from '../house.ts';
import { listMeasures } from '../store/catalogue.ts';
import { Link } from './fields.ts';
import type { PublicUrl } from './public-url.ts';
import { addRoute, callerOfRequest } from './route.ts';

const pageSizeMax = 100;
const dayMs = 86_400_000;
const linkedDays = 30;

const MeasureItem = Type.Object({
  id: Type.Integer({ description: 'The measurementKey.' }),
  name: Type.String(),
  active: Type.Boolean(),
  dateCreated: Type.String({ format: 'date-time' }),
  channel: Type.Enum([...channels]),
  factType: Type.Literal('NON_HIERARCHY'),
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

export function measureRoutes(app: FastifyInstance, house: House, publicUrl: PublicUrl): void {
  addRoute(app, {
    method: 'GET',
    path: '/v1/measures',
    area: 'service',
    access: { grant: 'r_cx_measures' },
    accept: 'required',
    query: Type.Object({
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Page number, from 0.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: pageSizeMax, description: 'Page size; 100 unless given.' }),
      ),
    }),
    document: {
      operationId: 'listMeasures',
      summary: 'List the measures of the account',
      description:
        'Ordered by id. The links of an item work as they are; that to the data covers the last 30 days.',
      tag: 'Measures',
      success: { status: 200, schema: MeasuresList, description: 'One page of measures' },
      conditions: [400, 401, 403, 406, 429, 500, 502, 503],
    },
    async handle({ query }, request) {
      const { accountId } = callerOfRequest(request);
      const { offset = 0, limit = pageSizeMax } = query;
      const found = await listMeasures(house.db, accountId, windowOfPage(offset, limit));
      const hasMore = found.length > limit;
      const page = (number: number): string => publicUrl.to(`/v1/measures?offset=${number}&limit=${limit}`);
      return {
        hasMore,
        links: [
          { rel: 'self', href: page(offset) },
          ...(hasMore ? [{ rel: 'next', href: page(offset + 1) }] : []),
          ...(offset > 0 ? [{ rel: 'prev', href: page(offset - 1) }] : []),
        ],
        items: found.slice(0, limit).map((measure) => showMeasure(measure, publicUrl, house.now())),
      };
    },
  });
}

function showMeasure(measure: Measure, publicUrl: PublicUrl, nowMs: number): object {
  const base = `/v1/measures/${measure.key}`;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const range = `from=${day(nowMs - (linkedDays - 1) * dayMs)}&to=${day(nowMs)}`;
  return {
    id: measure.key,
    name: measure.name,
    active: measure.active,
    dateCreated: new Date(measure.createdAtMs ?? 0).toISOString(),
    channel: measure.channel,
    factType: 'NON_HIERARCHY',
    links: [
      { rel: 'MEASURE_DEFINITION', href: publicUrl.to(`${base}/definition`) },
      { rel: 'MEASURE_DATA', href: publicUrl.to(`${base}/data?${range}`) },
    ],
  };
}
