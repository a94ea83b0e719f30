// Every operation of both API documents as it is meant: credentials, ids that are there, a body that it takes. What a request takes away
// is made again.

import assert from 'node:assert/strict';
import { operatorsAccount } from '../../src/domain/access/visitor.ts';
import { exampleRequest, type Operation } from './api-document.ts';
import { consoleCall, operatorAside, passwordAside, sessionAside } from './console.ts';
import { basic, exchange } from './exchange.ts';
import { groupSchema, userSchema } from './schema-urns.ts';
import type { Seeded } from './seeded.ts';
import { type ApiClientCredentials, type ServiceProcess, tokenFor, until } from './service.ts';
import { storeRows } from './store-rows.ts';

const account = 4001;
const measure = '8840868';
const project = '3223';
const spareProject = '9001';
const spareSurvey = 'malformed-1';
const days = { from: '2026-01-01', to: '2028-09-26' };

export interface MeantRequest {
  readonly method: string;
  /** With the parts in braces that `params` fill in. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Operations that nothing which is made up here carries out, and what they say then: no authenticator, provider or inbox is there. */
export const neverDone: Readonly<Record<string, readonly number[]>> = {
  signInByPasskey: [401],
  addMyPasskey: [400],
  signInByPassword: [401, 429],
  signInByLink: [401],
  readTestSignIn: [404, 409],
  readSetupTestSignIn: [404, 409],
};

export const doneStatuses = [200, 201, 202, 204, 302, 303, 304];

/** They change what others need: nobody else is asked meanwhile, and it is set right afterwards. */
export const aloneOnes = new Set(['setMaintenance', 'rotateKey', 'revokeKey']);

/** They end the session by which they are called, or move it elsewhere. */
const sessionEnders = new Set([
  'endSession',
  'enterAccount',
  'endSessionAtProvider',
  'endOtherOwnSessions',
  'endOwnSession',
  'setPassword',
  'removePassword',
  'renameMyPasskey',
  'removeMyPasskey',
]);

/** Makes what requests need in a service with the demo (serve --demo), and the requests. */
export class MeantRequests {
  readonly #service: ServiceProcess;
  readonly #databaseUrl: string;
  readonly #chance: Seeded;
  #token = '';
  #cookie = '';
  #world: Readonly<Record<string, string>> = {};
  #made = 0;

  constructor(service: ServiceProcess, databaseUrl: string, chance: Seeded) {
    this.#service = service;
    this.#databaseUrl = databaseUrl;
    this.#chance = chance;
  }

  async signIn(): Promise<void> {
    const client = this.#service.announcement.demoClient as ApiClientCredentials;
    this.#token = await tokenFor(this.#service.baseUrl, client);
    this.#cookie = await this.#newCookie();
  }

  /** No maintenance; and tokens by a key that is good, which a replica may learn of some seconds later. */
  async setRight(): Promise<void> {
    await this.call('PUT', '/operations/maintenance', { on: false });
    await until(
      async () => {
        await this.signIn();
        const headers = { authorization: `Bearer ${this.#token}`, accept: 'application/json' };
        return exchange(`${this.#service.baseUrl}/v1/measures`, { headers });
      },
      ({ status }) => status === 200,
    );
  }

  #newCookie(): Promise<string> {
    return operatorAside(this.#databaseUrl, { enteredAccountId: account });
  }

  async credentials(
    { operationId, security, path }: Operation,
    isConsole: boolean,
  ): Promise<Readonly<Record<string, string>>> {
    const [first = {}] = security;
    if ('clientCredentials' in first) {
      const { clientId, clientSecret } = this.#service.announcement.demoClient as ApiClientCredentials;
      return { authorization: basic(clientId, clientSecret) };
    }
    if (!isConsole) return { authorization: `Bearer ${this.#token}` };
    const fromPage = { 'sec-fetch-site': 'same-origin' };
    if ('sharedView' in first)
      return {
        ...fromPage,
        'soundings-view':
          (path.includes('/projects/') ? this.#world.projectView : this.#world.measureView) ?? '',
      };
    if (!('session' in first)) return fromPage;
    if (!sessionEnders.has(operationId)) return { ...fromPage, cookie: this.#cookie };
    // Of the one whose passkey there is, or of somebody whom nobody misses.
    const cookie = /MyPasskey$|^removePassword$/.test(operationId)
      ? await sessionAside(this.#databaseUrl, {
          accountId: operatorsAccount,
          personId: Number(this.#world.owner),
        })
      : await this.#newCookie();
    return { ...fromPage, cookie };
  }

  /** Of an API client with every grant. */
  get bearer(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#token}` };
  }

  // ---- what is there

  async call(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const answer = await consoleCall(this.#service.baseUrl, method, path, {
      cookie: this.#cookie,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(answer.status < 300, `${answer.status} for ${method} ${path}: ${answer.text.slice(0, 500)}`);
    return answer.body;
  }

  async scim(path: string, body: object): Promise<string> {
    // The key of a token may have been revoked, which the service learns of some seconds later.
    const answer = await until(
      async () => {
        const made = await exchange(`${this.#service.baseUrl}/scim/v2${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/scim+json' },
          body: JSON.stringify(body),
        });
        if (made.status === 401) await this.signIn();
        return made;
      },
      ({ status }) => status !== 401,
    );
    assert.equal(answer.status, 201, answer.text);
    return String(answer.body.id);
  }

  /** What stays: a survey that keeps what it refuses, and something that it refused. */
  async prepare(): Promise<void> {
    const key = Number(spareProject);
    await this.call('POST', `/surveys/projects/${key}/publish`, {
      document: projectDraft(key, spareSurvey),
      base: null,
    });
    await this.makeWorld();
  }

  /** Everything that an id names and that a request may take away. */
  async makeWorld(): Promise<void> {
    this.#made += 1;
    const mark = `${this.#made}-${this.#chance.below(1_000_000_000)}`;
    const userId = await this.scim('/Users', {
      schemas: [userSchema],
      userName: `m-${mark}`,
      externalId: `m-${mark}`,
    });
    const groupId = await this.scim('/Groups', { schemas: [groupSchema], displayName: `g-${mark}` });
    await sessionAside(this.#databaseUrl, { accountId: account, personId: Number(userId) });
    const sessions = (await this.call('GET', `/users/${userId}/sessions`)).sessions as { id: string }[];
    const client = await this.call('POST', '/api-clients', { name: `c-${mark}` });
    const token = await this.call('POST', '/provisioning-tokens', { name: `t-${mark}` });
    const connections = (await this.call('GET', '/connections')).connections as { id: string }[];
    for (const { id } of connections)
      if (id !== this.#world.connection) await this.call('DELETE', `/connections/${id}`);
    const connection = connections.some(({ id }) => id === this.#world.connection)
      ? String(this.#world.connection)
      : await this.#newConnection();
    const webhook = await this.call('POST', '/webhooks', {
      name: `w-${mark}`,
      url: 'https://hooks.example/x',
    });
    const hooks = (await this.call('GET', '/webhooks')).items as { id: string }[];
    for (const { id } of hooks.slice(0, -5)) await this.call('DELETE', `/webhooks/${id}`);
    const spare = 5_000 + this.#made;
    await this.call('POST', '/accounts', { id: spare, name: `a-${mark}` });
    const view = (kind: string, key: string) =>
      this.call('POST', '/views', { name: 'v', kind, key: Number(key), ...days });
    const [ofMeasure, ofProject, leavingView] = [
      await view('measure', measure),
      await view('project', project),
      await view('measure', measure),
    ];
    const responseId = `r-${mark}`;
    for (const [id, value] of [
      [responseId, '4'],
      [`refused-${mark}`, '99'],
    ])
      await exchange(`${this.#service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          surveyDefinitionId: spareSurvey,
          responseId: id,
          responses: { 'Q-STARS': [value] },
        }),
      });
    const refusedOnes = await until(
      () =>
        storeRows(
          this.#databaseUrl,
          `select id from quarantined_response where account_id = ${account} order by received_at desc limit 1`,
        ),
      (rows) => rows.length > 0,
    );
    const owner = 800_000_000 + this.#made;
    await storeRows(
      this.#databaseUrl,
      `insert into operator (id, name, created_at) values (${owner}, 'owner-${owner}', 1)`,
    );
    await storeRows(
      this.#databaseUrl,
      `insert into passkey (account_id, id, person_id, name, public_key, counter, transports, created_at)
      values (0, 'passkey-${owner}', ${owner}, 'x', 'x', 0, '', 1),
        (0, 'other-${owner}', ${owner}, 'x', 'x', 0, '', 1)`,
    );
    await passwordAside(
      this.#databaseUrl,
      [{ accountId: operatorsAccount, personId: owner }],
      'nine otters hum quietly',
    );
    const keys = (await this.call('GET', '/operations/keys')).signing as { kid: string }[];
    this.#world = {
      user: userId,
      group: groupId,
      session: sessions[0]?.id ?? '',
      client: String(client.clientId),
      provisioningToken: String(token.id),
      connection,
      webhook: String(webhook.id),
      account: String(spare),
      measureView: codeIn(ofMeasure.url),
      projectView: codeIn(ofProject.url),
      viewId: String(leavingView.id),
      response: responseId,
      refused: String(refusedOnes[0]?.id),
      owner: String(owner),
      passkey: `passkey-${owner}`,
      kid: keys.at(-1)?.kid ?? '',
    };
  }

  async #newConnection(): Promise<string> {
    const connection = { issuer: 'https://127.0.0.1:9', clientId: 'id', secret: 'a secret of theirs' };
    const name = `login-${this.#chance.below(1e9)}`;
    return String((await this.call('POST', '/connections', { name, ...connection })).id);
  }

  /** What an operation takes away for good is made for it. */
  async makeFor(operationId: string, path: string): Promise<void> {
    const name = `n-${this.#chance.below(1e9)}`;
    const note = (found: Readonly<Record<string, string>>): void => {
      this.#world = { ...this.#world, ...found };
    };
    if (/^(?:scimD|d)eleteUser$/.test(operationId))
      note({ leavingUser: await this.scim('/Users', { schemas: [userSchema], userName: name }) });
    if (/^(?:scimD|d)eleteGroup$/.test(operationId))
      note({ leavingGroup: await this.scim('/Groups', { schemas: [groupSchema], displayName: name }) });
    if (operationId === 'removeConnection') note({ leavingConnection: await this.#newConnection() });
    if (path === '/console/api/setup' || path.startsWith('/console/api/setup/')) {
      const { url } = await this.call('POST', '/setup-link', { connection: this.#world.connection });
      note({ setupCode: codeIn(url) });
    }
  }

  // ---- what is meant

  /** Of an operation of the document of the console, or of the other one. With chance, now and then more parameters than it needs. */
  request(operation: Operation, isConsole: boolean, isMutated: boolean): MeantRequest {
    return isConsole ? this.#consoleRequest(operation, isMutated) : this.#apiRequest(operation);
  }

  #apiRequest(operation: Operation): MeantRequest {
    const { method, headers, body } = exampleRequest(operation, 'required');
    const { operationId, parameters } = operation;
    const params: Record<string, string> = {};
    const query: Record<string, string> = {};
    for (const parameter of parameters) {
      const { name, example } = parameter;
      if (example === undefined) continue;
      if (parameter.in === 'path') params[name] = String(example);
      else if (parameter.in === 'query' && (parameter.required || this.#chance.percent(40)))
        query[name] = String(example);
    }
    if (operationId === 'scimDeleteUser') params.id = this.#world.leavingUser ?? '';
    if (operationId === 'scimDeleteGroup') params.id = this.#world.leavingGroup ?? '';
    if (['scimReplaceUser', 'scimPatchUser', 'scimGetUser'].includes(operationId))
      params.id = this.#world.user ?? '';
    if (['scimReplaceGroup', 'scimPatchGroup', 'scimGetGroup'].includes(operationId))
      params.id = this.#world.group ?? '';
    // A name of its own each time, as for whoever is new.
    const fresh = (text: string): string =>
      /create|scimBulk|scimReplace/i.test(operationId)
        ? text.replaceAll(
            /acme-100\d|@acme\.example|Web team|Store managers/g,
            (found) => `${found}${this.#chance.below(1e9)}`,
          )
        : text;
    if (operationId === 'appendExternalParameters' && this.#chance.percent(50))
      return {
        method,
        path: operation.path,
        params,
        query,
        headers: { ...headers, 'content-type': 'text/csv' },
        body: 'responseId,loyalty_tier\nmy-first-response,gold\n',
      };
    return {
      method,
      path: operation.path,
      params,
      query,
      headers,
      ...(body === undefined ? {} : { body: jsonOf(fresh(body), headers['content-type']) }),
    };
  }

  #consoleRequest(operation: Operation, isMutated: boolean): MeantRequest {
    const { operationId, method, path, parameters, requestBody } = operation;
    const world = this.#world;
    const isProject = path.includes('/projects/') || /Project/.test(operationId);
    const isLeaving = method === 'DELETE';
    const freshKey = String(100_000 + this.#chance.below(1e9));
    const idOf = (): string => {
      if (path.includes('/users/'))
        return (isLeaving && path.endsWith('{id}') ? world.leavingUser : world.user) ?? '';
      if (path.includes('/groups/'))
        return (isLeaving && path.endsWith('{id}') ? world.leavingGroup : world.group) ?? '';
      if (path.includes('/passkeys/')) return world.passkey ?? '';
      if (operationId === 'removeConnection') return world.leavingConnection ?? '';
      if (path.includes('/connections/') || path.includes('/providers/')) return world.connection ?? '';
      if (path.includes('/webhooks/')) return world.webhook ?? '';
      if (path.includes('/views/')) return world.viewId ?? '';
      if (path.includes('/refused/')) return world.refused ?? '';
      return world.session ?? '';
    };
    const values: Readonly<Record<string, () => string>> = {
      id: idOf,
      key: () => {
        if (/^(?:publish|plan)(?:Measure|Project)$/.test(operationId)) return freshKey;
        if (operationId === 'inviteProject') return spareProject;
        if (operationId.endsWith('Erase')) return isProject ? spareProject : measure;
        return isProject ? project : measure;
      },
      surveyId: () => (isProject ? 'acme-badge-1' : 'acme-web-browse-3'),
      responseId: () =>
        operationId.endsWith('Erase')
          ? isProject
            ? (world.response ?? '')
            : 'demo-visit'
          : isProject
            ? 'demo-badge'
            : 'demo-visit',
      clientId: () => world.client ?? '',
      tokenId: () => world.provisioningToken ?? '',
      sessionId: () => world.session ?? '',
      accountId: () => world.account ?? '',
      role: () => 'viewer',
      name: () => 'nps',
      kid: () => world.kid ?? '',
    };
    const params: Record<string, string> = {};
    const query: Record<string, string> = {};
    const headers: Record<string, string> = {};
    for (const parameter of parameters) {
      const { name, required } = parameter;
      const schema = (parameter as unknown as { schema: Schema }).schema;
      if (parameter.in === 'path') params[name] = values[name]!();
      else if (parameter.in === 'header')
        headers[name] = name === 'setup-code' ? (world.setupCode ?? '') : '*';
      else if (required || (isMutated && this.#chance.percent(30)))
        query[name] = queryValue(name, schema, this.#chance);
    }
    const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    if (type === undefined || media === undefined) return { method, path, params, query, headers };
    const body =
      type === 'text/csv'
        ? `${isProject ? 'store_id' : 'cart_value'}\n12\n`
        : this.#consoleBody(operationId, media.schema as Schema, freshKey);
    return { method, path, params, query, headers: { ...headers, 'content-type': type }, body };
  }

  #consoleBody(operationId: string, schema: Schema, key: string): unknown {
    const world = this.#world;
    const mark = String(this.#chance.below(1e9));
    const connection = { name: `n-${mark}`, issuer: 'https://127.0.0.1:9', clientId: 'id' };
    const made: Readonly<Record<string, unknown>> = {
      enterAccount: { accountId: account },
      createGroup: { displayName: `d-${mark}`, members: [world.user] },
      changeGroup: { displayName: `d-${mark}`, add: [world.user] },
      setRoleValues: { values: [{ value: `v-${mark}`, role: 'viewer' }] },
      createProvisioningToken: { name: `t-${mark}`, days: 30 },
      setPassword: { password: `nine otters hum quietly ${mark}` },
      inviteUser: { userName: `i-${mark}` },
      createConnection: connection,
      changeConnection: { issuer: connection.issuer },
      enterSetupConnection: connection,
      setUserConnection: { connectionId: null },
      createSetupLink: { connection: world.connection },
      createSharedView: { name: 'v', kind: 'measure', key: Number(measure), ...days },
      createAccount: { id: 1_000_000 + Number(mark), name: `a-${mark}` },
      changeAccount: { name: `a-${mark}` },
      removeAccount: { confirm: world.account },
      createWebhook: { name: `w-${mark}`, url: 'https://hooks.example/x', events: ['response.created'] },
      replayWebhook: {},
      setMaintenance: { on: false },
      setUserActive: { active: true },
      confirmClock: { clock: new Date().toISOString() },
      rotateKey: { kind: 'signing' },
      revokeKey: { force: false },
      redriveRefused: { surveyId: spareSurvey, dryRun: true },
      publishStarter: { language: 'en' },
      closeMeasureSurvey: { closed: false },
      closeProjectSurvey: { closed: false },
      signInByLink: { code: `0.${'A'.repeat(43)}` },
      signInByPassword: { account, name: 'nobody', password: 'nine otters hum quietly' },
      createApiClient: { name: `c-${mark}`, scopes: ['r_cx_users'] },
      setApiClientGrants: { scopes: ['r_cx_users'] },
      ...Object.fromEntries(
        ['planMeasure', 'publishMeasure', 'planProject', 'publishProject'].map((name) => [
          name,
          { document: (name.endsWith('Measure') ? measureDraft : projectDraft)(Number(key)), base: null },
        ]),
      ),
    };
    return made[operationId] ?? sampleOf(schema, this.#chance);
  }
}

function codeIn(url: unknown): string {
  return String(url).split('#')[1] ?? '';
}

function projectDraft(id: number, survey = `s-${id}`): object {
  const questions = [{ id: 'Q-STARS', name: 'Stars?', responseType: 'STAR_RATING', role: 'rating' }];
  const parameters = { custom: [{ id: 'C-STORE', name: 'store_id' }] };
  const version = { id: survey, public: true, quarantine: true, current: true, questions, parameters };
  return { id, name: `Project ${id}`, surveys: [version] };
}

function measureDraft(key: number): object {
  const questions = [{ id: 'Q-SAT', name: 'How satisfied?', scale: { min: 1, max: 10 } }];
  const latents = [{ id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION', questions }];
  return { key, name: `Measure ${key}`, surveys: [{ id: `s-${key}`, current: true, latents }] };
}

/** Both documents have a `getUser`. */
export function nameOf({ operationId, path }: Operation): string {
  return path.includes('/api/') ? `console ${operationId}` : operationId;
}

/** What takes something away that others are about comes last. */
export function weightOf({ method, operationId }: Operation): number {
  if (
    /^(?:finishSetup|endSetupLink|removeConnection|revokeKey|removeAccount|removeWebhook)$/.test(operationId)
  )
    return 3;
  if (/Rotation$/.test(operationId)) return 1.5;
  return method === 'DELETE' ? 2 : /^(?:disable|rotate)/.test(operationId) ? 1 : 0;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

function sampleOf(schema: Schema, chance: Seeded): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return chance.pick(schema.enum);
  if (schema.anyOf !== undefined) return sampleOf(chance.pick(schema.anyOf), chance);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const names = Object.keys(properties).filter((name) => required.includes(name) || chance.percent(50));
      return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name]!, chance)]));
    }
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items, chance)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return chance.percent(50);
    case 'null':
      return null;
    default:
      return schema.format === 'date' ? '2026-01-31' : 'AAAA';
  }
}

function queryValue(name: string, schema: Schema, chance: Seeded): string {
  const known: Readonly<Record<string, string>> = {
    ...days,
    by: 'device',
    filter: 'is,device,Phone',
    within: '2000',
    kind: 'measure',
    unit: 'month',
    compare: 'previous',
    surveyId: spareSurvey,
    cause: 'x',
    minimum: '1',
    limit: '2',
    after: '1',
    start: '1',
    count: '2',
    pages: '1',
  };
  return known[name] ?? String(sampleOf(schema, chance));
}

export function isJson(type = ''): boolean {
  return /[/+]json$/.test(type);
}

function jsonOf(text: string, type?: string): unknown {
  return isJson(type) ? (JSON.parse(text) as unknown) : text;
}

export function addressOf({ path, params, query }: MeantRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => asIs(params[name] ?? ''));
  const pairs = Object.entries(query).map(([name, value]) => `${asIs(name)}=${asIs(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** What is meant to be raw says so; everything else is encoded as it should be. */
const rawMark = '\u0001raw:';
export const raw = (text: string): string => `${rawMark}${text}`;
function asIs(text: string): string {
  if (text.startsWith(rawMark)) return text.slice(rawMark.length);
  return encodeURIComponent(text.toWellFormed());
}
