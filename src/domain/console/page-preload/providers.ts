// Of the pages about identity providers.

import type { PagePlace, PagePreloads } from './place.ts';

export const providersPreload = () => ({ providers: ['GET /providers'] }) as const;

/** One that is not there yet is described beside all others. */
export const providerPreload = ({ params: { id = '' } }: Pick<PagePlace, 'params'>) =>
  ({
    provider: ['GET /providers/:id', id === 'new' ? null : { params: { id } }],
    providers: ['GET /providers', id === 'new' ? {} : null],
  }) as const;

export const providerPreloads = {
  providers: providersPreload,
  provider: providerPreload,
} as const satisfies PagePreloads;
