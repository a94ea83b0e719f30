// The endpoints of what responses say together, and of single responses and comments.

import type { FastifyInstance } from 'fastify';
import { breakdownRoutes } from './breakdowns.ts';
import { commentRoutes } from './comments.ts';
import { costRoutes } from './costs.ts';
import { measureViewRoutes } from './measure-views.ts';
import { projectViewRoutes } from './project-views.ts';
import { responseRoutes } from './responses.ts';

type Services = Parameters<typeof responseRoutes>[1] &
  Parameters<typeof costRoutes>[1] &
  Parameters<typeof commentRoutes>[1] &
  Parameters<typeof breakdownRoutes>[1];

export function insightRoutes(app: FastifyInstance, services: Services): void {
  responseRoutes(app, services);
  costRoutes(app, services);
  commentRoutes(app, services);
  measureViewRoutes(app, services);
  projectViewRoutes(app, services);
  breakdownRoutes(app, services);
}
