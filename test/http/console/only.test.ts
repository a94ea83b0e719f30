// An account that is entered through its identity provider alone: for its users every other way is shut, sessions that came
// by another way have ended, and nothing is spent or lost by it. Operators and other accounts are not concerned (D-357).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Authenticator } from '../../support/authenticator.ts';
import { consoleCall, cookieSetBy, grantAside, operatorAside, passwordAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { OpenIdProvider } from '../../support/openid-provider.ts';
import { PasskeyBrowser } from '../../support/passkeys.ts';
import { patience } from '../../support/patience.ts';
import { Browser } from '../../support/provider-sign-in.ts';
import { setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const password = 'nine otters hum quietly';
const [admin, byPassword, byPasskey, byLink, unopened] = [0, 1, 2, 3, 4];

for (const engine of engines)
  describe(`only by the provider on ${engine.name}`, () => onlyByProvider(engine));

function onlyByProvider(engine: Engine): void {
  let context: ProvisioningService;
  let provider: OpenIdProvider;
  let connection: string;
  let passkeys: PasskeyBrowser;
  let ids: readonly number[];
  const url = (): string => context.store.databaseUrl;
  const call = (cookie: string | null, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, {
      ...(cookie === null ? {} : { cookie }),
      ...(body === undefined ? {} : { body }),
    });
  const done = async (status: number, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  const statusOf = async (cookie: string): Promise<number> => (await call(cookie, 'GET', '/session')).status;
  const withPassword = (account: number | undefined, name: string, secret = password): Promise<Answer> =>
    call(null, 'POST', '/sign-in/password', {
      ...(account === undefined ? {} : { account }),
      name,
      password: secret,
    });
  const withLink = (code: string): Promise<Answer> => call(null, 'POST', '/sign-in/link', { code });
  const codeIn = (text: string): string => /#([\w.-]+)/.exec(text)![1]!;
  const linkOf = async (index: number): Promise<string> =>
    codeIn(await setUp(['user', 'link', `e-${index}`, '--account', '1', '--json'], context.env));
  const setOnly = (cookie: string, only: boolean): Promise<Answer> =>
    call(cookie, 'PATCH', `/connections/${connection}`, { only });
  const byProvider = async (index: number): Promise<string> => {
    provider.person = { sub: `e-${index}` };
    const { cookie, location } = await new Browser(context.service.baseUrl).signIn(1, connection);
    assert.ok(cookie, location);
    return cookie;
  };

  before(async () => {
    provider = await OpenIdProvider.start();
    context = await startProvisioning(engine, { ...patience, SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' });
    passkeys = new PasskeyBrowser(context.service.baseUrl);
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `person-${index}`,
      externalId: `e-${index}`,
      active: true,
    }));
    ids = await addUsers(url(), 1, profiles);
    const others = await addUsers(url(), 2, profiles);
    await grantAside(url(), 1, { user: ids[admin]! }, 'admin');
    await passwordAside(
      url(),
      [
        { accountId: 1, personId: ids[byPassword]! },
        { accountId: 2, personId: others[byPassword]! },
      ],
      password,
    );
    const facts = ['--name', 'Acme ID', '--issuer', provider.issuer, '--client-id', provider.clientId];
    const made = await setUp(
      ['connection', 'create', '--account', '1', ...facts, '--claim', 'sub', '--json'],
      { ...context.env, SOUNDINGS_CONNECTION_SECRET: provider.clientSecret },
    );
    connection = (JSON.parse(made) as { id: string }).id;
  });
  after(async () => {
    await provider?.stop();
    await context?.close();
  });

  it('shuts passwords, passkeys and links of its users, ends their sessions, and opens all of them again [D-357]', async () => {
    const replica = await context.another();
    const device = new Authenticator(context.service.baseUrl.replace('127.0.0.1', 'localhost'));
    const linked = cookieSetBy(await done(200, withLink(await linkOf(byPasskey))))!;
    await done(201, passkeys.add(linked, device));
    const shut = {
      password: cookieSetBy(await done(204, withPassword(1, 'person-1')))!,
      passkey: cookieSetBy(await done(204, passkeys.signIn(device)))!,
      link: cookieSetBy(await done(200, withLink(await linkOf(byLink))))!,
    };
    const beside = cookieSetBy(await done(204, withPassword(2, 'person-1')))!;
    const inside = await operatorAside(url(), { enteredAccountId: 1 });
    const code = await linkOf(unopened);
    const boss = await byProvider(admin);
    const stays = await byProvider(5);
    await done(200, setOnly(boss, true));

    for (const [way, cookie] of Object.entries(shut)) {
      assert.equal(await statusOf(cookie), 401, way);
      const there = await consoleCall(replica.baseUrl, 'GET', '/session', { cookie });
      assert.equal(there.status, 401, `${way} on another replica`);
    }
    for (const [who, cookie] of Object.entries({ beside, inside, boss, stays }))
      assert.equal(await statusOf(cookie), 200, who);

    // A right password is told nothing that a wrong one is not.
    const right = await done(401, withPassword(1, 'person-1'));
    const wrong = await done(401, withPassword(1, 'person-1', 'some other password'));
    const unknown = await done(401, withPassword(1, 'nobody-at-all'));
    for (const one of [wrong, unknown])
      assert.deepEqual([one.body.code, one.body.detail], [right.body.code, right.body.detail]);
    const signed = await passkeys.signIn(device);
    assert.deepEqual([signed.status, signed.body.code], [401, 'SIGN_IN_REFUSED'], signed.text);
    assert.equal((await done(401, withLink(code))).body.code, 'SIGN_IN_REFUSED');
    // Nor is a session of the provider renewed by another way, or given one.
    const asked = { account: 1, name: 'person-1', password };
    const mine = await byProvider(byPassword);
    await done(401, call(mine, 'POST', '/sign-in/password', asked));
    await done(401, passkeys.signIn(device, undefined, await byProvider(byPasskey)));
    await done(409, call(mine, 'PUT', '/me/password', { password: 'seven herons wade slowly' }));
    await done(409, call(mine, 'POST', '/me/passkeys/options', {}));
    await done(409, call(boss, 'POST', `/users/${ids[byLink]}/link`));
    await done(409, call(boss, 'POST', '/users/invite', { userName: 'a-new-one' }));
    await assert.rejects(linkOf(byLink), /only way into this account/);
    for (const set of [right, wrong, unknown, signed]) assert.equal(cookieSetBy(set), null);
    const [left] = await storeRows(
      url(),
      `select count(*) as count from session where account_id = 1 and way <> 'provider'`,
    );
    assert.equal(Number(left!.count), 0);

    await done(204, withPassword(2, 'person-1'));
    await done(200, setOnly(boss, false));
    for (const cookie of Object.values(shut))
      assert.equal(await statusOf(cookie), 401, 'what ended stays so');
    await done(204, withPassword(1, 'person-1'));
    await done(204, passkeys.signIn(device));
    await done(200, withLink(code));
  });

  it('lets operators in by every way, and into the account [D-357]', async () => {
    const boss = await byProvider(admin);
    await done(200, setOnly(boss, true));
    const made = await setUp(['operator', 'create', 'olga', '--json'], context.env);
    const device = new Authenticator(context.service.baseUrl.replace('127.0.0.1', 'localhost'));
    const first = cookieSetBy(await done(200, withLink(codeIn(made))))!;
    await done(204, call(first, 'PUT', '/me/password', { password }));
    await done(201, passkeys.add(first, device));
    const ways = {
      password: cookieSetBy(await done(204, withPassword(undefined, 'olga')))!,
      passkey: cookieSetBy(await done(204, passkeys.signIn(device)))!,
      link: cookieSetBy(
        await done(200, withLink(codeIn(await setUp(['operator', 'link', 'olga', '--json'], context.env)))),
      )!,
    };
    for (const [way, cookie] of Object.entries(ways)) {
      const entered = await done(204, call(cookie, 'PUT', '/session/account', { accountId: 1 }));
      const users = await done(200, call(cookieSetBy(entered)!, 'GET', '/users?count=1'));
      assert.equal(users.body.total, people, way);
    }
    assert.equal(await statusOf(ways.password), 401, 'the secret of before entering is gone');
    // The emergency door: when the provider is away, an operator opens the other ways again.
    const inside = await operatorAside(url(), { enteredAccountId: 1 });
    await done(200, setOnly(inside, false));
    await done(204, withPassword(1, 'person-1'));
  });
}
