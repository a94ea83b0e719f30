// What somebody might try with cookies: planted ones, old ones, those of others, and more of them than anybody has.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { consoleCall, cookieSetBy, operatorAside, sessionAside } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines) describe(`attacks on sessions on ${engine.name}`, () => attacks(engine));

function attacks(engine: Engine): void {
  let context: ProvisioningService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const url = (): string => context.store.databaseUrl;
  const session = (cookie: string): Promise<Answer> =>
    consoleCall(context.service.baseUrl, 'GET', '/session', { cookie });
  const secretOf = (cookie: string): string => cookie.slice(cookie.indexOf('.') + 1);

  before(async () => {
    context = await startProvisioning(engine);
    people = await visitorsAside(url(), 1, 'ada');
    await visitorsAside(url(), 2, 'eve');
  });
  after(() => context?.close());

  it('a cookie that was signed out, everywhere or here, opens nothing ever again, and is taken from the browser', async () => {
    const cookie = await people.admin.newCookie();
    assert.equal((await session(cookie)).status, 200);
    const out = await consoleCall(context.service.baseUrl, 'DELETE', '/session', { cookie });
    assert.match(
      String(out.headers['set-cookie']),
      /^soundings=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/,
    );
    for (const [method, path] of [
      ['GET', '/session'],
      ['DELETE', '/session'],
      ['GET', '/api-clients'],
      ['GET', '/audit'],
    ] as const)
      assert.equal((await consoleCall(context.service.baseUrl, method, path, { cookie })).status, 401, path);
  });

  it('a session that was planted in the browser before a sign-in is not the one after it', async () => {
    const [row] = await storeRows(
      url(),
      `select address from account_user where account_id = 1 and id = ${people.viewer.id}`,
    );
    const newLink = async (): Promise<string> => {
      const verb = ['user', 'link', String(row!.address), '--account', '1', '--json'];
      const { url: link } = JSON.parse(await setUp(verb, { DATABASE_URL: url() })) as { url: string };
      return new URL(link).hash.slice(1);
    };
    const planted = await people.admin.newCookie();
    const answer = await consoleCall(context.service.baseUrl, 'POST', '/sign-in/link', {
      cookie: planted,
      body: { code: await newLink() },
    });
    assert.equal(answer.status, 200, answer.text);
    const cookie = cookieSetBy(answer)!;
    assert.notEqual(cookie, planted);
    const idOf = async (one: string): Promise<unknown> =>
      ((await session(one)).body.person as { id: string }).id;
    assert.equal(await idOf(cookie), String(people.viewer.id));
    // Whoever planted it has gained nothing: it is what it was.
    assert.equal(await idOf(planted), String(people.admin.id));
    const made = `soundings=1.${randomBytes(32).toString('base64url')}`;
    const again = await consoleCall(context.service.baseUrl, 'POST', '/sign-in/link', {
      cookie: made,
      body: { code: await newLink() },
    });
    assert.equal(again.status, 200, again.text);
    assert.equal((await session(made)).status, 401);
  });

  it('the secret of a session opens it under its own account alone', async () => {
    const secret = secretOf(await people.admin.newCookie());
    const ofOperator = secretOf(await operatorAside(url()));
    for (const account of ['0', '2', '3', '9999999999', '01', '1e0', '+1', '-1', ' 1', '1.1', ''])
      assert.equal((await session(`soundings=${account}.${secret}`)).status, 401, account);
    for (const account of ['1', '2'])
      assert.equal((await session(`soundings=${account}.${ofOperator}`)).status, 401);
    assert.equal((await session(`soundings=1.${secret}`)).status, 200);
    assert.equal((await session(`soundings=0.${ofOperator}`)).status, 200);
  });

  it('a session under the number of one account that names a person of another opens nothing', async () => {
    const mixed = await sessionAside(url(), { accountId: 2, personId: people.admin.id! });
    assert.equal((await session(mixed)).status, 401);
    assert.equal((await session(mixed.replace('soundings=2.', 'soundings=1.'))).status, 401);
  });

  it('nothing but a whole secret opens a session', async () => {
    const cookie = await people.viewer.newCookie();
    const secret = secretOf(cookie);
    const [row] = await storeRows(
      url(),
      `select token_hash, id from session where account_id = 1 and person_id = ${people.viewer.id}`,
    );
    const wrong = [
      secret.slice(0, -1),
      `${secret}A`,
      secret.toLowerCase() === secret ? secret.toUpperCase() : secret.toLowerCase(),
      `${secret.slice(0, -4)}AAAA`,
      String(row!.token_hash),
      String(row!.id),
      encodeURIComponent(`${secret}%`),
      `"${secret}"`,
      randomBytes(32).toString('base64url'),
    ];
    for (const text of wrong.filter((one) => one !== secret))
      assert.equal((await session(`soundings=1.${text}`)).status, 401, text);
    assert.equal((await session(cookie)).status, 200);
  });

  it('of several cookies of the name the first counts, and other cookies do not disturb', async () => {
    const cookie = await people.editor.newCookie();
    const other = `soundings=1.${randomBytes(32).toString('base64url')}`;
    assert.equal((await session(`a=b; ${cookie}; c=d`)).status, 200);
    assert.equal((await session(`${cookie}; ${other}`)).status, 200);
    assert.equal((await session(`${other}; ${cookie}`)).status, 401);
    assert.equal((await session(`xsoundings=1; ${cookie}`)).status, 200);
    for (const name of ['__Host-soundings', 'Soundings', 'soundings2', '__Secure-soundings'])
      assert.equal((await session(cookie.replace('soundings', name))).status, 401, name);
    const many = Array.from({ length: 900 }, (_, at) => `c${at}=${at}`).join('; ');
    assert.equal((await session(`${many}; ${cookie}`)).status, 200);
  });

  it('cookies larger than the headers of a request may be are refused, and the service goes on', async () => {
    const cookie = await people.editor.newCookie();
    // Refused before anybody knows which endpoint is meant, so that no document describes it.
    const huge = await fetch(`${context.service.baseUrl}/console/api/session`, {
      headers: { cookie: `big=${'x'.repeat(40_000)}; ${cookie}` },
    });
    assert.equal(huge.status, 400);
    assert.equal((await session(`soundings=1.${'A'.repeat(10_000)}`)).status, 401);
    assert.equal((await session(`soundings=${'9'.repeat(10_000)}.${'A'.repeat(43)}`)).status, 401);
    assert.equal((await session(cookie)).status, 200);
  });

  it('an operator who enters or leaves an account goes on under another secret: whoever knew the one before has nothing', async () => {
    const planted = await operatorAside(url(), { name: 'olga' });
    const entered = await consoleCall(context.service.baseUrl, 'PUT', '/session/account', {
      cookie: planted,
      body: { accountId: 1 },
    });
    const inside = cookieSetBy(entered)!;
    assert.notEqual(secretOf(inside), secretOf(planted));
    assert.deepEqual([(await session(planted)).status, (await session(inside)).status], [401, 200]);
    const left = await consoleCall(context.service.baseUrl, 'PUT', '/session/account', {
      cookie: inside,
      body: { accountId: null },
    });
    assert.deepEqual(
      [(await session(inside)).status, (await session(cookieSetBy(left)!)).status],
      [401, 200],
    );
    const sessions = await storeRows(
      url(),
      `select count(*) as live from session join operator on operator.id = session.person_id
      where session.account_id = 0 and operator.name = 'olga'`,
    );
    assert.equal(Number(sessions[0]!.live), 1);
  });

  it('a session of an account that is gone, or of a person who is, opens nothing', async () => {
    const cookie = await people.none.newCookie();
    await storeRows(url(), `update account set removed_at = 1 where id = 1`);
    assert.equal((await session(cookie)).status, 401);
    await storeRows(url(), `update account set removed_at = null where id = 1`);
    assert.equal((await session(cookie)).status, 200);
    const outside = await operatorAside(url(), { name: 'otto', enteredAccountId: 1 });
    assert.equal((await session(outside)).status, 200);
    await storeRows(url(), `update operator set disabled_at = 1 where name = 'otto'`);
    assert.equal((await session(outside)).status, 401);
  });
}
