// Requests by chance: valid ones, ones with something wrong, and hostile ones, to every endpoint. They learn from the
// answers which users and groups there are, so that most of them meet something. The same seed asks the same.

import {
  attributes,
  hostileTexts,
  hostileValues,
  operators,
  plainTexts,
  projectSurveys,
  surveys,
  texts,
} from './random-values.ts';
import {
  bulkSchema,
  enterpriseSchema,
  groupSchema,
  patchSchema,
  serviceSchema,
  userSchema,
} from './schema-urns.ts';
import type { Seeded } from './seeded.ts';

export interface RandomRequest {
  /** What kind of request it is, for whoever reads a failure. */
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whose token is sent along. */
  readonly as: 'own' | 'foreign' | 'client' | 'nobody';
}

export class RandomRequests {
  readonly #chance: Seeded;
  readonly #users: string[] = [];
  readonly #externalIds: string[] = [];
  readonly #groups: string[] = [];
  readonly #tags: string[] = [];
  #isWild = false;

  constructor(chance: Seeded) {
    this.#chance = chance;
  }

  next(): RandomRequest {
    const chance = this.#chance;
    const shares: readonly [number, () => RandomRequest][] = [
      [18, () => this.#ingestion()],
      [10, () => this.#dataPage()],
      [4, () => this.#definition()],
      [10, () => this.#createUser()],
      [6, () => this.#readUser()],
      [5, () => this.#replaceUser()],
      [12, () => this.#patchUser()],
      [3, () => this.#deleteUser()],
      [12, () => this.#searchUsers()],
      [8, () => this.#groupRequest()],
      [4, () => this.#bulk()],
      [3, () => this.#token()],
      [2, () => this.#discovery()],
      [3, () => this.#stray()],
    ];
    let point = chance.below(shares.reduce((sum, [share]) => sum + share, 0));
    // Most mean well; with the others anything may be wrong.
    this.#isWild = chance.percent(35);
    const made = shares.find(([share]) => {
      point -= share;
      return point < 0;
    })![1]();
    return this.#disturbed(made);
  }

  /** A user or a group that means well, to begin with. */
  populate(): RandomRequest {
    this.#isWild = false;
    return this.#chance.percent(85) ? this.#createUser() : this.#newGroup();
  }

  /** What the answer tells of ids and versions is asked about later. */
  learn(request: RandomRequest, status: number, text: string): void {
    if (status >= 300 || request.as !== 'own') return;
    if (request.kind === 'delete user') forget(this.#users, request.path);
    if (request.kind === 'delete group') forget(this.#groups, request.path);
    if (text === '') return;
    if (request.kind === 'create user') {
      const body = JSON.parse(text) as { id?: unknown; externalId?: unknown; meta?: { version: string } };
      if (body.id !== undefined) remember(this.#users, String(body.id), 400);
      if (typeof body.externalId === 'string') remember(this.#externalIds, body.externalId, 200);
      if (body.meta !== undefined) remember(this.#tags, body.meta.version, 20);
    }
    if (request.kind === 'create group') remember(this.#groups, String(JSON.parse(text).id), 40);
  }

  /** Some requests go wrong on their way: other credentials, types, methods, bytes. */
  #disturbed(request: RandomRequest): RandomRequest {
    const chance = this.#chance;
    if (!this.#isWild || !chance.percent(30)) return request;
    const { body } = request;
    return chance.pick<() => RandomRequest>([
      () => ({ ...request, as: 'nobody' }),
      () => ({ ...request, as: 'foreign' }),
      () => ({ ...request, headers: { ...request.headers, authorization: 'Bearer x.y.z' }, as: 'nobody' }),
      () => ({ ...request, headers: { ...request.headers, accept: 'text/html' } }),
      () => ({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
      () => ({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}stray=1` }),
      () => ({ ...request, path: `${request.path}/` }),
      () => (typeof body === 'string' ? { ...request, body: body.slice(0, -1) } : request),
      () => (typeof body === 'string' ? { ...request, body: `\ufeff${body}` } : request),
      () =>
        typeof body === 'string'
          ? { ...request, body: Buffer.concat([Buffer.from(body), Buffer.from([0xff])]) }
          : request,
      () =>
        typeof body === 'string' ? { ...request, body: body.replace('{', '{"active":1e999,') } : request,
      () =>
        typeof body === 'string' ? { ...request, body: body.replace('{', '{"__proto__":{},') } : request,
    ])();
  }

  #ingestion(): RandomRequest {
    const chance = this.#chance;
    const isProject = chance.percent(40);
    const surveyDefinitionId =
      !this.#isWild || chance.percent(75)
        ? isProject
          ? 'acme-badge'
          : chance.pick(['acme-web', 'acme-web-older'])
        : chance.pick([...surveys, ...projectSurveys]);
    const isNewest = surveyDefinitionId === 'acme-web' || this.#isWild;
    const isOlder = surveyDefinitionId === 'acme-web-older' || this.#isWild;
    const value = (): string => String(1 + chance.below(this.#isWild ? 8 : 5));
    const day = this.#either(['2026-01-14', '2026-01-15', '2026-01-16', '2025-12-31'], ['1989-12-31']);
    const found = chance.pick(['A-YES', '1', 'A-NO']);
    const saysWhy = isNewest && (found === 'A-NO') !== (this.#isWild && chance.percent(30));
    const responses = isProject
      ? {
          'Q-STARS': [value()],
          ...(chance.percent(60) ? { 'Q-TOPIC': [chance.pick(['T-TECH', '9', 'T-OTHER'])] } : {}),
          ...(chance.percent(60) ? { 'Q-WORDS': [this.#text()] } : {}),
        }
      : {
          'Q-SAT-1': [value()],
          'Q-FOUND': [found],
          ...(chance.percent(50) ? { 'Q-SAT-2': [value()] } : {}),
          ...(saysWhy ? { 'Q-WHY': [this.#text().slice(0, 25)] } : {}),
          ...(isNewest && chance.percent(30)
            ? { 'Q-WHERE': chance.some(['W-MENU', 's', 'W-HELP', 'W-SEARCH'], 4) }
            : {}),
          ...(isNewest && chance.percent(20) ? { 'Q-LOOK-1': [chance.pick(['1', '5', 'Q-LOOK-1-DK'])] } : {}),
          ...(isOlder && chance.percent(20) ? { 'Q-PRICE': [value()] } : {}),
        };
    const body = {
      surveyDefinitionId,
      // Few enough ids that some come twice, with the same content or another.
      responseId: `r-${chance.below(4_000)}`,
      submissionTimestamp: this.#either(
        [`${day}T12:00:00Z`, `${day}T23:59:59.9999+02:00`, undefined],
        [day, this.#text()],
      ),
      responses,
      ...(chance.percent(30)
        ? { url: 'https://example.com/?ä', locale: this.#text(), pageVisits: '3', completionTimeInMs: 12 }
        : {}),
      ...(chance.percent(20)
        ? { deviceDetails: { browser: this.#text(), screenWidth: 12, isTablet: false } }
        : {}),
      ...(chance.percent(30)
        ? {
            cpps: {
              data: { [this.#word()]: this.#text(), cart_value: '12.50' },
              metrics: { [this.#word()]: this.#either([1, 0.1, -0, 9_007_199_254_740_991], [1e21, 2 ** 53]) },
              properties: { [this.#word()]: [this.#text(), 'x'] },
            },
          }
        : {}),
      ...(chance.percent(10) ? { isTest: true } : {}),
      ...(chance.percent(5) ? { [this.#word()]: this.#value() } : {}),
    };
    return {
      kind: 'ingestion',
      method: 'POST',
      path: '/v1/surveys/ingestion',
      headers: {
        'content-type': 'application/json',
        ...(chance.percent(10)
          ? { origin: chance.pick(['https://shop.example', 'https://other.example']) }
          : {}),
      },
      body: this.#json(body, 25),
      as: !this.#isWild || chance.percent(60) ? 'own' : 'nobody',
    };
  }

  #dataPage(): RandomRequest {
    const chance = this.#chance;
    const isMeasure = chance.percent(50);
    const key =
      !this.#isWild || chance.percent(60)
        ? isMeasure
          ? 700
          : 300
        : chance.pick([
            '701',
            '702',
            '703',
            '301',
            '999',
            '0',
            '-1',
            '2147483648',
            'x',
            '07',
            '9'.repeat(20),
          ]);
    const query = new URLSearchParams();
    query.set('from', this.#either(['2026-01-14', '2025-01-01', '1990-01-01'], ['2026-01-15', '2026-02-30']));
    query.set('to', this.#either(['2026-01-15', '2026-01-16', '2100-12-31'], ['2026-01-14', '10000-01-01']));
    if (chance.percent(70))
      query.set('limit', this.#either(['1', '3', '25', '100'], ['0', '-1', '1001', 'x']));
    if (chance.percent(60))
      query.set('offset', this.#either(['0', '1', '2', '7', '50'], ['1000000', '-1', '1.5', '2147483647']));
    const toggles = [
      'excludeResponseDetails',
      'excludeMQ',
      'excludeCQ',
      'excludePassedParams',
      'excludeLatentScores',
    ];
    for (const name of isMeasure || this.#isWild ? chance.some(toggles, chance.pick([0, 0, 1, 2])) : [])
      query.set(name, this.#either(['true', 'false'], ['yes', '']));
    if (this.#isWild && chance.percent(10)) query.append('limit', '2');
    return {
      kind: 'data page',
      method: 'GET',
      path: `/v1/${isMeasure ? 'measures' : 'projects'}/${key}/data?${query}`,
      headers: { accept: 'application/json' },
      as: 'own',
    };
  }

  #definition(): RandomRequest {
    const chance = this.#chance;
    const path = chance.pick([
      '/v1/measures',
      '/v1/measures?limit=2&offset=1',
      `/v1/measures?limit=${chance.pick(['0', '101', 'x'])}`,
      '/v1/projects',
      '/v1/measures/700/definition',
      '/v1/measures/700/definition?excludeQuestions=true',
      '/v1/measures/700/definition?excludeAnswers=true',
      '/v1/measures/702/definition',
      '/v1/projects/300/definition',
      '/v1/projects/303/definition',
      `/v1/projects/${chance.pick(['999', 'x', '-1', '9223372036854775808'])}/definition`,
      `/v1/measures/${chance.pick(['999', 'x', '-1', '2147483648'])}/definition`,
    ]);
    return { kind: 'definition', method: 'GET', path, headers: { accept: 'application/json' }, as: 'own' };
  }

  #createUser(): RandomRequest {
    return this.#userBody('create user', 'POST', '/Users');
  }

  #replaceUser(): RandomRequest {
    return this.#userBody('replace user', 'PUT', '/Users/ADDRESS');
  }

  #userBody(kind: string, method: string, path: string): RandomRequest {
    const chance = this.#chance;
    const isStandard = chance.percent(50);
    return {
      kind,
      method,
      path: this.#at(isStandard, path),
      headers: { 'content-type': 'application/json', ...this.#condition(method) },
      body: this.#json(this.#userOf(), 25),
      as: 'own',
    };
  }

  #userOf(): Record<string, unknown> {
    const chance = this.#chance;
    const name =
      !this.#isWild || chance.percent(80) ? `${chance.pick(plainTexts)}-${chance.below(900)}` : this.#text();
    return {
      schemas:
        !this.#isWild || chance.percent(80)
          ? [userSchema]
          : chance.pick([[userSchema, enterpriseSchema, serviceSchema], [], [enterpriseSchema], ['x']]),
      userName: name,
      name: { givenName: this.#text(), familyName: this.#text() },
      emails: [
        { value: `${chance.below(200)}@example.com`, type: chance.pick(['work', 'home']), primary: true },
      ],
      meta: {},
      ...(chance.percent(50)
        ? { externalId: !this.#isWild || chance.percent(90) ? `ext-${chance.below(2_000)}` : this.#text() }
        : {}),
      ...(chance.percent(40) ? { active: this.#either([true, false], ['True', 'x', 1]) } : {}),
      ...(chance.percent(30) ? { displayName: this.#text(), title: this.#text() } : {}),
      ...(chance.percent(20) ? { phoneNumbers: [{ value: this.#text(), type: 'mobile' }] } : {}),
      ...(chance.percent(20)
        ? { [enterpriseSchema]: { department: this.#text(), manager: { value: this.#someUser() } } }
        : {}),
      ...(chance.percent(20)
        ? { [serviceSchema]: { clientId: chance.below(5), authenticationProvider: 'x' } }
        : {}),
      ...(chance.percent(10) ? { roles: [{ value: this.#text(), primary: true }, { value: 'b' }] } : {}),
      ...(chance.percent(10) ? { addresses: [{ country: 'DE', type: 'work' }] } : {}),
      ...(this.#isWild && chance.percent(20) ? { [this.#word()]: this.#value() } : {}),
    };
  }

  #readUser(): RandomRequest {
    const chance = this.#chance;
    const isStandard = chance.percent(50);
    const shown =
      isStandard && chance.percent(40) ? `?${chance.pick(['attributes', 'excludedAttributes'])}=` : '';
    const names = shown === '' ? '' : encodeURIComponent(chance.some(attributes, 3).join(','));
    return {
      kind: 'read user',
      method: 'GET',
      path: `${this.#at(isStandard, '/Users/ADDRESS')}${shown}${names}`,
      headers: this.#condition('GET'),
      as: 'own',
    };
  }

  #patchUser(): RandomRequest {
    const chance = this.#chance;
    const isStandard = chance.percent(50);
    const count = chance.pick([1, 1, 2, 3, 5]);
    return {
      kind: 'patch user',
      method: 'PATCH',
      path: this.#at(isStandard, '/Users/ADDRESS'),
      headers: { 'content-type': 'application/scim+json', ...this.#condition('PATCH') },
      body: this.#json(
        {
          schemas: [patchSchema],
          [isStandard ? 'Operations' : 'operations']: Array.from({ length: count }, () => this.#operation()),
        },
        15,
      ),
      as: 'own',
    };
  }

  #operation(): object {
    const chance = this.#chance;
    const op = this.#either(['add', 'replace', 'Add', 'Replace'], ['remove', 'Remove', 'move']);
    const usual: readonly object[] = [
      { op, path: 'active', value: this.#either(['True', 'False', true, false], ['maybe', 1]) },
      { op, path: 'name.givenName', value: this.#text() },
      { op, path: 'emails[type eq "work"].value', value: `${chance.below(200)}@example.com` },
      { op, path: 'emails[primary eq true].value', value: this.#text() },
      { op, path: 'phoneNumbers[type eq "mobile"].value', value: this.#text() },
      { op, path: 'roles[primary eq "True"].value', value: 'admin' },
      { op, path: 'emails', value: [{ value: this.#text(), type: 'home' }] },
      { op, path: 'userName', value: `${chance.pick(plainTexts)}-${chance.below(900)}` },
      { op, path: 'externalId', value: `ext-${chance.below(2_000)}` },
      { op, path: `${enterpriseSchema}:department`, value: this.#text() },
      { op, path: `${enterpriseSchema}:manager`, value: this.#someUser() },
      { op: chance.pick(['remove', 'Remove']), path: chance.pick(['title', 'displayName', 'phoneNumbers']) },
      { op, value: { displayName: this.#text(), 'name.familyName': this.#text() } },
      { op, value: { active: chance.percent(50) } },
      { op, value: { name: { givenName: this.#text() }, [enterpriseSchema]: { department: 'x' } } },
    ];
    const odd: readonly object[] = [
      { op, path: 'emails[value co "1"]' },
      { op, value: { active: chance.percent(50), [this.#word()]: this.#value() } },
      { op, path: chance.pick(attributes), value: this.#value() },
      { op, path: `emails[${this.#filter(1)}].value`, value: this.#text() },
      { op, path: this.#text(), value: this.#value() },
    ];
    return this.#either(usual, odd);
  }

  #deleteUser(): RandomRequest {
    return {
      kind: 'delete user',
      method: 'DELETE',
      path: this.#at(this.#chance.percent(90), '/Users/ADDRESS'),
      headers: this.#condition('DELETE'),
      as: 'own',
    };
  }

  #searchUsers(): RandomRequest {
    const chance = this.#chance;
    const isStandard = chance.percent(60);
    const filter = isStandard
      ? this.#filter(2)
      : chance.pick([
          `userName eq ${quoted(`${chance.pick(plainTexts)}-${chance.below(900)}`)}`,
          `name.givenName ${chance.pick(['co', 'sw', 'ew'])} ${quoted(this.#text())}`,
          `name.familyName co ${quoted(this.#text())} and name.givenName sw ${quoted(this.#text())}`,
          this.#isWild ? this.#filter(1) : `name.familyName ew ${quoted(chance.pick(['a', 'e', 'B']))}`,
        ]);
    const wanted: Record<string, unknown> = {
      ...(chance.percent(85) ? { filter } : {}),
      ...(chance.percent(50) ? { startIndex: this.#either([1, 2, 100], [0, -5, 10_000]) } : {}),
      ...(chance.percent(60) ? { count: this.#either([0, 1, 10, 200], [-1, 1_000, 1.5]) } : {}),
      ...(chance.percent(40)
        ? {
            sortBy: this.#either(texts, attributes),
            sortOrder: this.#either(['ascending', 'descending'], ['up']),
          }
        : {}),
      ...(isStandard && chance.percent(20) ? { attributes: chance.some(attributes, 2) } : {}),
    };
    const base = isStandard ? '/scim/v2' : '/v1/scim';
    if (chance.percent(35)) {
      return {
        kind: 'search users',
        method: 'POST',
        path: `${base}${chance.pick(['/Users/.search', '/Users/.search', '/.search', '/Groups/.search'])}`,
        headers: { 'content-type': 'application/json' },
        body: this.#json(wanted, 10),
        as: 'own',
      };
    }
    const query = new URLSearchParams(
      Object.entries(wanted).map(([name, value]) => [name, wellFormed(value)]),
    );
    const type = isStandard && chance.percent(20) ? '/Groups' : '/Users';
    return { kind: 'search users', method: 'GET', path: `${base}${type}?${query}`, headers: {}, as: 'own' };
  }

  #filter(depth: number): string {
    const chance = this.#chance;
    const one = (): string => {
      const operator = this.#either(operators.slice(0, -1), operators);
      const attribute = this.#either(texts, attributes);
      if (operator === 'pr') return `${attribute} pr`;
      const operand = chance.pick([
        () => quoted(this.#text()),
        () => quoted(chance.pick(plainTexts)),
        () => quoted(chance.pick(['a', 'e', '1', 'work', 'ext-', '@example.com'])),
        () => quoted(this.#someUser()),
        () => quoted(chance.pick(['2026-11-15T00:00:00Z', '2001-01-01T00:00:00.000Z', 'W/"1"'])),
        () => this.#either(['"b"', '"z"'], ['true', 'false', 'null', '1', '-1.5e3', 'x']),
      ])();
      return `${attribute} ${operator} ${operand}`;
    };
    if (depth === 0) return one();
    const inner = (): string => this.#filter(depth - 1);
    return chance.pick([
      one,
      one,
      () => `${inner()} and ${inner()}`,
      () => `${inner()} or ${inner()}`,
      () => `not (${inner()})`,
      () => `(${inner()})`,
      () => `emails[type eq "work" and value co ${quoted(this.#text())}]`,
      () => `${inner()}${this.#either(['', ' and title pr'], [' and', ')', ' xor userName pr', '['])}`,
    ])();
  }

  #groupRequest(): RandomRequest {
    const chance = this.#chance;
    const headers = { 'content-type': 'application/scim+json' };
    const some = (): { value: string }[] =>
      Array.from({ length: chance.pick([0, 1, 3, 10]) }, () => ({ value: this.#someUser() }));
    const displayName = this.#groupName();
    const one = `/scim/v2/Groups/${encodeURIComponent(this.#someGroup())}`;
    const op = chance.pick(['add', 'replace', 'Add', 'Replace']);
    const removal = chance.pick(['remove', 'Remove']);
    const usual = [
      { op, path: 'members', value: some() },
      { op: removal, path: 'members', value: some() },
      { op: removal, path: `members[value eq "${this.#someUser()}"]` },
      { op, path: 'displayName', value: displayName },
      { op, value: { displayName } },
      { op, value: { members: some() } },
    ];
    const odd = [
      { op: removal, path: `members[${this.#filter(1)}]` },
      { op: 'remove', path: 'displayName' },
      { op, path: chance.pick(attributes), value: this.#value() },
    ];
    const operations = this.#isWild ? [...usual, ...odd] : usual;
    return chance.pick<() => RandomRequest>([
      () => this.#newGroup(),
      () => ({ kind: 'read group', method: 'GET', path: one, headers: this.#condition('GET'), as: 'own' }),
      () => ({
        kind: 'replace group',
        method: 'PUT',
        path: one,
        headers: { ...headers, ...this.#condition('PUT') },
        body: this.#json(this.#groupOf(), 20),
        as: 'own',
      }),
      () => ({
        kind: 'patch group',
        method: 'PATCH',
        path: chance.percent(30) ? `${one}?attributes=members,displayName` : one,
        headers: { ...headers, ...this.#condition('PATCH') },
        body: this.#json({ schemas: [patchSchema], Operations: chance.some(operations, 2) }, 15),
        as: 'own',
      }),
      () => ({
        kind: 'patch group',
        method: 'PATCH',
        path: one,
        headers,
        body: this.#json({ schemas: [patchSchema], Operations: chance.some(operations, 3) }, 5),
        as: 'own',
      }),
      () =>
        chance.percent(30)
          ? { kind: 'delete group', method: 'DELETE', path: one, headers: {}, as: 'own' }
          : { kind: 'list groups', method: 'GET', path: '/scim/v2/Groups?count=5', headers: {}, as: 'own' },
    ])();
  }

  #newGroup(): RandomRequest {
    return {
      kind: 'create group',
      method: 'POST',
      path: '/scim/v2/Groups',
      headers: { 'content-type': 'application/scim+json' },
      body: this.#json(this.#groupOf(), 20),
      as: 'own',
    };
  }

  #groupOf(): object {
    const chance = this.#chance;
    return {
      schemas: [groupSchema],
      displayName: this.#groupName(),
      members: Array.from({ length: chance.pick([0, 1, 3, 10]) }, () => ({ value: this.#someUser() })),
      ...(chance.percent(30) ? { externalId: `g-${chance.below(200)}` } : {}),
    };
  }

  #groupName(): string {
    const { below } = this.#chance;
    return this.#isWild && below(5) === 0 ? this.#text() : `group ${below(200)}`;
  }

  #bulk(): RandomRequest {
    const chance = this.#chance;
    const operations = Array.from({ length: 1 + chance.below(6) }, (_, index) => {
      const path = chance.pick(['/Users', '/Groups', `/Users/${this.#someUser()}`, '/Users/bulkId:b0', '/x']);
      return chance.pick<object>([
        { method: 'POST', path: '/Users', bulkId: `b${index}`, data: this.#userOf() },
        {
          method: 'POST',
          path: '/Groups',
          bulkId: `b${index}`,
          data: {
            schemas: [groupSchema],
            displayName: `bulk ${chance.below(40)}`,
            members: [{ value: 'bulkId:b0' }],
          },
        },
        { method: 'PATCH', path, data: { schemas: [patchSchema], Operations: [this.#operation()] } },
        { method: 'DELETE', path, ...(chance.percent(30) ? { version: chance.pick(['W/"1"', 'x']) } : {}) },
        { method: chance.pick(['PUT', 'GET', 'POST', 'x']), path, bulkId: 'b0', data: this.#userOf() },
      ]);
    });
    return {
      kind: 'bulk',
      method: 'POST',
      path: '/scim/v2/Bulk',
      headers: { 'content-type': 'application/scim+json' },
      body: this.#json(
        {
          schemas: [bulkSchema],
          Operations: operations,
          ...(chance.percent(30) ? { failOnErrors: chance.pick([1, 2, 0, 'x']) } : {}),
        },
        10,
      ),
      as: 'own',
    };
  }

  #token(): RandomRequest {
    const chance = this.#chance;
    const scope = chance.pick([
      'r_cx_basic',
      'r_cx_users',
      'r_cx_users w_cx_users',
      'nonsense',
      '',
      'r_cx_basic x',
    ]);
    const grant = this.#either(['client_credentials'], ['password', '']);
    const query = new URLSearchParams({ grant_type: grant, scope });
    const isForm = chance.percent(50);
    return {
      kind: 'token',
      method: 'POST',
      path: isForm ? '/v1/token' : `/v1/token?${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...(isForm ? { body: query.toString() } : {}),
      as: this.#either(['client'], ['nobody', 'own']),
    };
  }

  #discovery(): RandomRequest {
    const chance = this.#chance;
    const path = chance.pick([
      '/scim/v2/ServiceProviderConfig',
      '/scim/v2/ResourceTypes',
      '/scim/v2/Schemas',
      '/scim/v2/Schemas?filter=x',
      `/scim/v2/Schemas/${userSchema}`,
      '/v1/scim/ServiceProviderConfig',
      '/v1/scim/ResourceTypes',
      '/v1/scim/Schemas',
      '/scim/v2/Me',
    ]);
    return { kind: 'discovery', method: 'GET', path, headers: { accept: 'application/json' }, as: 'own' };
  }

  #stray(): RandomRequest {
    const chance = this.#chance;
    const path = chance.pick([
      '/',
      '/v1',
      '/v1/nothing',
      '/scim/v2/Nothing',
      '/v1/scim/Groups',
      '/v1/measures/700',
      '/v1/measures/700/data',
      '/v1/projects/300/data?from=x&to=y',
      `/v1/scim/Users/${encodeURIComponent(wellFormed(this.#text()))}`,
      `/scim/v2/Users/${encodeURIComponent(wellFormed(this.#text()))}`,
      '/v1/scim/Users/%ff',
      '/v1/scim/Users/%00',
      '/scim/v2/Users?filter=%',
    ]);
    const method = chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']);
    return { kind: 'stray', method, path, headers: { accept: '*/*' }, as: 'own' };
  }

  #condition(method: string): Record<string, string> {
    const chance = this.#chance;
    if (!chance.percent(this.#isWild ? 30 : 5)) return {};
    const tag = chance.pick([...this.#tags, 'W/"1"', 'W/"2"', '"1"', '*', 'x', '""', 'W/"1", W/"2"']);
    return { [method === 'GET' ? 'if-none-match' : chance.pick(['if-match', 'if-none-match'])]: tag };
  }

  #at(isStandard: boolean, path: string): string {
    const chance = this.#chance;
    const address = chance.percent(92)
      ? !isStandard && this.#externalIds.length > 0 && chance.percent(60)
        ? chance.pick(this.#externalIds)
        : this.#someUser()
      : wellFormed(this.#text());
    return `${isStandard ? '/scim/v2' : '/v1/scim'}${path.replace('ADDRESS', encodeURIComponent(address))}`;
  }

  #someUser(): string {
    const chance = this.#chance;
    return this.#users.length > 0 && chance.percent(95) ? chance.pick(this.#users) : '1000000009';
  }

  #someGroup(): string {
    const chance = this.#chance;
    return this.#groups.length > 0 && chance.percent(95) ? chance.pick(this.#groups) : '1000000010';
  }

  /** One of the first where a request means well; of either where it does not. */
  #either<T, U>(good: readonly T[], bad: readonly U[]): T | U {
    const chance = this.#chance;
    return this.#isWild && chance.percent(40) ? chance.pick(bad) : chance.pick(good);
  }

  #text(): string {
    const chance = this.#chance;
    return this.#isWild && chance.percent(40) ? chance.pick(hostileTexts) : chance.pick(plainTexts);
  }

  #word(): string {
    const chance = this.#chance;
    return this.#isWild && chance.percent(40) ? this.#text() : chance.pick(['cart', 'plan', 'ä', 'tier']);
  }

  #value(): unknown {
    return this.#chance.percent(40) ? this.#text() : structuredClone(this.#chance.pick(hostileValues));
  }

  /** The body as text, of which so many in a hundred have one thing changed. */
  #json(body: object, wrongPercent: number): string {
    const copy = structuredClone(body);
    if (this.#isWild && this.#chance.percent(2 * wrongPercent)) this.#spoil(copy as Record<string, unknown>);
    return JSON.stringify(copy);
  }

  #spoil(node: Record<string, unknown>): void {
    const chance = this.#chance;
    const names = Object.keys(node);
    if (names.length === 0) return;
    const name = chance.pick(names);
    const value = node[name];
    if (typeof value === 'object' && value !== null && chance.percent(60))
      return this.#spoil(value as Record<string, unknown>);
    if (chance.percent(25) && !Array.isArray(node)) delete node[name];
    else if (chance.percent(15) && !Array.isArray(node)) node[this.#word()] = this.#value();
    else node[name] = this.#value();
  }
}

const quoted = (text: string): string => JSON.stringify(text);

/** Addresses are bytes: half a character cannot be written into one. */
function wellFormed(value: unknown): string {
  return (
    typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : String(value)
  ).toWellFormed();
}

function forget(list: string[], path: string): void {
  const at = list.indexOf(decodeURIComponent(path.split('/').at(-1)!));
  if (at !== -1) list.splice(at, 1);
}

function remember(list: string[], value: string, atMost: number): void {
  list.push(value);
  if (list.length > atMost) list.shift();
}
