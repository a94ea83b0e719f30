// The addresses of calls, as the console makes them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

interface Calls {
  addressOf(key: string, input?: object): string;
}

// Browsers have types that the rest has not: what the tests need of the module is said above.
const { addressOf } = (await import(new URL('../console/call.ts', import.meta.url).href)) as Calls;

describe('the address of a call', () => {
  it('holds the parameters percent-encoded, and the query in the order given without what is not said', () => {
    assert.equal(addressOf('GET /roles'), '/roles');
    assert.equal(addressOf('GET /users/:id', { params: { id: 'a/b c?d' } }), '/users/a%2Fb%20c%3Fd');
    assert.equal(
      addressOf('DELETE /users/:id/sessions/:sessionId', { params: { sessionId: 's', id: 7 } }),
      '/users/7/sessions/s',
    );
    assert.equal(
      addressOf('GET /users', {
        query: { start: 1, search: 'Ann & Bob', state: undefined, order: 'name', role: '' },
      }),
      '/users?start=1&search=Ann+%26+Bob&order=name&role=',
    );
    assert.equal(addressOf('GET /users', { query: { search: undefined } }), '/users');
  });

  it('is the text under which the server puts first answers into a page', () => {
    assert.equal(addressOf('GET /surveys', { query: { limit: 100 } }), '/surveys?limit=100');
    assert.equal(addressOf('GET /refused', { query: { days: 30 } }), '/refused?days=30');
    assert.equal(addressOf('GET /providers'), '/providers');
    assert.equal(
      addressOf('GET /providers/:id', { params: { id: 'pc_1 2' } }),
      `/providers/${encodeURIComponent('pc_1 2')}`,
    );
  });
});
