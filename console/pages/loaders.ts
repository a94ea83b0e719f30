// The module of each page, loaded when it is opened. Its file is called like the page in src/domain/console/page-paths.ts.

import type { ComponentType } from 'preact';
import type { PageName } from '../../src/domain/console/page-paths.ts';
import type { Texts } from '../frame/texts.ts';

export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export interface PageModule {
  readonly default: ComponentType<PageProps>;
  /** Loaded before the page is drawn. */
  readonly texts?: readonly Texts<unknown>[];
}

export const loaders: Readonly<Record<PageName, () => Promise<PageModule>>> = {
  accounts: () => import('./operations/accounts.tsx'),
  operations: () => import('./operations/operations.tsx'),
  webhooks: () => import('./operations/webhooks.tsx'),
  'edit-survey': () => import('./editor/edit-survey.tsx'),
  overview: () => import('./insight/overview.tsx'),
  measure: () => import('./insight/measure.tsx'),
  project: () => import('./insight/project.tsx'),
  users: () => import('./people/users.tsx'),
  user: () => import('./people/user.tsx'),
  groups: () => import('./people/groups.tsx'),
  group: () => import('./people/group.tsx'),
  clients: () => import('./people/clients.tsx'),
  audit: () => import('./people/audit.tsx'),
  comments: () => import('./reading/comments.tsx'),
  responses: () => import('./reading/responses.tsx'),
  response: () => import('./reading/response.tsx'),
  views: () => import('./reading/views.tsx'),
  me: () => import('./me/me.tsx'),
  'new-survey': () => import('./editor/new-survey.tsx'),
  provider: () => import('./provider/provider.tsx'),
  providers: () => import('./provider/providers.tsx'),
  surveys: () => import('./surveys/surveys.tsx'),
  survey: () => import('./surveys/survey.tsx'),
  share: () => import('./surveys/share.tsx'),
  refused: () => import('./surveys/refused.tsx'),
};
