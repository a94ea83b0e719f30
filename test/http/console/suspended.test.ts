// Whoever is suspended or deleted is out at the next request, on every replica, whatever way it came about; and so is an
// ability that came through a group.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { callStandard, group as groupBody, make, patchOf, standardCall } from '../../support/scim.ts';
import { type Service, setUp } from '../../support/service.ts';
import { addUsers } from '../../support/user-population.ts';
import {
  addressPath,
  type Call,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

for (const engine of engines) describe(`suspended is out on ${engine.name}`, () => suspendedOn(engine));

function suspendedOn(engine: Engine): void {
  let context: ProvisioningService;
  let replica: Service;
  let standard: Call;
  let operator: string;
  let ids: readonly number[];
  let used = 0;
  const url = (): string => context.store.databaseUrl;
  const status = async (cookie: string, at: Service, path = '/session'): Promise<number> =>
    (await consoleCall(at.baseUrl, 'GET', path, { cookie })).status;
  /** Both replicas have answered this person just before, so that whatever they could remember they remember. */
  const newcomer = async (): Promise<Newcomer> => {
    const index = used;
    used += 1;
    const id = ids[index]!;
    const cookie = await sessionAside(url(), { accountId: 1, personId: id });
    for (const at of [context.service, replica]) assert.equal(await status(cookie, at), 200);
    return { id, address: `e-${index}`, userName: `person-${index}`, cookie };
  };
  const isOut = async ({ cookie }: Newcomer, name: string): Promise<void> => {
    for (const at of [replica, context.service]) assert.equal(await status(cookie, at), 401, name);
  };

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    replica = await context.another();
    standard = standardCall(context);
    const profiles = Array.from({ length: 60 }, (_, index) => ({
      userName: `person-${index}`,
      externalId: `e-${index}`,
      active: true,
    }));
    ids = await addUsers(url(), 1, profiles);
    operator = await operatorAside(url(), { enteredAccountId: 1 });
  });
  after(() => context?.close());

  const inConsole = (method: string, path: string, body?: unknown) =>
    consoleCall(context.service.baseUrl, method, path, {
      cookie: operator,
      ...(body === undefined ? {} : { body }),
    });
  const command =
    (verb: string) =>
    async ({ address }: Newcomer): Promise<{ status: number }> => {
      await setUp(['user', verb, address, '--account', '1'], context.env);
      return { status: 200 };
    };
  const bulk = (operation: (id: number) => object) => (person: Newcomer) =>
    standard('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations: [operation(person.id)] } });

  const ways: Readonly<Record<string, (person: Newcomer) => Promise<{ readonly status: number }>>> = {
    'PATCH with a path on /scim/v2': ({ id }) =>
      standard('PATCH', `/Users/${id}`, {
        body: patchOf({ op: 'replace', path: 'active', value: false }),
      }),
    'PATCH without a path on /scim/v2': ({ id }) =>
      standard('PATCH', `/Users/${id}`, { body: patchOf({ op: 'replace', value: { active: false } }) }),
    'PATCH with "False" on /scim/v2': ({ id }) =>
      standard('PATCH', `/Users/${id}`, {
        body: patchOf({ op: 'Replace', path: 'active', value: 'False' }),
      }),
    'PATCH without a path, with "False", on /scim/v2': ({ id }) =>
      standard('PATCH', `/Users/${id}`, { body: patchOf({ op: 'Replace', value: { active: 'False' } }) }),
    'PUT on /scim/v2': ({ id, userName, address }) =>
      standard('PUT', `/Users/${id}`, {
        body: { schemas: [userSchema], userName, externalId: address, active: false },
      }),
    'bulk PATCH': bulk((id) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: patchOf({ op: 'replace', path: 'active', value: false }),
    })),
    'bulk DELETE': bulk((id) => ({ method: 'DELETE', path: `/Users/${id}` })),
    'DELETE on /scim/v2': ({ id }) => standard('DELETE', `/Users/${id}`),
    'PATCH with a path on /v1/scim': ({ address }) =>
      context.call('PATCH', addressPath(address), {
        body: patchBody({ op: 'replace', path: 'active', value: false }),
      }),
    'PATCH without a path on /v1/scim': ({ address }) =>
      context.call('PATCH', addressPath(address), {
        body: patchBody({ op: 'replace', value: { active: false } }),
      }),
    'PUT on /v1/scim': ({ address, userName }) =>
      context.call('PUT', addressPath(address), {
        body: userBody(userName, { externalId: address, active: false }),
      }),
    'soundings user suspend': command('suspend'),
    'soundings user delete': command('delete'),
    'suspended in the console': ({ id }) => inConsole('PATCH', `/users/${id}`, { active: false }),
    'deleted in the console': ({ id }) => inConsole('DELETE', `/users/${id}`),
  };

  for (const [name, end] of Object.entries(ways))
    it(`${name}: the next request is 401, on this replica and on another`, async () => {
      const [person, bystander] = [await newcomer(), await newcomer()];
      const answer = await end(person);
      assert.ok([200, 204].includes(answer.status), JSON.stringify(answer));
      await isOut(person, name);
      assert.equal(await status(bystander.cookie, replica), 200);
    });

  it('/v1/scim deletes nobody, and whoever it refuses to delete stays in', async () => {
    const person = await newcomer();
    assert.equal((await context.call('DELETE', addressPath(person.address))).status, 405);
    assert.equal(await status(person.cookie, replica), 200);
  });

  it('a session that ended with a suspension or a deletion does not come back with the user [D-373]', async () => {
    const person = await newcomer();
    await inConsole('PATCH', `/users/${person.id}`, { active: false });
    await isOut(person, 'suspended');
    await inConsole('PATCH', `/users/${person.id}`, { active: true });
    await isOut(person, 'reactivated');
    await standard('DELETE', `/Users/${person.id}`);
    await standard('POST', '/Users', {
      body: { schemas: [userSchema], userName: person.userName, externalId: person.address },
    });
    await isOut(person, 'made again');
  });

  it('whoever leaves a group, by PATCH, PUT or the end of the group, has lost its abilities at the next request', async () => {
    const value = (id: number): string => String(id);
    const leaving: Readonly<Record<string, (group: string, id: number) => Promise<{ status: number }>>> = {
      'PATCH with a condition': (group, id) =>
        standard('PATCH', `/Groups/${group}`, {
          body: patchOf({ op: 'remove', path: `members[value eq "${id}"]` }),
        }),
      'PATCH with values': (group, id) =>
        standard('PATCH', `/Groups/${group}`, {
          body: patchOf({ op: 'Remove', path: 'members', value: [{ value: value(id) }] }),
        }),
      'PATCH of all': (group) =>
        standard('PATCH', `/Groups/${group}`, { body: patchOf({ op: 'remove', path: 'members' }) }),
      PUT: (group) => standard('PUT', `/Groups/${group}`, { body: groupBody(`PUT ${group}`, []) }),
      DELETE: (group) => standard('DELETE', `/Groups/${group}`),
      'bulk PATCH': (group, id) =>
        standard('POST', '/Bulk', {
          body: {
            schemas: [bulkSchema],
            Operations: [
              {
                method: 'PATCH',
                path: `/Groups/${group}`,
                data: patchOf({ op: 'remove', path: `members[value eq "${id}"]` }),
              },
            ],
          },
        }),
      'the console': (group, id) => inConsole('PATCH', `/groups/${group}`, { remove: [value(id)] }),
      'the role is taken': (group) => inConsole('DELETE', `/groups/${group}/roles/identity`),
    };
    for (const [name, leave] of Object.entries(leaving)) {
      const person = await newcomer();
      const { id: group } = await make(standard, '/Groups', groupBody(`By ${name}`, [value(person.id)]));
      await grantAside(url(), 1, { group }, 'identity');
      for (const at of [context.service, replica])
        assert.equal(await status(person.cookie, at, '/users'), 200, name);
      assert.ok([200, 204].includes((await leave(group, person.id)).status), name);
      for (const at of [replica, context.service]) {
        assert.equal(await status(person.cookie, at, '/users'), 403, name);
        assert.equal(await status(person.cookie, at), 200, name);
      }
    }
  });

  it('a provider on one replica suspends and reactivates, and a session that the store kept is judged anew on the other each time', async () => {
    const person = await newcomer();
    for (let round = 0; round < 10; round += 1) {
      const active = round % 2 === 1;
      const body = patchOf({ op: 'replace', path: 'active', value: active });
      const { status: changed } = await callStandard(
        replica.baseUrl,
        context.token,
        'PATCH',
        `/Users/${person.id}`,
        { body },
      );
      assert.equal(changed, 200);
      const cookie = await sessionAside(url(), { accountId: 1, personId: person.id });
      assert.equal(await status(cookie, context.service), active ? 200 : 401);
    }
  });
}

interface Newcomer {
  readonly id: number;
  readonly address: string;
  readonly userName: string;
  readonly cookie: string;
}
