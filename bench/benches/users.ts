// One user created, and one user read, against a bare server that reads the same request and gives the same bytes
// back. Held to their goals by processor time of the service: a create waits for the disk, which is not its work.

import type { Bench } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { startPreparedService } from '../processes.ts';

// Nine zeros become another number in every request.
const body = JSON.stringify({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada.lovelace.000000000',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada.000000000@example.com', type: 'work', primary: true }],
  meta: {},
});

export const users: Bench = {
  name: 'users',
  about: 'POST /v1/scim/Users and GET /v1/scim/Users/ID against bare ones',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const service = await startPreparedService(engine);
    const headers = {
      authorization: `Bearer ${service.token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    try {
      const made = await fetch(`${service.baseUrl}/v1/scim/Users`, {
        method: 'POST',
        headers,
        body: body
          .replace('"userName"', '"externalId":"employee-4711","userName"')
          .replaceAll('000000000', 'first'),
      });
      if (made.status !== 200) throw new Error(await made.text());
      const read = await measureExchange(
        {
          bench: 'users',
          engine,
          what: 'get by address : bare GET',
          goal: { atLeast: 0.4 },
          goalOf: 'processor',
          service,
          method: 'GET',
          path: '/v1/scim/Users/employee-4711',
          headers: { authorization: headers.authorization, accept: headers.accept },
        },
        effort,
      );
      const created = await measureExchange(
        {
          bench: 'users',
          engine,
          what: 'create, durable : bare POST',
          goal: { atLeast: 0.25 },
          goalOf: 'processor',
          service,
          method: 'POST',
          path: '/v1/scim/Users',
          headers,
          body,
        },
        effort,
      );
      return [...read, ...created];
    } finally {
      await service.stop();
    }
  },
};
