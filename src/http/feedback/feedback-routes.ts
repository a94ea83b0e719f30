// The endpoints of measures, projects and their responses.

import type { FastifyInstance } from 'fastify';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { ChargedThrottle } from '../server/request-budget.ts';
import type { ResponseFigures } from '../server/response-figures.ts';
import { changeRoutes } from './changes.ts';
import { digestRoutes } from './digests.ts';
import { exportRoutes } from './exports.ts';
import { externalParameterRoutes } from './external-parameters.ts';
import type { FeedbackServices } from './feedback-services.ts';
import { type IngestionServices, ingestionRoutes } from './ingestion.ts';
import { measureRoutes } from './measures.ts';
import { projectRoutes } from './projects.ts';

interface Services extends FeedbackServices, Omit<IngestionServices, keyof FeedbackServices> {
  readonly gate: ChargedThrottle;
  readonly publicUrl: PublicUrl;
  readonly responseFigures: ResponseFigures;
  readonly workQueue: WorkQueue;
}

export function feedbackRoutes(app: FastifyInstance, services: Services): void {
  measureRoutes(app, services);
  ingestionRoutes(app, services);
  projectRoutes(app, services);
  changeRoutes(app, services);
  digestRoutes(app, services);
  externalParameterRoutes(app, services);
  exportRoutes(app, services);
}
