// A token issued by the interface's own call: credentials checked, a JWT signed.

import type { Bench } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { startPreparedService } from '../processes.ts';

export const token: Bench = {
  name: 'token',
  about: 'POST /v1/token (the query call) against a bare POST with the same answer',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const service = await startPreparedService(engine);
    const { clientId, clientSecret } = service.client;
    try {
      return await measureExchange(
        {
          bench: 'token',
          engine,
          what: 'token issued : bare POST',
          goal: { atLeast: 0.2 },
          service,
          method: 'POST',
          path: '/v1/token?grant_type=client_credentials&scope=r_cx_basic',
          headers: {
            authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
        },
        effort,
      );
    } finally {
      await service.stop();
    }
  },
};
