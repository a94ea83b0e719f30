// soundings connection ...: by commands, with the secret never as an argument.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Finding } from '../../src/acts/operations/finding.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { OpenIdProvider } from '../support/openid-provider.ts';
import { commandHere, setUp, soundings } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { addUsers } from '../support/user-population.ts';

for (const engine of engines) {
  describe(`connection verbs on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let provider: OpenIdProvider;
    let id: string;
    const run = (...args: string[]): Promise<string> => setUp(['connection', ...args, '--account', '1'], env);

    before(async () => {
      provider = await OpenIdProvider.start();
      store = await engine.newStore();
      env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1',
        SOUNDINGS_PUBLIC_URL: 'https://soundings.example',
      };
      const accounts = [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ];
      await setUp(['apply', writeCatalogue({ accounts })], env);
      await addUsers(
        store.databaseUrl,
        1,
        Array.from({ length: 100 }, (_, index) => ({
          userName: `u${index}`,
          ...(index < 90 && { externalId: `e${index}` }),
          active: true,
        })),
      );
    });
    after(async () => {
      await provider?.stop();
      await store?.dispose();
    });

    it('makes one without a secret, sets it from what is piped in, and never shows it', async () => {
      const facts = ['--name', 'Acme', '--issuer', provider.issuer, '--client-id', 'c', '--claim', 'oid'];
      const made = JSON.parse(await run('create', ...facts, '--json')) as Record<string, unknown>;
      id = String(made.id);
      assert.deepEqual(
        [made.hasSecret, made.subjectClaim, made.callbackUrl],
        [false, 'oid', 'https://soundings.example/console/callback'],
      );
      const secret = 'piped-in-secret-of-the-client';
      const set = await soundings(['connection', 'secret', id, '--account', '1'], env, `${secret}\n`);
      assert.equal(set.code, 0, set.stderr);
      const listed = await run('list', '--json');
      assert.deepEqual(JSON.parse(listed)[0].hasSecret, true);
      assert.ok(!`${set.stdout}${set.stderr}${listed}`.includes(secret));
      const [row] = await storeRows(store.databaseUrl, 'select secret from connection where account_id = 1');
      assert.ok(!String(row!.secret).includes(secret));
    });

    it('test says what the provider must be told, and how many users have no way in', async () => {
      const text = await run('test', id);
      assert.match(text, /answers as it should/);
      assert.match(text, /Redirect URI: https:\/\/soundings\.example\/console\/callback/);
      assert.match(text, new RegExp(`https://soundings\\.example/console/logout/1/${id}`));
      assert.match(text, /10 of 100 active users have no way in through it: 10 without an externalId, 0 of/);
      provider.lies = { metadata: { issuer: 'https://other.example' } };
      await assert.rejects(run('test', id), /Nobody can sign in/);
      provider.lies = {};
    });

    it('doctor says of each what keeps people out, and waits for none of them for long [D-401]', async () => {
      const facts = ['--issuer', provider.issuer, '--client-id', 'c'];
      const other = { ...env, SOUNDINGS_CONNECTION_SECRET: 'another-secret' };
      const twin = JSON.parse(
        await setUp(
          ['connection', 'create', '--account', '2', '--name', 'Beside', ...facts, '--json'],
          other,
        ),
      ) as { id: string };
      const findings = async (): Promise<readonly Finding[]> => {
        const { stdout } = await commandHere(['doctor', '--json'], env);
        return (JSON.parse(stdout) as readonly Finding[]).filter(({ check }) => check === 'providers');
      };
      const says = async (): Promise<string> =>
        (await findings()).map((one) => `${one.isRight} ${one.isWarning ?? false} ${one.says}`).join('\n');
      assert.equal(await says(), 'true false 2, whose providers answer as they should');
      const ofBoth = (fault: string): RegExp =>
        new RegExp(`^true true ${id} of account 1: ${fault}\ntrue true ${twin.id} of account 2: ${fault}$`);
      provider.lies = { metadata: { issuer: 'https://other.example' } };
      assert.match(await says(), ofBoth('nobody can sign in: .*(https://other.example|issuer).*'));
      provider.lies = { metadataAnswer: 'garbage' };
      assert.match(await says(), ofBoth('nobody can sign in: the metadata of http.*'));
      provider.lies = { clockAheadMs: -120_000 };
      assert.match(await says(), ofBoth('the clock of its provider is 1(19|2\\d) s behind this one.*'));
      provider.lies = {};
      // What was sealed for one connection opens for no other.
      const [sealed] = await storeRows(
        store.databaseUrl,
        'select secret from connection where account_id = 1',
      );
      await storeRows(
        store.databaseUrl,
        `update connection set secret = '${sealed?.secret}' where account_id = 2`,
      );
      const [wrong] = await findings();
      assert.deepEqual([wrong?.isRight, wrong?.isWarning], [false, undefined]);
      assert.match(
        wrong?.says ?? '',
        new RegExp(`^${twin.id} of account 2: its client secret is not what was sealed`),
      );
      await storeRows(store.databaseUrl, 'delete from connection where account_id = 2');
      // It takes its 8 seconds on either engine.
      if (engine.name !== 'sqlite') return;
      provider.lies = { metadataAnswer: 'hangs' };
      assert.match(await says(), /nobody can sign in: .*no answer within 8 s/);
      provider.lies = {};
    });

    it('refuses what cannot be: every fault at once, another account, only before a sign-in', async () => {
      await assert.rejects(
        run('create', '--name', 'X', '--issuer', 'http://x.example', '--client-id', 'c', '--claim', 'email'),
        (error: Error) =>
          /--issuer must begin with https/.test(error.message) && /--claim/.test(error.message),
      );
      await assert.rejects(run('only', id, '--on'), /Nobody has signed in through this connection yet/);
      await assert.rejects(run('only', id), /Say --on or --off/);
      await assert.rejects(
        setUp(['connection', 'remove', id, '--account', '2'], env),
        /Account 2 has no connection/,
      );
      await assert.rejects(
        setUp(['provisioning-token', 'create', '--account', '2', '--name', 'p', '--connection', id], env),
        /Account 2 has no connection/,
      );
    });

    it('a secret comes from a file too; another client takes the test back; removal ends it', async () => {
      const file = temporaryFile('secret', 'from-a-file');
      await run('secret', id, '--secret-file', file);
      await storeRows(
        store.databaseUrl,
        'update connection set tested_at = 5, is_only = 1 where account_id = 1',
      );
      await run('change', id, '--client-id', 'another');
      const [one] = JSON.parse(await run('list', '--json'));
      assert.deepEqual([one.clientId, one.tested, one.only], ['another', null, false]);
      await run('remove', id);
      assert.match(await run('list'), /no connections/);
      const actions = await storeRows(
        store.databaseUrl,
        `select action from audit where account_id = 1 and action like 'connection.%' order by at, id`,
      );
      assert.equal(actions[0]!.action, 'connection.create');
      assert.equal(actions.at(-1)!.action, 'connection.remove');
    });

    it('in a catalogue they are made without a secret, changed by their name, dumped and left alone [D-359]', async () => {
      const one = { name: 'Acme', issuer: 'https://acme.okta.com', clientId: 'c1' };
      const two = { name: 'Bolt', issuer: 'https://login.example/x', clientId: 'c2', subjectClaim: 'oid' };
      const apply = (connections?: readonly object[]): Promise<string> =>
        setUp(
          [
            'apply',
            writeCatalogue({ accounts: [{ id: 1, name: 'One', ...(connections && { connections }) }] }),
          ],
          env,
        );
      const listed = async (): Promise<Record<string, unknown>[]> => JSON.parse(await run('list', '--json'));
      await apply([one, two]);
      const made = await listed();
      assert.deepEqual(
        made.map(({ name, subjectClaim, hasSecret }) => [name, subjectClaim, hasSecret]),
        [
          ['Acme', 'sub', false],
          ['Bolt', 'oid', false],
        ],
      );
      await run('secret', String(made[0]!.id), '--secret-file', temporaryFile('secret', 's'));
      await storeRows(store.databaseUrl, 'update connection set tested_at = 5 where account_id = 1');
      assert.match(await apply([one]), /0 created, 0 updated|nothing|unchanged/i);
      await apply([{ ...two, clientId: 'c3' }]);
      await apply();
      const kept = await listed();
      assert.deepEqual(
        kept.map(({ id: kept, clientId, hasSecret, tested }) => [kept, clientId, hasSecret, tested !== null]),
        [
          [made[0]!.id, 'c1', true, true],
          [made[1]!.id, 'c3', false, false],
        ],
      );
      const file = temporaryFile('dump.yaml', '');
      await setUp(['catalogue', 'dump', '--account', '1', '--out', file, '--force'], env);
      const dumped = readFileSync(file, 'utf8');
      assert.match(
        dumped,
        /connections:[\s\S]*name: Acme[\s\S]*issuer: https:\/\/acme\.okta\.com[\s\S]*subjectClaim: oid/,
      );
      assert.ok(!/secret/i.test(dumped));
      assert.match(await setUp(['apply', file], env), /0 created, 0 updated|nothing|unchanged/i);
      await assert.rejects(apply([{ ...one, issuer: 'http://x.example' }]), /issuer/);
      await assert.rejects(apply([{ ...one, secret: 's' }]), /secret/);
    });
  });
}
