import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines } from '../../support/engines.ts';
import { assertRefusal, callStandard, patchOf } from '../../support/scim.ts';
import { commandHereOk, type Service, setUp, until } from '../../support/service.ts';
import { addUsers } from '../../support/user-population.ts';
import {
  type Answer,
  callUsers,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const sentence = /users of this account were suspended or deleted within an hour.*account guard \d --lift/;

interface State {
  readonly percent: number;
  readonly users: number;
  readonly limit: number;
  readonly liftedUntil: string | null;
  readonly struckAt: string | null;
}

for (const engine of engines) {
  describe(`the guard against mass deprovisioning on ${engine.name}`, () => {
    let serving: ProvisioningService;
    let services: readonly Service[];
    /** By account: a provisioning token, and the ids of its users. */
    const tokens = new Map<number, string>();
    const ids = new Map<number, readonly number[]>();

    before(async () => {
      serving = await startProvisioning(engine, { SOUNDINGS_GUARD_PERCENT: '50' });
      const limits = { deprovisionedPercentPerHour: 10 };
      const accounts = [
        { id: 1, name: 'One', limits },
        { id: 3, name: 'Three', limits },
      ];
      await setUp(['apply', writeCatalogue({ accounts })], serving.env);
      for (const [account, count] of [
        [1, 300],
        [2, 300],
        [3, 30],
      ] as const) {
        const made = [
          'provisioning-token',
          'create',
          '--account',
          String(account),
          '--name',
          'Entra',
          '--json',
        ];
        tokens.set(account, JSON.parse(await commandHereOk(made, serving.env)).token);
        const profiles = Array.from({ length: count }, (_, at) => ({
          userName: `user-${(at * 7) % count}`,
          externalId: `e-${(at * 7) % count}`,
          active: true,
          name: { familyName: 'Kept' },
          emails: [{ value: 'kept@example.com' }],
        }));
        ids.set(account, await addUsers(serving.store.databaseUrl, account, profiles));
      }
      services = [serving.service, await serving.another()];
    });
    after(() => serving?.close());

    const service = (account: number, method: string, path: string, body?: object, at = 0): Promise<Answer> =>
      callUsers(
        services[at]!.baseUrl,
        tokens.get(account)!,
        method,
        path,
        body === undefined ? {} : { body },
      );
    const standard = (
      account: number,
      method: string,
      path: string,
      body?: object,
      at = 0,
    ): Promise<Answer> =>
      callStandard(
        services[at]!.baseUrl,
        tokens.get(account)!,
        method,
        path,
        body === undefined ? {} : { body },
      );
    const active = (value: boolean): object => patchOf({ op: 'replace', path: 'active', value });
    const stateOf = async (account: number): Promise<State> =>
      JSON.parse(await setUp(['account', 'guard', String(account), '--json'], serving.env));
    const auditOf = async (account: number): Promise<{ action: string; requestId: string; note: string }[]> =>
      (
        await commandHereOk(
          ['audit', '--account', String(account), '--action', 'guard', '--json'],
          serving.env,
        )
      )
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));

    it('one user who is suspended again and again, and then deleted, is one [D-279]', async () => {
      const [id] = ids.get(1)!;
      for (let round = 0; round < 25; round += 1)
        for (const state of [false, true])
          assert.equal((await standard(1, 'PATCH', `/Users/${id}`, active(state))).status, 200);
      assert.equal((await standard(1, 'DELETE', `/Users/${id}`)).status, 204);
      const { percent, users, limit, struckAt } = await stateOf(1);
      assert.deepEqual(
        { percent, users, limit, struckAt },
        { percent: 10, users: 1, limit: 30, struckAt: null },
      );
    });

    it('of sixty changes over both faces and two processes as many pass as are left, and the others are 403 with a sentence [D-279]', async () => {
      const some = ids.get(1)!.slice(1, 61);
      const places = new Map(ids.get(1)!.map((id, at) => [id, `e-${(at * 7) % 300}`]));
      const answers = await Promise.all(
        some.map((id, index) => {
          const at = index % 2;
          const address = `/Users/${places.get(id)}`;
          switch (index % 5) {
            case 0:
              return service(
                1,
                'PATCH',
                address,
                patchBody({ op: 'replace', path: 'active', value: false }),
                at,
              );
            case 1:
              return standard(1, 'DELETE', `/Users/${id}`, undefined, at);
            case 2: {
              const userName = `user-${places.get(id)!.slice(2)}`;
              return service(1, 'PUT', address, userBody(userName, { active: false }), at);
            }
            case 3:
              return standard(1, 'PATCH', `/Users/${id}`, active(false), at);
            default: {
              const Operations = [{ method: 'DELETE', path: `/Users/${id}` }];
              return standard(1, 'POST', '/Bulk', { schemas: [bulkSchema], Operations }, at);
            }
          }
        }),
      );
      const outcomes = answers.map(({ status, body }, index) =>
        index % 5 === 4 ? Number(body.Operations[0].status) : status,
      );
      assert.equal(outcomes.filter((status) => status === 200 || status === 204).length, 29);
      assert.equal(outcomes.filter((status) => status === 403).length, 31);
      for (const [index, answer] of answers.entries()) {
        if (outcomes[index] !== 403) continue;
        if (index % 5 === 4) assert.match(answer.body.Operations[0].response.detail, sentence);
        else if (index % 5 === 1 || index % 5 === 3) {
          assertRefusal(answer, 403);
          assert.match(answer.body.detail, sentence);
        } else {
          assert.equal(answer.body.errorCode, 'DEPROVISIONING_GUARDED');
          assert.match(answer.body.message, sentence);
        }
        const user = await standard(1, 'GET', `/Users/${some[index]}`, undefined, index % 2);
        assert.deepEqual(
          [user.status, user.body.active, user.body.meta.version],
          [200, true, user.headers.get('etag')],
        );
        assert.equal(user.body.name.familyName, 'Kept');
      }
      const { users, limit } = await stateOf(1);
      assert.deepEqual([users, limit], [30, 30]);
    });

    it('everything else is served: other changes, who was counted already, other accounts, and the command line', async () => {
      const some = ids.get(1)!;
      const one = some[100]!;
      const title = patchOf({ op: 'replace', path: 'title', value: 'Chief' });
      assert.equal((await standard(1, 'PATCH', `/Users/${one}`, title)).status, 200);
      assert.equal((await standard(1, 'PATCH', `/Users/${one}`, active(false))).status, 403);
      const listed = await standard(1, 'GET', '/Users?filter=active%20eq%20false&count=1');
      const counted = listed.body.Resources[0].id;
      assert.equal((await standard(1, 'PATCH', `/Users/${counted}`, active(true))).status, 200);
      assert.equal((await standard(1, 'DELETE', `/Users/${counted}`)).status, 204);
      for (const id of ids.get(2)!.slice(0, 40))
        assert.equal((await standard(2, 'PATCH', `/Users/${id}`, active(false))).status, 200);
      const { percent, users, limit, struckAt } = await stateOf(2);
      assert.deepEqual(
        { percent, users, limit, struckAt },
        { percent: 50, users: 40, limit: 150, struckAt: null },
      );
      const words = ['user', 'suspend', `e-${(100 * 7) % 300}`, '--account', '1'];
      assert.match(await commandHereOk(words, serving.env), /is suspended now/);
    });

    it('the first refusal is one entry of the audit log and one line of the log, whichever process refused [D-279]', async () => {
      const entries = await auditOf(1);
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['guard.strike'],
      );
      assert.match(entries[0]!.requestId, /^[0-9a-f-]{36}$/);
      const line = 'The guard refuses to suspend or delete more users of an account.';
      const logged = async (): Promise<number> =>
        services
          .map((one) => one.output())
          .join('')
          .split(line).length - 1;
      assert.equal(await until(logged, (lines) => lines > 0), 1);
      assert.notEqual((await stateOf(1)).struckAt, null);
    });

    it('an operator lifts it for a while, and it counts from nothing', async () => {
      const prose = await setUp(['account', 'guard', '1'], serving.env);
      assert.match(prose, /suspended or deleted 30 users of account 1.*30 are allowed.*\n.*guard 1 --lift/);
      await setUp(['account', 'guard', '1', '--lift', '--minutes', '5'], serving.env);
      const { users, liftedUntil, struckAt } = await stateOf(1);
      assert.deepEqual([users, struckAt], [0, null]);
      assert.ok(Date.parse(liftedUntil!) > Date.now());
      const more = ids.get(1)!.slice(110, 160);
      for (const [index, id] of more.entries())
        assert.equal((await standard(1, 'DELETE', `/Users/${id}`, undefined, index % 2)).status, 204);
      assert.deepEqual(
        (await auditOf(1)).map(({ action }) => action),
        ['guard.strike', 'guard.lift'],
      );
    });

    it('fewer than 20 users are never too many, however few an account has', async () => {
      const statuses: number[] = [];
      for (const id of ids.get(3)!.slice(0, 25))
        statuses.push((await standard(3, 'DELETE', `/Users/${id}`)).status);
      assert.deepEqual(statuses, [...Array(20).fill(204), ...Array(5).fill(403)]);
    });
  });
}
