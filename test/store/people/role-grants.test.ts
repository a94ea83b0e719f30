// Roles in the store: who has which and why, and what the console's rules refuse where two people act at once.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Role } from '../../../src/domain/access/role.ts';
import { type ByActor, commandLineRights, type RoleHolder } from '../../../src/domain/access/role-rules.ts';
import { type Code, Problem } from '../../../src/domain/problem.ts';
import { createGroup } from '../../../src/domain/provisioning/group.ts';
import { suspend, type User } from '../../../src/domain/provisioning/user.ts';
import type { ChangeStamp } from '../../../src/store/engine/audit.ts';
import {
  accountHasAdmin,
  grantRole,
  grantsOf,
  holdsAdmin,
  reasonInWords,
  rolesOfUser,
  rolesOfUsers,
  takeRole,
} from '../../../src/store/people/role-grants.ts';
import { setRoleValues } from '../../../src/store/people/role-values.ts';
import { addGroup, deleteGroup, findGroup, saveGroup } from '../../../src/store/provisioning/groups.ts';
import { removeUser } from '../../../src/store/provisioning/user-deletion.ts';
import { findUserById } from '../../../src/store/provisioning/user-lookup.ts';
import { saveUser } from '../../../src/store/provisioning/user-saving.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { accountId, type OpenedStore, openStore } from '../../support/open-db.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';

let numbers = 0;
function order(): ChangeStamp & ByActor {
  numbers += 1;
  return { changeId: `role-change-${numbers}`, nowMs: numbers, actor: 'test', rights: commandLineRights };
}

const refusedAs =
  (code: Code) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.code === code;

const byAdmin = { rights: { face: 'console', mayChangeAdmins: true } } as const;
const byIdentity = { rights: { face: 'console', mayChangeAdmins: false } } as const;

for (const engine of engines) describe(`roles in the store on ${engine.name}`, () => roles(engine));

function roles(engine: Engine): void {
  let store: OpenedStore;
  let ids: readonly number[];
  before(async () => {
    store = await openStore(engine);
    const profiles = Array.from({ length: 12 }, (_, index) => ({
      userName: `holder-${index}`,
      active: true,
      ...(index === 3 ? { roles: [{ value: 'CX-Analyst' }, { value: 'boss' }] } : {}),
    }));
    ids = await addUsers(store.databaseUrl, accountId, profiles);
  });
  after(() => store?.dispose());

  const user = (index: number): RoleHolder => ({ kind: 'user', id: ids[index]! });
  const whole = async (index: number): Promise<User> =>
    (await findUserById(store.db, accountId, ids[index]!))!;
  const grant = (holder: RoleHolder, role: Role, rules = {}) =>
    store.db.write(grantRole, { ...order(), ...rules, accountId, holder, role });
  const take = (holder: RoleHolder, role: Role, rules = {}) =>
    store.db.write(takeRole, { ...order(), ...rules, accountId, holder, role });
  const newGroup = async (displayName: string, ...members: readonly number[]): Promise<number> => {
    const group = createGroup({ displayName }, { accountId, id: 0, nowMs: 1 });
    const joining = members.map((index) => ({ id: ids[index]!, type: null }));
    return (await addGroup(store.db, group, joining, order())).id;
  };
  const why = async (index: number): Promise<readonly string[]> =>
    (await rolesOfUser(store.db, await whole(index))).flatMap(({ role, reasons }) =>
      reasons.map((reason) => `${role}: ${reasonInWords(reason)}`),
    );

  it('a user has the roles of their own, of their groups and of the values that the account names, and it is said why [D-371]', async () => {
    const group = await newGroup('CX team', 0, 1);
    assert.equal(await grant({ kind: 'group', id: group }, 'analyst'), 'done');
    assert.equal(await grant(user(0), 'editor'), 'done');
    assert.equal(await grant(user(0), 'editor'), 'unchanged');
    assert.equal(await grant({ kind: 'group', id: ids[0]! }, 'editor'), 'unknownHolder');
    assert.deepEqual(await why(0), ['analyst: through group CX team', 'editor: granted directly']);
    assert.deepEqual(await why(3), []);
    const values = [{ value: 'cx-analyst', role: 'analyst' as const }];
    await store.db.write(setRoleValues, { ...order(), accountId, values });
    assert.deepEqual(await why(3), ['analyst: through the SCIM role "cx-analyst"']);
    const of = await rolesOfUsers(store.db, accountId, [await whole(0), await whole(2), await whole(3)]);
    assert.deepEqual([...of].toSorted(), [
      [ids[0], ['analyst', 'editor']],
      [ids[3], ['analyst']],
    ]);
    await store.db.write(setRoleValues, { ...order(), accountId, values: [] });
    assert.deepEqual(await why(3), []);
    await assert.rejects(
      store.db.write(setRoleValues, { ...order(), ...byIdentity, accountId, values }),
      refusedAs('ABILITY_MISSING'),
    );
  });

  it('a group that is deleted and made again under its name carries nothing', async () => {
    const first = await newGroup('Come and go', 4);
    await grant({ kind: 'group', id: first }, 'admin');
    assert.equal(await holdsAdmin(store.db, accountId, ids[4]!), true);
    const { revision } = (await findGroup(store.db, accountId, first))!;
    assert.ok(
      await store.db.write(deleteGroup, { ...order(), accountId, id: first, revisionBefore: revision }),
    );
    const second = await newGroup('Come and go', 4);
    assert.notEqual(second, first);
    assert.deepEqual(await grantsOf(store.db, accountId, { kind: 'group', id: second }), []);
    assert.equal(await holdsAdmin(store.db, accountId, ids[4]!), false);
  });

  it('granting and taking stand in the audit log with holder and role', async () => {
    await grant(user(5), 'viewer');
    await take(user(5), 'viewer');
    assert.equal(await take(user(5), 'viewer'), 'unchanged');
    const rows = await storeRows(
      store.databaseUrl,
      `select action, details from audit where account_id = ${accountId} and subject = 'user ${ids[5]}' order by at`,
    );
    assert.deepEqual(
      rows.filter(({ action }) => String(action).startsWith('role.')).map((row) => ({ ...row })),
      ['grant', 'take'].map((verb) => ({
        action: `role.${verb}`,
        details: '{"noteCode":"role","noteValues":{"role":"viewer"}}',
      })),
    );
  });

  it('whoever carries admin is changed in the console by admins alone [D-370]', async () => {
    await grant(user(6), 'admin');
    const group = await newGroup('Admins', 7);
    await grant({ kind: 'group', id: group }, 'admin');
    const saved = async (rules: object): Promise<unknown> => {
      const before = (await findGroup(store.db, accountId, group))!;
      const members = [{ kind: 'change', add: [{ id: ids[8]!, type: null }], remove: [] }] as const;
      return saveGroup(
        store.db,
        { before, after: before, members, isBound: false },
        { ...order(), ...rules },
      );
    };
    await assert.rejects(grant(user(8), 'admin', byIdentity), refusedAs('ABILITY_MISSING'));
    await assert.rejects(take(user(6), 'admin', byIdentity), refusedAs('ABILITY_MISSING'));
    await assert.rejects(saved(byIdentity), refusedAs('ABILITY_MISSING'));
    for (const index of [6, 7]) {
      const one = await whole(index);
      await assert.rejects(
        saveUser(store.db, one, suspend(one, 5), { ...order(), ...byIdentity }),
        refusedAs('ABILITY_MISSING'),
      );
      await assert.rejects(
        removeUser(store.db, {
          ...order(),
          ...byIdentity,
          accountId,
          id: one.id,
          revisionBefore: one.revision,
        }),
        refusedAs('ABILITY_MISSING'),
      );
    }
    assert.equal(await holdsAdmin(store.db, accountId, ids[8]!), false);
    assert.ok(await saved(byAdmin));
    assert.equal(await holdsAdmin(store.db, accountId, ids[8]!), true);
    for (const holder of [user(6), { kind: 'group', id: group } as const]) await take(holder, 'admin');
  });

  it('of admins who take each other out at once in an account without a provider, one stays [D-372]', async () => {
    const admins = [9, 10, 11];
    const rounds: ((index: number) => Promise<unknown>)[] = [
      (index: number) => take(user(index), 'admin', byAdmin),
      async (index: number) => {
        const one = await whole(index);
        return saveUser(store.db, one, suspend(one, 9), { ...order(), ...byAdmin });
      },
      async (index: number) => {
        const { id, revision } = await whole(index);
        const change = { ...order(), ...byAdmin, accountId, id, revisionBefore: revision };
        return removeUser(store.db, change);
      },
    ];
    for (const round of rounds) {
      for (const index of admins) await grant(user(index), 'admin');
      const results = await Promise.allSettled(admins.map(round));
      const refused = results.filter((result) => result.status === 'rejected');
      assert.equal(refused.length, 1);
      assert.ok(refused.every(({ reason }) => refusedAs('LAST_ADMIN')(reason)));
      assert.equal(await accountHasAdmin(store.db, accountId), true);
      for (const index of admins) {
        const one = await findUserById(store.db, accountId, ids[index]!);
        if (one !== null && !one.profile.active) {
          const active = { ...one, profile: { ...one.profile, active: true }, revision: one.revision + 1 };
          await saveUser(store.db, one, active, order());
        }
      }
    }
    const found = await Promise.all(admins.map((index) => findUserById(store.db, accountId, ids[index]!)));
    const [last, ...others] = found.filter((one) => one !== null);
    assert.ok(last !== undefined && others.length === 0);
    const kept = { ...order(), ...byAdmin, accountId, id: last.id, revisionBefore: last.revision };
    await assert.rejects(removeUser(store.db, kept), refusedAs('LAST_ADMIN'));
    await storeRows(
      store.databaseUrl,
      `insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at)
      values (${accountId}, 'c', 'Entra', 'https://i', 'x', 'oid', 0, 1)`,
    );
    assert.equal(await removeUser(store.db, { ...kept, changeId: order().changeId }), true);
  });
}
