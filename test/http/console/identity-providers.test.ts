// The pages of identity providers as their endpoints see them: what a provider did, a sign-in that lets nobody in, tokens that
// end, and the link that hands all of it to somebody without a user, and nothing else.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { consoleCall, grantAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { OpenIdProvider, type ProviderPerson } from '../../support/openid-provider.ts';
import { patience } from '../../support/patience.ts';
import { Browser } from '../../support/provider-sign-in.ts';
import { groupSchema, patchSchema, userSchema } from '../../support/schema-urns.ts';
import { commandHere, commandHereOk, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const oidOf = (index: number): string => `0F9d-${String(index).padStart(6, '0')}`;

interface Deed {
  readonly deed: string;
  readonly token: { readonly name: string };
  readonly subject: {
    readonly kind: string;
    readonly id: string | null;
    readonly name: string | null;
  } | null;
  readonly attributes: readonly string[];
  readonly members: { readonly joined: number; readonly left: number } | null;
  readonly isWithoutEffect: boolean;
  readonly refusal: { readonly code: string; readonly remedy: string } | null;
  readonly status: number;
}

interface Tested {
  readonly subject: string | null;
  readonly claims: readonly { readonly name: string; readonly value: string; readonly isCut: boolean }[];
  readonly claimsLeftOut: number;
  readonly user: {
    readonly id: string;
    readonly userName: string;
    readonly externalId: string | null;
  } | null;
  readonly refusal: { readonly code: string; readonly match: string | null; readonly note: string } | null;
}

for (const engine of engines)
  describe(`identity providers in the console on ${engine.name}`, () => pages(engine));

function pages(engine: Engine): void {
  let context: ProvisioningService;
  let entra: OpenIdProvider;
  let bad: OpenIdProvider;
  let hanging: Promise<Answer>;
  let ids: readonly number[];
  let admin: string;
  let identity: string;
  let elsewhere: string;
  let connection: string;
  const base = (): string => context.service.baseUrl;
  const url = (): string => context.store.databaseUrl;
  const call = (method: string, path: string, cookie: string, body?: unknown): Promise<Answer> =>
    consoleCall(base(), method, path, { cookie, ...(body !== undefined && { body }) });
  const made = async (path: string, body: object, cookie = admin): Promise<Record<string, string>> => {
    const answer = await call('POST', path, cookie, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body as Record<string, string>;
  };
  /** As a provider sends it. */
  const scim = async (token: string, method: string, path: string, body?: object): Promise<Answer> =>
    exchange(`${base()}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/scim+json',
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const logOf = async (query: string, cookie = admin): Promise<readonly Deed[]> => {
    const { status, body, text } = await call('GET', `/provisioning-log${query}`, cookie);
    assert.equal(status, 200, text);
    return body.items as readonly Deed[];
  };
  const bySetup = (
    code: string,
    method: string,
    path: string,
    { body, cookie, at = base() }: { body?: unknown; cookie?: string; at?: string } = {},
  ): Promise<Answer> =>
    consoleCall(at, method, `/setup${path}`, {
      headers: { 'setup-code': code },
      ...(body !== undefined && { body }),
      ...(cookie !== undefined && { cookie }),
    });
  const newLink = async (body: object = { kind: 'entra' }): Promise<string> => {
    const { url: address = '' } = await made('/setup-link', body);
    const [, code = ''] = /^http:\/\/localhost:\d+\/setup#(1\.[\w-]{43})$/.exec(address) ?? [];
    assert.ok(code, address);
    return code;
  };
  const entraPerson = (index: number, more: object = {}): ProviderPerson => ({
    sub: `pairwise-${index}`,
    oid: oidOf(index),
    preferred_username: `person-${index}@acme.example`,
    ...more,
  });

  before(async () => {
    [entra, bad] = await Promise.all([OpenIdProvider.start(), OpenIdProvider.start()]);
    context = await startProvisioning(engine, { ...patience, SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' });
    const profiles = (mark: string) =>
      Array.from({ length: people }, (_, index) => ({
        userName: `${mark}-${index}@acme.example`,
        ...(index < people - 20 && { externalId: oidOf(index) }),
        active: index % 50 !== 49,
      }));
    ids = await addUsers(url(), 1, profiles('person'));
    const otherIds = await addUsers(url(), 2, profiles('person'));
    await grantAside(url(), 1, { user: ids[0]! }, 'admin');
    await grantAside(url(), 1, { user: ids[1]! }, 'identity');
    await grantAside(url(), 2, { user: otherIds[0]! }, 'admin');
    admin = await sessionAside(url(), { accountId: 1, personId: ids[0]! });
    identity = await sessionAside(url(), { accountId: 1, personId: ids[1]! });
    elsewhere = await sessionAside(url(), { accountId: 2, personId: otherIds[0]! });
    const facts = { issuer: entra.issuer, clientId: entra.clientId, secret: entra.clientSecret };
    connection = (await made('/connections', { ...facts, name: 'Entra ID', subjectClaim: 'oid' })).id!;
    bad.lies = { metadataAnswer: 'hangs' };
    const broken = await made('/connections', { ...facts, name: 'Broken', issuer: bad.issuer });
    hanging = call('POST', `/connections/${broken.id}/test-sign-in`, admin);
  });
  after(async () => {
    await Promise.all([entra?.stop(), bad?.stop()]);
    await context?.close();
  });
  afterEach(() => {
    entra.lies = {};
  });

  it('the page waits for the first request, and then says what the provider did, to whom, and what to do where it failed [D-605]', async () => {
    const { token = '', id = '' } = await made('/provisioning-tokens', { name: 'Entra ID', connection });
    const watched = async (): Promise<Record<string, unknown>> => {
      const { body } = await call('GET', `/providers/${connection}`, identity);
      return (body.tokens as Record<string, unknown>[]).find((one) => one.id === id)!;
    };
    assert.deepEqual(
      [(await watched()).isHeard, (await watched()).requests, await logOf(`?token=${id}`)],
      [false, 0, []],
    );
    const user = (userName: string, more: object = {}): object => ({
      schemas: [userSchema],
      userName,
      active: true,
      ...more,
    });
    const patch = (...Operations: readonly object[]): object => ({ schemas: [patchSchema], Operations });
    const ada = await scim(
      token,
      'POST',
      '/Users',
      user('ada@acme.example', { externalId: 'oid-ada', displayName: 'Ada <b>Byron</b>' }),
    );
    assert.equal(ada.status, 201, ada.text);
    const adaId = String(ada.body.id);
    const group = await scim(token, 'POST', '/Groups', { schemas: [groupSchema], displayName: 'CX team' });
    const sent: readonly (readonly [number, string, string, object?])[] = [
      [200, 'GET', `/Users?filter=${encodeURIComponent('userName eq "nobody-7"')}`],
      [200, 'PATCH', `/Users/${adaId}`, patch({ op: 'Replace', path: 'title', value: 'Countess' })],
      [200, 'PATCH', `/Users/${adaId}`, patch({ op: 'Replace', path: 'active', value: 'False' })],
      [200, 'PATCH', `/Users/${adaId}`, patch({ op: 'Replace', path: 'active', value: 'True' })],
      [409, 'POST', '/Users', user('PERSON-3@acme.example')],
      [400, 'PATCH', `/Users/${adaId}`, patch({ op: 'Replace', path: 'shoeSize', value: '38' })],
      [
        204,
        'PATCH',
        `/Groups/${group.body.id}`,
        patch({ op: 'Add', path: 'members', value: [{ value: adaId }] }),
      ],
      [204, 'DELETE', `/Users/${ids[2]}`],
    ];
    for (const [status, method, path, body] of sent) {
      const answer = await scim(token, method, path, body);
      assert.ok([status, 200].includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
    }
    const deeds = await until(
      async () => logOf(`?connection=${connection}`),
      (all) => all.length === sent.length + 2,
    );
    const told = deeds
      .toReversed()
      .map(({ deed, subject, refusal }) => [
        deed,
        subject === null ? null : [subject.kind, subject.name],
        refusal?.remedy ?? null,
      ]);
    const ofAda = ['user', 'Ada <b>Byron</b>'];
    assert.deepEqual(told, [
      ['createUser', ofAda, null],
      ['createGroup', ['group', 'CX team'], null],
      ['askUsers', null, null],
      ['changeUser', ofAda, null],
      ['suspendUser', ofAda, null],
      ['reactivateUser', ofAda, null],
      ['createUser', null, 'nameTaken'],
      ['changeUser', ofAda, 'attributeUnknown'],
      ['changeGroup', ['group', 'CX team'], null],
      ['deleteUser', ['user', null], null],
    ]);
    assert.deepEqual(deeds[6]!.attributes, ['title']);
    assert.deepEqual(deeds[1]!.members, { joined: 1, left: 0 });
    assert.ok(deeds.every(({ token: { name } }) => name === 'Entra ID'));
    const state = await watched();
    assert.deepEqual([state.isHeard, state.requests, state.refused], [true, 10, 2]);
    assert.equal((await logOf(`?connection=${connection}&show=problems`)).length, 2);
    assert.equal((await logOf(`?connection=${connection}&show=changes`)).length, 9);
    // In pages, each once.
    const seen: unknown[] = [];
    for (let after = ''; ; ) {
      const { body } = await call('GET', `/provisioning-log?token=${id}&limit=3${after}`, admin);
      seen.push(...(body.items as readonly unknown[]));
      if (body.next === null) break;
      after = `&after=${String(body.next)}`;
    }
    assert.deepEqual(seen, deeds);
    assert.deepEqual(await logOf(`?token=${id}`, elsewhere), []);
    assert.equal((await call('GET', `/providers/${connection}`, elsewhere)).status, 404);
    assert.deepEqual((await call('GET', '/providers', elsewhere)).body.providers, []);
  });

  it('a token is worth a warning 30 days before its end; the next one stands beside it [D-604]', async () => {
    const near = await made('/provisioning-tokens', { name: 'Near', days: 20, connection });
    const far = await made('/provisioning-tokens', { name: 'Far', days: 40, connection });
    const { body } = await call('GET', '/providers', identity);
    const [provider] = (body.providers as { tokens: Record<string, unknown>[]; kind: string }[]).filter(
      (one) => one.tokens.length > 0,
    );
    const soon = Object.fromEntries(provider!.tokens.map((one) => [one.id, one.endsSoon]));
    assert.deepEqual([soon[near.id!], soon[far.id!]], [true, false]);
    const { body: addresses } = await call('GET', `/providers/${connection}`, identity);
    const { scim: tenant, backChannel } = addresses.addresses as Record<string, string>;
    assert.match(tenant!, /^http:\/\/localhost:\d+\/scim\/v2$/);
    assert.ok(backChannel!.endsWith(`/console/logout/1/${connection}`));
    await storeRows(
      url(),
      `update provisioning_token set revoked_at = 5 where account_id = 1 and id <> '${near.id}'`,
    );
    const tested = await call('POST', `/connections/${connection}/test`, admin);
    const findings = tested.body.findings as readonly { code: string; level: string; count?: number }[];
    assert.deepEqual(
      findings.map(({ code, count }) => [code, ...(count === undefined ? [] : [count])]),
      [['answers'], ['withoutExternalId', 19], ['tokenEnds'], ['notSignedIn']],
    );
    assert.equal((await call('DELETE', `/provisioning-tokens/${near.id}`, identity)).status, 204);
  });

  it('a test sign-in shows claims and whom they mean, or why nobody, once, and lets nobody in [D-603]', async () => {
    const test = async (cookie = identity): Promise<{ tested: Tested; browser: Browser }> => {
      const begun = await call('POST', `/connections/${connection}/test-sign-in`, cookie);
      assert.equal(begun.status, 200, begun.text);
      const browser = new Browser(base());
      for (const line of [begun.headers['set-cookie'] ?? []].flat()) {
        const [, name, value] = /^([\w-]+)=([^;]*)/.exec(line)!;
        browser.cookies.set(name!, value!);
      }
      const there = await exchange(String(begun.body.url));
      const back = await browser.comeBack(String(there.headers.location));
      assert.equal(back.location, `/console/provider/${connection}?tested=1`);
      assert.equal(back.cookie, null, 'nobody is signed in');
      const sealed = browser.cookies.get('soundings-test')!;
      const answer = await call(
        'POST',
        `/connections/${connection}/test-sign-in/result`,
        `${cookie}; soundings-test=${sealed}`,
      );
      assert.equal(answer.status, 200, answer.text);
      assert.match(String(answer.headers['set-cookie']), /soundings-test=; Path=\/; Max-Age=0/);
      return { tested: answer.body as unknown as Tested, browser };
    };
    const sessions = async (): Promise<unknown> =>
      (await storeRows(url(), 'select count(*) as count from session'))[0]!.count;
    const before = await sessions();
    entra.person = entraPerson(5, { name: '<script>alert(1)</script>' });
    const { tested, browser } = await test();
    assert.deepEqual(
      [tested.subject, tested.user, tested.refusal],
      [oidOf(5), { id: String(ids[5]), userName: 'person-5@acme.example', externalId: oidOf(5) }, null],
    );
    const claims = Object.fromEntries(tested.claims.map(({ name, value }) => [name, value]));
    assert.deepEqual([claims.oid, claims.name], [oidOf(5), '<script>alert(1)</script>']);
    // A test asks for what a sign-in asks for, so that it shows whether the provider says when somebody signed in [D-822].
    assert.match(String(claims.auth_time), /^\d{10}$/);
    // Another session reads nothing of it, and neither does another connection.
    const sealed = browser.cookies.get('soundings-test')!;
    const stolen = await call(
      'POST',
      `/connections/${connection}/test-sign-in/result`,
      `${admin}; soundings-test=${sealed}`,
    );
    assert.equal(stolen.status, 404);
    assert.equal(
      (await call('POST', `/connections/${connection}/test-sign-in/result`, identity)).status,
      404,
      'without the cookie there is nothing',
    );
    for (const [person, code, match, nearly] of [
      [entraPerson(49), 'noMatch', 'suspended', ids[49]],
      [entraPerson(7, { oid: oidOf(7).toLowerCase() }), 'noMatch', 'otherCase', ids[7]],
      [entraPerson(7, { oid: 'another' }), 'noMatch', 'otherExternalId', ids[7]],
      [entraPerson(people - 1), 'noExternalId', 'noExternalId', ids[people - 1]],
      [{ sub: 'x', oid: 'nobody' }, 'noMatch', 'noUser', undefined],
      [{ sub: 'x' }, 'claimMissing', null, undefined],
    ] as const) {
      entra.person = person;
      const { tested: found } = await test();
      assert.deepEqual([found.refusal?.code, found.refusal?.match], [code, match]);
      assert.equal(found.user?.id, nearly === undefined ? undefined : String(nearly));
      assert.ok(
        found.claims.some(({ name }) => name === 'sub'),
        'what came is shown all the same',
      );
    }
    entra.person = entraPerson(5);
    entra.lies = { error: 'access_denied' };
    assert.deepEqual((await test()).tested.refusal?.code, 'providerError');
    entra.lies = { foreignKey: true };
    assert.deepEqual((await test()).tested.refusal?.code, 'tokenMismatch');
    entra.lies = {};
    // Much more than can be shown, and more than is read at all.
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [`claim-${at}`, 'ü\u0000'.repeat(200)]),
    );
    entra.person = entraPerson(5, many);
    const large = (await test()).tested;
    assert.equal(large.user?.id, String(ids[5]));
    assert.ok(large.claimsLeftOut > 70 && large.claims.some(({ isCut }) => isCut));
    entra.person = entraPerson(5, { more: 'x'.repeat(1_000_000) });
    const huge = (await test()).tested;
    assert.deepEqual([huge.refusal?.code, huge.claims], ['providerUnreachable', []]);
    assert.match(huge.refusal!.note, /more than 524288 bytes/);
    assert.equal(await sessions(), before);
    const [row] = await storeRows(url(), `select tested_at from connection where id = '${connection}'`);
    assert.equal(row!.tested_at, null, 'it is no sign-in');
    const [entry] = await storeRows(
      url(),
      `select actor from audit where account_id = 1 and action = 'connection.test' order by id desc limit 1`,
    );
    assert.equal(entry!.actor, `user ${ids[1]}`);
  });

  it('admins alone make set-up links, after a fresh sign-in; a newer one ends the one before [D-600, D-601]', async () => {
    assert.equal((await call('POST', '/setup-link', identity, {})).body.code, 'ABILITY_MISSING');
    const stale = await sessionAside(
      url(),
      { accountId: 1, personId: ids[0]! },
      { signedInAtMs: Date.now() - 16 * 60_000 },
    );
    assert.equal((await call('POST', '/setup-link', stale, {})).body.code, 'FRESH_SIGN_IN_REQUIRED');
    assert.equal((await call('POST', '/setup-link', admin, { connection: 'cn_nobody' })).status, 404);
    assert.equal((await call('POST', '/setup-link', elsewhere, { connection })).status, 404);
    const first = await newLink();
    const code = await newLink();
    assert.equal((await bySetup(first, 'GET', '')).body.code, 'SIGN_IN_REFUSED');
    const { status, body, text } = await bySetup(code, 'GET', '');
    assert.deepEqual(
      [status, body.account, body.kind, body.connection, body.tokens],
      [200, 'One', 'entra', null, []],
    );
    assert.ok(!text.includes('acme.example'), 'nothing else of the account');
    const rows = JSON.stringify(await storeRows(url(), 'select * from setup_link'));
    assert.ok(!rows.includes(code.slice(2)) && rows.includes('code_hash'));
    const listed = await call('GET', '/providers', identity);
    assert.ok(!listed.text.includes(code.slice(2)));
    assert.notEqual((listed.body.setupLink as { usedAt: string | null }).usedAt, null);
    // Over, or taken back.
    await storeRows(url(), 'update setup_link set expires_at = 5 where account_id = 1');
    assert.equal((await bySetup(code, 'GET', '')).status, 401);
    const last = await newLink();
    assert.equal((await call('DELETE', '/setup-link', identity)).body.code, 'ABILITY_MISSING');
    assert.equal((await call('DELETE', '/setup-link', elsewhere)).status, 204);
    assert.equal((await bySetup(last, 'GET', '')).status, 200, 'that of another account stays');
    assert.equal((await call('DELETE', '/setup-link', admin)).status, 204);
    assert.equal((await bySetup(last, 'GET', '')).status, 401);
    assert.equal((await call('DELETE', '/setup-link', admin)).status, 204);
    const trail = await storeRows(
      url(),
      `select action, actor from audit where account_id = 1 and action like 'setup-link.%' order by id`,
    );
    assert.deepEqual(
      trail.map(({ action, actor }) => `${action} ${String(actor).replace(/sl_\w+/, 'X')}`),
      [
        `setup-link.create user ${ids[0]}`,
        `setup-link.create user ${ids[0]}`,
        'setup-link.use set-up link X',
        `setup-link.create user ${ids[0]}`,
        'setup-link.use set-up link X',
        `setup-link.end user ${ids[0]}`,
      ],
    );
  });

  it('a set-up link is made, listed and taken back from a terminal, of its own account alone [D-643]', async () => {
    const { env } = context;
    const account = ['--account', '1'];
    const printed = await commandHereOk(
      ['setup-link', 'create', ...account, '--connection', connection],
      env,
    );
    const [, code = ''] = /\/setup#(1\.[\w-]{43})$/.exec(printed.trim()) ?? [];
    const opened = await bySetup(code, 'GET', '');
    assert.equal((opened.body.connection as { id: string }).id, connection);
    const listed = await commandHereOk(['setup-link', 'list', ...account, '--json'], env);
    assert.ok(!listed.includes(code.slice(2)));
    assert.equal((JSON.parse(listed) as { connectionId: string }[])[0]!.connectionId, connection);
    assert.match(await commandHereOk(['setup-link', 'list', ...account], env), /by command line, until 2/);
    for (const wrong of [
      ['create', ...account, '--kind', 'ldap'],
      ['create', ...account, '--days', '31'],
      ['create', ...account, '--connection', 'cn_nobody'],
      ['create', ...account, '--kind', 'okta', '--connection', connection],
      ['create', '--account', '2', '--connection', connection],
      ['revoke', '--account', '4711'],
    ])
      assert.equal((await commandHere(['setup-link', ...wrong], env)).code, 1, wrong.join(' '));
    assert.match(await commandHereOk(['setup-link', 'revoke', '--account', '2'], env), /nothing to change/);
    assert.equal((await bySetup(code, 'GET', '')).status, 200, 'that of another account stays');
    assert.match(await commandHereOk(['setup-link', 'revoke', ...account], env), /opens nothing any more/);
    assert.equal((await bySetup(code, 'GET', '')).status, 401);
  });

  it('whoever has a set-up link connects the provider with it: connection, token, test, done [D-600, D-602]', async () => {
    const code = await newLink();
    const enter = (more: object = {}): Promise<Answer> =>
      bySetup(code, 'PUT', '/connection', {
        body: { issuer: entra.issuer, clientId: entra.clientId, subjectClaim: 'oid', ...more },
      });
    assert.equal((await bySetup(code, 'POST', '/test')).body.code, 'CONNECTION_NOT_FOUND');
    const faulty = await enter({ issuer: 'http://intranet.example', clientId: '', subjectClaim: 'email' });
    assert.deepEqual(
      (faulty.body.faults as { field: string }[]).map(({ field }) => field),
      ['issuer', 'clientId', 'subjectClaim'],
    );
    assert.equal((await enter()).status, 409, 'the usual name is taken in this account');
    const entered = await enter({ name: 'By link' });
    assert.equal(entered.status, 200, entered.text);
    const { id } = entered.body.connection as { id: string };
    const findings = async (): Promise<readonly string[]> =>
      ((await bySetup(code, 'POST', '/test')).body.findings as { code: string }[]).map(
        (finding) => finding.code,
      );
    assert.deepEqual(await findings(), [
      'noSecret',
      'withoutExternalId',
      'ofOtherConnection',
      'noToken',
      'notSignedIn',
    ]);
    assert.equal((await enter({ secret: entra.clientSecret })).status, 200);
    const one = await bySetup(code, 'POST', '/token');
    const two = await bySetup(code, 'POST', '/token');
    assert.deepEqual([one.status, two.status], [201, 201]);
    assert.deepEqual(await findings(), ['answers', 'withoutExternalId', 'ofOtherConnection', 'notSignedIn']);
    const probe = (answer: Answer): Promise<Answer> =>
      scim(String(answer.body.token), 'GET', '/Users?startIndex=1&count=2');
    assert.equal((await probe(two)).status, 200);
    assert.equal((await probe(one)).status, 401, 'a lost one has ended');
    const log = await until(
      async () => (await bySetup(code, 'GET', '/log')).body.items as readonly Deed[],
      (all) => all.length > 0,
    );
    assert.deepEqual(
      log.map(({ deed }) => deed),
      ['askUsers'],
      'of its own token alone',
    );
    const shown = await bySetup(code, 'GET', '');
    assert.deepEqual(
      (shown.body.tokens as { id: string; isHeard: boolean }[]).map((token) => [token.id, token.isHeard]),
      [[two.body.id, true]],
    );
    assert.ok(!shown.text.includes(String(two.body.token)));
    // The test brings whoever has the link back to its page, and shows the result to them alone.
    const begun = await bySetup(code, 'POST', '/test-sign-in');
    entra.person = entraPerson(9);
    const browser = new Browser(base());
    const [state] = [begun.headers['set-cookie'] ?? []].flat();
    const [, name, value] = /^([\w-]+)=([^;]*)/.exec(state!)!;
    browser.cookies.set(name!, value!);
    const there = await exchange(String(begun.body.url));
    const back = await browser.comeBack(String(there.headers.location));
    assert.equal(back.location, '/setup?tested=1');
    const cookie = `soundings-test=${browser.cookies.get('soundings-test')}`;
    const result = await bySetup(code, 'POST', '/test-sign-in/result', { cookie });
    assert.equal((result.body as unknown as Tested).user?.id, String(ids[9]), result.text);
    const notTheirs = await call('POST', `/connections/${id}/test-sign-in/result`, `${admin}; ${cookie}`);
    assert.equal(notTheirs.status, 404);
    // From the first sign-in on the connection is no longer theirs to change.
    entra.person = entraPerson(9);
    assert.notEqual((await new Browser(base()).signIn(1, id)).cookie, null);
    const late = await enter({ issuer: bad.issuer });
    assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT']);
    assert.equal((await bySetup(code, 'POST', '/finish')).status, 204);
    assert.equal((await bySetup(code, 'GET', '')).status, 401);
    assert.equal((await probe(two)).status, 200, 'what was set up stays');
    const acts = await storeRows(
      url(),
      `select action from audit where account_id = 1 and actor like 'set-up link%' order by id desc limit 9`,
    );
    const kinds = new Set(acts.map(({ action }) => String(action)));
    for (const action of ['setup-link.end', 'connection.test', 'provisioning-token.create'])
      assert.ok(kinds.has(action), [...kinds].join());
  });

  it('a set-up link opens nothing else, and codes are not guessed [D-600]', async () => {
    const code = await newLink({ connection });
    const asLink = await consoleCall(base(), 'POST', '/sign-in/link', { body: { code } });
    assert.equal(asLink.body.code, 'SIGN_IN_REFUSED');
    const asCookie = await consoleCall(base(), 'GET', '/users', { cookie: `soundings=${code}` });
    assert.equal(asCookie.status, 401);
    for (const path of ['/users', '/providers', '/connections', '/audit', '/provisioning-tokens'])
      assert.equal(
        (await consoleCall(base(), 'GET', path, { headers: { 'setup-code': code } })).status,
        401,
        path,
      );
    for (const token of [code, code.slice(2)]) assert.equal((await scim(token, 'GET', '/Users')).status, 401);
    // In another account, cut, longer, or not at all.
    for (const guess of [
      `2${code.slice(1)}`,
      code.slice(0, -1),
      `${code}a`,
      `0${code.slice(1)}`,
      '',
      'x'.repeat(5_000),
    ]) {
      const { status, body } = await bySetup(guess, 'GET', '');
      assert.deepEqual([status, body.code], [401, 'SIGN_IN_REFUSED'], guess.slice(0, 60));
    }
    const foreign = await consoleCall(base(), 'POST', '/setup/token', {
      headers: { 'setup-code': code, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(foreign.body.code, 'FOREIGN_ORIGIN');
    const throttled = await startService({
      ...context.env,
      SOUNDINGS_THROTTLE: 'on',
      SOUNDINGS_THROTTLE_SIGNIN_PER_MINUTE: '6',
    });
    try {
      const at = throttled.baseUrl;
      assert.equal((await bySetup(code, 'GET', '', { at })).status, 200);
      const statuses: number[] = [];
      for (let guess = 0; guess < 12; guess += 1)
        statuses.push((await bySetup(`1.${String(guess).padStart(43, 'g')}`, 'GET', '', { at })).status);
      assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429], statuses.join());
      assert.equal((await bySetup(code, 'GET', '', { at })).status, 200, 'who is right is not held up');
    } finally {
      await throttled.stop();
    }
  });

  it('an issuer that hangs is what the test has found, after 8 seconds', async () => {
    const { status, body, headers, text } = await hanging;
    assert.equal(status, 200, text);
    const { pathname, search } = new URL(String(body.url));
    const id = pathname.split('/').at(-1)!;
    assert.equal(search, '?tested=1');
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const found = await call('POST', `/connections/${id}/test-sign-in/result`, `${admin}; ${cookie}`);
    const { refusal } = found.body as unknown as Tested;
    assert.deepEqual(refusal?.code, 'providerUnreachable');
    assert.match(refusal!.note, /no answer within 8 s/);
  });
}
