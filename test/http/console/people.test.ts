// Users, groups and API clients as the pages of the console look for them, what was done to somebody, and the audit log as
// a file.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, grantAside, sessionAside } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { commandHereOk, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers, type Profile } from '../../support/user-population.ts';
import { type ProvisioningService, patchBody, startProvisioning, userBody } from '../../support/users.ts';

for (const engine of engines) describe(`people in the console on ${engine.name}`, () => people(engine));

const count = 400;
const families = ['Müller', 'Okafor', 'Straße', 'd’Arc', 'Nakamura', '100%', 'under_score'];

/** Somebody of a population: names of every kind, a third suspended, a fifth with a role by the provider's own value. */
function profileOf(index: number, mail: string): Profile {
  const family = families[index % families.length]!;
  return {
    userName: `u${index}@${mail}`,
    externalId: `ext-${index}`,
    active: index % 3 !== 0,
    name: { givenName: `Given${index}`, familyName: family },
    ...(index % 4 === 0 ? { displayName: `Dr. ${family} the ${index}.` } : {}),
    emails: [{ value: `First.Last-${index}@Mail-${index % 10}.example`, type: 'work', primary: true }],
    ...(index % 5 === 0 ? { roles: [{ value: 'Insights' }] } : {}),
  };
}

interface UserItem {
  readonly id: string;
  readonly userName: string;
  readonly active: boolean;
  readonly roles: readonly string[] | null;
}

function people(engine: Engine): void {
  let context: ProvisioningService;
  let own: Readonly<Record<VisitorKind, VisitorAside>>;
  let ids: readonly number[];
  let identity: string;
  const url = (): string => context.store.databaseUrl;
  const call = (cookie: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
  const done = async (status: number, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  const found = async (query: string): Promise<{ total: number; items: readonly UserItem[] }> => {
    const { body } = await done(200, call(identity, 'GET', `/users?${query}`));
    return body as unknown as { total: number; items: UserItem[] };
  };
  const numbers = async (query: string): Promise<readonly number[]> => {
    const { total, items } = await found(`${query}&count=200`);
    assert.equal(items.length, Math.min(total, 200), query);
    return items.map(({ id }) => ids.indexOf(Number(id))).filter((index) => index >= 0);
  };
  const among = (keep: (index: number) => boolean): readonly number[] =>
    Array.from({ length: count }, (_, index) => index).filter(keep);

  before(async () => {
    context = await startProvisioning(engine);
    own = await visitorsAside(url(), 1, 'own');
    await visitorsAside(url(), 2, 'foreign');
    ids = await addUsers(
      url(),
      1,
      Array.from({ length: count }, (_, index) => profileOf(index, 'one.example')),
    );
    await addUsers(
      url(),
      2,
      Array.from({ length: 60 }, (_, index) => profileOf(index, 'two.example')),
    );
    identity = await own.identity.newCookie();
  });
  after(() => context?.close());

  it('users are found by parts of what they are called, in any case and script, and none of another account [D-591]', async () => {
    const of = (family: string) => (index: number) => families[index % families.length] === family;
    for (const [search, keep] of [
      ['mülle', of('Müller')],
      ['MÜLLER', of('Müller')],
      ['strasse', of('Straße')],
      ['d’arc', of('d’Arc')],
      ['100%', of('100%')],
      ['der_sc', of('under_score')],
      ['given17', (index: number) => String(index).startsWith('17')],
      ['u399@', (index: number) => index === 399],
      ['@mail-7.', (index: number) => index % 10 === 7],
      ['last-12@', (index: number) => index === 12],
      ['dr. okafor', (index: number) => of('Okafor')(index) && index % 4 === 0],
      ['okafor given1 mail-3', (index: number) => of('Okafor')(index) && /^1.*3$/.test(String(index))],
      ['ext-33', (index: number) => index === 33],
      ['two.example', () => false],
      ['nobody-at-all', () => false],
    ] as const)
      assert.deepEqual(await numbers(`search=${encodeURIComponent(search)}`), among(keep), search);
    assert.deepEqual(await numbers(`search=${ids[250]}`), [250]);
    assert.deepEqual(await numbers('search=ext-3'), [3], 'an id of a provider is known whole');
  });

  it('state, role and order go together with the words, page by page, each user once [D-591]', async () => {
    assert.deepEqual(
      await numbers('search=okafor&state=suspended'),
      among((index) => index % 7 === 1 && index % 3 === 0),
    );
    const seen: string[] = [];
    for (let start = 1; ; start += 60) {
      const { total, items } = await found(`state=active&order=newest&start=${start}&count=60`);
      assert.ok(items.every(({ active }) => active));
      seen.push(...items.map(({ id }) => id));
      if (start + 60 > total) {
        assert.equal(seen.length, total);
        break;
      }
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => Number(other) - Number(one)),
    );
    const { items } = await found('search=okafor&order=name');
    const names = items.map(({ userName }) => userName);
    assert.deepEqual(names, names.toSorted());
    assert.equal((await found('')).total, count + 6);
  });

  it('a role is found however somebody came by it: granted, through a group, by a value of the provider [D-591]', async () => {
    await grantAside(url(), 1, { user: ids[1]! }, 'analyst');
    const { body: group } = await done(
      201,
      call(identity, 'POST', '/groups', {
        displayName: 'CX team',
        members: [ids[2], ids[3], ids[1]].map(String),
      }),
    );
    await grantAside(url(), 1, { group: String(group.id) }, 'analyst');
    assert.deepEqual(await numbers('role=analyst'), [1, 2, 3]);
    assert.deepEqual(await numbers('role=analyst&state=suspended'), [3]);
    const admin = await own.admin.newCookie();
    const values = [{ value: 'INSIGHTS', role: 'analyst' }];
    await done(204, call(admin, 'PUT', '/roles/values', { values }));
    const byValue = (index: number): boolean => index % 5 === 0 || [1, 2, 3].includes(index);
    assert.deepEqual(await numbers('role=analyst'), among(byValue));
    assert.deepEqual(
      await numbers('role=analyst&search=okafor&order=newest'),
      among((index) => byValue(index) && index % 7 === 1).toReversed(),
    );
    const none = await found('role=none&count=0');
    assert.equal(none.total, 1 + among((index) => !byValue(index)).length);
    const { body } = await done(200, call(identity, 'GET', `/users/${ids[2]}`));
    assert.deepEqual(
      (body.roles as { role: string; reasons: { text: string }[] }[]).map(({ role, reasons }) => [
        role,
        reasons.map(({ text }) => text),
      ]),
      [['analyst', ['through group CX team']]],
    );
    assert.deepEqual(body.signsInBy, { passkeys: 0, password: false, connection: null, onlyProvider: false });
    await done(204, call(admin, 'PUT', '/roles/values', { values: [] }));
    await storeRows(
      url(),
      `delete from role_grant where account_id = 1 and granted_by = 'test' and role = 'analyst' and holder_id = ${ids[1]}`,
    );
  });

  it('what cannot be asked is refused with every fault: words beside a filter, other states, longer texts', async () => {
    for (const query of [
      'state=gone',
      'role=operator',
      'order=random',
      `search=${'x'.repeat(201)}`,
      `filter=${encodeURIComponent('userName pr')}&search=x`,
      `filter=${encodeURIComponent('userName pr')}&order=name`,
    ])
      assert.equal((await call(identity, 'GET', `/users?${query}`)).status, 400, query);
    const both = await call(identity, 'GET', '/groups?search=x&filter=id%20pr');
    assert.equal(both.status, 400);
    const many = encodeURIComponent('a '.repeat(100));
    assert.equal((await call(identity, 'GET', `/users?search=${many}`)).status, 200);
  });

  it('groups are found by a part of the name, in the order of names, and not those of another account', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => {
      const account = 1 + (at % 2);
      const name = `Unit ${String((at * 37) % 300).padStart(3, '0')} Straße`;
      const profile = JSON.stringify({ displayName: name });
      return `(${account}, ${5_000_000 + at}, 1, 1, 1, 0, '${name.toLowerCase().replace('ß', 'ss')}', '${profile}')`;
    });
    await storeRows(
      url(),
      `insert into user_group (account_id, id, revision, created_at, modified_at, members, display_name_key, profile) values ${rows.join(', ')}`,
    );
    const { body } = await done(200, call(identity, 'GET', '/groups?search=STRASSE&count=200'));
    const names = (body.items as { displayName: string }[]).map(({ displayName }) => displayName);
    assert.deepEqual([body.total, names.length], [150, 150]);
    assert.deepEqual(names, names.toSorted());
    const one = await done(200, call(identity, 'GET', '/groups?search=%20cx%20te'));
    assert.deepEqual(
      (one.body.items as { displayName: string; memberCount: number; roles: string[] }[]).map(
        ({ displayName, memberCount, roles }) => [displayName, memberCount, roles],
      ),
      [['CX team', 3, ['analyst']]],
    );
  });

  interface Event {
    readonly change: {
      action: string;
      attributes: string[];
      actor: { kind: string; name: string | null };
    } | null;
    readonly group: { displayName: string | null; joined: boolean } | null;
    readonly request: {
      method: string;
      status: number;
      understood: string | null;
      refused: string | null;
    } | null;
  }

  it('the timeline of a user tells what the provider changed, what it asked for in vain, and what people did [D-592]', async () => {
    const { id: _token, token } = (
      await done(201, call(identity, 'POST', '/provisioning-tokens', { name: 'Entra ID' }))
    ).body as { id: string; token: string };
    const provider = (method: string, path: string, body: unknown) =>
      context.call(method, path, { token, body });
    const made = await provider('POST', '/Users', userBody('tina@one.example', { externalId: 'tina' }));
    assert.equal(made.status, 200, made.text);
    const { body: listed } = await done(200, call(identity, 'GET', '/users?search=tina'));
    const [tina] = listed.items as UserItem[];
    const path = `/users/${tina!.id}`;
    await done(201, call(identity, 'POST', '/groups', { displayName: 'Tina’s', members: [tina!.id] }));
    const rename = patchBody({ op: 'replace', path: 'name.familyName', value: 'Tee' });
    assert.equal((await provider('PATCH', '/Users/tina', rename)).status, 200);
    assert.equal((await provider('PATCH', '/Users/tina', rename)).status, 200);
    const wrong = patchBody({ op: 'replace', path: 'userName', value: 'u1@one.example' });
    assert.equal((await provider('PATCH', '/Users/tina', wrong)).status, 409);
    const session = await sessionAside(url(), { accountId: 1, personId: Number(tina!.id) });
    await done(200, call(identity, 'PATCH', path, { active: false }));
    assert.equal((await call(session, 'GET', '/session')).status, 401);
    await done(200, call(identity, 'PATCH', path, { active: true }));
    const events = async (query = ''): Promise<{ items: readonly Event[]; next: string | null }> => {
      const { body } = await done(200, call(identity, 'GET', `${path}/timeline${query}`));
      return body as unknown as { items: Event[]; next: string | null };
    };
    // The log of requests is written a moment after the answers.
    const { items } = await until(events, ({ items: all }) => all.length === 7);
    const told = items.map(({ change, group, request }) => [
      change === null ? (request?.refused === null ? 'so already' : 'refused') : change.action,
      change?.actor.name ?? 'Entra ID',
      group === null ? null : [group.displayName, group.joined],
      request?.method ?? null,
    ]);
    assert.deepEqual(told, [
      ['user.reactivate', 'own-identity', null, null],
      ['user.suspend', 'own-identity', null, null],
      ['refused', 'Entra ID', null, 'PATCH'],
      ['so already', 'Entra ID', null, 'PATCH'],
      ['user.change', 'Entra ID', null, 'PATCH'],
      ['group.create', 'own-identity', ['Tina’s', true], null],
      ['user.create', 'Entra ID', null, 'POST'],
    ]);
    assert.match(items[2]!.request!.refused!, /userName/);
    assert.match(items[4]!.request!.understood!, /replace name.familyName/);
    assert.deepEqual(items[4]!.change!.attributes, ['name.familyName']);
    const pages: Event[] = [];
    for (let after = ''; ; ) {
      const page = await events(`?limit=2${after}`);
      pages.push(...page.items);
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    assert.deepEqual(pages, items);
    const { body: other } = await done(200, call(identity, 'GET', `/users/${ids[9]}/timeline`));
    assert.deepEqual(
      (other.items as Event[]).map(({ change }) => change?.action),
      ['user.create'],
    );
    assert.equal((await call(identity, 'GET', '/users/1/timeline')).status, 404);
  });

  it('one session of a user is ended and the others go on; that of another account is not found', async () => {
    const person = { accountId: 1, personId: ids[1]! };
    const cookies = [await sessionAside(url(), person), await sessionAside(url(), person)];
    const path = `/users/${ids[1]}/sessions`;
    const { body } = await done(200, call(identity, 'GET', path));
    const sessions = body.sessions as { id: string }[];
    assert.equal(sessions.length, 2);
    await done(204, call(identity, 'DELETE', `${path}/${sessions[0]!.id}`));
    await done(204, call(identity, 'DELETE', `${path}/${sessions[0]!.id}`));
    const states = await Promise.all(
      cookies.map(async (cookie) => (await call(cookie, 'GET', '/session')).status),
    );
    assert.deepEqual(states.toSorted(), [200, 401]);
    const [foreign] = await storeRows(url(), 'select id from account_user where account_id = 2 limit 1');
    await done(404, call(identity, 'DELETE', `/users/${foreign!.id}/sessions/${sessions[1]!.id}`));
    const ended = await done(
      200,
      call(identity, 'GET', `/audit?subject=user%20${ids[1]}&action=session.end`),
    );
    assert.deepEqual(
      (ended.body.items as { subjectName: string; note: string }[]).map(({ subjectName, note }) => [
        subjectName,
        note,
      ]),
      [['u1@one.example', 'one session']],
    );
  });

  it('when an API client was used last is known to the minute, in the console and on the command line [D-590]', async () => {
    const admin = await own.admin.newCookie();
    const lastUses = async (): Promise<ReadonlyMap<string, string | null>> => {
      const { body } = await done(200, call(admin, 'GET', '/api-clients?limit=1000'));
      const items = body.items as { clientId: string; lastUsed: string | null }[];
      return new Map(items.map(({ clientId, lastUsed }) => [clientId, lastUsed]));
    };
    const { body: unused } = await done(201, call(admin, 'POST', '/api-clients', { name: 'Unused' }));
    await context.call('GET', '/Users?count=1');
    const uses = await until(lastUses, (all) => [...all.values()].some((at) => at !== null));
    assert.equal(uses.get(String(unused.clientId)), null);
    const [[clientId, at] = []] = [...uses].filter(([, used]) => used !== null);
    assert.ok(Date.now() - Date.parse(at!) < 300_000);
    const listed = JSON.parse(
      await commandHereOk(['client', 'list', '--account', '1', '--json'], context.env),
    );
    assert.equal(listed.find((one: { clientId: string }) => one.clientId === clientId).lastUsed, at);
  });

  it('the audit log is a file of what is filtered, own entries alone for an analyst, and no cell is a formula [D-593]', async () => {
    const formula = '=cmd()|calc';
    const made = await done(
      201,
      call(await own.admin.newCookie(), 'POST', '/api-clients', { name: formula }),
    );
    const file = await done(200, call(identity, 'GET', '/audit.csv?action=client'));
    assert.match(String(file.headers['content-type']), /^text\/csv/);
    const lines = file.text.trim().split('\n');
    assert.match(lines[0]!, /^\uFEFF?at,actorKind,actor,actorName,action,subject/);
    const line = lines.find((one) => one.includes(String(made.body.clientId)))!;
    assert.ok(line.includes(`'${formula}`) && line.includes('own-admin'), line);
    assert.ok(lines.slice(1).every((one) => one.includes(',client.')));
    const { body } = await done(200, call(identity, 'GET', '/audit?action=client&limit=1000'));
    assert.equal(lines.length - 1, (body.items as unknown[]).length);
    const analyst = await done(200, call(await own.analyst.newCookie(), 'GET', '/audit.csv'));
    assert.deepEqual(analyst.text.trim().split('\n').length, 1);
    assert.equal((await call(identity, 'GET', '/audit.csv?limit=5')).status, 400);
    assert.equal((await call(await own.viewer.newCookie(), 'GET', '/audit.csv')).status, 403);
  });
}
