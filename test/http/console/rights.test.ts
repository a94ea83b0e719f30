// Rights that rise while somebody is signed in: they count under a new secret alone. And admin, which nobody comes by through
// a link that somebody without admin has made.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noteOfDetails } from '../../support/audit-note.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { consoleCall, cookieSetBy, operatorAside, passwordAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { PasskeyBrowser } from '../../support/passkeys.ts';
import { patience } from '../../support/patience.ts';
import { setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const password = 'nine otters hum quietly';
const another = 'seven herons wade slowly';
const ordinary = 20;

for (const engine of engines) describe(`rights that rise on ${engine.name}`, () => rising(engine));

function rising(engine: Engine): void {
  let context: ProvisioningService;
  let ids: readonly number[];
  let operator: string;
  /** Manages users, and is no admin. */
  let manager: string;
  const managerIndex = 1;
  const url = (): string => context.store.databaseUrl;
  const call = (cookie: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
  const done = async (status: number, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  const signIn = async (index: number, secret = password, account = 1): Promise<string> => {
    const body = { account, name: `person-${index}`, password: secret };
    return cookieSetBy(
      await done(204, consoleCall(context.service.baseUrl, 'POST', '/sign-in/password', { body })),
    )!;
  };
  const rolesOf = async (cookie: string): Promise<unknown> =>
    (await done(200, call(cookie, 'GET', '/session'))).body.roles;
  const grant = (index: number, role: string): Promise<Answer> =>
    done(204, call(operator, 'PUT', `/users/${ids[index]}/roles/${role}`));
  const take = (index: number, role: string): Promise<Answer> =>
    done(204, call(operator, 'DELETE', `/users/${ids[index]}/roles/${role}`));
  const newGroup = async (...members: readonly number[]): Promise<string> => {
    const body = { displayName: `Group of ${members}`, members: members.map((index) => String(ids[index])) };
    return String((await done(201, call(operator, 'POST', '/groups', body))).body.id);
  };
  const scim = (path: string, Operations: readonly object[]): Promise<Answer> =>
    exchange(`${context.service.baseUrl}/scim/v2${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${context.token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }),
    });

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `person-${index}`,
      externalId: `e-${index}`,
      active: true,
      ...(index === 14 ? { roles: [{ value: 'insight' }] } : {}),
    }));
    ids = await addUsers(url(), 1, profiles);
    const others = await addUsers(url(), 2, profiles);
    const withPassword = ids.slice(0, ordinary).map((personId) => ({ accountId: 1, personId }));
    await passwordAside(url(), [...withPassword, { accountId: 2, personId: others[10]! }], password);
    operator = await operatorAside(url(), { enteredAccountId: 1 });
    await grant(managerIndex, 'identity');
    manager = await signIn(managerIndex);
  });
  after(() => context?.close());

  it('whoever gains a role in any way has it at the next request, under a new secret; the old one gains nothing and ends [D-399]', async () => {
    const inGroup = await newGroup(11);
    const joined = await newGroup();
    await done(204, call(operator, 'PUT', `/groups/${joined}/roles/viewer`));
    const ways: readonly [title: string, index: number, () => Promise<unknown>][] = [
      ['a grant', 10, () => grant(10, 'viewer')],
      ['a grant to a group', 11, () => done(204, call(operator, 'PUT', `/groups/${inGroup}/roles/viewer`))],
      [
        'joining a group that carries one, by the provider',
        12,
        () =>
          scim(`/Groups/${joined}`, [{ op: 'add', path: 'members', value: [{ value: String(ids[12]) }] }]),
      ],
      [
        'the table of SCIM roles',
        14,
        () => setUp(['role', 'values', '--account', '1', '--set', 'insight=viewer'], context.env),
      ],
      [
        'a SCIM role, by the provider',
        13,
        () => scim(`/Users/${ids[13]}`, [{ op: 'add', path: 'roles', value: [{ value: 'insight' }] }]),
      ],
    ];
    const beside = await signIn(10, password, 2);
    for (const [title, index, rise] of ways) {
      const old = await signIn(index);
      const other = await signIn(index);
      const first = await done(200, call(old, 'GET', '/session'));
      assert.deepEqual([first.body.roles, cookieSetBy(first)], [[], null], title);
      await rise();
      const next = await done(200, call(old, 'GET', '/session'));
      assert.deepEqual(next.body.roles, ['viewer'], title);
      const raised = cookieSetBy(next)!;
      assert.ok(raised !== null && raised !== old, title);
      const again = await done(200, call(raised, 'GET', '/session'));
      assert.deepEqual([again.body.roles, cookieSetBy(again)], [['viewer'], null], title);
      // Requests that were under way are answered as before the rise; on a slow machine it has ended by now.
      const late = await call(old, 'GET', '/session');
      if (late.status !== 401) assert.deepEqual([late.body.roles, cookieSetBy(late)], [[], null], title);
      const mine = (await done(200, call(raised, 'GET', '/me/sessions'))).body as {
        sessions: readonly object[];
      };
      assert.equal(mine.sessions.length, 2, title);
      assert.deepEqual(await rolesOf(other), ['viewer'], `${title}: the other session, by itself`);
    }
    assert.deepEqual(await rolesOf(beside), [], 'a namesake in another account');
    const ending = await storeRows(
      url(),
      `select ends_at from session where account_id = 1 and role_bits = 0 and person_id <> ${ids[managerIndex]}`,
    );
    assert.equal(ending.length, 2 * ways.length);
    for (const { ends_at } of ending) assert.ok(Number(ends_at) <= Date.now() + 10_000);
    const told = await storeRows(
      url(),
      `select details from audit where account_id = 1 and action = 'session.renew'`,
    );
    const gained = told.filter(({ details }) => /roles were gained/.test(noteOfDetails(details)));
    assert.equal(gained.length, 2 * ways.length);
  });

  it('of many requests at once one brings the new secret, and none is refused; on another replica too [D-399]', async () => {
    const replica = await context.another();
    const old = await signIn(15);
    await grant(15, 'identity');
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        consoleCall((at % 2 === 0 ? context.service : replica).baseUrl, 'GET', '/session', { cookie: old }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const secrets = answers.map((answer) => cookieSetBy(answer)).filter((cookie) => cookie !== null);
    assert.equal(secrets.length, 1);
    // What the role opens is opened by the new one, and refused to the old one, until it is gone.
    await done(200, call(secrets[0]!, 'GET', '/users?count=1'));
    const refused = await call(old, 'GET', '/users?count=1');
    assert.ok([401, 403].includes(refused.status), refused.text);
    const ofOld = `where account_id = 1 and person_id = ${ids[15]} and role_bits = 0`;
    // As where a request was stamped before the one that raised it, and looks it up after it; or a replica has an earlier clock.
    await storeRows(url(), `update session set ends_at = ${Date.now() + 15_000} ${ofOld}`);
    assert.equal(cookieSetBy(await done(200, call(old, 'GET', '/session'))), null);
    await storeRows(url(), `update session set ends_at = ${Date.now() - 1} ${ofOld}`);
    await done(401, call(old, 'GET', '/session'));
    await done(204, call(secrets[0]!, 'DELETE', '/session'));
    await done(401, call(secrets[0]!, 'GET', '/session'));
  });

  it('a role that is taken is gone at once, and one that was there before needs no new secret [D-399]', async () => {
    await grant(16, 'viewer');
    await grant(16, 'identity');
    const cookie = await signIn(16);
    await take(16, 'identity');
    const without = await done(200, call(cookie, 'GET', '/session'));
    assert.deepEqual([without.body.roles, cookieSetBy(without)], [['viewer'], null]);
    await grant(16, 'identity');
    const back = await done(200, call(cookie, 'GET', '/session'));
    assert.deepEqual([back.body.roles, cookieSetBy(back)], [['viewer', 'identity'], null]);
    // A request that is refused brings it as well.
    const poor = await signIn(17);
    await grant(17, 'viewer');
    const refused = await done(403, call(poor, 'GET', '/users'));
    assert.deepEqual(await rolesOf(cookieSetBy(refused)!), ['viewer']);
    // Whoever proves again who they are has what they have now, under the secret of that sign-in.
    const before = await signIn(18);
    await grant(18, 'viewer');
    const body = { account: 1, name: 'person-18', password };
    const renewed = await done(204, call(before, 'POST', '/sign-in/password', body));
    const after = await done(200, call(cookieSetBy(renewed)!, 'GET', '/session'));
    assert.deepEqual([after.body.roles, cookieSetBy(after)], [['viewer'], null]);
    await done(401, call(before, 'GET', '/session'));
  });

  const openLink = async (code: string): Promise<string> =>
    cookieSetBy(
      await done(200, consoleCall(context.service.baseUrl, 'POST', '/sign-in/link', { body: { code } })),
    )!;
  const codeIn = (text: string): string => /#([\w.-]+)/.exec(text)![1]!;
  const linkBy = async (cookie: string, index: number): Promise<string> =>
    openLink(codeIn((await done(200, call(cookie, 'POST', `/users/${ids[index]}/link`))).text));
  /** Whether somebody is admin here, is told that they are not, or is none. */
  const adminIn = async (cookie: string): Promise<'here' | 'withheld' | 'no'> => {
    const { body } = await done(200, call(cookie, 'GET', '/session'));
    if (body.isAdminWithheld === true) return 'withheld';
    return (body.roles as readonly string[]).includes('admin') ? 'here' : 'no';
  };

  it('what goes back to a link of somebody without admin never opens admin, however its owner came by it [D-400]', async () => {
    const browser = new PasskeyBrowser(context.service.baseUrl);
    const device = new Authenticator(context.service.baseUrl.replace('127.0.0.1', 'localhost'));
    const second = new Authenticator(context.service.baseUrl.replace('127.0.0.1', 'localhost'));
    const index = 30;
    // The manager keeps the link, and adds ways to come back.
    const byLink = await linkBy(manager, index);
    await done(204, call(byLink, 'PUT', '/me/password', { password: another }));
    await done(201, browser.add(byLink, device));
    const byDevice = cookieSetBy(await done(204, browser.signIn(device)))!;
    await done(201, browser.add(byDevice, second));
    const pending = codeIn((await done(200, call(manager, 'POST', `/users/${ids[index]}/link`))).text);
    const group = await newGroup(index);
    await done(204, call(operator, 'PUT', `/groups/${group}/roles/admin`));
    await done(403, call(manager, 'POST', `/users/${ids[index]}/link`));
    const sessions = {
      'the session of the link': byLink,
      'a session of the passkey': byDevice,
      'the password': await signIn(index, another),
      'a passkey that was added by the passkey': cookieSetBy(await done(204, browser.signIn(second)))!,
      'a link that was not opened yet': await openLink(pending),
    };
    for (const [title, cookie] of Object.entries(sessions)) {
      assert.equal(await adminIn(cookie), 'withheld', title);
      const refused = await done(403, call(cookie, 'GET', '/api-clients'));
      assert.match(String(refused.body.detail), /a link that somebody without admin made/, title);
    }
    // To prove again who they are by the same does not help.
    const again = await done(204, browser.signIn(device, undefined, byDevice));
    assert.equal(await adminIn(cookieSetBy(again)!), 'withheld');

    // A link of an admin, or of an operator, opens it, and so does what is added there.
    const clean = await linkBy(operator, index);
    assert.equal(await adminIn(clean), 'here');
    await done(200, call(clean, 'GET', '/api-clients'));
    await done(204, call(clean, 'PUT', '/me/password', { password }));
    assert.equal(await adminIn(await signIn(index)), 'here');
    assert.equal(await adminIn(cookieSetBy(await done(204, browser.signIn(device)))!), 'withheld');
    const byAdmin = await linkBy(clean, 31);
    await done(204, call(byAdmin, 'PUT', '/me/password', { password }));
    await grant(31, 'admin');
    assert.equal(await adminIn(await signIn(31)), 'here');
    // Whoever is admin by a doubtful way hands on no better one.
    const handedOn = await linkBy(await signIn(managerIndex), 32);
    assert.equal(await adminIn(handedOn), 'no');
    await grant(32, 'admin');
    assert.equal(await adminIn(handedOn), 'withheld');
    await grant(32, 'identity');
    const stillNot = cookieSetBy(await done(200, call(handedOn, 'GET', '/session')))!;
    const third = await linkBy(stillNot, 33);
    await grant(33, 'admin');
    assert.equal(await adminIn(third), 'withheld');
  });

  it('an invitation of somebody without admin is no way to admin either; that of a command is [D-400]', async () => {
    const invite = await done(200, call(manager, 'POST', '/users/invite', { userName: 'invited' }));
    const invited = await openLink(codeIn(invite.text));
    await done(204, call(operator, 'PUT', `/users/${invite.body.id}/roles/admin`));
    assert.equal(await adminIn(invited), 'withheld');
    const command = await setUp(
      ['user', 'invite', '--account', '1', '--user-name', 'by-command', '--json'],
      context.env,
    );
    const trusted = await openLink(codeIn(command));
    const { id } = JSON.parse(command) as { id: number };
    await done(204, call(operator, 'PUT', `/users/${id}/roles/admin`));
    const raised = await done(200, call(trusted, 'GET', '/session'));
    assert.deepEqual(raised.body.roles, ['admin']);
    assert.equal(await adminIn(cookieSetBy(raised)!), 'here');
    const [entry] = await storeRows(
      url(),
      `select details from audit where account_id = 1 and action = 'link.create' and subject = 'user ${invite.body.id}'`,
    );
    assert.match(noteOfDetails(entry!.details), /without admin/);
  });
}
