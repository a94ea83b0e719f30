// One-time links: they sign in once, whoever they are for, and tell nobody why they do not.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noteOfDetails } from '../../support/audit-note.ts';
import { consoleCall, cookieSetBy, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { type Service, setUp } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows, wholeStore } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const neighbours = 40;

for (const engine of engines) describe(`one-time links on ${engine.name}`, () => links(engine));

function links(engine: Engine): void {
  let context: ProvisioningService;
  let replica: Service;
  let ids: readonly number[];
  let foreignIds: readonly number[];
  /** An operator who has entered account 1. */
  let operator: string;
  /** Every code that was made here. */
  const codes: string[] = [];
  const url = (): string => context.store.databaseUrl;
  const services = (): readonly Service[] => [context.service, replica];

  const call = (
    method: string,
    path: string,
    cookie?: string,
    body?: unknown,
    service: Service = context.service,
  ): Promise<Answer> =>
    consoleCall(service.baseUrl, method, path, {
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { body }),
    });
  const open = (code: string, service: Service = context.service, cookie?: string): Promise<Answer> =>
    call('POST', '/sign-in/link', cookie, { code }, service);
  const codeOf = (link: unknown): string => {
    const code = new URL(String(link)).hash.slice(1);
    codes.push(code);
    return code;
  };
  const linkFor = async (id: number, cookie = operator): Promise<string> => {
    const { status, body, text } = await call('POST', `/users/${id}/link`, cookie);
    assert.equal(status, 200, text);
    return codeOf(body.url);
  };
  const userSession = (id: number, options = {}): Promise<string> =>
    sessionAside(url(), { accountId: 1, personId: id }, options);

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    replica = await context.another();
    const profiles = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({
        userName: `${name}-${index}`,
        externalId: `${name}-e-${index}`,
        active: true,
      }));
    ids = await addUsers(url(), 1, profiles(people, 'person'));
    foreignIds = await addUsers(url(), 2, profiles(neighbours, 'person'));
    operator = await operatorAside(url(), { name: 'olga', enteredAccountId: 1 });
  });
  after(() => context?.close());

  it('hundreds of links, opened in another order on two replicas, let in each their own person, once [D-321]', async () => {
    const made = await Promise.all(ids.map(async (id) => ({ id, code: await linkFor(id) })));
    const order = made.map((_, index) => made[(index * 7) % people]!);
    for (const [at, { id, code }] of order.entries()) {
      const answer = await open(code, services()[at % 2]);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, {
        person: { kind: 'user', id: String(id), name: `person-${ids.indexOf(id)}` },
        mustAddCredential: true,
      });
      const session = await call(
        'GET',
        '/session',
        cookieSetBy(answer)!,
        undefined,
        services()[(at + 1) % 2],
      );
      assert.deepEqual([session.status, session.body.way], [200, 'link']);
      assert.equal((session.body.person as { id: string }).id, String(id));
    }
    for (const { code } of order.slice(0, 50)) assert.equal((await open(code)).status, 401);
    const entries = await storeRows(
      url(),
      `select actor, subject, details from audit where account_id = 1 and action = 'session.create'`,
    );
    assert.equal(entries.length, people);
    assert.deepEqual(new Set(entries.map(({ actor }) => actor)), new Set(ids.map((id) => `user ${id}`)));
    assert.ok(entries.every(({ details }) => noteOfDetails(details) === 'signed in by link'));
  });

  it('a link that is opened twice at the same moment on two replicas begins one session', async () => {
    for (const id of ids.slice(0, 40)) {
      const code = await linkFor(id);
      const answers = await Promise.all(services().map((service) => open(code, service)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401]);
    }
    const [row] = await storeRows(
      url(),
      `select count(*) as sessions from session where account_id = 1 and person_id in (${ids.slice(0, 40).join()})`,
    );
    assert.equal(Number(row!.sessions), 80);
  });

  it('wrong, used, ended, replaced, of somebody who is out: the answer is one and the same [D-322]', async () => {
    const used = await linkFor(ids[50]!);
    assert.equal((await open(used)).status, 200);
    const replaced = await linkFor(ids[51]!);
    const newer = await linkFor(ids[51]!);
    const ended = await linkFor(ids[52]!);
    await storeRows(
      url(),
      `update one_time_link set expires_at = 1 where account_id = 1 and person_id = ${ids[52]}`,
    );
    const suspended = await linkFor(ids[53]!);
    await setUp(['user', 'suspend', 'person-e-53', '--account', '1'], context.env);
    const deleted = await linkFor(ids[54]!);
    await setUp(['user', 'delete', 'person-e-54', '--account', '1'], context.env);
    const disabled = codeOf(
      JSON.parse(await setUp(['operator', 'create', 'gone', '--json'], context.env)).url,
    );
    await setUp(['operator', 'disable', 'gone'], context.env);
    const elsewhere = (await linkFor(ids[55]!)).replace(/^1\./, '2.');
    const never = `1.${'A'.repeat(43)}`;
    const answers = new Set<string>();
    const wrong = [
      used,
      replaced,
      ended,
      suspended,
      deleted,
      disabled,
      elsewhere,
      never,
      '',
      'x',
      `77.${'A'.repeat(43)}`,
    ];
    for (const code of wrong) {
      const { status, body } = await open(code);
      assert.equal(status, 401, code);
      const { requestId: _, ...rest } = body;
      answers.add(JSON.stringify(rest));
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.match([...answers][0]!, /SIGN_IN_REFUSED/);
    assert.equal((await open(newer)).status, 200);
    const rows = await storeRows(
      url(),
      `select count(*) as ended from one_time_link where account_id = 1 and expires_at = 1`,
    );
    assert.equal(Number(rows[0]!.ended), 0, 'what has ended goes when a new one is made');
  });

  it('where a provider is the only way in, users have no links, and those they had let nobody in [D-322]', async () => {
    const enter = await operatorAside(url(), { enteredAccountId: 2 });
    const early = await linkFor(foreignIds[0]!, enter);
    await storeRows(
      url(),
      `insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at)
      values (2, 'c-only', 'Entra', 'https://idp.example', 'x', 'oid', 1, 1)`,
    );
    const before = await open(early);
    assert.deepEqual([before.status, before.body.code], [401, 'SIGN_IN_REFUSED']);
    const refused = await call('POST', `/users/${foreignIds[1]}/link`, enter);
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    const invited = await call('POST', '/users/invite', enter, { userName: 'nobody' });
    assert.deepEqual([invited.status, invited.body.code], [409, 'CONFLICT']);
    await storeRows(url(), `update connection set is_only = 0 where account_id = 2`);
    assert.equal((await open(early)).status, 200);
  });

  it('links are made by those who manage users, after a fresh sign-in; those of admins by admins [D-325]', async () => {
    const [identity, admin, viewer, boss, plain] = ids.slice(60) as [number, number, number, number, number];
    await grantAside(url(), 1, { user: identity }, 'identity');
    await grantAside(url(), 1, { user: admin }, 'admin');
    await grantAside(url(), 1, { user: viewer }, 'viewer');
    const groupId = 5_000_000_001;
    await storeRows(
      url(),
      `insert into group_member (account_id, group_id, member_id, is_group) values (1, ${groupId}, ${boss}, 0)`,
    );
    await grantAside(url(), 1, { group: groupId }, 'admin');
    const ask = async (who: string, id: number | string) => {
      const { status, body } = await call('POST', `/users/${id}/link`, who);
      if (status === 200) codeOf(body.url);
      return status === 200 ? 200 : `${status} ${body.code}`;
    };
    const byIdentity = await userSession(identity);
    assert.equal(await ask(byIdentity, plain), 200);
    assert.equal(await ask(byIdentity, admin), '403 ABILITY_MISSING');
    assert.equal(await ask(byIdentity, boss), '403 ABILITY_MISSING');
    assert.equal(await ask(await userSession(admin), boss), 200);
    assert.equal(await ask(operator, admin), 200);
    assert.equal(await ask(await userSession(viewer), plain), '403 ABILITY_MISSING');
    assert.equal(await ask(byIdentity, foreignIds[5]!), '404 USER_NOT_FOUND');
    assert.equal(await ask(byIdentity, 'e-1'), '404 USER_NOT_FOUND');
    assert.equal(await ask(byIdentity, ids[53]!), '409 CONFLICT');
    const stale = await userSession(identity, { signedInAtMs: Date.now() - 16 * 60_000 });
    assert.equal(await ask(stale, plain), '403 FRESH_SIGN_IN_REQUIRED');
    const outside = await operatorAside(url());
    assert.equal(await ask(outside, plain), '403 ABILITY_MISSING');
  });

  it('who is invited is a user like any other, and comes in by the link [D-324]', async () => {
    const body = { userName: 'invited', givenName: 'Ida', familyName: 'Vited', email: 'ida@acme.example' };
    const { status, body: made, text } = await call('POST', '/users/invite', operator, body);
    assert.equal(status, 200, text);
    const days = (Date.parse(String(made.expiresAt)) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    const { body: user } = await context.call('GET', `/Users/${made.id}`);
    assert.deepEqual([user.userName, user.name.givenName, user.active], ['invited', 'Ida', true]);
    assert.deepEqual(user.emails, [{ value: 'ida@acme.example', type: 'work', primary: true }]);
    const entered = await open(codeOf(made.url));
    assert.equal(entered.status, 200);
    const session = await call('GET', '/session', cookieSetBy(entered)!);
    assert.deepEqual([session.body.roles, session.body.abilities], [[], []]);
    const log = await storeRows(
      url(),
      `select action, actor from audit where account_id = 1 and subject = 'user ${made.id}' order by at, id`,
    );
    assert.deepEqual(
      log.map(({ action, actor }) => `${action} ${actor}`),
      ['user.create operator olga', 'link.create operator olga', `session.create user ${made.id}`],
    );
    const again = await call('POST', '/users/invite', operator, { userName: 'INVITED' });
    assert.deepEqual([again.status, again.body.code], [409, 'USER_NAME_TAKEN']);
    const faulty = await call('POST', '/users/invite', operator, { userName: ' ida ', shoe: 39 });
    assert.equal(faulty.status, 400, faulty.text);
  });

  it('a link that is opened by somebody who is signed in already goes on in a session of its own, and the old one ends', async () => {
    const id = ids[80]!;
    const old = await userSession(id, { signedInAtMs: Date.now() - 3_600_000 });
    const answer = await open(await linkFor(id), context.service, old);
    assert.equal(answer.status, 200);
    assert.equal((await call('GET', '/session', old)).status, 401);
    assert.equal((await call('GET', '/session', cookieSetBy(answer)!)).status, 200);
    const other = await userSession(ids[81]!);
    const switched = await open(await linkFor(id), context.service, other);
    assert.equal(switched.status, 200);
    assert.equal((await call('GET', '/session', other)).status, 200, 'a session of somebody else stays');
  });

  it('people see where they are signed in, and end one of their sessions or all but this one', async () => {
    const [me, neighbour] = [ids[90]!, ids[91]!];
    const cookies = await Promise.all(Array.from({ length: 12 }, () => userSession(me)));
    const others = await userSession(neighbour);
    const mine = async (cookie: string) =>
      (await call('GET', '/me/sessions', cookie)).body.sessions as {
        id: string;
        isThis: boolean;
        way: string;
      }[];
    const listed = await mine(cookies[3]!);
    // One more is that of the link above.
    assert.equal(listed.length, 13);
    assert.equal(listed.filter(({ isThis }) => isThis).length, 1);
    const [target] = (await mine(cookies[4]!)).filter(({ isThis }) => isThis);
    assert.equal((await call('DELETE', `/me/sessions/${target!.id}`, cookies[3]!)).status, 204);
    assert.equal((await call('DELETE', `/me/sessions/${target!.id}`, cookies[3]!)).status, 204);
    assert.equal((await call('GET', '/session', cookies[4]!, undefined, replica)).status, 401);
    const [foreign] = (await mine(others)).filter(({ isThis }) => isThis);
    assert.equal((await call('DELETE', `/me/sessions/${foreign!.id}`, cookies[3]!)).status, 204);
    assert.equal((await call('GET', '/session', others)).status, 200, 'nobody ends the session of another');
    const rest = await call('DELETE', '/me/sessions', cookies[3]!);
    assert.deepEqual([rest.status, rest.body], [200, { ended: 11 }]);
    for (const [at, cookie] of cookies.entries())
      assert.equal((await call('GET', '/session', cookie)).status, at === 3 ? 200 : 401);
    const [own] = await mine(cookies[3]!);
    const last = await call('DELETE', `/me/sessions/${own!.id}`, cookies[3]!);
    assert.deepEqual([last.status, cookieSetBy(last)], [204, 'soundings=']);
  });

  it('who manages users sees and ends the sessions of a user of the account, and of no other', async () => {
    const id = ids[95]!;
    const cookies = await Promise.all(Array.from({ length: 5 }, () => userSession(id)));
    const identity = await userSession(ids[60]!);
    const seen = await call('GET', `/users/${id}/sessions`, identity);
    assert.equal((seen.body.sessions as unknown[]).length, 6);
    const ended = await call('DELETE', `/users/${id}/sessions`, identity);
    assert.deepEqual([ended.status, ended.body], [200, { ended: 6 }]);
    for (const cookie of cookies)
      assert.equal((await call('GET', '/session', cookie, undefined, replica)).status, 401);
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await call(method, `/users/${foreignIds[3]}/sessions`, identity)).status, 404);
      assert.equal((await call(method, `/users/${id}/sessions`, await userSession(ids[62]!))).status, 403);
    }
    const [entry] = await storeRows(
      url(),
      `select actor, details from audit where account_id = 1 and action = 'session.end' and subject = 'user ${id}'`,
    );
    assert.deepEqual([entry!.actor, noteOfDetails(entry!.details)], [`user ${ids[60]}`, '6 sessions']);
  });

  it('whoever manages users ends no session of an admin and makes no link for one; an admin does both [D-811]', async () => {
    const [identity, admin] = [await userSession(ids[60]!), await userSession(ids[97]!)];
    await grantAside(url(), 1, { user: ids[96]! }, 'admin');
    await grantAside(url(), 1, { user: ids[97]! }, 'admin');
    const target = `/users/${ids[96]}`;
    const cookie = await userSession(ids[96]!);
    const [session] = (await call('GET', `${target}/sessions`, identity)).body.sessions as { id: string }[];
    for (const [method, path] of [
      ['DELETE', `${target}/sessions`],
      ['DELETE', `${target}/sessions/${session!.id}`],
      ['POST', `${target}/link`],
      ['DELETE', target],
    ] as const) {
      const { status, body } = await call(method, path, identity);
      assert.deepEqual([status, body.code], [403, 'ABILITY_MISSING'], path);
    }
    assert.equal((await call('GET', '/session', cookie)).status, 200);
    assert.equal((await call('DELETE', `${target}/sessions`, admin)).status, 200);
    assert.equal((await call('GET', '/session', cookie)).status, 401);
    // One's own, whoever one is.
    assert.equal((await call('DELETE', '/me/sessions', admin)).status, 200);
    await storeRows(
      url(),
      `delete from role_grant where account_id = 1 and role = 'admin' and holder_id in (${ids[96]}, ${ids[97]})`,
    );
  });

  it('guesses are counted by network, and a right code still lets in [D-322]', async () => {
    const throttled = await startService({ ...context.env, SOUNDINGS_THROTTLE: 'on' });
    try {
      const statuses: number[] = [];
      for (let guess = 0; guess < 8; guess += 1)
        statuses.push((await open(`1.${String(guess).padStart(43, 'g')}`, throttled)).status);
      assert.ok(
        statuses.slice(0, 2).every((status) => status === 401),
        statuses.join(),
      );
      const late = await open(`1.${'h'.repeat(43)}`, throttled);
      assert.deepEqual([late.status, late.body.code], [429, 'TOO_MANY_FAILED_SIGN_INS']);
      assert.ok(Number(late.headers['retry-after']) > 0);
      assert.equal((await open(await linkFor(ids[100]!), throttled)).status, 200);
    } finally {
      await throttled.stop();
    }
  });

  it('no code stands in the log, in the audit log or anywhere in the store', async () => {
    assert.ok(codes.length > people);
    const output = services()
      .map((service) => service.output())
      .join('\n');
    const store = JSON.stringify(await wholeStore(url()));
    for (const code of codes) {
      const secret = code.slice(code.indexOf('.') + 1);
      assert.equal(output.includes(secret) || store.includes(secret), false);
    }
  });
}
