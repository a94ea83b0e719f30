// Whole lives of people, API clients and identity providers, with everything that the service can log: no secret that was
// used in them is in the log, in the audit log or anywhere else in the store, or in an answer to anybody but its owner.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { consoleCall, cookieSetBy, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, basic, exchange } from '../../support/exchange.ts';
import { OpenIdProvider } from '../../support/openid-provider.ts';
import { Browser } from '../../support/provider-sign-in.ts';
import { setUp } from '../../support/service.ts';
import { storeRows, wholeStore } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning, userBody } from '../../support/users.ts';

for (const engine of engines) describe(`secrets on ${engine.name}`, () => secrets(engine));

function secrets(engine: Engine): void {
  let context: ProvisioningService;
  let provider: OpenIdProvider;
  let ids: readonly number[];
  /** By what they are. */
  const used = new Map<string, string>();
  /** Every answer, and the secret that it hands over, where it does. */
  const answers: { readonly what: string; readonly shown: string; readonly handsOver: readonly string[] }[] =
    [];

  before(async () => {
    provider = await OpenIdProvider.start();
    context = await startProvisioning(engine, {
      SOUNDINGS_LOG_LEVEL: 'trace',
      SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1',
      SOUNDINGS_PUBLIC_URL: 'http://localhost:8080',
    });
    ids = await addUsers(
      context.store.databaseUrl,
      1,
      Array.from({ length: 5 }, (_, at) => ({
        userName: `person-${at}`,
        externalId: `e-${at}`,
        active: true,
      })),
    );
  });
  after(async () => {
    await provider?.stop();
    await context?.close();
  });

  /** The members of the answer that are secrets of the one who asked. */
  const call = async (
    method: string,
    path: string,
    {
      cookie,
      body,
      secretMembers = [],
    }: { cookie?: string; body?: unknown; secretMembers?: readonly string[] } = {},
  ): Promise<Answer> => {
    const answer = await consoleCall(context.service.baseUrl, method, path, {
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { body }),
    });
    const handsOver = secretMembers.map((member) => String(answer.body[member]));
    for (const [at, secret] of handsOver.entries()) use(`${secretMembers[at]} of ${method} ${path}`, secret);
    note(`${method} ${path}`, answer, handsOver);
    return answer;
  };
  const note = (what: string, { text, headers }: Answer, handsOver: readonly string[] = []): void => {
    const { 'set-cookie': setCookie, ...others } = headers;
    for (const line of [setCookie ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value !== '') use(`cookie of ${what}`, value.slice(value.indexOf('.') + 1));
    }
    answers.push({ what, shown: text + JSON.stringify(others), handsOver });
  };
  const use = (what: string, secret: string): void => {
    assert.ok(secret.length >= 15, `${what} is no secret: ${secret}`);
    used.set(`${used.size} ${what}`, secret);
  };
  const newPassword = (): string => {
    const password = `pw ${randomBytes(18).toString('base64url')}`;
    use('password', password);
    return password;
  };
  const sessionOf = async (index: number): Promise<string> => {
    const cookie = await sessionAside(context.store.databaseUrl, { accountId: 1, personId: ids[index]! });
    use('cookie', cookie.slice(cookie.indexOf('.') + 1));
    return cookie;
  };
  const adminCookie = async (): Promise<string> => {
    const cookie = await operatorAside(context.store.databaseUrl, { enteredAccountId: 1 });
    use('cookie', cookie.slice(cookie.indexOf('.') + 1));
    return cookie;
  };

  it('an operator and a user open their one-time links, a second time too', async () => {
    const made = await setUp(['operator', 'create', 'olga', '--json'], context.env);
    const codes = [(JSON.parse(made) as { url: string }).url];
    const cookie = await adminCookie();
    const link = await call('POST', `/users/${ids[4]}/link`, { cookie, secretMembers: ['url'] });
    assert.equal(link.status, 200, link.text);
    codes.push(String(link.body.url));
    for (const url of codes) {
      const code = new URL(url).hash.slice(1);
      use('code of a link', code.slice(code.indexOf('.') + 1));
      for (const status of [200, 401])
        assert.equal((await call('POST', '/sign-in/link', { body: { code } })).status, status, url);
    }
  });

  it('a password is set, used, mistaken, sent in a body that is no JSON, and changed', async () => {
    const cookie = await sessionOf(0);
    const password = newPassword();
    assert.equal((await call('PUT', '/me/password', { cookie, body: { password } })).status, 204);
    const signedIn = await call('POST', '/sign-in/password', {
      body: { account: 1, name: 'person-0', password },
    });
    assert.equal(signedIn.status, 204, signedIn.text);
    for (const body of [
      { account: 1, name: 'person-0', password: newPassword() },
      { account: 1, name: newPassword(), password: newPassword() },
      { account: 1, name: 'person-0', password: [newPassword()] },
      { account: newPassword(), name: 'person-0', password: newPassword() },
    ])
      assert.ok((await call('POST', '/sign-in/password', { body })).status >= 400);
    const broken = await exchange(`${context.service.baseUrl}/console/api/sign-in/password`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: `{"name": "person-0", "password": "${newPassword()}`,
    });
    assert.equal(broken.status, 400);
    note('broken JSON', broken);
    const current = cookieSetBy(signedIn)!;
    const changed = await call('PUT', '/me/password', {
      cookie: current,
      body: { password: newPassword(), current: password },
    });
    assert.equal(changed.status, 204, changed.text);
  });

  it('an API client is made, rotated and used, with wrong secrets and wrong tokens too', async () => {
    const cookie = await adminCookie();
    const made = await call('POST', '/api-clients', {
      cookie,
      body: { name: 'of a life' },
      secretMembers: ['clientSecret'],
    });
    const id = String(made.body.clientId);
    const rotated = await call('POST', `/api-clients/${id}/rotate`, {
      cookie,
      secretMembers: ['clientSecret'],
    });
    assert.equal(rotated.status, 200, rotated.text);
    const wrong = `sdgs_${randomBytes(32).toString('base64url')}`;
    use('wrong client secret', wrong);
    for (const secret of [String(made.body.clientSecret), String(rotated.body.clientSecret), wrong]) {
      const answer = await exchange(
        `${context.service.baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`,
        {
          method: 'POST',
          headers: {
            authorization: basic(id, secret),
            'content-type': 'application/x-www-form-urlencoded',
          },
        },
      );
      const token = answer.body.access_token === undefined ? [] : [String(answer.body.access_token)];
      for (const one of token) use('access token', one);
      note('token', answer, token);
      for (const bearer of [...token, `${token[0] ?? 'x.y'}wrong`])
        note(
          'measures',
          await exchange(`${context.service.baseUrl}/v1/measures`, {
            headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
          }),
        );
    }
    assert.equal((await call('POST', `/api-clients/${id}/finish-rotation`, { cookie })).status, 204);
    assert.equal((await call('GET', '/api-clients', { cookie })).status, 200);
    assert.equal((await call('GET', '/audit', { cookie })).status, 200);
  });

  it('a provisioning token is made, used on both faces, revoked, and used again', async () => {
    const cookie = await adminCookie();
    const made = await call('POST', '/provisioning-tokens', {
      cookie,
      body: { name: 'of a life' },
      secretMembers: ['token'],
    });
    const token = String(made.body.token);
    const created = await context.call('POST', '/Users', { token, body: userBody('of-a-life') });
    assert.equal(created.status, 200, created.text);
    assert.equal((await call('DELETE', `/provisioning-tokens/${made.body.id}`, { cookie })).status, 204);
    for (const bearer of [token, `${token.slice(0, -2)}AA`])
      note(
        'scim',
        await exchange(`${context.service.baseUrl}/scim/v2/Users`, {
          headers: { authorization: `Bearer ${bearer}` },
        }),
      );
  });

  it('somebody signs in by a provider, whose secret, codes and tokens pass through the service', async () => {
    const cookie = await adminCookie();
    use('client secret of the provider', provider.clientSecret);
    const made = await call('POST', '/connections', {
      cookie,
      body: {
        name: 'Provider',
        issuer: provider.issuer,
        clientId: provider.clientId,
        secret: provider.clientSecret,
        subjectClaim: 'sub',
      },
    });
    assert.equal(made.status, 201, made.text);
    const connection = String(made.body.id);
    provider.person = { sub: 'e-1' };
    for (const isGenuine of [true, false]) {
      const browser = new Browser(context.service.baseUrl);
      const callback = new URL(await browser.go(1, connection));
      for (const value of browser.cookies.values()) use('sealed state', value);
      use('code of the provider', String(callback.searchParams.get('code')));
      if (!isGenuine) {
        const wrong = randomBytes(24).toString('base64url');
        use('wrong code', wrong);
        callback.searchParams.set('code', wrong);
      }
      const outcome = await browser.comeBack(callback.href);
      assert.equal(outcome.cookie !== null, isGenuine);
      note('callback', outcome.answer);
    }
    assert.equal((await call('GET', '/connections', { cookie })).status, 200);
  });

  it('cookies that open nothing, and secrets in a query where they do not belong, leave no trace either', async () => {
    const wrong = randomBytes(32).toString('base64url');
    use('wrong cookie', wrong);
    for (const cookie of [`soundings=1.${wrong}`, `soundings=0.${wrong}`, `soundings=${wrong}`])
      assert.equal((await call('GET', '/session', { cookie })).status, 401);
    assert.equal((await call('GET', `/session?code=${wrong}`, { cookie: await sessionOf(2) })).status, 400);
    assert.equal((await call('DELETE', '/session', { cookie: await sessionOf(3) })).status, 204);
  });

  it('none of them is in the log, in the store or in an answer to anybody else', async () => {
    await context.service.stop();
    const log = context.service.output();
    assert.ok(
      log.split('\n').length > 30 && log.includes('/console/api/sign-in/password'),
      'the log is there',
    );
    assert.doesNotMatch(log, /eyJ[\w-]{10,}\.[\w-]{10,}/, 'a token is in the log');
    const store = await wholeStore(context.store.databaseUrl);
    const text = JSON.stringify(store);
    const audit = JSON.stringify(await storeRows(context.store.databaseUrl, 'select * from audit'));
    assert.ok(audit.includes('client.rotate') && audit.includes('session.create'));
    assert.ok(used.size >= 25, String(used.size));
    for (const [what, secret] of used) {
      for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
        assert.ok(!log.includes(form), `${what} is in the log`);
        assert.ok(!text.includes(form), `${what} is in the store`);
        for (const { what: answer, shown, handsOver } of answers)
          assert.ok(
            !shown.includes(form) || handsOver.some((one) => one.includes(secret)),
            `${what} is in the answer of ${answer}`,
          );
      }
    }
  });
}
