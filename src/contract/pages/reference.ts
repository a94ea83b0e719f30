// What this service is, and the reference of the interface.

import { serviceOperations } from '../operation.ts';
import { openPage } from './open-page.ts';

const script = { ...openPage, produces: ['text/javascript'] } as const;

export const referenceOperations = serviceOperations({
  'GET /': openPage,
  'GET /openapi.json': { ...openPage, produces: ['application/json'] },
  'GET /docs': openPage,
  'GET /docs/': openPage,
  'GET /docs/start.js': script,
  'GET /docs/scalar.js': script,
});
