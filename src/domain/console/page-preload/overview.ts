// Of the overview.

import { viewParameters } from '../view-address.ts';
import type { PagePlace, PagePreloads } from './place.ts';

export const overviewPreload = ({ view }: PagePlace) =>
  ({
    overview: ['GET /overview', { query: viewParameters({ ...view, filters: [] }, { hasComparison: true }) }],
  }) as const;

export const overviewPreloads = { overview: overviewPreload } as const satisfies PagePreloads;
