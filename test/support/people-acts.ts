// Every act that changes a person, group, role, credential, connection or session, as the requests that perform it on a
// target. Routes stand here by name: test/http/access/admin-matrix.test.ts refuses a route that is neither here nor among
// those of which somebody has said that they change none of these.

import { commandReference } from '../../src/cli/program.ts';
import { type Role, roles } from '../../src/domain/access/role.ts';
import { bulkSchema, userSchema } from './schema-urns.ts';
import { group, patchOf } from './scim.ts';
import { patchBody } from './users.ts';

export const usersBelow = ['no role', 'viewer', 'analyst', 'editor', 'identity'] as const;
export const adminUsers = ['admin', 'admin by group', 'resting admin'] as const;
export const suspendedUsers = ['suspended user', 'suspended admin'] as const;
export const groupTargets = ['group', 'analyst group', 'admin group', 'group in an admin group'] as const;
export const userTargets = [...usersBelow, ...adminUsers] as const;
export const credentialTargets = ['token', 'marked token', 'client', 'marked client', 'connection'] as const;
export const targetKinds = [
  ...userTargets,
  ...suspendedUsers,
  ...groupTargets,
  ...credentialTargets,
  'operator',
  'account',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The role that a user of this kind is granted directly. */
export function grantedTo(kind: TargetKind): Role | null {
  if (kind === 'resting admin' || kind === 'suspended admin') return 'admin';
  return roles.find((role) => role === kind) ?? null;
}

export interface Target {
  readonly kind: TargetKind;
  /** As the console names it. */
  readonly id: string;
  /** The name of the rows of the store that are about it. */
  readonly holder: string;
  readonly userName: string;
  readonly externalId: string;
  /** Of a group. */
  readonly displayName: string;
  readonly memberId: string;
  readonly sessionId: string;
  readonly passkeyId: string;
}

/** What an act is about, as the table of who may do it knows it. */
export type Kind =
  | 'what they sign in by'
  | 'whether they are active'
  | 'whether they exist'
  | 'other attributes'
  | 'end of sessions'
  | 'link'
  | 'connection of a user'
  | 'confirmation'
  | 'open refusals'
  | 'roles below admin'
  | 'role admin'
  | 'members'
  | 'whether a group exists'
  | 'name of a group'
  | 'new user or group'
  | 'new token'
  | 'new token with the mark'
  | 'end of a token'
  | 'API clients'
  | 'set-up link'
  | 'connections'
  | 'roles by value'
  | 'accounts and keys';

export interface Surroundings {
  /** Another text for each request. */
  readonly own: string;
  /** A user without any role. */
  readonly outsider: string;
  readonly connectionId: string;
  readonly signingKid: string;
}

export interface Act {
  /** As the service lists it. */
  readonly route: string;
  readonly form: string;
  readonly kind: Kind;
  readonly targets: readonly TargetKind[];
  readonly ask: (
    target: Target,
    surroundings: Surroundings,
  ) => { readonly path: string; readonly body?: unknown };
  /** Nothing changes where the target is so already. */
  readonly mayStay?: true;
  /** What whoever may is asked to do instead, because it would take away what the other acts need. */
  readonly instead?: { readonly body?: unknown; readonly status: number };
}

type Ask = (target: Target, surroundings: Surroundings) => unknown;

// ---- The two faces of SCIM

/** Each names a change in the forms that identity providers know; what `add` and `replace` set is new for each request. */
const userPatches: readonly (readonly [Kind, string, Ask])[] = [
  ['what they sign in by', 'externalId', (_, { own }) => ({ op: 'replace', path: 'externalId', value: own })],
  ['what they sign in by', 'EXTERNALID', (_, { own }) => ({ op: 'Add', path: 'EXTERNALID', value: own })],
  [
    'what they sign in by',
    'externalId by its URN',
    (_, { own }) => ({ op: 'replace', path: `${userSchema}:externalId`, value: own }),
  ],
  [
    'what they sign in by',
    'externalId in a value',
    (_, { own }) => ({ op: 'replace', value: { ExternalId: own } }),
  ],
  ['what they sign in by', 'externalId removed', () => ({ op: 'remove', path: 'externalId' })],
  ['what they sign in by', 'userName', (_, { own }) => ({ op: 'replace', path: 'userName', value: own })],
  [
    'what they sign in by',
    'userName by its URN in a value',
    (_, { own }) => ({ op: 'add', value: { [`${userSchema}:userName`]: own, title: own } }),
  ],
  [
    'what they sign in by',
    'the primary mail address',
    (_, { own }) => ({ op: 'replace', path: 'emails[primary eq true].value', value: `${own}@evil.example` }),
  ],
  [
    'what they sign in by',
    'mail address in a dotted value',
    (_, { own }) => ({ op: 'replace', value: { 'emails[type eq "work"].value': `${own}@evil.example` } }),
  ],
  [
    'what they sign in by',
    'one more mail address',
    (_, { own }) => ({ op: 'add', path: 'emails', value: [{ value: `${own}@evil.example` }] }),
  ],
  [
    'what they sign in by',
    'mail addresses in a value',
    (_, { own }) => ({ op: 'replace', value: { emails: [{ value: `${own}@evil.example` }] } }),
  ],
  ['what they sign in by', 'mail addresses removed', () => ({ op: 'remove', path: 'emails' })],
  ['whether they are active', 'active', () => ({ op: 'replace', path: 'active', value: false })],
  [
    'whether they are active',
    'active as a text in a value',
    () => ({ op: 'Replace', value: { active: 'False' } }),
  ],
  ['other attributes', 'first name', (_, { own }) => ({ op: 'replace', path: 'name.givenName', value: own })],
  [
    'other attributes',
    'name in a value',
    (_, { own }) => ({ op: 'add', value: { 'name.familyName': own, displayName: own } }),
  ],
];

const wholeUser = ({ userName, externalId }: Target, changes: object): object => ({
  schemas: [userSchema],
  userName,
  externalId,
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: `${userName}@acme.example`, type: 'work', primary: true }],
  meta: {},
  ...changes,
});

/** A replace of the whole user, with one thing other than it was. */
const userReplacements: readonly (readonly [Kind, string, Ask])[] = [
  ['what they sign in by', 'externalId', (target, { own }) => wholeUser(target, { externalId: own })],
  ['what they sign in by', 'userName', (target, { own }) => wholeUser(target, { userName: own })],
  [
    'what they sign in by',
    'mail address',
    (target, { own }) => wholeUser(target, { emails: [{ value: `${own}@evil.example` }] }),
  ],
  ['whether they are active', 'active', (target) => wholeUser(target, { active: false })],
  ['other attributes', 'displayName', (target, { own }) => wholeUser(target, { displayName: own })],
];

const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const asMember = (value: string) => [{ value }];

const groupPatches: readonly (readonly [Kind, string, Ask])[] = [
  ['members', 'add', (_, { outsider }) => ({ op: 'add', path: 'members', value: asMember(outsider) })],
  ['members', 'add in a value', (_, { outsider }) => ({ op: 'add', value: { members: asMember(outsider) } })],
  [
    'members',
    'add by its URN',
    (_, { outsider }) => ({ op: 'Add', path: `${groupUrn}:members`, value: { value: outsider } }),
  ],
  [
    'members',
    'replace',
    (_, { outsider }) => ({ op: 'replace', path: 'members', value: asMember(outsider) }),
  ],
  ['members', 'remove all', () => ({ op: 'remove', path: 'members' })],
  [
    'members',
    'remove by a condition',
    ({ memberId }) => ({ op: 'remove', path: `members[value eq "${memberId}"]` }),
  ],
  ['members', 'remove by type', () => ({ op: 'remove', path: 'members[type eq "User"]' })],
  [
    'members',
    'remove by a list',
    ({ memberId }) => ({ op: 'remove', path: 'members', value: asMember(memberId) }),
  ],
  [
    'name of a group',
    'displayName',
    (_, { own }) => ({ op: 'replace', path: 'displayName', value: `G ${own}` }),
  ],
];

const groupReplacements: readonly (readonly [Kind, string, Ask])[] = [
  ['members', 'members', ({ displayName }, { outsider }) => group(displayName, [outsider])],
  ['members', 'no members', ({ displayName }) => group(displayName)],
];

const inBulk = (method: string, path: string, data?: unknown) => ({
  path: '/scim/v2/Bulk',
  body: {
    schemas: [bulkSchema],
    Operations: [
      { method, path, ...(method === 'POST' && { bulkId: 'b' }), ...(data !== undefined && { data }) },
    ],
  },
});

function scimActs(): readonly Act[] {
  const acts: Act[] = [];
  const bulk = 'POST /scim/v2/Bulk';
  const add = (
    [route, form, kind]: readonly [string, string, Kind],
    targets: readonly TargetKind[],
    ask: Act['ask'],
  ) => void acts.push({ route, form, kind, targets, ask });
  for (const [kind, form, operation] of userPatches) {
    add([`PATCH /scim/v2/Users/:id`, form, kind], userTargets, (target, s) => ({
      path: `/scim/v2/Users/${target.id}`,
      body: patchOf(operation(target, s) as object),
    }));
    // There a user always has an address of mail.
    if (form !== 'mail addresses removed')
      add([`PATCH /v1/scim/Users/:id`, form, kind], userTargets, (target, s) => ({
        path: `/v1/scim/Users/${target.externalId}`,
        body: patchBody(operation(target, s) as object),
      }));
    add([bulk, `PATCH of a user, ${form}`, kind], userTargets, (target, s) =>
      inBulk('PATCH', `/Users/${target.id}`, patchOf(operation(target, s) as object)),
    );
  }
  for (const [kind, form, body] of userReplacements) {
    add([`PUT /scim/v2/Users/:id`, form, kind], userTargets, (target, s) => ({
      path: `/scim/v2/Users/${target.id}`,
      body: body(target, s),
    }));
    add([`PUT /v1/scim/Users/:id`, form, kind], userTargets, (target, s) => ({
      path: `/v1/scim/Users/${target.externalId}`,
      body: body(target, s),
    }));
    add([bulk, `PUT of a user, ${form}`, kind], userTargets, (target, s) =>
      inBulk('PUT', `/Users/${target.id}`, body(target, s)),
    );
  }
  const reactivation = { op: 'replace', path: 'active', value: true };
  add(['PATCH /scim/v2/Users/:id', 'active again', 'whether they are active'], suspendedUsers, ({ id }) => ({
    path: `/scim/v2/Users/${id}`,
    body: patchOf(reactivation),
  }));
  add(
    ['PATCH /v1/scim/Users/:id', 'active again', 'whether they are active'],
    suspendedUsers,
    ({ externalId }) => ({ path: `/v1/scim/Users/${externalId}`, body: patchBody(reactivation) }),
  );
  add(
    ['DELETE /scim/v2/Users/:id', '', 'whether they exist'],
    [...userTargets, ...suspendedUsers],
    ({ id }) => ({
      path: `/scim/v2/Users/${id}`,
    }),
  );
  add([bulk, 'DELETE of a user', 'whether they exist'], userTargets, ({ id }) =>
    inBulk('DELETE', `/Users/${id}`),
  );
  for (const [kind, form, operation] of groupPatches) {
    add(['PATCH /scim/v2/Groups/:id', form, kind], groupTargets, (target, s) => ({
      path: `/scim/v2/Groups/${target.id}`,
      body: patchOf(operation(target, s) as object),
    }));
    add([bulk, `PATCH of a group, ${form}`, kind], groupTargets, (target, s) =>
      inBulk('PATCH', `/Groups/${target.id}`, patchOf(operation(target, s) as object)),
    );
  }
  for (const [kind, form, body] of groupReplacements) {
    add(['PUT /scim/v2/Groups/:id', form, kind], groupTargets, (target, s) => ({
      path: `/scim/v2/Groups/${target.id}`,
      body: body(target, s),
    }));
    add([bulk, `PUT of a group, ${form}`, kind], groupTargets, (target, s) =>
      inBulk('PUT', `/Groups/${target.id}`, body(target, s)),
    );
  }
  add(['DELETE /scim/v2/Groups/:id', '', 'whether a group exists'], groupTargets, ({ id }) => ({
    path: `/scim/v2/Groups/${id}`,
  }));
  add([bulk, 'DELETE of a group', 'whether a group exists'], groupTargets, ({ id }) =>
    inBulk('DELETE', `/Groups/${id}`),
  );
  const newUser = (own: string) => ({
    schemas: [userSchema],
    userName: own,
    externalId: own,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: `${own}@acme.example`, type: 'work', primary: true }],
    meta: {},
  });
  for (const path of ['/scim/v2/Users', '/v1/scim/Users'])
    add([`POST ${path}`, '', 'new user or group'], ['account'], (_, { own }) => ({
      path,
      body: newUser(own),
    }));
  add(['POST /scim/v2/Groups', '', 'new user or group'], ['account'], (_, { own, outsider }) => ({
    path: '/scim/v2/Groups',
    body: group(own, [outsider]),
  }));
  add([bulk, 'POST of a user', 'new user or group'], ['account'], (_, { own }) =>
    inBulk('POST', '/Users', newUser(own)),
  );
  add([bulk, 'POST of a group', 'new user or group'], ['account'], (_, { own }) =>
    inBulk('POST', '/Groups', group(own)),
  );
  return acts;
}

// ---- The console

function consoleActs(): readonly Act[] {
  const acts: Act[] = [];
  const add = (
    route: string,
    kind: Kind,
    targets: readonly TargetKind[],
    { body, form = '', ...more }: Partial<Pick<Act, 'form' | 'mayStay' | 'instead'>> & { body?: Ask } = {},
  ) =>
    void acts.push({
      route,
      form,
      kind,
      targets,
      ask: (target, surroundings) => ({
        path: route
          .slice(route.indexOf(' ') + 1)
          .replace(/:(id|clientId|tokenId)\b/, target.id)
          .replace(':sessionId', target.sessionId)
          .replace(':accountId', '1')
          .replace(':kid', surroundings.signingKid)
          .replace(':role', form),
        ...(body !== undefined && { body: body(target, surroundings) }),
      }),
      ...more,
    });
  const stays = { mayStay: true } as const;
  const user = '/console/api/users/:id';
  add(`PATCH ${user}`, 'whether they are active', userTargets, { body: () => ({ active: false }) });
  add(`PATCH ${user}`, 'whether they are active', suspendedUsers, {
    form: 'again',
    body: () => ({ active: true }),
  });
  add(`DELETE ${user}`, 'whether they exist', [...userTargets, ...suspendedUsers]);
  add(`DELETE ${user}/sessions`, 'end of sessions', userTargets);
  add(`DELETE ${user}/sessions/:sessionId`, 'end of sessions', userTargets);
  add(`POST ${user}/link`, 'link', userTargets);
  add(`POST ${user}/confirm-admin`, 'confirmation', userTargets, stays);
  add(`DELETE ${user}/refused`, 'open refusals', userTargets, stays);
  add(`PUT ${user}/connection`, 'connection of a user', userTargets, {
    body: (_, { connectionId }) => ({ connectionId }),
  });
  const groups = '/console/api/groups';
  for (const role of roles) {
    const kind = role === 'admin' ? 'role admin' : 'roles below admin';
    for (const method of ['PUT', 'DELETE']) {
      add(`${method} ${user}/roles/:role`, kind, userTargets, { form: role, ...stays });
      add(`${method} ${groups}/:id/roles/:role`, kind, groupTargets, { form: role, ...stays });
    }
  }
  add(`PATCH ${groups}/:id`, 'members', groupTargets, {
    form: 'add',
    body: (_, { outsider }) => ({ add: [outsider] }),
  });
  add(`PATCH ${groups}/:id`, 'members', groupTargets, {
    form: 'remove',
    body: ({ memberId }) => ({ remove: [memberId] }),
  });
  add(`PATCH ${groups}/:id`, 'name of a group', groupTargets, {
    form: 'displayName',
    body: (_, { own }) => ({ displayName: `G ${own}` }),
  });
  add(`DELETE ${groups}/:id`, 'whether a group exists', groupTargets);
  add(`POST ${groups}`, 'new user or group', ['account'], {
    body: (_, { own, outsider }) => ({ displayName: own, members: [outsider] }),
  });
  add('POST /console/api/users/invite', 'new user or group', ['account'], {
    body: (_, { own }) => ({ userName: own, externalId: own }),
  });
  add('PUT /console/api/roles/values', 'roles by value', ['account'], {
    body: (_, { own }) => ({ values: [{ value: own, role: 'analyst' }] }),
  });

  const tokens = '/console/api/provisioning-tokens';
  add(`POST ${tokens}`, 'new token', ['account'], { body: (_, { own }) => ({ name: own }) });
  add(`POST ${tokens}`, 'new token', ['account'], {
    form: 'that reads',
    body: (_, { own }) => ({ name: own, readOnly: true, mayChangeAdmins: true }),
  });
  add(`POST ${tokens}`, 'new token with the mark', ['account'], {
    form: 'with the mark',
    body: (_, { own, connectionId }) => ({ name: own, mayChangeAdmins: true, connection: connectionId }),
  });
  add(`DELETE ${tokens}/:tokenId`, 'end of a token', ['token', 'marked token']);

  const clients = '/console/api/api-clients';
  const eachClient = ['client', 'marked client'] as const;
  for (const mayChangeAdmins of [false, true])
    add(`POST ${clients}`, 'API clients', ['account'], {
      form: mayChangeAdmins ? 'with the mark' : '',
      body: (_, { own }) => ({ name: own, mayChangeAdmins }),
    });
  add(`POST ${clients}/:clientId/rotate`, 'API clients', eachClient);
  // Where no rotation is under way it is a conflict for whoever may.
  add(`POST ${clients}/:clientId/finish-rotation`, 'API clients', eachClient, { instead: { status: 409 } });
  add(`POST ${clients}/:clientId/disable`, 'API clients', eachClient);
  add(`POST ${clients}/:clientId/enable`, 'API clients', eachClient, stays);
  add(`PUT ${clients}/:clientId/grants`, 'API clients', eachClient, {
    body: () => ({ scopes: ['r_cx_users', 'w_cx_users'] }),
  });

  const connections = '/console/api/connections';
  // First, because an account has ten at most.
  add(`DELETE ${connections}/:id`, 'connections', ['connection']);
  add(`POST ${connections}`, 'connections', ['account'], {
    body: (_, { own }) => ({ name: own, issuer: 'https://evil.example', clientId: 'id' }),
  });
  add(`PATCH ${connections}/:id`, 'connections', ['connection'], {
    form: 'issuer',
    body: () => ({ issuer: 'https://evil.example' }),
  });
  add(`PATCH ${connections}/:id`, 'connections', ['connection'], {
    form: 'claim and secret',
    body: (_, { own }) => ({ subjectClaim: 'oid', secret: own }),
  });
  add(`PATCH ${connections}/:id`, 'connections', ['connection'], {
    form: 'only',
    body: () => ({ only: true }),
    instead: { body: { only: true }, status: 409 },
  });
  add('POST /console/api/setup-link', 'set-up link', ['account'], { body: () => ({ kind: 'okta' }) });
  add('POST /console/api/setup-link', 'set-up link', ['account'], {
    form: 'with the mark',
    body: () => ({ kind: 'okta', mayChangeAdmins: true }),
  });
  add('DELETE /console/api/setup-link', 'set-up link', ['account']);

  // Operators try them in vain here: an account that is gone, or a key, would be missed by the other acts.
  const inVain = { instead: { body: [], status: 400 } } as const;
  const ofStore = (route: string, body: unknown): void =>
    add(route, 'accounts and keys', ['account'], { body: () => body, ...inVain });
  ofStore('POST /console/api/accounts', { id: 4711, name: 'New' });
  ofStore('PATCH /console/api/accounts/:accountId', { name: 'Other' });
  ofStore('POST /console/api/accounts/:accountId/remove', { confirm: '1' });
  ofStore('POST /console/api/operations/keys', { kind: 'signing' });
  ofStore('POST /console/api/operations/keys/:kid/revoke', { force: true });
  return acts;
}

export const peopleActs: readonly Act[] = [...scimActs(), ...consoleActs()];

// ---- What people do to themselves

export interface OwnAct {
  readonly route: string;
  readonly body?: unknown;
  /** The id in the path is that of something of somebody else. */
  readonly names?: 'sessionId' | 'passkeyId';
  /** What whoever calls is answered; a 404 where it is not theirs. */
  readonly status: readonly number[];
}

/** None of these names anybody else, or finds what somebody else has. */
export const ownActs: readonly OwnAct[] = [
  { route: 'DELETE /console/api/me/sessions/:id', names: 'sessionId', status: [204] },
  { route: 'PATCH /console/api/me/passkeys/:id', names: 'passkeyId', body: { name: 'mine' }, status: [404] },
  { route: 'DELETE /console/api/me/passkeys/:id', names: 'passkeyId', status: [404] },
  { route: 'DELETE /console/api/me/sessions', status: [200] },
  { route: 'POST /console/api/me/passkeys/options', body: {}, status: [200] },
  {
    route: 'POST /console/api/me/passkeys',
    body: {
      name: 'mine',
      response: {
        id: 'aaaa',
        rawId: 'aaaa',
        type: 'public-key',
        response: { clientDataJSON: 'aaaa', attestationObject: 'aaaa' },
      },
    },
    status: [400],
  },
  {
    route: 'PUT /console/api/me/password',
    body: { password: 'seven quiet otters paddle' },
    status: [204],
  },
  { route: 'DELETE /console/api/me/password', status: [204, 409] },
  { route: 'POST /console/api/access-token', status: [201, 403] },
  { route: 'PUT /console/api/session/account', body: { accountId: 2 }, status: [204, 403] },
  { route: 'POST /console/api/session/end-at-provider', status: [200] },
  { route: 'DELETE /console/api/session', status: [204] },
];

export interface SecretAct {
  readonly route: string;
  readonly status: readonly number[];
  ask(target: Target): {
    readonly path?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly form?: string;
  };
}

const wrongSecret = 'A'.repeat(43);
const setup = { headers: { 'setup-code': `1.${wrongSecret}` } };

/** Opened by a secret of the person, the client, the provider or the set-up, whoever brings it: here with a wrong one. */
export const secretActs: readonly SecretAct[] = [
  {
    route: 'POST /console/api/sign-in/password',
    // Operators are told that users name their account.
    status: [400, 401],
    ask: ({ kind, userName }) => ({
      body: { ...(kind !== 'operator' && { account: 1 }), name: userName, password: wrongSecret },
    }),
  },
  {
    route: 'POST /console/api/sign-in/link',
    status: [401],
    ask: ({ kind }) => ({ body: { code: `${kind === 'operator' ? 0 : 1}.${wrongSecret}` } }),
  },
  { route: 'POST /console/api/sign-in/passkey/options', status: [200], ask: () => ({ body: {} }) },
  {
    route: 'POST /console/api/sign-in/passkey',
    status: [401],
    ask: ({ kind, id, passkeyId }) => ({
      body: {
        response: {
          id: passkeyId,
          rawId: passkeyId,
          type: 'public-key',
          response: {
            clientDataJSON: 'aaaa',
            authenticatorData: 'aaaa',
            signature: 'aaaa',
            userHandle: Buffer.from(`${kind === 'operator' ? 0 : 1}.${id}`).toString('base64url'),
          },
        },
      },
    }),
  },
  {
    route: 'PUT /console/api/setup/connection',
    status: [401],
    ask: () => ({ ...setup, body: { issuer: 'https://evil.example', clientId: 'id' } }),
  },
  { route: 'POST /console/api/setup/token', status: [401], ask: () => setup },
  { route: 'POST /console/api/setup/finish', status: [401], ask: () => setup },
  {
    route: 'POST /console/logout/:account/:connection',
    status: [400],
    ask: () => ({ path: '/console/logout/1/nobody', form: `logout_token=${wrongSecret}` }),
  },
  {
    route: 'POST /v1/token',
    status: [401],
    ask: () => ({
      path: '/v1/token?grant_type=client_credentials&scope=r_cx_basic',
      headers: { authorization: `Basic ${Buffer.from(`nobody:${wrongSecret}`).toString('base64')}` },
    }),
  },
];

/** Somebody has looked: none of these changes a person, group, role, credential, connection or session. */
export const otherRoutes: readonly string[] = [
  'POST /console/api/operations/clock',
  'POST /v1/surveys/ingestion',
  'POST /v1/surveys/:surveyId/invitations',
  'POST /v1/surveys/:surveyId/invitations/revocations',
  'POST /v1/measures/:measurementKey/external-parameters',
  'POST /v1/scim/Users/.search',
  'POST /scim/v2/Users/.search',
  'POST /scim/v2/Groups/.search',
  'POST /scim/v2/.search',
  'POST /scim/v2/Me',
  'PUT /scim/v2/Me',
  'PATCH /scim/v2/Me',
  'DELETE /scim/v2/Me',
  'POST /console/api/connections/:id/test',
  'POST /console/api/connections/:id/test-sign-in',
  'POST /console/api/connections/:id/test-sign-in/result',
  'POST /console/api/setup/test',
  'POST /console/api/setup/test-sign-in',
  'POST /console/api/setup/test-sign-in/result',
  'POST /console/api/surveys/measures/:key/plan',
  'POST /console/api/surveys/measures/:key/publish',
  'POST /console/api/surveys/projects/:key/plan',
  'POST /console/api/surveys/projects/:key/publish',
  'PUT /console/api/surveys/measures/:key/versions/:surveyId/closed',
  'PUT /console/api/surveys/projects/:key/versions/:surveyId/closed',
  'POST /console/api/surveys/measures/:key/invitations',
  'POST /console/api/surveys/projects/:key/invitations',
  'POST /console/api/refused/redrive',
  'POST /console/api/starters/:name',
  'DELETE /console/api/measures/:key/responses/:responseId',
  'DELETE /console/api/projects/:key/responses/:responseId',
  'POST /console/api/views',
  'DELETE /console/api/views/:id',
  'POST /console/api/webhooks',
  'DELETE /console/api/webhooks/:id',
  'POST /console/api/webhooks/:id/rotate',
  'POST /console/api/webhooks/:id/finish-rotation',
  'POST /console/api/webhooks/:id/test',
  'POST /console/api/webhooks/:id/replay',
  'PUT /console/api/operations/maintenance',
  'POST /console/api/operations/doctor',
  'POST /s/:name',
];

/** Families that are about no person: no verb of theirs can change one. */
const otherFamilies: readonly string[] = ['webhook'];

/** All commands, as the program itself lists them. */
export function listedVerbs(): readonly string[] {
  return commandReference()
    .map(({ name }) => name.replace(/^soundings /, ''))
    .filter((name) => !otherFamilies.includes(name.split(' ')[0]!));
}

/** Whoever runs commands on the machine is an operator and may do all of these. */
export const peopleVerbs: readonly string[] = [
  'account create',
  'account guard',
  'account remove',
  'apply',
  'client create',
  'client disable',
  'client enable',
  'client grant',
  'client revoke',
  'client rotate',
  'connection assign',
  'connection change',
  'connection create',
  'connection only',
  'connection remove',
  'connection secret',
  'demo',
  'group roles',
  'keys revoke',
  'keys rotate',
  'operator create',
  'operator disable',
  'operator link',
  'provisioning-token create',
  'provisioning-token revoke',
  'restore',
  'role values',
  'setup-link create',
  'setup-link revoke',
  'token',
  'user confirm-admin',
  'user delete',
  'user import',
  'user invite',
  'user link',
  'user reactivate',
  'user refused',
  'user roles',
  'user sign-out',
  'user suspend',
];

export const otherVerbs: readonly string[] = [
  'account list',
  'audit',
  'backup',
  'catalogue dump',
  'client list',
  'clock confirm',
  'clock status',
  'config',
  'connection list',
  'connection test',
  'doctor',
  'epp',
  'erase',
  'export',
  'group list',
  'insight rebuild',
  'insight status',
  'insight verify',
  'invitation revoke',
  'invitation revoked',
  'invite',
  'keys list',
  'maintenance',
  'migrate',
  'operator list',
  'provisioning-token list',
  'redrive',
  'refused counts',
  'refused list',
  'report',
  'retention run',
  'scim check',
  'scim log',
  'serve',
  'setup-link list',
  'share',
  'source remove',
  'user list',
  'user sessions',
  'user show',
  'verify',
  'view list',
  'view revoke',
  'repair',
];
