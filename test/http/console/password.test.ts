// Signing in by a password, and setting one: who gets in, who gets the same answer as anybody, and what ends with it.

import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { noteOfDetails } from '../../support/audit-note.ts';
import {
  consoleCall,
  cookieSetBy,
  operatorAside,
  passwordAside,
  sessionAside,
} from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, tellingPart } from '../../support/exchange.ts';
import { fairClock } from '../../support/fair-clock.ts';
import { patience } from '../../support/patience.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { create, type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 200;
const password = 'the tall heron eats purple soup';
const otherPassword = 'nine slow trains leave at midnight';
const path = '/sign-in/password';

for (const engine of engines)
  describe(`passwords on ${engine.name}`, { concurrency: 1 }, () => passwords(engine));

function passwords(engine: Engine): void {
  let context: ProvisioningService;
  let ids: readonly number[];
  /** Another replica, on which passwords are switched off. */
  let other: Service;
  const url = (): string => context.store.databaseUrl;
  const person = (index: number) => ({ accountId: 1, personId: ids[index]! });
  const call = (
    method: string,
    to: string,
    options: {
      readonly cookie?: string;
      readonly body?: unknown;
      readonly service?: Service;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answer> => consoleCall((options.service ?? context.service).baseUrl, method, to, options);
  const signIn = (name: string, rest: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    call('POST', path, { body: { account: 1, name, password, ...rest } });
  const cookieOf = async (name: string, rest: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const answer = await signIn(name, rest);
    assert.equal(answer.status, 204, answer.text);
    return cookieSetBy(answer)!;
  };
  const isIn = async (cookie: string, service?: Service): Promise<boolean> => {
    const { status } = await call('GET', '/session', {
      cookie,
      ...(service === undefined ? {} : { service }),
    });
    return status === 200;
  };
  const isRefused = ({ status, body, headers }: Answer): void => {
    assert.deepEqual([status, body.code], [401, 'SIGN_IN_REFUSED']);
    assert.equal(headers['set-cookie'], undefined);
  };

  before(async () => {
    context = await startProvisioning(engine, { ...patience });
    other = await startService({ ...context.env, SOUNDINGS_CONSOLE_PASSWORDS: 'off' });
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: `Person-${index}@Example.com`,
      externalId: `e-${index}`,
      active: index % 10 !== 9,
    }));
    ids = await addUsers(url(), 1, profiles);
    const others = await addUsers(url(), 2, profiles);
    await passwordAside(
      url(),
      ids.map((_, index) => person(index)).filter((_, index) => index % 10 !== 8),
      password,
    );
    // The same names in another account have another password.
    await passwordAside(
      url(),
      others.map((personId) => ({ accountId: 2, personId })),
      otherPassword,
    );
  });
  after(async () => {
    await other?.stop();
    await context?.close();
  });

  it('opens a session of the person, by any case of the userName, and the log of the account says how [D-334]', async () => {
    for (const name of ['Person-0@Example.com', 'PERSON-0@EXAMPLE.COM', 'person-0@example.com']) {
      const { body } = await call('GET', '/session', { cookie: await cookieOf(name) });
      assert.deepEqual(body.person, { kind: 'user', id: String(ids[0]), name: 'Person-0@Example.com' });
      assert.equal(body.way, 'password');
    }
    const entries = await storeRows(
      url(),
      `select details from audit where account_id = 1 and action = 'session.create' and actor = 'user ${ids[0]}'`,
    );
    assert.equal(entries.length, 3);
    for (const { details } of entries) assert.match(noteOfDetails(details), /signed in by password/);
  });

  it('hundreds of people of two accounts with the same names: each password opens its own account, whoever is suspended or has none gets the answer of anybody [D-334]', async () => {
    const wrong = tellingPart(await signIn('person-1@example.com', { password: otherPassword }));
    const unknown = tellingPart(await signIn('nobody@example.com'));
    const elsewhere = tellingPart(await signIn('person-1@example.com', { account: 77 }));
    assert.deepEqual(unknown, wrong);
    assert.deepEqual(elsewhere, wrong);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const name = `person-${index}@example.com`;
        const own = await signIn(name);
        const other = await signIn(name, { account: 2 });
        const isOut = index % 10 >= 8;
        if (isOut) assert.deepEqual(tellingPart(own), wrong);
        assert.deepEqual(tellingPart(other), wrong);
        return own.status === (isOut ? 401 : 204);
      }),
    );
    assert.ok(verdicts.every((isRight) => isRight));
    const { status } = await signIn('person-8@example.com', { account: 2, password: otherPassword });
    assert.equal(status, 204);
  });

  it('suspended: not from the next request on; back, the same password opens again', async () => {
    const suspend = (active: boolean) =>
      context.call('PATCH', '/Users/e-2', {
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'active', value: active }],
        },
      });
    assert.equal((await signIn('person-2@example.com')).status, 204);
    assert.equal((await suspend(false)).status, 200);
    isRefused(await signIn('person-2@example.com'));
    assert.equal((await suspend(true)).status, 200);
    assert.equal((await signIn('person-2@example.com')).status, 204);
  });

  it('whoever is renamed keeps their password; whoever is deleted and made again has none', async () => {
    const made = await create(context.call, 'before@example.com');
    await passwordAside(url(), [{ accountId: 1, personId: Number(made.id) }], password);
    assert.equal((await signIn('before@example.com')).status, 204);
    const renamed = await context.call('PATCH', `/Users/${made.id}`, {
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'userName', value: 'after@example.com' }],
      },
    });
    assert.equal(renamed.status, 200, renamed.text);
    isRefused(await signIn('before@example.com'));
    assert.equal((await signIn('AFTER@example.com')).status, 204);
    const scim = `${context.service.baseUrl}/scim/v2/Users/${made.id}`;
    const deleted = await fetch(scim, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${context.token}` },
    });
    assert.equal(deleted.status, 204);
    isRefused(await signIn('after@example.com'));
    await create(context.call, 'after@example.com');
    isRefused(await signIn('after@example.com'));
  });

  it('operators name no account; users name theirs where there are several, and a wrong try tells nobody who exists [D-336]', async () => {
    await operatorAside(url(), { name: `olaf-${engine.name}` });
    await operatorAside(url(), { name: `off-${engine.name}` });
    const rows = await storeRows(url(), `select id, name from operator`);
    const operators = rows.map(({ id }) => ({ accountId: 0, personId: Number(id) }));
    await passwordAside(url(), operators, password);
    await storeRows(url(), `update operator set disabled_at = 1 where name = 'off-${engine.name}'`);
    const without = (name: string, given = password): Promise<Answer> =>
      call('POST', path, { body: { name, password: given } });
    const answer = await without(`olaf-${engine.name}`);
    assert.equal(answer.status, 204, answer.text);
    const { body } = await call('GET', '/session', { cookie: cookieSetBy(answer)! });
    assert.equal((body.person as { kind: string }).kind, 'operator');
    const wrong = await without(`olaf-${engine.name}`, otherPassword);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_REQUEST']);
    assert.deepEqual(
      (wrong.body.faults as { field: string }[]).map(({ field }) => field),
      ['account'],
    );
    for (const name of [`off-${engine.name}`, 'nobody', 'person-0@example.com'])
      assert.deepEqual(tellingPart(await without(name)), tellingPart(wrong), name);
    // An operator is no user of an account.
    isRefused(await signIn(`olaf-${engine.name}`));
  });

  it('in a store with one account nobody has to name it; an operator comes before a user of the same name [D-336]', async () => {
    const without = (name: string, given = password): Promise<Answer> =>
      call('POST', path, { body: { name, password: given } });
    await operatorAside(url(), { name: 'person-17@example.com' });
    await storeRows(url(), 'update account set removed_at = 1 where id = 2');
    try {
      const answer = await without('PERSON-0@example.com');
      const { body } = await call('GET', '/session', { cookie: cookieSetBy(answer)! });
      assert.deepEqual((body.person as { id: string }).id, String(ids[0]));
      isRefused(await without('person-0@example.com', otherPassword));
      isRefused(await without('nobody'));
      // The operator of this name has no password.
      isRefused(await without('person-17@example.com'));
      assert.equal((await signIn('person-17@example.com')).status, 204);
      isRefused(await signIn('person-8@example.com', { account: 2, password: otherPassword }));
    } finally {
      await storeRows(url(), 'update account set removed_at = null where id = 2');
    }
  });

  it('setting one ends all other sessions of the person, on another replica too, and nobody else’s [D-337]', async () => {
    const mine = await cookieOf('person-3@example.com');
    const elsewhere = await cookieOf('person-3@example.com');
    const neighbour = await cookieOf('person-4@example.com');
    assert.ok(await isIn(elsewhere, other));
    const put = await call('PUT', '/me/password', {
      cookie: mine,
      body: { password: otherPassword, current: password },
    });
    assert.equal(put.status, 204, put.text);
    assert.deepEqual(
      await Promise.all([isIn(mine), isIn(elsewhere), isIn(elsewhere, other), isIn(neighbour, other)]),
      [true, false, false, true],
    );
    isRefused(await signIn('person-3@example.com'));
    assert.equal((await signIn('person-3@example.com', { password: otherPassword })).status, 204);
    const [entry] = await storeRows(
      url(),
      `select actor, subject, details from audit where account_id = 1 and action = 'password.set'`,
    );
    assert.deepEqual([entry?.actor, entry?.subject], [`user ${ids[3]}`, `user ${ids[3]}`]);
    assert.match(noteOfDetails(entry?.details), /other sessions? ended/);
  });

  it('whoever signs in by the old one while it is changed is refused, or out when it is [D-334]', async () => {
    const cookie = await cookieOf('person-16@example.com');
    const put = call('PUT', '/me/password', { cookie, body: { password: otherPassword, current: password } });
    // They find what is kept before it is changed, and wait in line until it is.
    const tries = Array.from({ length: 12 }, () => signIn('person-16@example.com'));
    const answers = await Promise.all(tries);
    assert.equal((await put).status, 204);
    for (const answer of answers) {
      const opened = cookieSetBy(answer);
      if (opened === null) isRefused(answer);
      else assert.equal(await isIn(opened), false);
    }
    assert.ok(await isIn(cookie));
  });

  it('asks for a fresh sign-in, and signing in again by the password makes the session fresh [D-337]', async () => {
    const signedInAtMs = Date.now() - 20 * 60_000;
    const stale = await sessionAside(url(), person(5), { signedInAtMs });
    const put = (cookie: string): Promise<Answer> =>
      call('PUT', '/me/password', { cookie, body: { password: otherPassword, current: password } });
    const refused = await put(stale);
    assert.deepEqual([refused.status, refused.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    const [before] = await storeRows(url(), `select count(*) as n from session where person_id = ${ids[5]}`);
    const again = await call('POST', path, {
      cookie: stale,
      body: { account: 1, name: 'person-5@example.com', password },
    });
    assert.equal(again.status, 204, again.text);
    assert.equal(await isIn(stale), false);
    const [since] = await storeRows(url(), `select count(*) as n from session where person_id = ${ids[5]}`);
    assert.equal(Number(since!.n), Number(before!.n));
    assert.equal((await put(cookieSetBy(again)!)).status, 204);
  });

  it('asks for the present one, unless the session began by a link or a provider, or there is none; a removed one is no way around [D-825]', async () => {
    const put = (cookie: string, body: object = {}): Promise<Answer> =>
      call('PUT', '/me/password', { cookie, body: { password: otherPassword, ...body } });
    const missing = async (cookie: string): Promise<void> => {
      const { status, body } = await put(cookie);
      assert.deepEqual([status, body.code], [400, 'PRESENT_PASSWORD_REQUIRED']);
      const [fault] = body.faults as { field: string; code: string }[];
      assert.deepEqual([fault?.field, fault?.code], ['current', 'MISSING']);
    };
    const byPassword = await cookieOf('person-20@example.com');
    await missing(byPassword);
    await missing(await sessionAside(url(), person(20), { way: 'passkey' }));
    assert.equal((await put(byPassword, { current: 'not mine, not now, not ever' })).status, 400);
    assert.equal((await signIn('person-20@example.com')).status, 204, 'nothing has changed');
    assert.equal((await put(byPassword, { current: password })).status, 204);

    for (const [index, way] of [
      [21, 'link'],
      [22, 'provider'],
    ] as const)
      assert.equal((await put(await sessionAside(url(), person(index), { way }))).status, 204, way);

    const removed = await cookieOf('person-23@example.com');
    const byPasskey = await sessionAside(url(), person(23), { way: 'passkey' });
    await storeRows(url(), `delete from password where person_id = ${ids[23]}`);
    await missing(removed);
    assert.equal((await put(byPasskey)).status, 204, 'a first one needs none before it');
  });

  it('a wrong one in a live session changes nothing of it, and somebody else’s begins another', async () => {
    const cookie = await cookieOf('person-6@example.com');
    isRefused(
      await call('POST', path, {
        cookie,
        body: { account: 1, name: 'person-6@example.com', password: otherPassword },
      }),
    );
    const other = await call('POST', path, {
      cookie,
      body: { account: 1, name: 'person-7@example.com', password },
    });
    const { body } = await call('GET', '/session', { cookie: cookieSetBy(other)! });
    assert.equal((body.person as { id: string }).id, String(ids[7]));
    assert.ok(await isIn(cookie));
  });

  it('names every fault of a new one; one that is given as the current must be right [D-331]', async () => {
    const cookie = await cookieOf('person-10@example.com');
    const faultsOf = async (body: object): Promise<readonly unknown[]> => {
      const answer = await call('PUT', '/me/password', { cookie, body });
      assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST']);
      return (answer.body.faults as { field: string; code: string }[]).map(({ field, code }) => [
        field,
        code,
      ]);
    };
    const short = ['password', 'INVALID_LENGTH'];
    assert.deepEqual(await faultsOf({ password: 'too short' }), [short]);
    assert.deepEqual(await faultsOf({ password: '中'.repeat(257) }), [short]);
    assert.deepEqual(await faultsOf({ password: 'Person-10@Example.com' }), [['password', 'TOO_COMMON']]);
    assert.deepEqual(await faultsOf({ password: 'correct horse battery staple' }), [
      ['password', 'TOO_COMMON'],
    ]);
    assert.deepEqual(await faultsOf({ password: 'too short', current: otherPassword }), [
      short,
      ['current', 'INVALID'],
    ]);
    const put = { cookie, body: { password: otherPassword, current: password } };
    assert.equal((await call('PUT', '/me/password', put)).status, 204);
  });

  it('says what a person signs in with; the last way in stays [D-338]', async () => {
    const made = await create(context.call, 'only@example.com');
    const own = { accountId: 1, personId: Number(made.id) };
    const cookie = await sessionAside(url(), own);
    const me = async () => (await call('GET', '/me', { cookie })).body;
    const shown = await me();
    assert.deepEqual(
      [shown.person, shown.hasPassword, shown.passwordChangedAt, shown.passkeys],
      [{ kind: 'user', id: String(made.id), name: 'only@example.com' }, false, null, 0],
    );
    assert.equal((await call('PUT', '/me/password', { cookie, body: { password } })).status, 204);
    assert.equal((await me()).hasPassword, true);
    const last = await call('DELETE', '/me/password', { cookie });
    assert.deepEqual([last.status, last.body.code], [409, 'CONFLICT']);
    await storeRows(
      url(),
      `insert into passkey (account_id, id, person_id, name, public_key, counter, transports, created_at)
      values (1, 'key-${made.id}', ${made.id}, 'Laptop', 'x', 0, '[]', 1)`,
    );
    assert.equal((await me()).passkeys, 1);
    assert.equal((await call('DELETE', '/me/password', { cookie })).status, 204);
    assert.equal((await me()).hasPassword, false);
    assert.equal((await call('DELETE', '/me/password', { cookie })).status, 409);
    isRefused(await signIn('only@example.com'));
  });

  it('what was kept with older parameters is kept anew at the next right sign-in [D-332]', async () => {
    const nonce = randomBytes(16);
    const hash = argon2Sync('argon2id', {
      message: password,
      nonce,
      memory: 8_192,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
    const old = `$argon2id$v=19$m=8192,t=1,p=1$${text(nonce)}$${text(hash)}`;
    const where = `where account_id = 1 and person_id = ${ids[11]}`;
    await storeRows(url(), `update password set hash = '${old}' ${where}`);
    isRefused(await signIn('person-11@example.com', { password: otherPassword }));
    assert.equal((await storeRows(url(), `select hash from password ${where}`))[0]?.hash, old);
    await cookieOf('person-11@example.com');
    const [row] = await storeRows(url(), `select hash from password ${where}`);
    assert.match(String(row?.hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await cookieOf('person-11@example.com');
  });

  it('opens nothing where the account is entered through its provider alone, and none can be set there [D-334]', async () => {
    const cookie = await sessionAside(url(), person(12), { way: 'provider' });
    const wrong = tellingPart(await signIn('person-12@example.com', { password: otherPassword }));
    await storeRows(
      url(),
      `insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at)
      values (1, 'c1', 'Provider', 'https://idp.example', 'soundings', 'sub', 1, 1)`,
    );
    try {
      assert.deepEqual(tellingPart(await signIn('person-12@example.com')), wrong);
      const put = await call('PUT', '/me/password', { cookie, body: { password: otherPassword } });
      assert.deepEqual([put.status, put.body.code], [409, 'CONFLICT']);
      // The provider is another way in, so that the password may go.
      assert.equal((await call('DELETE', '/me/password', { cookie })).status, 204);
    } finally {
      await storeRows(url(), `delete from connection where account_id = 1 and id = 'c1'`);
    }
  });

  it('unknown and known names, right and wrong people take the same time [D-334]', async () => {
    const kinds = {
      known: 'person-13@example.com',
      unknown: 'nobody-13@example.com',
      suspended: 'person-19@example.com',
    };
    const times: Record<string, number[]> = {};
    const rounds = 10;
    for (let round = 0; round <= rounds; round += 1)
      for (const [kind, name] of Object.entries(kinds)) {
        const elapsedMs = fairClock(context.service.pid);
        isRefused(await signIn(name, { password: otherPassword }));
        // The first of each may have to load something.
        if (round > 0) times[kind] = [...(times[kind] ?? []), elapsedMs()];
      }
    const median = (kind: string): number => times[kind]!.toSorted((a, b) => a - b)[rounds / 2]!;
    for (const kind of ['unknown', 'suspended']) {
      const ratio = median(kind) / median('known');
      assert.ok(ratio > 0.7 && ratio < 1.4, `${kind}: ${median(kind)} ms, known: ${median('known')} ms`);
    }
  });

  it('the largest names and passwords are judged, larger bodies are refused', async () => {
    for (const name of ['x'.repeat(7_000), '\ufdfa'.repeat(2_000), 'a\u0301'.repeat(2_000)])
      isRefused(await signIn(name, { password: 'p'.repeat(8_000) }));
    const tooLarge = await signIn('x'.repeat(20_000));
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'BODY_TOO_LARGE']);
    for (const body of [{}, { account: 0, name: 'a', password }, { account: 1, name: 1, password: [] }]) {
      const answer = await call('POST', path, { body });
      assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST']);
      assert.ok(!answer.text.includes(password));
    }
    const long = Array.from({ length: 256 }, (_, index) => String.fromCodePoint(0x4e00 + 37 * index)).join(
      '',
    );
    const cookie = await cookieOf('person-14@example.com');
    const put = { cookie, body: { password: long, current: password } };
    assert.equal((await call('PUT', '/me/password', put)).status, 204);
    await cookieOf('person-14@example.com', { password: long });
  });

  it('switched off: nobody signs in by one and none is set, with a sentence; switched on, they are as they were [D-339]', async () => {
    const body = { account: 1, name: 'person-15@example.com', password };
    const refused = await call('POST', path, { service: other, body });
    assert.deepEqual([refused.status, refused.body.code], [403, 'PASSWORDS_OFF']);
    const cookie = await sessionAside(url(), person(15));
    const put = await call('PUT', '/me/password', {
      service: other,
      cookie,
      body: { password: otherPassword },
    });
    assert.deepEqual([put.status, put.body.code], [403, 'PASSWORDS_OFF']);
    assert.equal((await signIn('person-15@example.com')).status, 204);
  });

  it('stands in no log and no audit, and neither does what is kept of it', async () => {
    const audit = await storeRows(url(), 'select * from audit');
    const places = [context.service.output(), other.output(), JSON.stringify(audit)];
    for (const place of places)
      for (const secret of [password, otherPassword, 'too short', 'argon2id'])
        assert.ok(!place.includes(secret));
  });
}
