// A token that a person gets for themselves: what it opens, for how long, and that it ends with what they may do.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { SignJWT } from 'jose';
import { consoleCall, cookieSetBy, grantAside, passwordAside, sessionAside } from '../../support/console.ts';
import {
  type VisitorAside,
  type VisitorKind,
  visitorKinds,
  visitorsAside,
} from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import type { Service } from '../../support/service.ts';
import { storeRows, storeSecrets } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const paths = {
  r_cx_measures: '/v1/measures',
  r_cx_projects: '/v1/projects',
  r_cx_users: '/v1/scim/Users',
} as const;

for (const engine of engines) describe(`a token of one's own on ${engine.name}`, () => tokens(engine));

function tokens(engine: Engine): void {
  let context: ProvisioningService;
  let replica: Service;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const url = (): string => context.store.databaseUrl;

  before(async () => {
    context = await startProvisioning(engine);
    replica = await context.another();
    people = await visitorsAside(url(), 1, 'token');
  });
  after(async () => {
    await replica?.stop();
    await context?.close();
  });

  const take = async (kind: VisitorKind) =>
    consoleCall(context.service.baseUrl, 'POST', '/access-token', { cookie: await people[kind].newCookie() });
  const status = async (token: string, path: string, method = 'GET', at = context.service): Promise<number> =>
    (
      await exchange(at.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, accept: '*/*', 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
    ).status;

  it('opens what the person may read, nothing else, and changes nothing; viewers get none [D-532]', async () => {
    const opened: Partial<Record<VisitorKind, readonly string[]>> = {};
    for (const kind of visitorKinds) {
      const { status: given, body } = await take(kind);
      assert.ok(given === 201 || given === 403, kind);
      if (given === 403) continue;
      const token = String(body.token);
      opened[kind] = body.grants as string[];
      const inMs = Date.parse(String(body.expires)) - Date.now();
      assert.ok(inMs > 14 * 60_000 && inMs <= 15 * 60_000, kind);
      for (const [grant, path] of Object.entries(paths))
        assert.equal(await status(token, path), opened[kind].includes(grant) ? 200 : 403, `${kind} ${path}`);
      assert.equal(await status(token, '/v1/scim/Users', 'POST'), 403, kind);
      // It opens nothing of the console.
      assert.equal(await status(token, '/console/api/session'), 401, kind);
    }
    const figures = ['r_cx_measures', 'r_cx_projects'];
    assert.deepEqual(opened, {
      analyst: figures,
      editor: figures,
      identity: ['r_cx_users'],
      admin: [...figures, 'r_cx_users'],
      'operator inside': [...figures, 'r_cx_users'],
    });
  });

  it('ends at the next request, on every replica, when the role is taken or the person is suspended; the audit log has it', async () => {
    const token = String((await take('analyst')).body.token);
    const user = people.analyst.id;
    assert.equal(await status(token, paths.r_cx_measures), 200);
    assert.equal(await status(token, paths.r_cx_measures, 'GET', replica), 200);
    const taken = `from role_grant where account_id = 1 and holder_kind = 'user' and holder_id = ${user}`;
    const [grant] = await storeRows(url(), `select role ${taken}`);
    await storeRows(url(), `delete ${taken}`);
    for (const at of [replica, context.service])
      assert.equal(await status(token, paths.r_cx_measures, 'GET', at), 403);
    assert.equal(grant?.role, 'analyst');
    const suspended = await consoleCall(context.service.baseUrl, 'PATCH', `/users/${user}`, {
      cookie: await people.admin.newCookie(),
      body: { active: false },
    });
    assert.equal(suspended.status, 200, suspended.text);
    for (const at of [replica, context.service])
      assert.equal(await status(token, paths.r_cx_measures, 'GET', at), 401);
    const noted = await storeRows(
      url(),
      `select actor, subject from audit where account_id = 1 and action = 'access-token.create' and actor = 'user ${user}'`,
    );
    assert.deepEqual({ ...noted.at(0) }, { actor: `user ${user}`, subject: `user ${user}` });
  });

  const call = (cookie: string, method: string, path: string, body?: unknown) =>
    consoleCall(context.service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
  /** An analyst of their own, with a token of a session that has just begun. */
  const somebody = async () => {
    const name = randomUUID();
    const [id] = await addUsers(url(), 1, [{ userName: name, externalId: name, active: true }]);
    await grantAside(url(), 1, { user: id! }, 'analyst');
    const person = { accountId: 1, personId: id! };
    const cookie = await sessionAside(url(), person);
    const { body, status: given, text } = await call(cookie, 'POST', '/access-token');
    assert.equal(given, 201, text);
    const token = String(body.token);
    const session = async () =>
      (await storeRows(url(), `select id from session where person_id = ${id}`))[0]?.id;
    return { id: id!, name, person, cookie, token, sessionId: String(await session()) };
  };
  const everywhere = async (token: string): Promise<readonly number[]> =>
    Promise.all([context.service, replica].map((at) => status(token, paths.r_cx_measures, 'GET', at)));

  it('a session whose sign-in is older than 15 minutes gets no token, whoever it is [D-820]', async () => {
    for (const kind of ['editor', 'identity', 'admin', 'operator inside'] as const) {
      const { status: given, body } = await call(
        await people[kind].newCookie(16 * 60_000),
        'POST',
        '/access-token',
      );
      assert.deepEqual([given, body.code, body.token], [403, 'FRESH_SIGN_IN_REQUIRED', undefined], kind);
    }
  });

  it('ends at the next request, on every replica, with its session: signed out, signed out everywhere, ended by somebody else, at its end [D-820]', async () => {
    const ends: Readonly<Record<string, (who: Awaited<ReturnType<typeof somebody>>) => Promise<unknown>>> = {
      'signing out': ({ cookie }) => call(cookie, 'DELETE', '/session'),
      'signing out everywhere else': async ({ person }) =>
        call(await sessionAside(url(), person), 'DELETE', '/me/sessions'),
      'ending that session': async ({ person, sessionId }) =>
        call(await sessionAside(url(), person), 'DELETE', `/me/sessions/${sessionId}`),
      'an admin who signs them out': async ({ id }) =>
        call(await people.admin.newCookie(), 'DELETE', `/users/${id}/sessions`),
      'an admin who ends that session': async ({ id, sessionId }) =>
        call(await people.admin.newCookie(), 'DELETE', `/users/${id}/sessions/${sessionId}`),
      'the end of the session': ({ id }) =>
        storeRows(url(), `update session set ends_at = ${Date.now() - 1} where person_id = ${id}`),
      'twelve hours without use': ({ id }) =>
        storeRows(
          url(),
          `update session set used_at = ${Date.now() - 12 * 3_600_000 - 1} where person_id = ${id}`,
        ),
      'the user is deleted': async ({ id }) => call(await people.admin.newCookie(), 'DELETE', `/users/${id}`),
    };
    for (const [what, end] of Object.entries(ends)) {
      const who = await somebody();
      assert.deepEqual(await everywhere(who.token), [200, 200], what);
      const answer = await end(who);
      const done = (answer as { readonly status?: number }).status;
      assert.ok(done === undefined || done < 300, `${what}: ${done}`);
      assert.deepEqual(await everywhere(who.token), [401, 401], what);
    }
  });

  it('a new secret of the same session keeps it: another sign-in of the same person, and a role that is gained, which it does not open [D-820]', async () => {
    const who = await somebody();
    const password = 'violet lantern orbits quietly';
    await passwordAside(url(), [who.person], password);
    const again = await call(who.cookie, 'POST', '/sign-in/password', {
      account: 1,
      name: who.name,
      password,
    });
    assert.ok(again.status < 300, again.text);
    const renewed = cookieSetBy(again)!;
    assert.notEqual(renewed, who.cookie);
    assert.equal((await call(who.cookie, 'GET', '/session')).status, 401);
    assert.deepEqual(await everywhere(who.token), [200, 200]);

    await grantAside(url(), 1, { user: who.id }, 'identity');
    const raised = await call(renewed, 'GET', '/session');
    assert.ok((raised.body.abilities as string[]).includes('manage users'));
    assert.ok(cookieSetBy(raised) !== null);
    assert.deepEqual(await everywhere(who.token), [200, 200]);
    assert.equal(await status(who.token, paths.r_cx_users), 403);
  });

  it('opens no more than the session does: an admin by a link of somebody without admin, an operator who has left the account [D-820]', async () => {
    const who = await somebody();
    await grantAside(url(), 1, { user: who.id }, 'admin');
    const cookie = await sessionAside(url(), who.person);
    await storeRows(url(), `update session set admits_admin = 0 where person_id = ${who.id}`);
    const withheld = await call(cookie, 'POST', '/access-token');
    assert.deepEqual(withheld.body.grants, ['r_cx_measures', 'r_cx_projects']);
    assert.equal(await status(String(withheld.body.token), paths.r_cx_users), 403);

    const inside = await people['operator inside'].newCookie();
    const token = String((await call(inside, 'POST', '/access-token')).body.token);
    assert.deepEqual(await everywhere(token), [200, 200]);
    const left = await call(inside, 'PUT', '/session/account', { accountId: 2 });
    assert.equal(left.status, 204, left.text);
    assert.deepEqual(await everywhere(token), [401, 401]);
  });

  it('one that names no session, as 0.2.0 made them, or that of somebody else, is none [D-820]', async () => {
    const [who, other] = [await somebody(), await somebody()];
    const { storeId, keys } = await storeSecrets(url());
    const [{ kid, secret }] = keys as [{ kid: string; secret: string }];
    const forged = (claims: Readonly<Record<string, string>>): Promise<string> =>
      new SignJWT({
        ...{ client_id: 'console', account: 1, scope: 'r_cx_measures', jti: randomUUID(), ...claims },
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        .setIssuer(storeId)
        .setAudience(storeId)
        .setSubject(`user ${who.id}`)
        .setIssuedAt()
        .setExpirationTime('10 minutes')
        .sign(Buffer.from(secret, 'base64url'));
    assert.deepEqual(await everywhere(await forged({ sid: who.sessionId })), [200, 200]);
    assert.deepEqual(await everywhere(await forged({})), [401, 401]);
    assert.deepEqual(await everywhere(await forged({ sid: other.sessionId })), [401, 401]);
  });
}
