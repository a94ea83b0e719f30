// What operators and their machines ask: is it alive, may it get traffic, how is it doing.

import { serviceOperations } from '../operation.ts';

const operational = { access: 'anyone', isOperational: true, unknownQuery: 'ignored' } as const;

export const healthOperations = serviceOperations({
  'GET /livez': operational,
  'GET /readyz': operational,
  'GET /metrics': { ...operational, produces: ['text/plain'] },
});
