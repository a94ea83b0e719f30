// Passkeys: made by an authenticator of software, added, used, named and removed; and everything that must not open.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { CompactEncrypt } from 'jose';
import { type Algorithm, Authenticator, type Bent, cbor } from '../../support/authenticator.ts';
import { cookieSetBy, operatorAside, sessionAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { challengeCookie, PasskeyBrowser } from '../../support/passkeys.ts';
import { patience } from '../../support/patience.ts';
import { seeded } from '../../support/seeded.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 200;
// Both replicas are one address to the browser.
const origin = 'http://localhost:4701';
const atOnce = 12;
const opensNothing = /^This passkey opens nothing here\./;
const countedBack = /counted backwards/;
const answeredBefore = /answered before/;
const forSomethingElse = /was for something else/;
const usedElsewhere = /used elsewhere/;
const providerAlone = /identity provider alone/;
const codeBySentence = new Map([
  [opensNothing.source, 'PASSKEY_REFUSED'],
  [countedBack.source, 'PASSKEY_COUNTED_BACK'],
  [answeredBefore.source, 'PASSKEY_QUESTION_ENDED'],
  [forSomethingElse.source, 'PASSKEY_QUESTION_ENDED'],
  [usedElsewhere.source, 'PASSKEY_QUESTION_ENDED'],
  [providerAlone.source, 'SIGN_IN_REFUSED'],
]);

for (const engine of engines) describe(`passkeys on ${engine.name}`, () => passkeys(engine));

function passkeys(engine: Engine): void {
  let context: ProvisioningService;
  let browser: PasskeyBrowser;
  let ids: readonly number[];
  let foreignIds: readonly number[];
  const url = (): string => context.store.databaseUrl;
  const sessionOf = (index: number): Promise<string> =>
    sessionAside(url(), { accountId: 1, personId: ids[index]! });
  const foreignSession = (index: number): Promise<string> =>
    sessionAside(url(), { accountId: 2, personId: foreignIds[index]! });
  const newDevice = (options: { algorithm?: Algorithm; counts?: boolean } = {}): Authenticator =>
    new Authenticator(origin, options);

  /** A passkey of a person, added as they would. */
  async function deviceOf(
    session: string,
    options: { algorithm?: Algorithm; counts?: boolean } = {},
  ): Promise<Authenticator> {
    const device = newDevice(options);
    const added = await browser.add(session, device);
    assert.equal(added.status, 201, added.text);
    return device;
  }

  async function whoIs(answer: Answer): Promise<unknown> {
    assert.equal(answer.status, 204, answer.text);
    const { body } = await browser.call('GET', '/session', [cookieSetBy(answer)!]);
    return (body.person as { id: string }).id;
  }

  function assertRefused(answer: Answer, sentence: RegExp, why = ''): void {
    assert.equal(answer.status, 401, `${why} ${answer.text}`);
    assert.equal(answer.body.code, codeBySentence.get(sentence.source), answer.text);
    assert.match(String(answer.body.detail), sentence, why);
    assert.equal(cookieSetBy(answer), null);
  }

  before(async () => {
    context = await startProvisioning(engine, { ...patience, SOUNDINGS_PUBLIC_URL: origin });
    browser = new PasskeyBrowser(context.service.baseUrl);
    const profiles = (count: number, letter: string) =>
      Array.from({ length: count }, (_, index) => ({
        userName: `person-${letter}-${index}`,
        externalId: `${letter}-${index}`,
        active: true,
      }));
    ids = await addUsers(url(), 1, [...profiles(people, 'a'), { userName: 'unnamed', active: true }]);
    foreignIds = await addUsers(url(), 2, profiles(20, 'b'));
  });
  after(() => context?.close());

  it('hundreds of people add one of any kind, and each signs in as themselves with nothing but it [D-340]', async () => {
    const everybody = [
      ...ids.slice(40, people).map((personId) => ({ accountId: 1, personId })),
      ...foreignIds.slice(10).map((personId) => ({ accountId: 2, personId })),
    ];
    const kinds: readonly Algorithm[] = ['ES256', 'EdDSA'];
    const come = async (person: { accountId: number; personId: number }, index: number): Promise<void> => {
      const algorithm = index === 0 ? 'RS256' : kinds[index % kinds.length]!;
      const device = await deviceOf(await sessionAside(url(), person), { algorithm, counts: index % 3 > 0 });
      for (let times = 0; times < (index % 4 === 0 ? 2 : 1); times += 1)
        assert.equal(await whoIs(await browser.signIn(device)), String(person.personId));
    };
    for (let at = 0; at < everybody.length; at += atOnce)
      await Promise.all(everybody.slice(at, at + atOnce).map((person, index) => come(person, at + index)));
  });

  it('options ask for a verified owner and name no passkey to whoever signs in; the challenge is in a cookie that no script reads', async () => {
    const session = await sessionOf(0);
    const device = await deviceOf(session);
    const signIn = await browser.call('POST', '/sign-in/passkey/options', [session], {});
    const { challenge, ...same } = signIn.body;
    assert.deepEqual(same, { rpId: 'localhost', timeout: 300_000, userVerification: 'required' });
    assert.equal(Buffer.from(String(challenge), 'base64url').length, 32);
    const set = String([signIn.headers['set-cookie']].flat()[0]);
    assert.match(
      set,
      /^soundings-passkey=[\w.-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
      'plain http on loopback',
    );
    assert.ok(!set.includes(String(challenge)));
    const { options } = await browser.askToAdd(session);
    assert.deepEqual(
      { ...options, challenge: '', user: { ...options.user, id: '' } },
      {
        rp: { id: 'localhost', name: 'Soundings' },
        user: { id: '', name: 'person-a-0', displayName: 'person-a-0' },
        challenge: '',
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [{ id: device.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      },
    );
    assert.equal(Buffer.from(options.user.id, 'base64url').toString(), `1.${ids[0]}`);
  });

  it('a person has several, each with a name and its last use; one that is removed opens nothing, the others go on', async () => {
    const session = await sessionOf(1);
    const [laptop, phone, key] = [
      newDevice(),
      newDevice({ counts: false }),
      newDevice({ algorithm: 'EdDSA' }),
    ];
    for (const [device, name] of [
      [laptop, 'Laptop'],
      [phone, 'Téléphone 📱'],
      [key, 'Key on the ring'],
    ] as const) {
      const { status, body } = await browser.add(session, device, name);
      assert.deepEqual([status, body.id, body.name, body.usedAt], [201, device.id, name, null]);
    }
    assert.equal((await browser.signIn(phone)).status, 204);
    const list = async (): Promise<Record<string, string>[]> =>
      (await browser.call('GET', '/me/passkeys', [session])).body.passkeys as Record<string, string>[];
    const [first, second, third] = await list();
    assert.deepEqual([first!.name, second!.name, third!.name], ['Laptop', 'Téléphone 📱', 'Key on the ring']);
    assert.deepEqual([first!.usedAt, third!.usedAt], [null, null]);
    assert.ok(Math.abs(Date.parse(second!.usedAt!) - Date.now()) < 60_000);

    const renamed = await browser.call('PATCH', `/me/passkeys/${key.id}`, [session], { name: 'Spare key' });
    assert.equal(renamed.status, 204, renamed.text);
    assert.equal((await browser.call('DELETE', `/me/passkeys/${phone.id}`, [session])).status, 204);
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['Laptop', 'Spare key'],
    );
    assertRefused(await browser.signIn(phone), opensNothing);
    assert.equal(await whoIs(await browser.signIn(laptop)), String(ids[1]));
    assert.equal(await whoIs(await browser.signIn(key)), String(ids[1]));
    // Whoever has lost a device and found it again may add it anew.
    assert.equal((await browser.add(session, phone, 'Found')).status, 201);
    assert.equal(await whoIs(await browser.signIn(phone)), String(ids[1]));
    const audit = await storeRows(
      url(),
      `select action, actor, subject from audit where account_id = 1 and subject = 'user ${ids[1]}' and action <> 'user.create'
      order by at, id`,
    );
    assert.deepEqual(
      audit.map(({ action, actor }) => `${action} ${actor}`),
      [
        ...Array(3).fill('passkey.add'),
        'session.create',
        'passkey.rename',
        'passkey.remove',
        ...Array(2).fill('session.create'),
        'passkey.add',
        'session.create',
      ].map((action) => `${action} user ${ids[1]}`),
    );
  });

  it('nobody sees, renames or removes a passkey of somebody else', async () => {
    const [owner, neighbour] = [await sessionOf(2), await sessionOf(3)];
    const device = await deviceOf(owner);
    for (const session of [neighbour, await foreignSession(0), await operatorAside(url())]) {
      assert.deepEqual((await browser.call('GET', '/me/passkeys', [session])).body.passkeys, []);
      for (const answer of [
        await browser.call('PATCH', `/me/passkeys/${device.id}`, [session], { name: 'Mine' }),
        await browser.call('DELETE', `/me/passkeys/${device.id}`, [session]),
      ])
        assert.deepEqual([answer.status, answer.body.code], [404, 'PASSKEY_NOT_FOUND']);
    }
    // The same id again, with another key: the first stays the owner's.
    const copy = newDevice();
    Object.assign(copy, { id: device.id });
    const again = await browser.add(neighbour, copy);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
    assert.equal(await whoIs(await browser.signIn(device)), String(ids[2]));
    assertRefused(await browser.signIn(copy), opensNothing);
  });

  it('a passkey that has counted backwards is refused, the log says so, and it stays [D-342]', async () => {
    const device = await deviceOf(await sessionOf(4));
    assert.equal((await browser.signIn(device)).status, 204);
    const reached = device.counter!;
    // The most that four bytes hold.
    assert.equal((await browser.signIn(device, { counter: 2 ** 32 - 2 })).status, 204);
    for (const counter of [2 ** 32 - 2, reached, 1, 0])
      assertRefused(await browser.signIn(device, { counter }), countedBack, String(counter));
    // Whoever has no key cannot make the log say it.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    assertRefused(await browser.signIn(device, { counter: 1, key: privateKey }), opensNothing);
    const entries = await storeRows(
      url(),
      `select actor, details from audit where account_id = 1 and action = 'passkey.counter'`,
    );
    assert.equal(entries.length, 4);
    assert.equal(entries[0]!.actor, `user ${ids[4]}`);
    assert.equal(await whoIs(await browser.signIn(device, { counter: 2 ** 32 - 1 })), String(ids[4]));
  });

  it('what was signed for another origin, another name, without the owner, or by another key opens nothing', async () => {
    const device = await deviceOf(await sessionOf(5));
    const neighbour = await deviceOf(await sessionOf(6));
    const foreign = await deviceOf(await foreignSession(1));
    const { privateKey } = generateKeyPairSync('ed25519');
    const faults: readonly (readonly [string, Bent])[] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['another port', { origin: 'http://localhost:4702' }],
      ['another scheme', { origin: 'https://localhost:4701' }],
      ['127.0.0.1', { origin: 'http://127.0.0.1:4701' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['nobody verified', { isVerified: false }],
      ['nobody there', { isPresent: false }],
      ['a registration', { type: 'webauthn.create' }],
      ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
      ['another key', { key: privateKey }],
      ['no signature to speak of', { signature: Buffer.alloc(64) }],
      ['an empty sequence for a signature', { signature: Buffer.from([0x30, 0x00]) }],
      ["somebody else's passkey", { id: neighbour.id }],
      ["somebody else's handle", { userHandle: neighbour.userHandle }],
      ["somebody else's handle and passkey", { id: neighbour.id, userHandle: neighbour.userHandle }],
      ['a passkey of another account', { id: foreign.id, userHandle: foreign.userHandle }],
      ['the same person in another account', { userHandle: handle(`2.${ids[5]}`) }],
      ['an operator', { userHandle: handle(`0.${ids[5]}`) }],
      ['nobody', { userHandle: handle('1.9') }],
      ['no number', { userHandle: handle('1.x') }],
      ['a huge number', { userHandle: handle('9999999999999999.9999999999999999') }],
      ['an unknown passkey', { id: Buffer.alloc(32, 9).toString('base64url') }],
    ];
    for (const [why, bent] of faults) assertRefused(await browser.signIn(device, bent), opensNothing, why);
    for (const [one, person] of [
      [device, ids[5]],
      [neighbour, ids[6]],
      [foreign, foreignIds[1]],
    ] as const)
      assert.equal(await whoIs(await browser.signIn(one)), String(person));
  });

  it('a passkey that was made for another origin or name, without its owner, or with certificates is not added [D-344]', async () => {
    const session = await sessionOf(7);
    const faults: readonly (readonly [string, Bent])[] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['nobody verified', { isVerified: false }],
      ['nobody there', { isPresent: false }],
      ['a sign-in', { type: 'webauthn.get' }],
      ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
      ['another id', { id: Buffer.alloc(32, 9).toString('base64url') }],
      ...['packed', 'tpm', 'android-key', 'android-safetynet', 'apple', 'fido-u2f', 'other', ''].map(
        (format): [string, Bent] => [`the format ${format}`, { format }],
      ),
      ['lists in lists', { attestationObject: Buffer.alloc(6_000, 0x81) }],
      ['a map without an end', { attestationObject: Buffer.from([0xbb, ...Array(8).fill(0xff)]) }],
      ['no map', { attestationObject: cbor('none') }],
      ['a number', { attestationObject: cbor(1) }],
      [
        'short data',
        {
          attestationObject: cbor(new Map([...Object.entries({ fmt: 'none', authData: Buffer.alloc(36) })])),
        },
      ],
    ];
    for (const [why, bent] of faults) {
      const { status, body } = await browser.add(session, newDevice(), 'a device', bent);
      assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'], why);
      assert.match(JSON.stringify(body), /is not what was asked for/, why);
    }
    assert.deepEqual((await browser.call('GET', '/me/passkeys', [session])).body.passkeys, []);
  });

  it('a challenge is answered once, by the browser that was asked, for what it was made for, on every replica [D-341]', async () => {
    const session = await sessionOf(8);
    const counting = await deviceOf(session);
    const silent = await deviceOf(session, { counts: false });
    const other = new PasskeyBrowser((await context.another()).baseUrl);
    for (const device of [counting, silent]) {
      const asked = await browser.askToSignIn();
      const body = { response: device.get(asked.options) };
      const send = (to: PasskeyBrowser): Promise<Answer> =>
        to.call('POST', '/sign-in/passkey', [asked.cookie], body);
      const answers = await Promise.all([send(browser), send(browser)]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 401]);
      assertRefused(await send(browser), answeredBefore);
      assertRefused(await send(other), usedElsewhere);
    }
    // Asked by one replica and answered at the other.
    const asked = await browser.askToSignIn();
    const crossed = { response: silent.get(asked.options) };
    assert.equal(
      await whoIs(await other.call('POST', '/sign-in/passkey', [asked.cookie], crossed)),
      String(ids[8]),
    );

    const forSignIn = await browser.askToSignIn();
    const forAdding = await browser.askToAdd(session);
    const refusedWith = async (cookies: readonly string[], challenge: string, why: string): Promise<void> => {
      const body = { response: silent.get({ rpId: 'localhost', challenge }) };
      assertRefused(await browser.call('POST', '/sign-in/passkey', cookies, body), forSomethingElse, why);
    };
    await refusedWith([], forSignIn.options.challenge, 'no cookie');
    await refusedWith([`${challengeCookie}=`], forSignIn.options.challenge, 'an empty one');
    await refusedWith([`${challengeCookie}=a.b.c.d.e`], forSignIn.options.challenge, 'no seal');
    await refusedWith([`${challengeCookie}=${'A'.repeat(5_000)}`], forSignIn.options.challenge, 'a huge one');
    await refusedWith([`${forSignIn.cookie.slice(0, -4)}AAAA`], forSignIn.options.challenge, 'a bent one');
    await refusedWith([forAdding.cookie], forAdding.options.challenge, 'one for adding');
    const old = await sealedAside('passkey challenge', Date.now() - 301_000);
    await refusedWith([old.cookie], old.challenge, 'an old one');
    const young = await sealedAside('passkey challenge', Date.now() - 1_000);
    const late = await browser.call('POST', '/sign-in/passkey', [young.cookie], {
      response: silent.get({ rpId: 'localhost', challenge: young.challenge }),
    });
    assertRefused(late, usedElsewhere, 'made before the last one that was answered');
    assert.equal(await whoIs(await browser.signIn(silent)), String(ids[8]));

    // The same of adding: another session's, one for a sign-in, an old one, the same twice.
    const device = newDevice();
    const addWith = async (cookies: readonly string[], challenge: string): Promise<Answer> =>
      browser.call('POST', '/me/passkeys', cookies, {
        name: 'a device',
        response: device.create({ ...forAdding.options, challenge }),
      });
    const { sessionId } = await sessionFacts(8);
    const oldAdding = await sealedAside(`passkey challenge of session ${sessionId}`, Date.now() - 301_000);
    const ofAnother = await browser.askToAdd(await sessionOf(8));
    for (const [why, answer] of [
      ['no cookie', await addWith([session], forAdding.options.challenge)],
      ['one for a sign-in', await addWith([session, forSignIn.cookie], forSignIn.options.challenge)],
      ['of another session', await addWith([session, ofAnother.cookie], ofAnother.options.challenge)],
      ['an old one', await addWith([session, oldAdding.cookie], oldAdding.challenge)],
    ] as const) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'], why);
      assert.match(answer.text, /Ask for new options/, why);
    }
    const added = await addWith([session, forAdding.cookie], forAdding.options.challenge);
    assert.equal(added.status, 201, added.text);
    assert.equal((await browser.call('DELETE', `/me/passkeys/${device.id}`, [session])).status, 204);
    assert.equal((await addWith([session, forAdding.cookie], forAdding.options.challenge)).status, 400);
  });

  it('whoever is suspended, deleted or disabled gets the sentence of an unknown passkey; who comes back signs in again', async () => {
    const [suspended, deleted] = [await deviceOf(await sessionOf(9)), await deviceOf(await sessionOf(10))];
    const operator = await operatorAside(url(), { name: 'olaf' });
    const disabled = await deviceOf(operator);
    assert.equal((await browser.signIn(disabled)).status, 204);
    const patch = async (index: number, active: boolean): Promise<void> => {
      const path = `/scim/v2/Users/${ids[index]}`;
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: active }],
      });
      const headers = { authorization: `Bearer ${context.token}`, 'content-type': 'application/scim+json' };
      const answer = await fetch(`${context.service.baseUrl}${path}`, { method: 'PATCH', headers, body });
      assert.ok(answer.ok, await answer.text());
    };
    await patch(9, false);
    const gone = await fetch(`${context.service.baseUrl}/scim/v2/Users/${ids[10]}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${context.token}`, accept: '*/*' },
    });
    assert.equal(gone.status, 204);
    await storeRows(url(), `update operator set disabled_at = 1 where name = 'olaf'`);
    const sentences = new Set<unknown>();
    for (const device of [suspended, deleted, disabled, newDevice()]) {
      device.userHandle ||= suspended.userHandle;
      const answer = await browser.signIn(device);
      assertRefused(answer, opensNothing);
      sentences.add(answer.body.detail);
    }
    assert.equal(sentences.size, 1);
    const [left] = await storeRows(
      url(),
      `select count(*) as count from passkey where account_id = 1 and person_id = ${ids[10]}`,
    );
    assert.equal(Number(left!.count), 0);
    await patch(9, true);
    assert.equal(await whoIs(await browser.signIn(suspended)), String(ids[9]));
  });

  it('an account that is entered through its provider alone takes no passkeys of users, and operators go on', async () => {
    const [user, operator] = [
      await deviceOf(await foreignSession(2)),
      await deviceOf(await operatorAside(url())),
    ];
    await storeRows(
      url(),
      `insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at, tested_at)
      values (2, 'c-only', 'Provider', 'https://idp.example', 'client', 'sub', 1, 1, 1)`,
    );
    const session = await foreignSession(2);
    assertRefused(await browser.signIn(user), providerAlone);
    const options = await browser.call('POST', '/me/passkeys/options', [session], {});
    assert.deepEqual([options.status, options.body.code], [409, 'CONFLICT']);
    assert.equal((await browser.signIn(operator)).status, 204);
    await storeRows(url(), `delete from connection where account_id = 2 and id = 'c-only'`);
    assert.equal(await whoIs(await browser.signIn(user)), String(foreignIds[2]));
  });

  it('what adds or removes one asks for a fresh sign-in, and signing in again by a passkey gives it', async () => {
    const device = await deviceOf(await sessionOf(11));
    await deviceOf(await sessionOf(11));
    const stale = await sessionAside(
      url(),
      { accountId: 1, personId: ids[11]! },
      { signedInAtMs: Date.now() - 16 * 60_000 },
    );
    const body = {
      name: 'a device',
      response: newDevice().create((await browser.askToAdd(await sessionOf(11))).options),
    };
    for (const answer of [
      await browser.call('POST', '/me/passkeys/options', [stale], {}),
      await browser.call('POST', '/me/passkeys', [stale], body),
      await browser.call('DELETE', `/me/passkeys/${device.id}`, [stale]),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    assert.equal(
      (await browser.call('PATCH', `/me/passkeys/${device.id}`, [stale], { name: 'x' })).status,
      204,
    );
    const again = await browser.signIn(device, {}, stale);
    assert.equal(again.status, 204, again.text);
    const fresh = cookieSetBy(again)!;
    assert.equal(
      (await browser.call('GET', '/session', [stale])).status,
      401,
      'the old secret opens nothing',
    );
    assert.equal((await browser.add(fresh, newDevice())).status, 201);
    assert.equal((await browser.call('DELETE', `/me/passkeys/${device.id}`, [fresh])).status, 204);
  });

  it('nobody has more than 20, also when they are added at once', async () => {
    const session = await sessionOf(12);
    const asked = await Promise.all(
      Array.from({ length: 25 }, async () => ({ device: newDevice(), ...(await browser.askToAdd(session)) })),
    );
    const answers = await Promise.all(
      asked.map(({ device, options, cookie }) =>
        browser.call('POST', '/me/passkeys', [session, cookie], {
          name: 'one of many',
          response: device.create(options),
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, two) => one - two),
      [...Array(20).fill(201), ...Array(5).fill(409)],
    );
    const options = await browser.call('POST', '/me/passkeys/options', [session], {});
    assert.deepEqual([options.status, options.body.code], [409, 'CONFLICT']);
  });

  it('the last way in stays, also of an operator, and when the last two are removed at once [D-343]', async () => {
    const operator = await operatorAside(url());
    for (const session of [await sessionOf(13), operator]) {
      const [one, two] = [await deviceOf(session), await deviceOf(session)];
      const remove = ({ id }: Authenticator): Promise<Answer> =>
        browser.call('DELETE', `/me/passkeys/${id}`, [session]);
      const answers = await Promise.all([remove(one), remove(two)]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      assert.equal(refused.body.code, 'CONFLICT');
      assert.match(String(refused.body.detail), /only way in/);
      const left = answers[0] === refused ? one : two;
      assert.equal((await browser.signIn(left)).status, 204);
    }
    // A password and a passkey that go at the same time: one of them stays.
    const both = await sessionOf(14);
    const device = await deviceOf(both);
    const removeDevice = (): Promise<Answer> => browser.call('DELETE', `/me/passkeys/${device.id}`, [both]);
    assert.equal((await removeDevice()).status, 409);
    await storeRows(
      url(),
      `insert into password (account_id, person_id, hash, changed_at) values (1, ${ids[14]}, 'x', 1)`,
    );
    const removed = await Promise.all([removeDevice(), browser.call('DELETE', '/me/password', [both])]);
    assert.deepEqual(removed.map(({ status }) => status).toSorted(), [204, 409]);
  });

  it('a connection to a provider is a way in for its own people, and for those who belong to none yet [D-343]', async () => {
    const session = await sessionOf(15);
    const { id } = await deviceOf(session);
    const remove = (): Promise<Answer> => browser.call('DELETE', `/me/passkeys/${id}`, [session]);
    const unnamed = await sessionOf(people);
    const ofUnnamed = await deviceOf(unnamed);
    assert.equal((await remove()).status, 409);
    await storeRows(
      url(),
      `insert into connection (account_id, id, name, issuer, client_id, subject_claim, is_only, created_at)
      values (1, 'c-1', 'Provider', 'https://idp.example', 'client', 'sub', 0, 1)`,
    );
    try {
      const withoutId = await browser.call('DELETE', `/me/passkeys/${ofUnnamed.id}`, [unnamed]);
      assert.equal(withoutId.status, 409, 'no provider can name somebody without an externalId');
      const belong = `insert into user_connection (account_id, user_id, connection_id) values (1, ${ids[15]}`;
      await storeRows(url(), `${belong}, 'c-gone')`);
      assert.equal((await remove()).status, 409, 'belongs to another one');
      await storeRows(url(), `delete from user_connection where account_id = 1 and user_id = ${ids[15]}`);
      assert.equal((await remove()).status, 204, 'belongs to none yet');
      await storeRows(url(), `${belong}, 'c-1')`);
      const again = await deviceOf(session);
      assert.equal((await browser.call('DELETE', `/me/passkeys/${again.id}`, [session])).status, 204);
    } finally {
      await storeRows(url(), `delete from connection where account_id = 1 and id = 'c-1'`);
    }
  });

  it('names are one line of text that can be seen, up to 100 characters', async () => {
    const session = await sessionOf(16);
    const device = await deviceOf(session);
    const faults: readonly (readonly [unknown, string])[] = [
      ['', 'INVALID'],
      ['x'.repeat(101), 'INVALID'],
      [' ', 'WHITE_SPACE'],
      ['Laptop ', 'WHITE_SPACE'],
      ['Lap\ttop', 'INVALID_TEXT'],
      ['Lap\u2028top', 'INVALID_TEXT'],
      ['Lap\u200Btop', 'INVISIBLE'],
      ['\u202Epotpal', 'INVISIBLE'],
      [7, 'INVALID'],
      [null, 'INVALID'],
    ];
    for (const [name, code] of faults) {
      const { status, body } = await browser.call('PATCH', `/me/passkeys/${device.id}`, [session], { name });
      assert.deepEqual([status, body.code], [400, 'INVALID_REQUEST'], JSON.stringify(name));
      const [fault] = body.faults as { field: string; code: string }[];
      assert.deepEqual([fault!.field, fault!.code], ['name', code], JSON.stringify(name));
    }
    const { status } = await browser.call('PATCH', `/me/passkeys/${device.id}`, [session], {
      name: '書'.repeat(100),
    });
    assert.equal(status, 204);
  });

  it('whatever is sent in place of an answer is refused with 400, 401 or 413, and opens nothing', async () => {
    const session = await sessionOf(17);
    const device = await deviceOf(session);
    const random = seeded(17);
    const values = [
      undefined,
      null,
      '',
      0,
      -1,
      1e308,
      true,
      [],
      {},
      [[]],
      'A',
      'A'.repeat(2_000),
      'A'.repeat(20_000),
      '=',
      '\u0000',
      '💥',
      { get: 1 },
      { length: 1e9 },
      nested(60),
    ];
    const statuses = new Map<number, number>();
    const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? [path, ...Object.entries(value).flatMap(([name, member]) => places(member, [...path, name]))]
        : [path];
    for (let round = 0; round < 150; round += 1) {
      const isAdding = round % 2 === 0;
      const asked = isAdding ? await browser.askToAdd(session) : await browser.askToSignIn();
      const answer = isAdding
        ? newDevice().create(asked.options as Parameters<Authenticator['create']>[0])
        : device.get(asked.options as Parameters<Authenticator['get']>[0]);
      const where = random.pick(
        places(answer).filter((path) => !/transports|clientExtension|Attachment|Algorithm/.test(path.join())),
      );
      const response = random.percent(70)
        ? replaced(answer, where, random.pick(values))
        : garbled(answer, random);
      const body = isAdding ? { name: 'a device', response } : { response };
      const path = isAdding ? '/me/passkeys' : '/sign-in/passkey';
      const { status, text } = await browser.call('POST', path, [session, asked.cookie], body);
      assert.ok([400, 401].includes(status), `${status} ${text} for ${JSON.stringify(body).slice(0, 500)}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.ok(statuses.get(400)! > 0 && statuses.get(401)! > 0, JSON.stringify([...statuses]));
    for (const path of ['/me/passkeys', '/sign-in/passkey']) {
      const huge = { name: 'x', response: { id: 'A'.repeat(70_000) } };
      assert.equal((await browser.call('POST', path, [session], huge)).status, 413);
    }
    const { body } = await browser.call('GET', '/me/passkeys', [session]);
    assert.equal((body.passkeys as unknown[]).length, 1);
    assert.equal(await whoIs(await browser.signIn(device)), String(ids[17]));
  });

  it('under https the name of the site is the public one, and no other site can set its cookies', async () => {
    const address = 'https://soundings.example';
    const service = await startService({
      ...context.env,
      SOUNDINGS_PUBLIC_URL: address,
      SOUNDINGS_CONSOLE_PASSWORDS: 'off',
    });
    try {
      const secure = new PasskeyBrowser(service.baseUrl);
      const session = `__Host-${await sessionOf(18)}`;
      const device = new Authenticator(address);
      const named = (answer: Answer): string => cookieSetBy(answer, `__Host-${challengeCookie}`)!;
      const creation = await secure.call('POST', '/me/passkeys/options', [session], {});
      const attributes =
        /^__Host-soundings-passkey=[\w.-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax; Secure$/;
      assert.match(String([creation.headers['set-cookie']].flat()[0]), attributes);
      const options = creation.body as unknown as Parameters<Authenticator['create']>[0];
      assert.equal(options.rp.id, 'soundings.example');
      const added = await secure.call('POST', '/me/passkeys', [session, named(creation)], {
        name: 'a device',
        response: device.create(options),
      });
      assert.equal(added.status, 201, added.text);
      const request = await secure.call('POST', '/sign-in/passkey/options', [], {});
      const response = device.get(request.body as unknown as Parameters<Authenticator['get']>[0]);
      const signedIn = await secure.call('POST', '/sign-in/passkey', [named(request)], { response });
      assert.equal(signedIn.status, 204, signedIn.text);
      const set = [signedIn.headers['set-cookie']].flat().map(String);
      assert.equal(set.length, 2, 'the session, and the end of the challenge');
      assert.match(set.find((one) => one.startsWith('__Host-soundings-passkey='))!, /=; Path=\/; Max-Age=0;/);
      assert.notEqual(cookieSetBy(signedIn, '__Host-soundings'), null);
      // Passwords are switched off here, and so none is a way in.
      await storeRows(
        url(),
        `insert into password (account_id, person_id, hash, changed_at) values (1, ${ids[18]}, 'x', 1)`,
      );
      const last = await secure.call('DELETE', `/me/passkeys/${device.id}`, [session]);
      assert.deepEqual([last.status, last.body.code], [409, 'CONFLICT']);
    } finally {
      await service.stop();
    }
  });

  /** A challenge as the service seals it, of another time. */
  async function sealedAside(
    purpose: string,
    madeAtMs: number,
  ): Promise<{ readonly cookie: string; readonly challenge: string }> {
    const challenge = Buffer.alloc(32, madeAtMs % 251).toString('base64url');
    const [key] = await storeRows(
      url(),
      'select kid, secret from sealing_key order by created_at desc limit 1',
    );
    const text = await new CompactEncrypt(Buffer.from(JSON.stringify({ challenge, madeAtMs })))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: String(key!.kid), for: purpose })
      .encrypt(Buffer.from(String(key!.secret), 'base64url'));
    return { challenge, cookie: `${challengeCookie}=${text}` };
  }

  async function sessionFacts(index: number): Promise<{ readonly sessionId: string }> {
    const [row] = await storeRows(
      url(),
      `select id from session where account_id = 1 and person_id = ${ids[index]} order by created_at limit 1`,
    );
    return { sessionId: String(row!.id) };
  }
}

function handle(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function nested(depth: number): unknown {
  return depth === 0 ? 'A' : [nested(depth - 1)];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  const members = value as Record<string, unknown>;
  return { ...members, [name]: replaced(members[name], rest, other) };
}

/** One byte of what the authenticator said is another. */
function garbled(
  answer: { readonly response: Readonly<Record<string, unknown>> },
  random: ReturnType<typeof seeded>,
): unknown {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const name = random.pick(names.filter((one) => one in answer.response));
  const bytes = Buffer.from(String(answer.response[name]), 'base64url');
  // In the middle of client data a byte may stand in what nobody reads; at its beginning none does.
  const at = random.below(name === 'clientDataJSON' ? 20 : Math.min(bytes.length, 60));
  bytes[at] = bytes[at]! ^ (1 + random.below(255));
  return replaced(answer, ['response', name], bytes.toString('base64url'));
}
