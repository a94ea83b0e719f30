// The pages that begin with answers, each with its requests.

import type { PageName } from '../page-paths.ts';
import { measurePreload, projectPreload } from './figures.ts';
import { accountsPreload, operationsPreload, webhooksPreload } from './operations.ts';
import { overviewPreload } from './overview.ts';
import {
  auditPreload,
  clientsPreload,
  groupPreload,
  groupsPreload,
  userPreload,
  usersPreload,
} from './people.ts';
import type { PagePreload } from './place.ts';
import { providerPreload, providersPreload } from './providers.ts';
import { commentsPreload, responsePreload, responsesPreload, viewsPreload } from './reading.ts';
import { newSurveyPreload, refusedPreload, sharePreload, surveyPreload, surveysPreload } from './surveys.ts';

export const pagePreloads: Readonly<Partial<Record<PageName, PagePreload>>> = {
  overview: overviewPreload,
  measure: measurePreload,
  project: projectPreload,
  comments: commentsPreload,
  responses: responsesPreload,
  response: responsePreload,
  views: viewsPreload,
  surveys: surveysPreload,
  'new-survey': newSurveyPreload,
  survey: surveyPreload,
  share: sharePreload,
  refused: refusedPreload,
  users: usersPreload,
  user: userPreload,
  groups: groupsPreload,
  group: groupPreload,
  clients: clientsPreload,
  audit: auditPreload,
  providers: providersPreload,
  provider: providerPreload,
  webhooks: webhooksPreload,
  operations: operationsPreload,
  accounts: accountsPreload,
};
