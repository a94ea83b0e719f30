// The pages that begin with answers, each with its requests.

import { figuresPreloads } from './figures.ts';
import { operationsPreloads } from './operations.ts';
import { overviewPreloads } from './overview.ts';
import { peoplePreloads } from './people.ts';
import type { PagePreloads } from './place.ts';
import { providerPreloads } from './providers.ts';
import { readingPreloads } from './reading.ts';
import { surveyPreloads } from './surveys.ts';

export const pagePreloads: PagePreloads = {
  ...figuresPreloads,
  ...operationsPreloads,
  ...overviewPreloads,
  ...peoplePreloads,
  ...providerPreloads,
  ...readingPreloads,
  ...surveyPreloads,
};
