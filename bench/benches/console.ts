// What every request of a page of the console costs at least: the cookie hashed, session, person and roles asked of the
// store in one question that nothing remembers, a few hundred bytes of JSON.

import { grantAside, sessionAside } from '../../test/support/console.ts';
import { addUsers } from '../../test/support/user-population.ts';
import type { Bench } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { accountId, prepareStore, startOn } from '../processes.ts';

const people = 200;

export const consoleSession: Bench = {
  name: 'console',
  about: 'GET /console/api/session of one of 200 people against a bare GET with the same answer',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const store = await prepareStore(engine);
    const databaseUrl = store.env.DATABASE_URL!;
    const ids = await addUsers(
      databaseUrl,
      accountId,
      Array.from({ length: people }, (_, at) => ({ userName: `person-${at}`, active: true })),
    );
    const personId = ids[people / 2]!;
    await grantAside(databaseUrl, accountId, { user: personId }, 'analyst');
    const cookie = await sessionAside(databaseUrl, { accountId, personId });
    const service = await startOn(store);
    try {
      return await measureExchange(
        {
          bench: 'console',
          engine,
          what: 'GET /console/api/session : bare GET',
          goal: { atLeast: engine === 'sqlite' ? 0.4 : 0.3 },
          goalOf: 'processor',
          service,
          method: 'GET',
          path: '/console/api/session',
          headers: { cookie, accept: 'application/json' },
        },
        effort,
      );
    } finally {
      await service.stop();
    }
  },
};
