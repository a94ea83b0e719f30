// The pages of surveys and what belongs to them: invitations, embedding, files, the preview of a draft.

import type { FastifyInstance } from 'fastify';
import { assetRoutes } from './asset-routes.ts';
import { embedRoutes } from './embed-routes.ts';
import { invitationRoutes } from './invitations.ts';
import { surveyPageRoutes } from './page-routes.ts';
import { previewRoute } from './preview-route.ts';

type Services = Parameters<typeof surveyPageRoutes>[1] &
  Parameters<typeof embedRoutes>[1] &
  Parameters<typeof invitationRoutes>[1] &
  Parameters<typeof previewRoute>[1];

export function surveyRoutes(app: FastifyInstance, services: Services): void {
  invitationRoutes(app, services);
  embedRoutes(app, services);
  assetRoutes(app, services);
  surveyPageRoutes(app, services);
  previewRoute(app, services);
}
