// Of the overview.

import { viewParameters } from '../view-address.ts';
import type { PagePlace } from './place.ts';

export const overviewPreload = ({ view }: PagePlace) =>
  ({
    overview: ['GET /overview', { query: viewParameters({ ...view, filters: [] }, { hasComparison: true }) }],
  }) as const;
