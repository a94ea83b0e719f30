// Of the pages about comments, responses and shared views.

import { viewParameters } from '../view-address.ts';
import type { PagePlace, PagePreloads } from './place.ts';

/** The part of the path by which the page says what it is about. */
const kindOf = ({ params: { kind } }: PagePlace) => (kind === 'projects' ? 'projects' : 'measures');

const paramsOf = ({ params: { key = '' } }: PagePlace) => ({ params: { key } });

export const commentsPreload = (place: PagePlace) => {
  const of = paramsOf(place);
  const { query, view } = place;
  // Nothing is searched for where the field is empty.
  const narrowed = { q: query.get('q') || undefined, question: query.get('question') || undefined };
  return {
    facts: [`GET /${kindOf(place)}/:key`, of],
    comments: [
      `GET /${kindOf(place)}/:key/comments`,
      { ...of, query: { ...viewParameters(view), ...narrowed } },
    ],
  } as const;
};

export const responsesPreload = (place: PagePlace) => {
  const of = paramsOf(place);
  const { from, to } = place.view;
  return {
    facts: [`GET /${kindOf(place)}/:key`, of],
    responses: [`GET /${kindOf(place)}/:key/responses`, { ...of, query: viewParameters(place.view) }],
    cost: [`GET /${kindOf(place)}/:key/cost`, { ...of, query: { from, to } }],
  } as const;
};

export const responsePreload = (place: PagePlace) => {
  const { key = '', id = '' } = place.params;
  const kind = kindOf(place);
  const one = { params: { key, responseId: id } };
  return {
    facts: [`GET /${kind}/:key`, paramsOf(place)],
    response: [`GET /${kind}/:key/responses/:responseId`, one],
    asked: [`GET /${kind}/:key/responses/:responseId/asked`, one],
    trace: ['GET /measures/:key/responses/:responseId/trace', kind === 'measures' ? one : null],
  } as const;
};

export const viewsPreload = () =>
  ({ views: ['GET /views', { query: { limit: 1_000 } }], sources: ['GET /sources'] }) as const;

export const readingPreloads = {
  comments: commentsPreload,
  responses: responsesPreload,
  response: responsePreload,
  views: viewsPreload,
} as const satisfies PagePreloads;
