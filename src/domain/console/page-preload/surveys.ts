// Of the pages about surveys.

import type { PagePlace, PagePreloads } from './place.ts';

export const refusedDays = [7, 30, 90] as const;

const kindOf = ({ params: { kind } }: PagePlace) => (kind === 'projects' ? 'projects' : 'measures');

const paramsOf = ({ params: { key = '' } }: PagePlace) => ({ params: { key } });

export const surveysPreload = () => ({ surveys: ['GET /surveys', { query: { limit: 100 } }] }) as const;

export const surveyPreload = (place: PagePlace) =>
  ({ survey: [`GET /surveys/${kindOf(place)}/:key`, paramsOf(place)] }) as const;

export const sharePreload = (place: PagePlace) =>
  ({ share: [`GET /surveys/${kindOf(place)}/:key/share`, paramsOf(place)] }) as const;

export const refusedPreload = ({ query }: PagePlace) => {
  const asked = Number(query.get('days'));
  return {
    refused: ['GET /refused', { query: { days: refusedDays.find((days) => days === asked) ?? 30 } }],
  } as const;
};

export const newSurveyPreload = () => ({ sources: ['GET /sources'] }) as const;

export const surveyPreloads = {
  surveys: surveysPreload,
  survey: surveyPreload,
  share: sharePreload,
  refused: refusedPreload,
  'new-survey': newSurveyPreload,
} as const satisfies PagePreloads;
