// What the meter measures: each work is the requests of one turn, and what the store holds before them. Whatever a work needs is done
// through HTTP or by the commands of the tree that is measured, so that older releases can do it too.

import { feedbackCatalogue, measureKey, responseBody } from '../feedback-data.ts';
import type { Side } from './sides.ts';

export interface Work {
  readonly name: string;
  readonly about: string;
  /** Requests of one turn. */
  readonly count: number;
  readonly connections: number;
  readonly catalogue: object;
  /** What is there before: sent to the service of the side. */
  fill?(side: Side): Promise<void>;
  /** Whole requests, asked in turn. */
  requests(side: Side): readonly string[];
  /** The bare server parses what it is sent, as whoever wants to use it must. */
  readonly isParsed?: true;
}

function wire(
  side: Side,
  method: string,
  path: string,
  { type = 'application/json', body = '' } = {},
): string {
  const ofBody = body === '' ? [] : [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${side.token}`,
    `accept: ${type}`,
  ];
  return [...head, ...ofBody, '', body].join('\r\n');
}

async function post(side: Side, path: string, body: string, type = 'application/json'): Promise<string> {
  const answer = await fetch(`${side.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${side.token}`, 'content-type': type },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${side.name}: POST ${path} was answered with ${answer.status}: ${text}`);
  return text;
}

const response = JSON.stringify(responseBody(4711, null));

const ingestion: Work = {
  name: 'ingestion',
  about: `a response of ${response.length} bytes: authenticated, judged, scored and durable`,
  count: 4_000,
  connections: 32,
  catalogue: feedbackCatalogue,
  isParsed: true,
  requests: (side) => [wire(side, 'POST', '/v1/surveys/ingestion', { body: response })],
};

const pageRows = 20_000;
const pageDays = 100;
const pageSize = 100;
const sentAtOnce = 32;

const page: Work = {
  name: 'page',
  about: `a random page of ${pageSize} respondents out of ${pageRows.toLocaleString('en')}`,
  count: 400,
  connections: 8,
  catalogue: feedbackCatalogue,
  async fill(side) {
    const firstMs = Date.parse('2025-01-01T00:00:00Z');
    let next = 0;
    const send = async (): Promise<void> => {
      for (let number = next++; number < pageRows; number = next++) {
        const day = Math.floor((number * pageDays) / pageRows);
        const at = new Date(firstMs + day * 86_400_000 + (number % 86_400) * 1_000).toISOString();
        await post(side, '/v1/surveys/ingestion', JSON.stringify(responseBody(number, at)));
      }
    };
    await Promise.all(Array.from({ length: sentAtOnce }, send));
  },
  requests: (side) => {
    const pages = pageRows / pageSize;
    // A stride that shares no factor with the number of pages visits all of them, far apart.
    return Array.from({ length: pages }, (_, index) =>
      wire(
        side,
        'GET',
        `/v1/measures/${measureKey}/data?from=2025-01-01&to=2025-12-31&limit=${pageSize}&offset=${(index * 73) % pages}`,
      ),
    );
  },
};

const measures: Work = {
  name: 'measures',
  about: 'GET /v1/measures, a small answer',
  count: 8_000,
  connections: 32,
  catalogue: feedbackCatalogue,
  requests: (side) => [wire(side, 'GET', '/v1/measures')],
};

const token: Work = {
  name: 'token',
  about: 'POST /v1/token, the query call: a secret checked, a token signed',
  count: 4_000,
  connections: 32,
  catalogue: feedbackCatalogue,
  requests: ({ client: { clientId, clientSecret } }) => [
    [
      'POST /v1/token?grant_type=client_credentials&scope=r_cx_basic HTTP/1.1',
      'host: x',
      `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type: application/x-www-form-urlencoded',
      'content-length: 0',
      '',
      '',
    ].join('\r\n'),
  ],
};

const scimType = 'application/scim+json';
const person = JSON.stringify({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-000000000',
  userName: 'newcomer.000000000@example.com',
  active: true,
  displayName: 'Ada Lovelace',
  emails: [{ primary: true, type: 'work', value: 'newcomer.000000000@example.com' }],
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  title: 'Countess',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
});

const scimCreate: Work = {
  name: 'scim-create',
  about: 'POST /scim/v2/Users, a new user',
  count: 2_000,
  connections: 8,
  catalogue: feedbackCatalogue,
  requests: (side) => [wire(side, 'POST', '/scim/v2/Users', { type: scimType, body: person })],
};

const users = 2_000;

const scimFilter: Work = {
  name: 'scim-filter',
  about: 'GET /scim/v2/Users?filter=userName eq "…", one of some thousand users',
  count: 4_000,
  connections: 8,
  catalogue: feedbackCatalogue,
  async fill(side) {
    for (let number = 0; number < users; number += 1)
      await post(
        side,
        '/scim/v2/Users',
        person.replaceAll('000000000', `9${String(number).padStart(8, '0')}`),
        scimType,
      );
  },
  requests: (side) =>
    Array.from({ length: 200 }, (_, index) => {
      const name = `newcomer.9${String(index * 10).padStart(8, '0')}@example.com`;
      const filter = encodeURIComponent(`userName eq "${name}"`);
      return wire(side, 'GET', `/scim/v2/Users?filter=${filter}`, { type: scimType });
    }),
};

export const works: readonly Work[] = [ingestion, page, measures, token, scimFilter, scimCreate];
