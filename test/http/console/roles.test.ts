// Users, groups and roles in the console: who has which role and why, who may grant it, and what the last admin keeps.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import { type Seeded, seeded } from '../../support/seeded.ts';
import { commandHere, setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const steps = 250;
const roles = ['viewer', 'analyst', 'editor', 'identity', 'admin'] as const;
type Role = (typeof roles)[number];
const inOrder = (held: Iterable<Role>): readonly Role[] => {
  const own = new Set(held);
  return roles.filter((role) => own.has(role));
};

for (const engine of engines) describe(`roles in the console on ${engine.name}`, () => rolesOn(engine));

function rolesOn(engine: Engine): void {
  let context: ProvisioningService;
  let ids: readonly number[];
  let others: readonly number[];
  let operator: string;
  const url = (): string => context.store.databaseUrl;
  const call = (cookie: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(context.service.baseUrl, method, path, {
      cookie,
      ...(body === undefined ? {} : { body }),
    });
  const done = async (status: number, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    return answer;
  };
  const refused = async (code: string, asked: Promise<Answer>): Promise<void> =>
    assert.equal((await asked).body.code, code, (await asked).text);
  const session = (index: number, signedInAtMs = Date.now()): Promise<string> =>
    sessionAside(url(), { accountId: 1, personId: ids[index]! }, { signedInAtMs });
  const newGroup = async (displayName: string, ...members: readonly number[]): Promise<string> => {
    const body = { displayName, members: members.map((index) => String(ids[index])) };
    return String((await done(201, call(operator, 'POST', '/groups', body))).body.id);
  };

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `person-${index}`,
      externalId: `e-${index}`,
      active: true,
      ...(index % 3 === 0 ? { roles: [{ value: `Value-${index % 5}` }, { value: 'other' }] } : {}),
    }));
    ids = await addUsers(url(), 1, profiles);
    others = await addUsers(
      url(),
      2,
      ['anna', 'bert', 'cora'].map((userName) => ({ userName, externalId: userName, active: true })),
    );
    operator = await operatorAside(url(), { enteredAccountId: 1 });
  });
  after(() => context?.close());

  it('hundreds of people have the roles that were granted to them, their groups and their values, whatever the order', async () => {
    const chance = seeded(370);
    const model = new RoleModel(people);
    for (let step = 0; step < steps; step += 1) await play(chance, model);
    for (let start = 1; start <= people; start += 100) {
      const { body } = await done(200, call(operator, 'GET', `/users?start=${start}&count=100`));
      assert.deepEqual([body.total, body.start], [people, start]);
      const items = body.items as { id: string; roles: readonly Role[] }[];
      assert.deepEqual(
        items.map(({ id, roles: held }) => [id, held]),
        ids
          .slice(start - 1, start + 99)
          .map((id, at) => [String(id), inOrder(model.reasons(start - 1 + at).map(([role]) => role))]),
      );
    }
    for (const index of chance.some([...ids.keys()], 40)) {
      const expected = model.reasons(index);
      const { body } = await done(200, call(operator, 'GET', `/users/${ids[index]}`));
      const shown = body.roles as { role: Role; reasons: { text: string }[] }[];
      assert.deepEqual(
        shown.flatMap(({ role, reasons }) => reasons.map(({ text }) => `${role} ${text}`)).toSorted(),
        expected.map(([role, why]) => `${role} ${why}`).toSorted(),
      );
      const own = await done(200, call(await session(index), 'GET', '/session'));
      assert.deepEqual(own.body.roles, inOrder(expected.map(([role]) => role)));
      assert.deepEqual((own.body.abilities as string[]).toSorted(), (body.abilities as string[]).toSorted());
    }
    await done(204, call(operator, 'PUT', '/roles/values', { values: [] }));
    for (const id of model.groups.keys()) await done(204, call(operator, 'DELETE', `/groups/${id}`));
    await storeRows(url(), 'delete from role_grant where account_id = 1');
  });

  /** One change of many, made by the console and in the model. */
  async function play(chance: Seeded, model: RoleModel): Promise<void> {
    const groupIds = [...model.groups.keys()];
    const verb = chance.pick(['user', 'user', 'user', 'group', 'member', 'member', 'remake', 'values']);
    const role = chance.pick(roles);
    const isGrant = chance.percent(65);
    const method = isGrant ? 'PUT' : 'DELETE';
    if (verb === 'user') {
      const index = chance.below(people);
      await done(204, call(operator, method, `/users/${ids[index]}/roles/${role}`));
      model.change(model.users[index]!, role, isGrant);
    } else if (verb === 'values') {
      const values = chance
        .some([0, 1, 2, 3, 4], 3)
        .map((number) => ({ value: `VALUE-${number}`, role: chance.pick(roles.slice(0, 4)) }));
      await done(204, call(operator, 'PUT', '/roles/values', { values }));
      model.values = values;
    } else if (verb === 'remake' || groupIds.length < 8) {
      const gone = groupIds.length < 8 ? null : chance.pick(groupIds);
      const displayName = gone === null ? `Group ${groupIds.length}` : model.groups.get(gone)!.displayName;
      if (gone !== null) await done(204, call(operator, 'DELETE', `/groups/${gone}`));
      model.groups.delete(gone ?? '');
      const members = new Set(chance.some([...ids.keys()], 30));
      model.groups.set(await newGroup(displayName, ...members), { displayName, members, roles: new Set() });
    } else if (verb === 'group') {
      const id = chance.pick(groupIds);
      await done(204, call(operator, method, `/groups/${id}/roles/${role}`));
      model.change(model.groups.get(id)!.roles, role, isGrant);
    } else {
      const id = chance.pick(groupIds);
      const { members } = model.groups.get(id)!;
      const [add, remove] = [chance.some([...ids.keys()], 10), chance.some([...members], 10)];
      const named = (some: readonly number[]): readonly string[] => some.map((index) => String(ids[index]));
      await done(200, call(operator, 'PATCH', `/groups/${id}`, { add: named(add), remove: named(remove) }));
      for (const index of remove) members.delete(index);
      for (const index of add) members.add(index);
    }
  }

  it('whoever manages users grants every role but admin, and cannot reach it through a group or a user [D-370]', async () => {
    const [identity, admin, plain] = [await session(0), await session(1), await session(2)];
    await grantAside(url(), 1, { user: ids[0]! }, 'identity');
    await grantAside(url(), 1, { user: ids[1]! }, 'admin');
    await grantAside(url(), 1, { user: ids[2]! }, 'editor');
    const group = await newGroup('Carries admin', 3);
    await done(204, call(admin, 'PUT', `/groups/${group}/roles/admin`));
    for (const role of roles) {
      const paths = [`/users/${ids[4]}/roles/${role}`, `/users/${ids[0]}/roles/${role}`];
      for (const path of paths) {
        if (role === 'admin') await refused('ABILITY_MISSING', call(identity, 'PUT', path));
        else await done(204, call(identity, 'PUT', path));
      }
      if (role !== 'admin') await done(204, call(identity, 'DELETE', `/users/${ids[4]}/roles/${role}`));
    }
    const forbidden: [string, string, unknown?][] = [
      ['PUT', `/groups/${group}/roles/admin`],
      ['DELETE', `/groups/${group}/roles/admin`],
      ['DELETE', `/users/${ids[1]}/roles/admin`],
      ['PATCH', `/groups/${group}`, { add: [String(ids[0])] }],
      ['PATCH', `/groups/${group}`, { remove: [String(ids[3])] }],
      ['PATCH', `/groups/${group}`, { displayName: 'Mine' }],
      ['DELETE', `/groups/${group}`],
      ['PATCH', `/users/${ids[1]}`, { active: false }],
      ['PATCH', `/users/${ids[3]}`, { active: false }],
      ['DELETE', `/users/${ids[1]}`],
      ['DELETE', `/users/${ids[3]}`],
      ['PUT', '/roles/values', { values: [{ value: 'x', role: 'viewer' }] }],
    ];
    for (const [method, path, body] of forbidden)
      await refused('ABILITY_MISSING', call(identity, method, path, body));
    const { body } = await done(200, call(identity, 'GET', '/session'));
    assert.deepEqual(body.roles, ['viewer', 'analyst', 'editor', 'identity']);
    const { body: table } = await done(200, call(identity, 'GET', '/roles'));
    assert.deepEqual(
      (table.roles as { role: Role; mayGrant: boolean }[]).map(({ role, mayGrant }) => [role, mayGrant]),
      roles.map((role) => [role, role !== 'admin']),
    );
    await done(204, call(admin, 'DELETE', `/groups/${group}/roles/admin`));
    const entries = await storeRows(
      url(),
      `select action, actor from audit where account_id = 1 and subject = 'group ${group}' and action like 'role.%' order by at, id`,
    );
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor]),
      ['role.grant', 'role.take'].map((action) => [action, `user ${ids[1]}`]),
    );
    await done(200, call(identity, 'PATCH', `/groups/${group}`, { add: [String(ids[0])] }));
    await done(200, call(admin, 'PATCH', `/users/${ids[3]}`, { active: false }));
    for (const path of [
      '/users',
      `/users/${ids[1]}`,
      '/groups',
      `/groups/${group}`,
      '/roles',
      '/roles/values',
    ])
      await refused('ABILITY_MISSING', call(plain, 'GET', path));
  });

  it('roles are changed after a fresh sign-in, and so are the members of a group that carries one [D-374]', async () => {
    const long = await session(1, Date.now() - 16 * 60_000);
    const group = await newGroup('Step up', 5);
    const add = { add: [String(ids[6])] };
    await refused('FRESH_SIGN_IN_REQUIRED', call(long, 'PUT', `/users/${ids[7]}/roles/viewer`));
    await refused('FRESH_SIGN_IN_REQUIRED', call(long, 'DELETE', `/users/${ids[7]}`));
    await refused('FRESH_SIGN_IN_REQUIRED', call(long, 'PUT', '/roles/values', { values: [] }));
    await done(200, call(long, 'PATCH', `/groups/${group}`, add));
    await done(204, call(await session(1), 'PUT', `/groups/${group}/roles/viewer`));
    await refused('FRESH_SIGN_IN_REQUIRED', call(long, 'PATCH', `/groups/${group}`, { remove: add.add }));
    await done(200, call(long, 'PATCH', `/groups/${group}`, { displayName: 'Stepped up' }));
  });

  it('the last admin of an account without a provider stays in the console; the command line takes them and says so [D-372]', async () => {
    const [anna, bert] = others as readonly [number, number];
    const of = (personId: number): Promise<string> => sessionAside(url(), { accountId: 2, personId });
    await grantAside(url(), 2, { user: anna }, 'admin');
    const cookie = await of(anna);
    const leaving: [string, string, unknown?][] = [
      ['DELETE', `/users/${anna}/roles/admin`],
      ['PATCH', `/users/${anna}`, { active: false }],
      ['DELETE', `/users/${anna}`],
    ];
    for (const [method, path, body] of leaving) await refused('LAST_ADMIN', call(cookie, method, path, body));
    const group = await done(
      201,
      call(cookie, 'POST', '/groups', { displayName: 'Admins', members: [String(bert)] }),
    );
    const path = `/groups/${group.body.id}`;
    await done(204, call(cookie, 'PUT', `${path}/roles/admin`));
    await done(204, call(cookie, 'DELETE', `/users/${anna}/roles/admin`));
    const second = await of(bert);
    for (const [method, at, body] of [
      ['DELETE', `${path}/roles/admin`],
      ['DELETE', path],
      ['PATCH', path, { remove: [String(bert)] }],
      ['PATCH', `/users/${bert}`, { active: false }],
    ] as [string, string, unknown?][])
      await refused('LAST_ADMIN', call(second, method, at, body));
    const warned = await commandHere(['user', 'suspend', 'bert', '--account', '2'], context.env);
    assert.equal(warned.code, 0);
    assert.match(warned.stderr, /Account 2 has no admin any more/);
    await done(401, call(second, 'GET', '/session'));
    const entered = await operatorAside(url(), { enteredAccountId: 2 });
    await done(204, call(entered, 'PUT', `/users/${others[2]}/roles/admin`));
    await done(204, call(entered, 'DELETE', path));
  });

  it('what belongs to another account does not exist, and neither do roles and ids that are none', async () => {
    const foreign = String(others[0]);
    for (const [method, path, body] of [
      ['GET', `/users/${foreign}`],
      ['PATCH', `/users/${foreign}`, { active: false }],
      ['DELETE', `/users/${foreign}`],
      ['PUT', `/users/${foreign}/roles/viewer`],
      ['GET', '/users/x'],
    ] as [string, string, unknown?][])
      await refused('USER_NOT_FOUND', call(operator, method, path, body));
    for (const [method, path, body] of [
      ['GET', '/groups/1'],
      ['PATCH', '/groups/1', { displayName: 'x' }],
      ['DELETE', '/groups/x'],
      ['PUT', `/groups/${ids[0]}/roles/viewer`],
    ] as [string, string, unknown?][])
      await refused('GROUP_NOT_FOUND', call(operator, method, path, body));
    await refused('INVALID_REQUEST', call(operator, 'PUT', `/users/${ids[9]}/roles/operator`));
    await refused('INVALID_REQUEST', call(operator, 'POST', '/groups', { displayName: 'y', members: ['x'] }));
    await refused(
      'INVALID_VALUE',
      call(operator, 'POST', '/groups', { displayName: 'y', members: [foreign] }),
    );
    await refused('INVALID_FILTER', call(operator, 'GET', '/users?filter=userName'));
    const values = (...some: object[]): Promise<Answer> =>
      call(operator, 'PUT', '/roles/values', { values: some });
    await refused('INVALID_REQUEST', values({ value: 'boss', role: 'admin' }));
    await refused('INVALID_REQUEST', values({ value: 'A', role: 'viewer' }, { value: 'a', role: 'editor' }));
    await refused('INVALID_REQUEST', values({ value: 'a\nadmin b', role: 'viewer' }));
    await refused(
      'INVALID_REQUEST',
      values(...Array.from({ length: 51 }, (_, at) => ({ value: `v${at}`, role: 'viewer' }))),
    );
  });

  it('users are found by a filter, groups show their members in pages, and nobody is shown twice', async () => {
    const found = await done(
      200,
      call(operator, 'GET', `/users?filter=${encodeURIComponent('externalId eq "e-42"')}`),
    );
    assert.deepEqual(
      (found.body.items as { id: string }[]).map(({ id }) => id),
      [String(ids[42])],
    );
    const group = await newGroup('Many', ...Array.from({ length: 250 }, (_, index) => index));
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query: string = after === '' ? '' : `?after=${after}`;
      const { body } = await done(200, call(operator, 'GET', `/groups/${group}${query}`));
      assert.equal(body.memberCount, 250);
      seen.push(...(body.members as { id: string }[]).map(({ id }) => id));
      after = body.next as string | null;
    }
    assert.deepEqual(seen, ids.slice(0, 250).map(String));
    const user = await done(200, call(operator, 'GET', `/users/${ids[10]}`));
    assert.deepEqual(
      (user.body.groups as { displayName: string }[]).map(({ displayName }) => displayName),
      ['Many'],
    );
    await refused('GROUP_NAME_TAKEN', call(operator, 'POST', '/groups', { displayName: 'MANY' }));
    const listed = await done(200, call(operator, 'GET', '/groups?count=1&start=2'));
    assert.equal((listed.body.items as unknown[]).length, 1);
  });

  it('a page does not wait for users who belong to very many groups: their own pages tell their roles [D-374]', async () => {
    const [anna, bert, cora] = others as readonly [number, number, number];
    const entered = await operatorAside(url(), { enteredAccountId: 2 });
    await done(204, call(entered, 'PUT', `/users/${cora}/roles/viewer`));
    const joined = (id: number, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `(2, ${5_000_000 + at}, ${id}, 0)`);
    await storeRows(
      url(),
      `insert into group_member (account_id, group_id, member_id, is_group)
      values ${[...joined(anna, 15_000), ...joined(bert, 6_000)].join()}`,
    );
    const { body } = await done(200, call(entered, 'GET', '/users'));
    assert.deepEqual(
      (body.items as { id: string; roles: readonly Role[] | null }[]).map(({ roles: held }) => held !== null),
      [true, false, false],
    );
    const alone = await done(200, call(entered, 'GET', `/users/${cora}`));
    assert.ok((alone.body.roles as { role: Role }[]).some(({ role }) => role === 'viewer'));
    const after = await done(200, call(entered, 'GET', '/users?start=2'));
    assert.ok((after.body.items as { roles: unknown }[]).every(({ roles: held }) => held !== null));
  });

  it('the command line shows roles with the reason, grants and takes them, and sets the values of providers [D-371]', async () => {
    const of = (...args: readonly string[]): Promise<string> =>
      setUp([...args, '--account', '1'], context.env);
    await newGroup('CX team', 20, 21);
    assert.match(await of('group', 'roles', 'cx TEAM', '--grant', 'analyst'), /analyst .* command line/);
    const shown = await of('user', 'roles', 'e-20', '--grant', 'viewer', '--grant', 'editor');
    assert.match(shown, /viewer +granted directly\nanalyst +through group CX team\neditor +granted directly/);
    await of('user', 'roles', 'e-20', '--take', 'editor');
    const cookie = await session(20);
    const rolesNow = async (): Promise<unknown> => (await call(cookie, 'GET', '/session')).body.roles;
    assert.deepEqual(await rolesNow(), ['viewer', 'analyst']);
    assert.match(await of('group', 'list', '--filter', 'displayName sw "cx"'), /CX team +2 +analyst/);
    assert.match(await of('role', 'values', '--set', 'Value-1=editor'), /Value-1 +editor/);
    const byValue = await session(21);
    assert.deepEqual((await call(byValue, 'GET', '/session')).body.roles, ['analyst', 'editor']);
    const audit = JSON.parse(await of('user', 'roles', 'e-21', '--json'));
    assert.deepEqual(audit.roles[1].reasons, [{ through: 'value', value: 'Value-1' }]);
    assert.match((await of('role', 'values', '--clear')).trim(), /^$/);
    assert.deepEqual((await call(byValue, 'GET', '/session')).body.roles, ['analyst']);
    for (const [args, message] of [
      [['user', 'roles', 'nobody'], /No user is addressed by "nobody"/],
      [['group', 'roles', 'nothing'], /No group has the id or the name "nothing"/],
      [['user', 'roles', 'e-20', '--grant', 'boss'], /no role "boss"/],
      [['user', 'roles', 'e-20', '--grant', 'viewer', '--take', 'viewer'], /not both/],
      [['role', 'values', '--set', 'Boss=admin'], /no value makes an admin/],
      [['role', 'values', '--set', 'Boss'], /VALUE=ROLE/],
    ] as const)
      await assert.rejects(of(...args), message);
  });
}

interface ModelGroup {
  readonly displayName: string;
  readonly members: Set<number>;
  readonly roles: Set<Role>;
}

/** Who should have which role, and why. */
class RoleModel {
  readonly users: readonly Set<Role>[];
  readonly groups = new Map<string, ModelGroup>();
  values: readonly { readonly value: string; readonly role: Role }[] = [];

  constructor(count: number) {
    this.users = Array.from({ length: count }, () => new Set<Role>());
  }

  change(held: Set<Role>, role: Role, isGrant: boolean): void {
    if (isGrant) held.add(role);
    else held.delete(role);
  }

  reasons(index: number): readonly (readonly [Role, string])[] {
    const own = `VALUE-${index % 5}`;
    return [
      ...[...this.users[index]!].map((role) => [role, 'granted directly'] as const),
      ...[...this.groups.values()].flatMap(({ displayName, members, roles: held }) =>
        members.has(index) ? [...held].map((role) => [role, `through group ${displayName}`] as const) : [],
      ),
      ...this.values
        .filter(({ value }) => index % 3 === 0 && value === own)
        .map(({ value, role }) => [role, `through the SCIM role "${value}"`] as const),
    ];
  }
}
