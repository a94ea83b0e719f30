// The pages that people answer surveys on, the files that they load, and the page in which the editor of the console shows a draft.

import { serviceOperations } from '../operation.ts';
import { Type } from '../schema.ts';
import { assetTypes, builtFile, openPage } from './open-page.ts';

const page = {
  ...openPage,
  allowsCrossOrigin: true,
  params: Type.Object({ name: Type.String({ maxLength: 200 }) }),
} as const;

export const surveyPageOperations = serviceOperations({
  'GET /s/:name': page,
  'POST /s/:name': {
    ...page,
    produces: ['text/html', 'application/json'],
    consumes: ['application/x-www-form-urlencoded', 'application/json'],
    readsBytes: true,
  },
  'GET /s/:name/thanks': page,
  'GET /assets/:file': builtFile(assetTypes),
  'GET /console/preview': openPage,
});
