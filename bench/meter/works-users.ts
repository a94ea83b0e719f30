// Callers and users: a token, a small answer, and what identity providers and administrators do.

import { feedbackCatalogue } from '../feedback-data.ts';
import type { Side, StoreContent } from './sides.ts';
import { askAll, askJson, wire } from './wire.ts';
import { rowsOr, type Work } from './works.ts';

const plain: StoreContent = { catalogue: feedbackCatalogue };

export const measures: Work = {
  name: 'measures',
  about: 'GET /v1/measures, a small answer',
  count: 8_000,
  connections: 32,
  content: plain,
  requests: (side) => [wire(side, 'GET', '/v1/measures')],
};

export const token: Work = {
  name: 'token',
  about: 'POST /v1/token, the query call: a secret checked, a token signed',
  count: 4_000,
  connections: 32,
  content: plain,
  requests: (side) => {
    const { clientId, clientSecret } = side.client;
    const path = '/v1/token?grant_type=client_credentials&scope=r_cx_basic';
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const type = 'application/x-www-form-urlencoded';
    return [wire(side, 'POST', path, { type, headers: { authorization } })];
  },
};

// ---- Users

const scimType = 'application/scim+json';
const users = rowsOr(2_000);
const usersText = users.toLocaleString('en');
const familyNames = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Hamilton', 'Wirth'];
/** So many have a name that others have not. */
const searchedUsers = 20;

function personOf(digits: string, familyName = 'Lovelace'): string {
  return JSON.stringify({
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-${digits}`,
    userName: `newcomer.${digits}@example.com`,
    active: true,
    displayName: `Ada ${familyName}`,
    emails: [{ primary: true, type: 'work', value: `newcomer.${digits}@example.com` }],
    name: { formatted: `Ada ${familyName}`, familyName, givenName: 'Ada' },
    title: 'Countess',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
  });
}

/** Above what the generator counts to. */
function digitsOf(number: number): string {
  return String(100_000_000 + number);
}

function scim(side: Side, method: string, path: string, body?: string): string {
  return wire(side, method, `/scim/v2${path}`, { type: scimType, ...(body === undefined ? {} : { body }) });
}

async function fillUsers(side: Side): Promise<readonly string[]> {
  const every = Math.floor(users / searchedUsers);
  const made = await askAll(side, users, (number) => {
    const name = number % every === 0 ? 'Schobertmann' : familyNames[number % familyNames.length]!;
    return scim(side, 'POST', '/Users', personOf(digitsOf(number), name));
  });
  return made.map(({ body }) => (JSON.parse(body.toString()) as { readonly id: string }).id);
}

const directory: StoreContent = {
  catalogue: feedbackCatalogue,
  fill: async (side) => void (await fillUsers(side)),
};

/** Far apart. */
const someUsers = Array.from({ length: 200 }, (_, index) => digitsOf((index * 997) % users));

const scimFilter: Work = {
  name: 'scim-filter',
  about: `GET /scim/v2/Users?filter=userName eq "…", one of ${usersText} users`,
  count: 4_000,
  connections: 8,
  content: directory,
  requests: (side) =>
    someUsers.map((digits) => {
      const filter = encodeURIComponent(`userName eq "newcomer.${digits}@example.com"`);
      return scim(side, 'GET', `/Users?filter=${filter}`);
    }),
};

const userGet: Work = {
  name: 'user-get',
  about: `GET /v1/scim/Users/{externalId}, one of ${usersText} users`,
  count: 4_000,
  connections: 32,
  content: directory,
  requests: (side) =>
    someUsers.map((digits) => wire(side, 'GET', `/v1/scim/Users/0a21f0f2-8d2a-4f8e-bf98-${digits}`)),
  goal: { sqlite: 0.4, postgres: 0.4 },
};

const usersSearch: Work = {
  name: 'users-search',
  about: `users whose family name has four letters in it: ${searchedUsers} of ${usersText}`,
  count: 800,
  connections: 8,
  content: directory,
  requests: (side) =>
    ['sw "Scho"', 'ew "mann"', 'co "bert"'].map((part) =>
      wire(side, 'GET', `/v1/scim/Users?count=100&filter=${encodeURIComponent(`name.familyName ${part}`)}`),
    ),
};

const usersPage: Work = {
  name: 'users-page',
  about: `100 of ${usersText} users, deep in the list`,
  count: 400,
  connections: 8,
  content: directory,
  requests: (side) => [scim(side, 'GET', `/Users?count=100&startIndex=${Math.floor(users * 0.9) - 100}`)],
};

// ---- What changes them

export const scimCreate: Work = {
  name: 'scim-create',
  about: 'POST /scim/v2/Users, a new user',
  count: 2_000,
  connections: 8,
  content: { catalogue: feedbackCatalogue },
  requests: (side) => [scim(side, 'POST', '/Users', personOf('000000000'))],
};

function patch(operation: object): string {
  return JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  });
}

const scimPatch: Work = {
  name: 'scim-patch',
  about: 'PATCH /scim/v2/Users/{id}, another title each time',
  count: 2_000,
  connections: 8,
  content: { catalogue: feedbackCatalogue },
  async requests(side) {
    const ids = await fillUsers(side);
    const body = patch({ op: 'replace', path: 'title', value: 'Countess 000000000' });
    return ids.slice(0, 500).map((id) => scim(side, 'PATCH', `/Users/${id}`, body));
  },
};

const groupSize = Math.min(users, 10_000);

const groupMember: Work = {
  name: 'group-member',
  about: `PATCH /scim/v2/Groups/{id}: one joins a group of ${(groupSize - 1).toLocaleString('en')}, and leaves it`,
  count: 1_000,
  // As providers do it: one change after the other.
  connections: 1,
  content: { catalogue: feedbackCatalogue },
  async requests(side) {
    const [someone, ...others] = (await fillUsers(side)).slice(0, groupSize);
    const group = await askJson<{ readonly id: string }>(
      side,
      scim(
        side,
        'POST',
        '/Groups',
        JSON.stringify({
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
          displayName: 'Everybody',
          members: others.map((value) => ({ value })),
        }),
      ),
    );
    return [
      { op: 'add', path: 'members', value: [{ value: someone }] },
      { op: 'remove', path: `members[value eq "${someone}"]` },
    ].map((operation) => scim(side, 'PATCH', `/Groups/${group.id}`, patch(operation)));
  },
};

export const userWorks: readonly Work[] = [
  measures,
  token,
  scimFilter,
  userGet,
  usersSearch,
  usersPage,
  scimCreate,
  scimPatch,
  groupMember,
];
