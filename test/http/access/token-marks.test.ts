// Provisioning tokens that a release of before made: whether they may change admins is what the audit log shows of their makers.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { callStandard, group, make, patchOf, standardCall } from '../../support/scim.ts';
import { commandHereOk, setUp, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines) describe(`tokens of before on ${engine.name}`, () => marks(engine));

function marks(engine: Engine): void {
  let serving: ProvisioningService;
  let call: Call;
  let ids: readonly number[];
  const made = new Map<string, { readonly id: string; readonly token: string }>();
  const url = (): string => serving.store.databaseUrl;
  const base = (): string => serving.service.baseUrl;
  const command = (...words: readonly string[]) => setUp([...words, '--account', '1'], serving.env);

  before(async () => {
    serving = await startProvisioning(engine);
    call = standardCall(serving);
    const profiles = Array.from({ length: 60 }, (_, at) => ({
      userName: `maker-${at}`,
      externalId: `m-${at}`,
      active: true,
    }));
    ids = await addUsers(url(), 1, profiles);
  });
  after(() => serving?.close());

  /** Somebody of the account makes a token in the console, as 0.2.0 did: nothing is said of admins. */
  async function makes(what: string, index: number, cookie?: string): Promise<void> {
    await grantAside(url(), 1, { user: ids[index]! }, 'identity').catch(() => {});
    const by = cookie ?? (await sessionAside(url(), { accountId: 1, personId: ids[index]! }));
    const answer = await consoleCall(base(), 'POST', '/provisioning-tokens', {
      cookie: by,
      body: { name: what },
    });
    assert.equal(answer.status, 201, answer.text);
    made.set(what, answer.body as { id: string; token: string });
  }
  const roles = (index: number, ...flags: readonly string[]) =>
    command('user', 'roles', `m-${index}`, ...flags);
  const groupOf = async (name: string, ...members: readonly number[]): Promise<string> =>
    (
      await make(
        call,
        '/Groups',
        group(
          name,
          members.map((index) => String(ids[index])),
        ),
      )
    ).id;
  const members = (id: string, op: string, ...indexes: readonly number[]) =>
    call('PATCH', `/Groups/${id}`, {
      body: patchOf({ op, path: 'members', value: indexes.map((index) => ({ value: String(ids[index]) })) }),
    });
  const carry = (id: string, flag: '--grant' | '--take') => command('group', 'roles', id, flag, 'admin');

  it('are with it where the command line, an operator, a set-up link or somebody made them who was admin then [D-813]', async () => {
    const said = await commandHereOk(
      ['provisioning-token', 'create', '--account', '1', '--name', 'cli', '--json'],
      serving.env,
    );
    made.set('the command line', JSON.parse(said));
    await makes('an operator', 0, await operatorAside(url(), { enteredAccountId: 1 }));
    const cookie = await operatorAside(url(), { enteredAccountId: 1 });
    const link = await consoleCall(base(), 'POST', '/setup-link', { cookie, body: { kind: 'okta' } });
    const code = { 'setup-code': String(link.body.url).split('#')[1]! };
    const byLink = await consoleCall(base(), 'POST', '/setup/token', { headers: code });
    made.set('a set-up link', byLink.body as { id: string; token: string });
    await makes('an identity', 1);
    await roles(2, '--grant', 'admin');
    await makes('an admin', 2);
    await roles(3, '--grant', 'admin');
    await roles(3, '--take', 'admin');
    await makes('one who was admin before', 3);
    await makes('one who became admin later', 4);
    await roles(4, '--grant', 'admin');
    await roles(5, '--grant', 'admin');
    await makes('one who was admin and is no longer', 5);
    await roles(5, '--take', 'admin');
    const admins = await groupOf('Admins', 6, 7);
    await carry(admins, '--grant');
    await makes('a member of the admins', 6);
    const strong = await commandHereOk(
      ['provisioning-token', 'create', '--account', '1', '--name', 'strong', '--may-change-admins', '--json'],
      serving.env,
    );
    const byStrong: Call = (method, path, options = {}) =>
      callStandard(base(), JSON.parse(strong).token, method, path, options);
    const change = (op: string, index: number) =>
      byStrong('PATCH', `/Groups/${admins}`, {
        body: patchOf({ op, path: 'members', value: [{ value: String(ids[index]) }] }),
      });
    assert.equal((await change('remove', 7)).status, 204);
    await makes('one who had left the admins', 7);
    await makes('one who joined the admins later', 8);
    assert.equal((await change('add', 8)).status, 204);
    // More members at once than the log names.
    const many = await groupOf('Many', ...Array.from({ length: 40 }, (_, at) => 10 + at));
    await carry(many, '--grant');
    await makes('one of many admins', 48);
    const ended = await groupOf('Ended', 9);
    await carry(ended, '--grant');
    await carry(ended, '--take');
    await makes('one whose group was no longer of admins', 9);
    const gone = await groupOf('Gone', 55);
    await carry(gone, '--grant');
    assert.equal((await byStrong('DELETE', `/Groups/${gone}`)).status, 204);
    await makes('one whose group was gone', 55);
    assert.equal((await members(await groupOf('Plain'), 'add', 56)).status, 204);
    await makes('one of an ordinary group', 56);

    // As 0.2.0 has written them.
    await storeRows(
      url(),
      `update provisioning_token
      set may_change_admins = null, secret_hash = replace(secret_hash, 'without-admins:', '')
      where account_id = 1`,
    );
    const listed = JSON.parse(
      await commandHereOk(['provisioning-token', 'list', '--account', '1', '--json'], serving.env),
    ) as readonly { id: string; mayChangeAdmins: boolean }[];
    const found = [...made].map(([what, { id }]) => [
      what,
      listed.find((one) => one.id === id)?.mayChangeAdmins,
    ]);
    const withIt = [
      'the command line',
      'an operator',
      'a set-up link',
      'an admin',
      'one who was admin and is no longer',
      'a member of the admins',
      'one of many admins',
    ];
    assert.deepEqual(
      found,
      [...made.keys()].map((what) => [what, withIt.includes(what)]),
    );
  });

  it('are judged when they are used, before any task has looked, and the task keeps what it finds [D-813]', async () => {
    const target = ids[2]!;
    const suspending = { body: patchOf({ op: 'replace', path: 'active', value: false }) };
    await storeRows(url(), 'update provisioning_token set may_change_admins = null where account_id = 1');
    const by = (what: string) =>
      callStandard(base(), made.get(what)!.token, 'PATCH', `/Users/${target}`, suspending);
    assert.equal((await by('an identity')).status, 403);
    assert.equal((await by('the command line')).status, 200);
    // A service that starts looks at once.
    await serving.another();
    await until(
      () => storeRows(url(), 'select id from provisioning_token where may_change_admins is null'),
      (rows) => rows.length === 0,
    );
  });
}
