// An authenticated read with a small answer: the gate, one question to the store, a few hundred bytes of JSON.

import type { Bench } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { startPreparedService } from '../processes.ts';

export const measures: Bench = {
  name: 'measures',
  about: 'GET /v1/measures (two measures) against a bare GET with the same answer',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const service = await startPreparedService(engine);
    try {
      return await measureExchange(
        {
          bench: 'measures',
          engine,
          what: 'authenticated GET : bare GET',
          // The goal is that of the embedded store; a question to PostgreSQL travels to another process and back.
          ...(engine === 'sqlite' ? { goal: { atLeast: 0.5 } } : {}),
          service,
          method: 'GET',
          path: '/v1/measures',
          headers: { authorization: `Bearer ${service.token}`, accept: 'application/json' },
        },
        effort,
      );
    } finally {
      await service.stop();
    }
  },
};
