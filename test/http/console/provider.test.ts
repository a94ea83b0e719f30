// People sign in by the identity provider of their account, and nobody else does: whatever does not match is refused with
// a sentence, and the audit log of the account says what it was.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { noteOfDetails } from '../../support/audit-note.ts';
import { writeCatalogue } from '../../support/catalogue.ts';
import { consoleCall, grantAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type Lies, OpenIdProvider, type ProviderPerson } from '../../support/openid-provider.ts';
import { patience } from '../../support/patience.ts';
import { Browser, type SignInOutcome } from '../../support/provider-sign-in.ts';
import { setUp } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const oidOf = (index: number): string => `0f9d2c1e-Aa00-4b7c-9d10-${String(index).padStart(12, '0')}`;

for (const engine of engines) describe(`sign-in by a provider on ${engine.name}`, () => signIns(engine));

function signIns(engine: Engine): void {
  let context: ProvisioningService;
  let entra: OpenIdProvider;
  let okta: OpenIdProvider;
  let bad: OpenIdProvider;
  let broken: string;
  let hanging: Promise<Answer>[];
  let byOid: string;
  let bySub: string;
  let ofOther: string;
  let ids: readonly number[];
  let otherIds: readonly number[];
  const url = (): string => context.store.databaseUrl;
  const browser = (): Browser => new Browser(context.service.baseUrl);

  before(async () => {
    [entra, okta, bad] = await Promise.all([
      OpenIdProvider.start(),
      OpenIdProvider.start(),
      OpenIdProvider.start(),
    ]);
    context = await startProvisioning(engine, {
      ...patience,
      SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1',
      // Replicas stand behind one address.
      SOUNDINGS_PUBLIC_URL: 'http://localhost:8080',
    });
    await setUp(['apply', writeCatalogue({ accounts: [{ id: 3, name: 'Three' }] })], context.env);
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `person-${index}@acme.example`,
      // The last ten have none.
      ...(index < people - 10 && { externalId: oidOf(index) }),
      active: index % 50 !== 49,
    }));
    ids = await addUsers(url(), 1, profiles);
    otherIds = await addUsers(url(), 2, [
      { userName: 'elsewhere', externalId: 'of-account-2', active: true },
      { userName: 'twin', externalId: oidOf(7), active: true },
      { userName: 'by-link', externalId: 'twin-2', active: true },
    ]);
    byOid = await connect(1, entra, 'Entra ID', 'oid');
    bySub = await connect(1, okta, 'Okta', 'sub');
    ofOther = await connect(2, okta, 'Okta', 'sub');
    broken = await connect(3, bad, 'Broken', 'sub');
  });
  after(async () => {
    await Promise.all([entra?.stop(), okta?.stop(), bad?.stop()]);
    await context?.close();
  });
  afterEach(() => {
    entra.lies = {};
    okta.lies = {};
  });

  async function connect(
    account: number,
    provider: OpenIdProvider,
    name: string,
    claim: string,
  ): Promise<string> {
    const facts = ['--name', name, '--issuer', provider.issuer, '--client-id', provider.clientId];
    const made = await setUp(
      ['connection', 'create', '--account', String(account), ...facts, '--claim', claim, '--json'],
      { ...context.env, SOUNDINGS_CONNECTION_SECRET: provider.clientSecret },
    );
    return (JSON.parse(made) as { id: string }).id;
  }
  const entraPerson = (index: number, more: Partial<ProviderPerson> = {}): ProviderPerson => ({
    sub: `pairwise-${index}`,
    oid: oidOf(index),
    sid: `sid-${index}`,
    preferred_username: `person-${index}@acme.example`,
    email: `person-${index}@acme.example`,
    ...more,
  });
  const whoIs = (cookie: string): Promise<Answer> =>
    consoleCall(context.service.baseUrl, 'GET', '/session', { cookie });
  const lastNote = async (account = 1): Promise<string> => {
    const [row] = await storeRows(
      url(),
      `select details from audit where account_id = ${account} and action = 'session.refuse' order by id desc limit 1`,
    );
    return noteOfDetails(row?.details);
  };
  const refusedWith = (outcome: SignInOutcome): string | null => {
    assert.equal(outcome.answer.status, 302, outcome.answer.text);
    assert.equal(outcome.cookie, null, outcome.location);
    return new URL(outcome.location, 'http://x').searchParams.get('refused');
  };

  it('whoever the claim of the connection names is in: oid as of Entra ID, sub as of Okta [D-350]', async () => {
    entra.person = entraPerson(0);
    const outcome = await browser().signIn(1, byOid, `?return=${encodeURIComponent('/console/x?y=1#z')}`);
    assert.equal(outcome.location, '/console/x?y=1');
    const { body } = await whoIs(outcome.cookie!);
    assert.deepEqual(
      [body.person, body.way],
      [{ kind: 'user', id: String(ids[0]), name: 'person-0@acme.example' }, 'provider'],
    );
    okta.person = { sub: oidOf(1) };
    const second = await browser().signIn(1, bySub);
    assert.equal((await whoIs(second.cookie!)).body.way, 'provider');
    const asked = entra.authorizations.at(-1)!;
    assert.equal(asked.get('redirect_uri'), 'http://localhost:8080/console/callback');
    assert.equal(asked.get('response_mode'), 'query');
    const [entry] = await storeRows(
      url(),
      `select details from audit where account_id = 1 and action = 'session.create' and subject = 'user ${ids[0]}'`,
    );
    assert.match(noteOfDetails(entry!.details), new RegExp(`signed in by provider ${byOid}`));
  });

  it('a provider that pours, redirects or talks nonsense is refused [D-351]', async () => {
    for (const [metadataAnswer, note] of [
      ['garbage', /metadata of/],
      ['endless', /more than 524288 bytes|ECONNRESET|metadata of/],
      ['redirects', /metadata of/],
    ] as const) {
      bad.lies = { metadataAnswer };
      const { headers } = await browser().get(`/console/sign-in/provider/3/${broken}`);
      assert.match(String(headers.location), /refused=providerUnreachable/, metadataAnswer);
      assert.match(await lastNote(3), note);
    }
    for (const metadata of [
      { issuer: 'https://other.example' },
      { jwks_uri: 'http://10.0.0.1/keys' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { code_challenge_methods_supported: ['plain'] },
      { response_types_supported: ['id_token'] },
    ]) {
      bad.lies = { metadata };
      const { headers } = await browser().get(`/console/sign-in/provider/3/${broken}`);
      assert.match(String(headers.location), /refused=providerUnreachable/, JSON.stringify(metadata));
    }
  });

  it('one that hangs holds up its own account, up to a bound, and no other [D-351]', async () => {
    bad.lies = { metadataAnswer: 'hangs' };
    const asked = bad.asked.length;
    const wait = (): Promise<Answer> => browser().get(`/console/sign-in/provider/3/${broken}`);
    hanging = Array.from({ length: 16 }, wait);
    okta.person = { sub: 'of-account-2' };
    assert.notEqual((await browser().signIn(2, ofOther)).cookie, null, 'another account is not held up');
    assert.equal((await Promise.race([wait(), ...hanging])).status, 429);
    assert.ok(bad.asked.length <= asked + 1, 'those who wait share one question');
  });

  const lies: readonly (readonly [title: string, lies: Lies, code: string, note: RegExp])[] = [
    ['another nonce', { nonce: 'other' }, 'tokenMismatch', /nonce/],
    ['another state', { state: 'other' }, 'stateMismatch', /the state of the answer/],
    ['another audience', { audience: 'somebody-else' }, 'tokenMismatch', /aud/],
    ['another issuer', { issuer: 'https://evil.example' }, 'tokenMismatch', /iss/],
    [
      'another issuer of the answer',
      { answerIssuer: 'https://evil.example' },
      'issuerMismatch',
      /iss of the answer/,
    ],
    ['no signature', { algorithm: 'none' }, 'tokenMismatch', /alg|JWS|signature|unsupported/i],
    ['a signature by the shared secret', { algorithm: 'HS256' }, 'tokenMismatch', /alg|JWS/],
    ['a signature by another key', { foreignKey: true }, 'tokenMismatch', /signature/],
    ['a token that has expired', { isExpired: true }, 'tokenExpired', /exp/],
    ['an error', { error: 'access_denied' }, 'providerError', /access_denied/],
    [
      'a token endpoint that answers garbage',
      { tokenAnswer: 'garbage' },
      'providerUnreachable',
      /token endpoint/,
    ],
  ];
  for (const [title, lie, code, note] of lies)
    it(`${title} is refused, and the log of the account says so [D-354]`, async () => {
      entra.person = entraPerson(0);
      entra.lies = lie;
      const outcome = await browser().signIn(1, byOid);
      assert.equal(refusedWith(outcome), code);
      assert.match(await lastNote(), note);
    });

  it('a code is good once, and only in the browser that began', async () => {
    entra.person = entraPerson(2);
    const mine = browser();
    const callback = await mine.go(1, byOid);
    const kept = new Map(mine.cookies);
    assert.equal(refusedWith(await browser().comeBack(callback)), 'stateMismatch');
    assert.notEqual((await mine.comeBack(callback)).cookie, null);
    const again = browser();
    for (const [name, value] of kept) again.cookies.set(name, value);
    assert.equal(refusedWith(await again.comeBack(callback)), 'codeRefused');
    assert.match(await lastNote(), /did not take the code: invalid_grant/);
  });

  it('the answer of one provider is not taken for a sign-in that was begun at another', async () => {
    okta.person = { sub: oidOf(3) };
    const mine = browser();
    const ofOkta = new URL(await browser().go(1, bySub));
    const ofEntra = new URL(await mine.go(1, byOid));
    ofEntra.searchParams.set('code', ofOkta.searchParams.get('code')!);
    ofEntra.searchParams.set('iss', okta.issuer);
    assert.equal(refusedWith(await mine.comeBack(ofEntra.href)), 'issuerMismatch');
    // Without the parameter the code of another provider is worth nothing.
    const other = browser();
    const begun = new URL(await other.go(1, byOid));
    begun.searchParams.set('code', ofOkta.searchParams.get('code')!);
    assert.equal(refusedWith(await other.comeBack(begun.href)), 'codeRefused');
  });

  it('nobody is found by mail, by name, or by an externalId in another case; and nobody comes into being [D-353]', async () => {
    const before = await storeRows(url(), 'select count(*) as count from account_user where account_id = 1');
    const cases: readonly (readonly [ProviderPerson, string, RegExp])[] = [
      [entraPerson(4, { oid: 'unknown-to-us' }), 'noMatch', /has another externalId/],
      [entraPerson(4, { oid: oidOf(4).toUpperCase() }), 'noMatch', /has it in another case/],
      [entraPerson(people - 1, { oid: 'whatever' }), 'noExternalId', /has no externalId/],
      [{ sub: 's', oid: 'nobody-at-all' }, 'noMatch', /the claim oid is the externalId of no user/],
      [{ sub: 's', oid: String(ids[people - 1]) }, 'noMatch', /externalId of no user/],
      [{ sub: 's', oid: 'of-account-2' }, 'noMatch', /externalId of no user/],
      [{ sub: oidOf(5) }, 'claimMissing', /no claim oid/],
      [entraPerson(49), 'noMatch', /suspended/],
    ];
    for (const [person, code, note] of cases) {
      entra.person = person;
      assert.equal(refusedWith(await browser().signIn(1, byOid)), code, JSON.stringify(person));
      assert.match(await lastNote(), note);
    }
    assert.deepEqual(
      await storeRows(url(), 'select count(*) as count from account_user where account_id = 1'),
      before,
    );
  });

  it('whoever asks for JSON is told in a sentence, without a word about anybody else [D-354]', async () => {
    entra.person = entraPerson(4, { oid: 'unknown-to-us' });
    const mine = browser();
    const { answer } = await mine.comeBack(await mine.go(1, byOid), { accept: 'application/json' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'SIGN_IN_REFUSED']);
    assert.match(String(answer.body.detail), /no user of this account .* has the externalId/);
    assert.ok(!answer.text.includes(String(ids[4])));
  });

  it('the same externalId in another account is somebody else', async () => {
    okta.person = { sub: oidOf(7) };
    const own = await browser().signIn(1, bySub);
    const other = await browser().signIn(2, ofOther);
    assert.equal((await whoIs(own.cookie!)).body.person!['id' as never], String(ids[7]));
    assert.equal((await whoIs(other.cookie!)).body.person!['id' as never], String(otherIds[1]));
    const gone = await browser().get(`/console/sign-in/provider/2/${byOid}`);
    assert.match(String(gone.headers.location), /refused=connectionGone/);
  });

  it('a user belongs to the first connection that they signed in by, until an admin changes it [D-353]', async () => {
    entra.person = entraPerson(8);
    okta.person = { sub: oidOf(8) };
    assert.notEqual((await browser().signIn(1, byOid)).cookie, null);
    assert.equal(refusedWith(await browser().signIn(1, bySub)), 'otherConnection');
    assert.match(await lastNote(), new RegExp(`user ${ids[8]} belongs to the connection ${byOid}`));
    await setUp(['connection', 'assign', bySub, '--account', '1', '--user', String(ids[8])], context.env);
    assert.notEqual((await browser().signIn(1, bySub)).cookie, null);
    assert.equal(refusedWith(await browser().signIn(1, byOid)), 'otherConnection');
  });

  it('users belong to the connection of the token that made them, one by one, many at once and in bulk [D-353]', async () => {
    const admin = await sessionAside(url(), { accountId: 1, personId: ids[9]! });
    await grantAside(url(), 1, { user: ids[9]! }, 'admin');
    const make = (connection: string): Promise<Answer> =>
      consoleCall(context.service.baseUrl, 'POST', '/provisioning-tokens', {
        cookie: admin,
        body: { name: 'Entra', connection },
      });
    // That of another account is none.
    for (const unknown of ['con_nobody', ofOther]) {
      const refused = await make(unknown);
      assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST'], refused.text);
      assert.match(refused.text, /"field":"connection"/);
    }
    const made = await make(byOid);
    assert.equal(made.status, 201, made.text);
    const { id: tokenId, token } = made.body as { id: string; token: string };
    const listed = await consoleCall(context.service.baseUrl, 'GET', '/provisioning-tokens', {
      cookie: admin,
    });
    const { items } = listed.body as { items: readonly { id: string; connection: string | null }[] };
    assert.deepEqual(
      items.map(({ id, connection }) => [id, connection]),
      [[tokenId, byOid]],
    );
    const draft = (index: number) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `made-${index}`,
      externalId: `made-oid-${index}`,
    });
    const post = (path: string, body: object): Promise<Answer> =>
      exchange(`${context.service.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify(body),
      });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post('/scim/v2/Users', draft(index))),
    );
    assert.ok(answers.every(({ status }) => status === 201));
    const operations = Array.from({ length: 20 }, (_, at) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${at}`,
      data: draft(100 + at),
    }));
    const bulk = await post('/scim/v2/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: operations,
    });
    assert.equal(bulk.status, 200, bulk.text);
    const [row] = await storeRows(
      url(),
      `select count(*) as count from user_connection
      join account_user on account_user.account_id = 1 and account_user.id = user_connection.user_id
      where user_connection.account_id = 1 and connection_id = '${byOid}' and address like 'made-oid-%'`,
    );
    assert.equal(Number(row!.count), 60);
    okta.person = { sub: 'made-oid-3' };
    assert.equal(refusedWith(await browser().signIn(1, bySub)), 'otherConnection');
    entra.person = { sub: 'p', oid: 'made-oid-103' };
    assert.notEqual((await browser().signIn(1, byOid)).cookie, null);
  });

  it('hundreds sign in, on two replicas in turn: the way there by one, the way back by the other [D-352]', async () => {
    const other = await context.another();
    for (let index = 10; index < 130; index += 1) {
      if (index % 50 === 49) continue;
      entra.person = entraPerson(index);
      const [first, second] = index % 2 === 0 ? [context.service, other] : [other, context.service];
      const there = new Browser(first.baseUrl);
      const callback = await there.go(1, byOid);
      const back = new Browser(second.baseUrl);
      for (const [name, value] of there.cookies) back.cookies.set(name, value);
      const { cookie } = await back.comeBack(callback);
      const { body } = await consoleCall(first.baseUrl, 'GET', '/session', { cookie: cookie! });
      assert.equal((body.person as { id: string }).id, String(ids[index]));
    }
  });

  it('a page elsewhere is never returned to', async () => {
    entra.person = entraPerson(0);
    for (const place of [
      'https://evil.example/',
      '//evil.example',
      '/console/../v1',
      '/consolex',
      '/console\\..\\x',
      '/v1/x',
    ]) {
      const { location } = await browser().signIn(1, byOid, `?return=${encodeURIComponent(place)}`);
      assert.equal(location, '/console', place);
    }
  });

  it('a fresh sign-in needs an auth_time that is fresh, and only such a one opens what asks for it [D-355]', async () => {
    await grantAside(url(), 1, { user: ids[0]! }, 'admin');
    entra.person = entraPerson(0);
    const rename = (cookie: string): Promise<Answer> =>
      consoleCall(context.service.baseUrl, 'PATCH', `/connections/${byOid}`, {
        cookie,
        body: { name: 'Entra ID' },
      });
    entra.lies = { authTime: Math.floor(Date.now() / 1_000) - 3_600 };
    const mine = browser();
    const stale = await mine.signIn(1, byOid);
    assert.equal((await rename(stale.cookie!)).body.code, 'FRESH_SIGN_IN_REQUIRED');
    const refused = await mine.signIn(1, byOid, '?fresh=1');
    assert.match(refused.location, /refused=notFresh/);
    entra.lies = { withoutAuthTime: true };
    assert.match((await mine.signIn(1, byOid, '?fresh=1')).location, /refused=authTimeMissing/);
    assert.match(await lastNote(), /no auth_time/);
    const silent = await mine.signIn(1, byOid);
    assert.equal((await rename(silent.cookie!)).body.code, 'FRESH_SIGN_IN_REQUIRED');
    entra.lies = {};
    const fresh = await mine.signIn(1, byOid, '?fresh=1');
    const asked = entra.authorizations.at(-1)!;
    assert.deepEqual([asked.get('max_age'), asked.get('prompt')], ['0', 'login']);
    assert.equal((await rename(fresh.cookie!)).status, 200);
    assert.equal((await whoIs(silent.cookie!)).status, 401, 'the session goes on under another secret');
  });

  it('right after a sign-in without auth_time nobody is told that theirs is older than 15 minutes; who signs in by a provider that sends it is fresh [D-822]', async () => {
    await grantAside(url(), 1, { user: ids[12]! }, 'analyst');
    entra.person = entraPerson(12);
    const tokenBy = async (): Promise<Answer> => {
      const { cookie } = await browser().signIn(1, byOid);
      return consoleCall(context.service.baseUrl, 'POST', '/access-token', { cookie: cookie! });
    };
    entra.lies = { withoutAuthTime: true };
    const { status, body } = await tokenBy();
    assert.deepEqual([status, body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    assert.match(String(body.detail), /did not say when .* auth_time/);
    assert.doesNotMatch(String(body.detail), /older than/);
    assert.deepEqual(
      (body.faults as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`),
      ['auth_time MISSING'],
    );
    const { cookie } = await browser().signIn(1, byOid);
    const session = await whoIs(cookie!);
    const agoMs = Date.now() - Date.parse(String(session.body.signedInAt));
    assert.ok(agoMs >= 0 && agoMs < 3_600_000, String(session.body.signedInAt));
    entra.lies = {};
    assert.equal((await tokenBy()).status, 201);
  });

  it('max_age goes with every sign-in: 30 days, what is set, and none at all of a fresh one [D-822]', async () => {
    entra.person = entraPerson(12);
    entra.lies = {};
    const maxAge = (): string | null => entra.authorizations.at(-1)!.get('max_age');
    await browser().signIn(1, byOid);
    assert.equal(maxAge(), String(30 * 86_400));
    assert.equal(entra.authorizations.at(-1)!.get('prompt'), null);
    await browser().signIn(1, byOid, '?fresh=1');
    assert.equal(maxAge(), '0');
    const strict = await startService({ ...context.env, SOUNDINGS_PROVIDER_MAX_AGE_SECONDS: '28800' });
    try {
      await new Browser(strict.baseUrl).signIn(1, byOid);
      assert.equal(maxAge(), '28800');
    } finally {
      await strict.stop();
    }
  });

  it('the only way in: after a sign-in through it, and then no other way and no other session [D-357]', async () => {
    const mail = await connect(2, entra, 'Entra', 'oid');
    const only = (id: string, state: string): Promise<string> =>
      setUp(['connection', 'only', id, '--account', '2', state, '--json'], context.env);
    await assert.rejects(only(mail, '--on'), /Nobody has signed in through this connection yet/);
    okta.person = { sub: 'of-account-2' };
    const byPasskey = await sessionAside(url(), { accountId: 2, personId: otherIds[0]! });
    const signedIn = await browser().signIn(2, ofOther);
    const link = await setUp(['user', 'link', 'twin-2', '--account', '2', '--json'], context.env);
    const [, code] = /#([\w.-]+)/.exec(link)!;
    const shut = JSON.parse(await only(ofOther, '--on')) as Record<string, number>;
    assert.deepEqual([shut.users, shut.withoutExternalId, shut.ofOtherConnection], [3, 0, 0]);
    assert.equal((await whoIs(byPasskey)).status, 401);
    assert.equal((await whoIs(signedIn.cookie!)).status, 200);
    const other = await browser().get(`/console/sign-in/provider/2/${mail}`);
    assert.match(String(other.headers.location), /refused=onlyOther/);
    const byLink = (): Promise<Answer> =>
      consoleCall(context.service.baseUrl, 'POST', '/sign-in/link', { body: { code } });
    assert.equal((await byLink()).body.code, 'SIGN_IN_REFUSED');
    const ways = await exchange(`${context.service.baseUrl}/console/api/sign-in/ways?account=2`);
    assert.deepEqual(ways.body, {
      passwords: false,
      passkeys: false,
      connections: [{ id: ofOther, name: 'Okta' }],
      only: true,
    });
    await only(ofOther, '--off');
    assert.equal((await byLink()).status, 200, 'what was refused meanwhile is not spent');
    await setUp(['connection', 'remove', mail, '--account', '2'], context.env);
  });

  it('a sign-out at the provider ends the sessions through it, once for each token [D-358]', async () => {
    const tell = (body: string, connection = byOid): Promise<Answer> =>
      exchange(`${context.service.baseUrl}/console/logout/1/${connection}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    const told = (token: string): string => new URLSearchParams({ logout_token: token }).toString();
    entra.person = entraPerson(140);
    const first = await browser().signIn(1, byOid);
    entra.person = entraPerson(140, { sid: 'another' });
    const second = await browser().signIn(1, byOid);
    entra.person = entraPerson(141);
    const bystander = await browser().signIn(1, byOid);
    const wrong: readonly string[] = [
      'x=1',
      told('nonsense'),
      told(await entra.logoutToken({ sub: 'pairwise-140' }, { foreignKey: true })),
      told(await entra.logoutToken({ sub: 'pairwise-140' }, { algorithm: 'none' })),
      told(await entra.logoutToken({ sub: 'pairwise-140' }, { algorithm: 'HS256' })),
      told(await entra.logoutToken({ sub: 'pairwise-140' }, { audience: 'other' })),
      told(await entra.logoutToken({ sub: 'pairwise-140' }, { issuer: 'https://evil.example' })),
      told(await entra.logoutToken({ sub: 'pairwise-140', nonce: 'n' })),
      told(await entra.logoutToken({ sub: 'pairwise-140', events: {} })),
      told(await entra.logoutToken({ sub: 'pairwise-140', iat: 1 })),
      told(await entra.logoutToken({})),
    ];
    for (const body of wrong) assert.equal((await tell(body)).status, 400, body.slice(0, 40));
    assert.equal((await tell(told(await entra.logoutToken({ sub: 'pairwise-140' })), bySub)).status, 400);
    assert.equal((await whoIs(first.cookie!)).status, 200);
    const ofOne = told(await entra.logoutToken({ sub: 'pairwise-140', sid: 'sid-140' }));
    assert.equal((await tell(ofOne)).status, 200);
    assert.equal((await whoIs(first.cookie!)).status, 401);
    assert.equal((await whoIs(second.cookie!)).status, 200);
    assert.equal((await tell(ofOne)).status, 400);
    assert.equal((await tell(told(await entra.logoutToken({ sub: 'pairwise-140' })))).status, 200);
    assert.equal((await whoIs(second.cookie!)).status, 401);
    assert.equal((await whoIs(bystander.cookie!)).status, 200);
  });

  it('whoever signs out here learns where to sign out at the provider [D-358]', async () => {
    entra.person = entraPerson(142);
    const { cookie } = await browser().signIn(1, byOid);
    const { status, body } = await consoleCall(context.service.baseUrl, 'POST', '/session/end-at-provider', {
      cookie: cookie!,
    });
    assert.equal(status, 200);
    const place = new URL(String(body.url));
    assert.equal(place.origin + place.pathname, `${entra.issuer}/logout`);
    assert.match(place.searchParams.get('post_logout_redirect_uri')!, /\/console\/sign-in$/);
    assert.equal((await whoIs(cookie!)).status, 401);
    assert.equal(place.searchParams.get('id_token_hint'), null, 'the browser brought no cookie with it');
    const plain = await sessionAside(url(), { accountId: 1, personId: ids[143]! });
    const ended = await consoleCall(context.service.baseUrl, 'POST', '/session/end-at-provider', {
      cookie: plain,
    });
    assert.equal(ended.body.url, null);
  });

  it('the sign-out at the provider brings the ID token of that sign-in, which only the browser keeps, sealed [D-398]', async () => {
    const hintOf = async (cookie: string): Promise<string | null> => {
      const { status, body, headers } = await consoleCall(
        context.service.baseUrl,
        'POST',
        '/session/end-at-provider',
        { cookie },
      );
      assert.equal(status, 200);
      assert.match(
        String(headers['set-cookie']),
        /soundings-hint=; Path=\/console\/api\/session\/end-at-provider; Max-Age=0/,
      );
      return new URL(String(body.url)).searchParams.get('id_token_hint');
    };
    const signIn = async (person: ProviderPerson): Promise<{ session: string; hint: string | undefined }> => {
      entra.person = person;
      const own = browser();
      const { cookie, answer } = await own.signIn(1, byOid);
      const line = [answer.headers['set-cookie'] ?? []]
        .flat()
        .find((one) => one.startsWith('soundings-hint='));
      assert.match(line ?? '', /; Path=\/console\/api\/session\/end-at-provider; .*HttpOnly; SameSite=Lax$/);
      return { session: cookie!, hint: own.cookies.get('soundings-hint') };
    };
    const one = await signIn(entraPerson(143));
    const token = entra.idTokens.at(-1)!;
    const other = await signIn(entraPerson(144));
    for (const part of token.split('.')) assert.ok(!one.hint!.includes(part), 'sealed');
    const forAnother = await hintOf(`${other.session}; soundings-hint=${one.hint}`);
    assert.equal(forAnother, null, 'that of another session');
    const forged = await signIn(entraPerson(145));
    assert.equal(await hintOf(`${forged.session}; soundings-hint=${token}`), null, 'not sealed by us');
    assert.equal(await hintOf(`${one.session}; soundings-hint=${one.hint}`), token);
    // Larger than a cookie may be.
    const large = await signIn(
      entraPerson(146, { groups: Array.from({ length: 80 }, (_, at) => oidOf(at)) }),
    );
    assert.equal(large.hint, undefined);
    assert.equal(await hintOf(large.session), null);
    const sessions = await storeRows(url(), 'select * from session where account_id = 1');
    assert.ok(sessions.length > 100);
    for (const part of token.split('.'))
      assert.ok(!JSON.stringify(sessions).includes(part), 'nothing of it is kept');
  });

  it('whoever waited for a provider that hangs is told after 8 seconds', async () => {
    for (const { headers } of await Promise.all(hanging))
      assert.match(String(headers.location), /refused=providerUnreachable/);
    assert.match(await lastNote(3), /no answer within 8 s/);
  });

  it('client secrets, codes and tokens are in no log, audit entry or column in the clear', async () => {
    const rows = await storeRows(url(), 'select secret from connection where account_id = 1');
    const audit = await storeRows(url(), 'select details, subject from audit where account_id in (1, 2)');
    const said = context.service.output() + JSON.stringify([rows, audit]);
    for (const secret of [entra.clientSecret, okta.clientSecret]) assert.ok(!said.includes(secret));
    assert.ok(!/eyJ[\w-]+\.eyJ/.test(context.service.output()), 'no token');
    assert.ok(!/[?&]code=/.test(context.service.output()), 'no code');
  });
}
