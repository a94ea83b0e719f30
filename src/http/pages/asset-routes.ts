// The files that the pages of surveys load, under names that change with what is in them.

import type { FastifyInstance } from 'fastify';
import { surveyPageOperations } from '../../contract/pages/survey-pages.ts';
import { addOperation } from '../server/route.ts';
import type { PageFiles } from './page-files.ts';

interface AssetServices {
  readonly pageFiles: PageFiles;
}

export function assetRoutes(app: FastifyInstance, { pageFiles }: AssetServices): void {
  addOperation(app, surveyPageOperations, 'GET /assets/:file', ({ params: { file } }, request, reply) => {
    // Pages of other sites that embed a survey load them too, as scripts, as modules and by fetch (D-440). They are the same
    // for everybody and ask nobody who they are.
    reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' });
    return pageFiles.send(file, request, reply);
  });
}
