// Every endpoint of the console.

import type { FastifyInstance } from 'fastify';
import type { ConsoleServices } from './console-services.ts';
import { sessionRoutes } from './session-routes.ts';

export function consoleRoutes(app: FastifyInstance, services: ConsoleServices): void {
  sessionRoutes(app, services);
}
