// Operators and the links that lead people into the console, as they are made at a terminal and by a start.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { consoleCall, cookieSetBy } from '../support/console.ts';
import { engines, sqlite, type TestStore } from '../support/engines.ts';
import {
  commandHere,
  endingWithUs,
  environment,
  type ServiceProcess,
  setUp,
  soundings,
  startedProgram,
  startProcess,
  until,
} from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';
import { addUsers } from '../support/user-population.ts';

const codeOf = (url: string): string => new URL(url).hash.slice(1);

for (const engine of engines) {
  describe(`soundings operator on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let service: ServiceProcess;
    const json = async (...args: readonly string[]) => JSON.parse(await setUp([...args, '--json'], env));
    const open = (code: string) => consoleCall(service.baseUrl, 'POST', '/sign-in/link', { body: { code } });
    const isIn = async (cookie: string): Promise<boolean> =>
      (await consoleCall(service.baseUrl, 'GET', '/session', { cookie })).status === 200;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
      await setUp(['account', 'create', '1', '--name', 'One'], env);
      service = await startProcess(env);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    it('without an operator every verb says how to make one', async () => {
      assert.match(await setUp(['operator', 'list'], env), /operator create NAME/);
      for (const args of [['link'], ['link', 'ada'], ['disable', 'ada']]) {
        const { code, stdout, stderr } = await commandHere(['operator', ...args], env);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /no operator who can sign in\. Make one: soundings operator create NAME/);
      }
    });

    it('a start that is not at a terminal prints no code, and names the command that makes a link [D-323]', async () => {
      assert.equal(
        service.announcement.consoleUrl,
        `${service.baseUrl.replace('127.0.0.1', 'localhost')}/console`,
      );
      const child = endingWithUs(
        spawn(process.execPath, [startedProgram, 'serve', '--port', '0'], {
          env: environment(env),
          stdio: 'pipe',
        }),
      );
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      await until(
        async () => said,
        (text) => /Console: .*\n/.test(text),
      );
      const exited = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await exited;
      assert.match(said, /^Console: http:\/\/localhost:\d+\/console \(.*soundings operator link\)$/m);
      assert.doesNotMatch(said, /console#/);
      assert.deepEqual(await storeRows(store.databaseUrl, 'select * from operator'), []);
      assert.deepEqual(
        await storeRows(store.databaseUrl, 'select * from one_time_link where account_id = 0'),
        [],
      );
    });

    it('create prints a link that signs in once, for 30 minutes, and says so [D-320] [D-321]', async () => {
      const { code, stdout, stderr } = await soundings(['operator', 'create', 'ada'], env);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^http:\/\/localhost:\d+\/console#0\.[\w-]{43}\n$/);
      assert.match(stderr, /signs in once, until 20/);
      const answer = await open(codeOf(stdout.trim()));
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, {
        person: { kind: 'operator', id: '1', name: 'ada' },
        mustAddCredential: true,
      });
      assert.equal((await open(codeOf(stdout.trim()))).status, 401);
      const [entry] = await storeRows(
        store.databaseUrl,
        `select actor, details from audit where account_id = 0 and action = 'session.create'`,
      );
      assert.deepEqual(
        { ...entry },
        {
          actor: 'operator ada',
          details: '{"noteCode":"signedIn","noteValues":{"way":"link","connection":null}}',
        },
      );
      const minutes = (Date.parse((await json('operator', 'link', 'ada')).expiresAt) - Date.now()) / 60_000;
      assert.ok(minutes > 28 && minutes <= 30, String(minutes));
    });

    it('names are unique and plain; operators who are made at the same moment have numbers of their own [D-320]', async () => {
      const taken = await commandHere(['operator', 'create', 'ada'], env);
      assert.match(taken.stderr, /There is an operator ada already.*operator link ada/);
      for (const name of ['Ada', '', ' ada', 'a\u001b[2J', 'x'.repeat(65)]) {
        const { code, stderr } = await commandHere(['operator', 'create', name], env);
        assert.equal(code, 1);
        assert.match(stderr, /1 to 64 characters/);
      }
      const names = Array.from({ length: 24 }, (_, at) => `op-${(at * 7) % 24}`);
      const made = [];
      for (let at = 0; at < names.length; at += 4)
        made.push(
          ...(await Promise.all(names.slice(at, at + 4).map((name) => json('operator', 'create', name)))),
        );
      assert.equal(new Set(made.map(({ id }) => id)).size, 24);
      assert.ok(made.every(({ id }) => id >= 2 && id <= 25));
    });

    it('a new link ends the one before, and that of nobody else', async () => {
      const [first, other, second] = [
        await json('operator', 'link', 'op-1'),
        await json('operator', 'link', 'op-2'),
        await json('operator', 'link', 'op-1'),
      ];
      assert.equal((await open(codeOf(first.url))).status, 401);
      assert.equal((await open(codeOf(second.url))).status, 200);
      assert.equal((await open(codeOf(other.url))).status, 200);
      const { stderr } = await commandHere(['operator', 'link'], env);
      assert.match(stderr, /Say for whom\. There are ada, /);
    });

    it('list shows what each signs in with and when they were last there; disable ends sessions and links at once', async () => {
      const { url } = await json('operator', 'link', 'op-3');
      const cookie = cookieSetBy(await open(codeOf(url)))!;
      const pending = await json('operator', 'link', 'op-3');
      assert.equal(await isIn(cookie), true);
      await storeRows(
        store.databaseUrl,
        `insert into password (account_id, person_id, hash, changed_at)
        select 0, id, 'x', 1 from operator where name = 'op-3'`,
      );
      const listed = await json('operator', 'list');
      assert.equal(listed.length, 25);
      const of = (name: string) => listed.find((one: { name: string }) => one.name === name);
      assert.deepEqual([of('op-3').hasPassword, of('op-3').passkeys, of('op-3').disabled], [true, 0, false]);
      assert.ok(Date.parse(of('op-3').lastUsed) > Date.now() - 600_000);
      assert.equal(of('op-9').lastUsed, null);
      assert.match(await setUp(['operator', 'disable', 'op-3'], env), /is disabled: every session/);
      assert.equal(await isIn(cookie), false);
      assert.equal((await open(codeOf(pending.url))).status, 401);
      assert.equal((await json('operator', 'disable', 'op-3')).changed, false);
      const { code, stderr } = await commandHere(['operator', 'link', 'op-3'], env);
      assert.equal(code, 1);
      assert.match(stderr, /is disabled, for good/);
      assert.match(await setUp(['operator', 'list'], env), /^op-3 +disabled .* yes /m);
    });

    it('user invite, link, sessions and sign-out do from a terminal what the console does [D-324]', async () => {
      await addUsers(
        store.databaseUrl,
        1,
        Array.from({ length: 200 }, (_, at) => ({
          userName: `u-${(at * 7) % 200}`,
          externalId: `e-${(at * 7) % 200}`,
          active: true,
        })),
      );
      const of = ['--account', '1'];
      const { code, stdout, stderr } = await commandHere(
        ['user', 'invite', ...of, '--user-name', 'ida', '--email', 'ida@x.example', '--given-name', 'Ida'],
        env,
      );
      assert.equal(code, 0, stderr);
      const invited = await open(codeOf(stdout.trim()));
      const { id } = invited.body.person as { id: string };
      assert.deepEqual(invited.body.person, { kind: 'user', id, name: 'ida' });
      const shown = JSON.parse(await setUp(['user', 'show', id, ...of, '--json'], env));
      assert.deepEqual([shown.name.givenName, shown.emails[0].value], ['Ida', 'ida@x.example']);
      const reset = await json('user', 'link', 'e-77', ...of);
      const hours = (Date.parse(reset.expiresAt) - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours <= 24, String(hours));
      assert.equal(reset.userName, 'u-77');
      const cookie = cookieSetBy(await open(codeOf(reset.url)))!;
      const [session] = await json('user', 'sessions', 'e-77', ...of);
      assert.equal(session.way, 'link');
      assert.match(await setUp(['user', 'sessions', 'e-77', ...of], env), /^BY +SINCE +LAST USED/);
      assert.match(await setUp(['user', 'sessions', 'e-78', ...of], env), /signed in nowhere/);
      assert.deepEqual(await json('user', 'sign-out', 'e-77', ...of), { address: 'e-77', ended: 1 });
      assert.equal(await isIn(cookie), false);
      for (const [args, message] of [
        [
          ['invite', ...of, '--user-name', 'U-5'],
          /Nobody is invited\. Another user of the account has this userName/,
        ],
        [['invite', ...of, '--user-name', ' x ', '--external-id', ''], /Nobody is invited\. /],
        [['invite', '--account', '9', '--user-name', 'x'], /no account 9/],
        [['link', 'nobody', ...of], /No user is addressed by "nobody"/],
      ] as const) {
        const refused = await commandHere(['user', ...args], env);
        assert.deepEqual([refused.code, refused.stdout], [1, ''], refused.stderr);
        assert.match(refused.stderr, message);
      }
      await setUp(['user', 'suspend', 'e-78', ...of], env);
      const suspended = await commandHere(['user', 'link', 'e-78', ...of], env);
      assert.match(suspended.stderr, /suspended.*Reactivate/);
    });

    it('no secret of a link is kept', async () => {
      const { url } = await json('operator', 'link', 'op-5');
      const text = JSON.stringify(await wholeStore(store.databaseUrl));
      assert.equal(text.includes(codeOf(url).slice(2)), false);
    });
  });
}

it('doctor and serve warn of a console over plain http beyond this machine, and doctor says when it is off [D-326]', async () => {
  const store = await sqlite.newStore();
  const env = { DATABASE_URL: store.databaseUrl };
  await setUp(['migrate'], env);
  const console = async (more: Record<string, string>) => {
    const { stdout } = await commandHere(['doctor', '--json'], { ...env, ...more });
    return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'console');
  };
  const lan = { SOUNDINGS_PUBLIC_URL: 'http://feedback.lan:8080' };
  const plain = { ...lan, SOUNDINGS_CONSOLE_PLAIN_HTTP: 'on' };
  assert.deepEqual([(await console({})).isWarning, (await console({})).isRight], [undefined, true]);
  assert.equal((await console({ SOUNDINGS_PUBLIC_URL: 'https://f.example' })).isWarning, undefined);
  const off = await console(lan);
  assert.deepEqual([off.isWarning, off.isRight], [true, true]);
  assert.match(off.says, /console is off.*SOUNDINGS_CONSOLE_PLAIN_HTTP=on/);
  assert.match((await console(plain)).says, /plain http at http:\/\/feedback\.lan:8080: whoever can listen/);
  const [quiet, open] = [await startProcess({ ...env, ...lan }), await startProcess({ ...env, ...plain })];
  await Promise.all([quiet.stop(), open.stop()]);
  assert.match(open.output(), /Warning: The console is served over plain http/);
  assert.doesNotMatch(quiet.output(), /Warning: The console/);
  assert.equal(quiet.announcement.consoleUrl, undefined);
  await store.dispose();
});
