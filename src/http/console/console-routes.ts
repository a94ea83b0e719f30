// Every endpoint of the console.

import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './account-routes.ts';
import { apiClientRoutes } from './api-client-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { consoleCommentRoutes } from './comment-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { consoleDocumentRoute } from './console-document-route.ts';
import type { ConsoleServices } from './console-services.ts';
import { groupRoutes } from './group-routes.ts';
import { myPasskeysRoutes } from './my-passkeys-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { passkeySignInRoutes } from './passkey-sign-in-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { providerLogoutRoutes } from './provider-logout-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { provisioningTokenRoutes } from './provisioning-token-routes.ts';
import { readingFileRoutes } from './reading-files.ts';
import { consoleResponseRoutes } from './response-routes.ts';
import { roleRoutes } from './role-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { sessionsRoutes } from './sessions-routes.ts';
import { signInLinkRoutes } from './sign-in-link-routes.ts';
import { sourceRoutes } from './source-routes.ts';
import { userLinkRoutes } from './user-link-routes.ts';
import { userRoutes } from './user-routes.ts';
import { userTimelineRoutes } from './user-timeline-routes.ts';
import { viewRoutes } from './view-routes.ts';

export function consoleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  pageRoutes(app, services);
  sessionRoutes(app, services);
  apiClientRoutes(app, services);
  provisioningTokenRoutes(app, services);
  auditRoutes(app, services);
  accountRoutes(app, services);
  userRoutes(app, services);
  userTimelineRoutes(app, services);
  groupRoutes(app, services);
  roleRoutes(app, services);
  consoleDocumentRoute(app);
  passkeySignInRoutes(app, services);
  myPasskeysRoutes(app, services);
  passwordRoutes(app, services);
  signInLinkRoutes(app, services);
  sessionsRoutes(app, services);
  userLinkRoutes(app, services);
  providerRoutes(app, services);
  providerLogoutRoutes(app, services);
  connectionRoutes(app, services);
  sourceRoutes(app, services);
  viewRoutes(app, services);
  consoleCommentRoutes(app, services);
  consoleResponseRoutes(app, services);
  readingFileRoutes(app, services);
}
