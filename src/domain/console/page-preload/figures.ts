// Of the pages of a measure and a project.

import { type QueryParts, viewParameters } from '../view-address.ts';
import type { PagePlace, PagePreloads } from './place.ts';

const of = ({ params: { key = '' } }: PagePlace) => ({ params: { key } });

const inView = (place: PagePlace, parts?: QueryParts) => ({
  ...of(place),
  query: viewParameters(place.view, parts),
});

const trendParts = { hasComparison: true, hasUnit: true };

export const measurePreload = (place: PagePlace) =>
  ({
    facts: ['GET /measures/:key', of(place)],
    trend: ['GET /measures/:key/trend', inView(place, trendParts)],
    distribution: ['GET /measures/:key/distribution', inView(place)],
    drivers: ['GET /measures/:key/drivers', inView(place)],
  }) as const;

export const projectPreload = (place: PagePlace) =>
  ({
    facts: ['GET /projects/:key', of(place)],
    trend: ['GET /projects/:key/trend', inView(place, trendParts)],
    distribution: ['GET /projects/:key/distribution', inView(place)],
    topics: ['GET /projects/:key/topics', inView(place, { hasComparison: true })],
  }) as const;

export const figuresPreloads = {
  measure: measurePreload,
  project: projectPreload,
} as const satisfies PagePreloads;
