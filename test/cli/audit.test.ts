import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { standardCall } from '../support/scim.ts';
import { commandHere, commandHereOk, soundings } from '../support/service.ts';
import { addUsers } from '../support/user-population.ts';
import { type Answer, type ProvisioningService, startProvisioning } from '../support/users.ts';

const scimCore = 'urn:ietf:params:scim:schemas:core:2.0';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const caller = '203.0.113.7';

interface Entry {
  readonly at: string;
  readonly accountId: number | null;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly subject: string;
  readonly attributes: readonly string[];
  readonly joined?: { readonly count: number; readonly ids: readonly number[] };
  readonly left?: { readonly count: number; readonly ids: readonly number[] };
  readonly requestId: string | null;
  readonly from: string | null;
  readonly changeId: string;
}

for (const engine of engines) {
  describe(`soundings audit on ${engine.name}`, () => {
    let serving: ProvisioningService;
    const users: { readonly id: string; readonly name: string; readonly requestId: string }[] = [];
    let token: { id: string; token: string };

    before(async () => {
      serving = await startProvisioning(engine, { SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1,::1' });
      const made = ['provisioning-token', 'create', '--account', '1', '--name', 'Entra ID', '--json'];
      token = JSON.parse(await commandHereOk(made, serving.env));
      const profiles = Array.from({ length: 1_200 }, (_, at) => ({
        userName: `foreign-${at}`,
        active: true,
        name: {},
        emails: [{ value: `foreign-${at}@example.com` }],
      }));
      await addUsers(serving.store.databaseUrl, 2, profiles);
      const numbers = Array.from({ length: 60 }, (_, at) => (at * 37) % 60);
      users.push(
        ...(await Promise.all(
          numbers.map(async (at) => {
            const answer = await scim('POST', '/Users', {
              schemas: [`${scimCore}:User`],
              userName: `user-${at}`,
              displayName: 'Canary',
            });
            assert.equal(answer.status, 201, answer.text);
            return { id: String(answer.body.id), name: `user-${at}`, requestId: requestIdOf(answer) };
          }),
        )),
      );
    });
    after(() => serving?.close());

    const scim = (method: string, path: string, body?: unknown) =>
      standardCall(serving)(method, path, {
        token: token.token,
        headers: { 'x-forwarded-for': caller },
        ...(body === undefined ? {} : { body }),
      });
    const requestIdOf = ({ headers }: Answer): string => headers.get('x-request-id')!;
    const patch = (path: string, ...Operations: readonly object[]) =>
      scim('PATCH', path, { schemas: [patchSchema], Operations });
    const audit = async (...flags: readonly string[]): Promise<Entry[]> =>
      (await commandHereOk(['audit', '--json', ...flags], serving.env))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry);
    const last = async (...flags: readonly string[]): Promise<Entry> =>
      (await audit('--limit', '1', ...flags)).at(-1)!;

    it('every created user is there with who, when, the request and the address behind the proxy [D-277]', async () => {
      const entries = await audit('--account', '1', '--action', 'user.create');
      assert.equal(entries.length, users.length);
      for (const { id, name, requestId } of users) {
        const entry = entries.find(({ subject }) => subject === `user ${id}`);
        assert.deepEqual(
          { ...entry, at: null, changeId: null },
          {
            at: null,
            accountId: 1,
            actor: { kind: 'provisioningToken', id: token.id, name: 'Entra ID' },
            action: 'user.create',
            subject: `user ${id}`,
            subjectName: name,
            attributes: [],
            requestId,
            from: caller,
            changeId: null,
          },
        );
      }
    });

    it('a changed user is there with the names of its attributes and never with their values', async () => {
      const [first, second] = [users[0]!, users[1]!];
      const patched = await patch(
        `/Users/${first.id}`,
        { op: 'replace', path: 'displayName', value: 'Canary of another name' },
        { op: 'replace', path: 'name.familyName', value: 'Canary' },
        { op: 'add', path: 'emails', value: [{ value: 'canary@example.com', type: 'work' }] },
      );
      assert.equal(patched.status, 200, patched.text);
      const change = await last('--account', '1', '--subject', `user ${first.id}`);
      assert.deepEqual(change.attributes, ['displayName', 'emails', 'name.familyName']);
      assert.equal(change.action, 'user.change');
      assert.equal(change.requestId, requestIdOf(patched));
      const replaced = await scim('PUT', `/Users/${second.id}`, {
        schemas: [`${scimCore}:User`],
        userName: `user-of-${second.id}`,
        active: false,
      });
      assert.equal(replaced.status, 200, replaced.text);
      const suspension = await last('--account', '1', '--action', 'user.suspend');
      assert.equal(suspension.subject, `user ${second.id}`);
      assert.deepEqual(suspension.attributes, ['active', 'displayName', 'userName']);
      const whole = await commandHereOk(['audit', '--all', '--json'], serving.env);
      assert.doesNotMatch(whole, /canary/i);
    });

    it('a changed group is there with how many members joined and left, and which, up to 20 of them', async () => {
      const members = users.slice(5, 40).map(({ id }) => ({ value: id }));
      const made = await scim('POST', '/Groups', {
        schemas: [`${scimCore}:Group`],
        displayName: 'Canary of groups',
        members: members.slice(0, 30),
      });
      assert.equal(made.status, 201, made.text);
      const path = `/Groups/${made.body.id}`;
      const created = await last('--subject', `group ${made.body.id}`);
      assert.deepEqual(
        [created.action, created.joined?.count, created.joined?.ids.length],
        ['group.create', 30, 20],
      );
      const ids = new Set(members.map(({ value }) => Number(value)));
      assert.ok(created.joined?.ids.every((id) => ids.has(id)));

      // Two of whom one is there already join, two of whom one is not there leave.
      await patch(
        path,
        { op: 'add', path: 'members', value: [members[0], members[34]] },
        { op: 'remove', path: 'members', value: [members[1], members[33]] },
      );
      const changed = await last('--subject', `group ${made.body.id}`);
      assert.deepEqual(changed.joined, { count: 1, ids: [Number(members[34]!.value)] });
      assert.deepEqual(changed.left, { count: 1, ids: [Number(members[1]!.value)] });
      assert.deepEqual(changed.attributes, []);

      await scim('PUT', path, {
        schemas: [`${scimCore}:Group`],
        displayName: 'Another canary',
        members: [members[0]],
      });
      const replaced = await last('--subject', `group ${made.body.id}`);
      assert.deepEqual(
        [replaced.left?.count, replaced.left?.ids.length, replaced.joined],
        [29, 20, undefined],
      );
      assert.deepEqual(replaced.attributes, ['displayName']);
    });

    it('what an operator does is there with the person and the machine, and apart from accounts where it is of all', async () => {
      await commandHereOk(['maintenance', 'on'], serving.env);
      await commandHereOk(['maintenance', 'off'], serving.env);
      const [on, off] = await audit('--account', 'store', '--action', 'maintenance');
      assert.deepEqual([on?.action, off?.action, on?.accountId], ['maintenance.on', 'maintenance.off', null]);
      assert.equal(on?.actor.kind, 'operator');
      assert.match(on?.from ?? '', /.@./);
      const clients = await audit('--actor', 'operator', '--action', 'client');
      assert.deepEqual(clients.map(({ accountId }) => accountId).toSorted(), [1, 2]);
    });

    it('all of it comes in the order of time, each entry once, over every page and account', async () => {
      const everything = await audit('--all');
      assert.ok(everything.length > 1_260);
      const keys = everything.map(({ changeId, accountId }) => `${changeId} ${accountId}`);
      assert.equal(new Set(keys).size, keys.length);
      assert.deepEqual(
        keys,
        keys.toSorted((one, other) => (one < other ? -1 : 1)),
      );
      const one = await audit('--all', '--account', '1');
      assert.deepEqual(
        one,
        everything.filter(({ accountId }) => accountId === 1),
      );
      assert.deepEqual(await audit('--account', '1', '--limit', '7'), one.slice(-7));
      const middle = one[Math.floor(one.length / 2)]!.at;
      assert.deepEqual(
        await audit('--all', '--account', '1', '--from', middle),
        one.filter(({ at }) => at >= middle),
      );
      assert.deepEqual(
        await audit('--all', '--account', '1', '--to', middle),
        one.filter(({ at }) => at <= middle),
      );
      const day = new Date().toISOString().slice(0, 10);
      assert.equal((await audit('--all', '--account', '1', '--from', day, '--to', day)).length, one.length);
    });

    it('the table says the same for people, and what makes no sense is refused in one sentence', async () => {
      const { stdout, stderr } = await soundings(['audit', '--account', '1', '--limit', '3'], serving.env);
      assert.match(stdout, /^TIME +ACCOUNT +WHO +ACTION +SUBJECT +CHANGED +FROM +REQUEST\n/);
      assert.match(
        stdout,
        /Entra ID \(pt_\w+\) +group\.change +group \d+ +displayName; [\d ]+and 9 more left/,
      );
      assert.match(stderr, /The newest 3; --all/);
      assert.match(
        await commandHereOk(['audit', '--account', '77'], serving.env),
        /No entry is as you asked/,
      );
      const cases: [readonly string[], RegExp][] = [
        [['--account', 'x'], /--account must be the number/],
        [['--limit', '0'], /--limit must be a whole number from 1 to 10000/],
        [['--from', 'yesterday'], /--from must be a day/],
        [['--from', '2026-02-02', '--to', '2026-02-01'], /--to 2026-02-01 lies before --from/],
      ];
      for (const [flags, message] of cases) {
        const refused = await commandHere(['audit', ...flags], serving.env);
        assert.deepEqual([refused.code, refused.stderr.trim().split('\n').length], [1, 1]);
        assert.match(refused.stderr, message);
      }
    });
  });
}
