// Form tokens and invitations by themselves: what opens, for whom, and for how long.

import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type OpenedToken, PageTokens } from '../../../src/http/pages/page-tokens.ts';
import { Sealer } from '../../../src/store/access/sealer.ts';
import { dropEndedSealingKeys, sealingKeys } from '../../../src/store/access/sealing-keys.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { InvitationSeal } from '../../../src/store/pages/invitation-seal.ts';
import { PageKeys } from '../../../src/store/pages/page-keys.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedStore, openStore } from '../../support/open-db.ts';
import { commandHere, commandHereOk } from '../../support/service.ts';
import { believeTime } from '../../support/trusted-time.ts';

const dayMs = 86_400_000;
const here = { accountId: 4001, surveyId: 'SRV-1' };

for (const engine of engines) {
  describe(`tokens of survey pages on ${engine.name}`, () => {
    let store: OpenedStore;
    let nowMs = Date.now();
    let elapsedMs = 0;
    before(async () => {
      store = await openStore(engine);
    });
    after(() => store?.dispose());

    const contextOf = (db: Db = store.db) => ({
      config: { sealKey: '' },
      db,
      now: () => nowMs,
      elapsedMs: () => elapsedMs,
      newId: randomUUIDv7,
      newSecret: () => randomBytes(32).toString('base64url'),
    });
    const rotate = () => commandHereOk(['keys', 'rotate', '--sealing'], { DATABASE_URL: store.databaseUrl });
    const invite = async (
      count: number,
      { days = 90, parameters = { segment: 'gold' } as Record<string, string> } = {},
    ): Promise<readonly string[]> => {
      const seal = new InvitationSeal(new PageKeys(new Sealer(contextOf())));
      const invitations = Array.from({ length: count }, () => ({
        invitationId: randomUUIDv7(),
        issuedAtMs: nowMs,
        endsAtMs: nowMs + days * dayMs,
        parameters,
      }));
      return seal.seal(await seal.keyUntil(nowMs + days * dayMs), here, invitations);
    };
    const kinds = (opened: readonly OpenedToken[]) => [...new Set(opened.map(({ kind }) => kind))];

    it('a form token of one process opens in another, for its survey alone, and each names a response of its own [D-445]', async () => {
      const [mine, other] = [new PageTokens(contextOf()), new PageTokens(contextOf())];
      await mine.newFormToken('SRV-1');
      const tokens = Array.from({ length: 300 }, () => mine.newFormToken('SRV-1') as string);
      const opened = await Promise.all(tokens.map((token) => other.open(token, here)));
      assert.deepEqual(kinds(opened), ['form']);
      assert.equal(new Set(opened.map((one) => 'responseId' in one && one.responseId)).size, 300);
      for (const token of tokens) assert.match(token, /^[\w-]{60}$/);
      const elsewhere = tokens.map((token) => other.open(token, { ...here, surveyId: 'SRV-2' }));
      assert.deepEqual(kinds(await Promise.all(elsewhere)), ['invalid']);
    });

    it('pages are shown without a question to the store once the key is known [D-445]', async () => {
      let asked = 0;
      const counting = new Proxy(store.db, {
        get(db, name) {
          const member = Reflect.get(db, name);
          if (typeof member !== 'function') return member;
          return (...input: unknown[]) => {
            asked += 1;
            return member.apply(db, input);
          };
        },
      });
      const tokens = new PageTokens(contextOf(counting));
      await tokens.newFormToken('SRV-1');
      asked = 0;
      for (let page = 0; page < 1_000; page += 1) assert.equal(typeof tokens.newFormToken('SRV-1'), 'string');
      assert.equal(asked, 0);
      elapsedMs += 6_000;
      for (let page = 0; page < 1_000; page += 1) assert.equal(typeof tokens.newFormToken('SRV-1'), 'string');
      await tokens.open(String(tokens.newFormToken('SRV-1')), here);
      assert.ok(asked <= 2, `${asked} questions: the renewal of the key is one`);
    });

    it('a form token ends after 24 hours and still says which response it was for; one that is made for that id opens as the same [D-445]', async () => {
      const tokens = new PageTokens(contextOf());
      const token = await tokens.newFormToken('SRV-1');
      const first = await tokens.open(token, here);
      assert.ok(first.kind === 'form');
      assert.equal(first.issuedAtMs, nowMs);
      nowMs += dayMs;
      assert.equal((await tokens.open(token, here)).kind, 'form');
      nowMs += 1;
      const late = await tokens.open(token, here);
      assert.ok(late.kind === 'expired' && late.of === 'form');
      assert.equal(late.responseId, first.responseId);
      const renewed = await tokens.open(await tokens.newFormToken('SRV-1', late.responseId), here);
      assert.ok(renewed.kind === 'form');
      assert.equal(renewed.responseId, first.responseId);
    });

    it('a clock that is set back leaves tokens of the day open, none of them from the future, and ends those of another time [D-445]', async () => {
      const tokens = new PageTokens(contextOf());
      const token = await tokens.newFormToken('SRV-1');
      nowMs -= 3_600_000;
      const early = await tokens.open(token, here);
      assert.ok(early.kind === 'form');
      assert.equal(early.issuedAtMs, nowMs);
      assert.equal((await tokens.open(await tokens.newFormToken('SRV-1'), here)).kind, 'form');
      nowMs += 400 * dayMs;
      const ahead = await tokens.newFormToken('SRV-1');
      nowMs -= 400 * dayMs;
      assert.equal((await tokens.open(ahead, here)).kind, 'expired');
      nowMs += 3_600_000;
    });

    it('no character of a form token or an invitation can be another [D-445] [D-446]', async () => {
      const tokens = new PageTokens(contextOf());
      const [invitation] = await invite(1);
      for (const token of [await tokens.newFormToken('SRV-1'), invitation!]) {
        assert.notEqual((await tokens.open(token, here)).kind, 'invalid');
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const altered: string[] = [];
        for (let at = 0; at < token.length; at += 1) {
          const place = alphabet.indexOf(token[at]!);
          if (place < 0) altered.push(`${token.slice(0, at)}A${token.slice(at + 1)}`);
          else
            for (let bit = 1; bit < 64; bit *= 2)
              altered.push(`${token.slice(0, at)}${alphabet[place ^ bit]}${token.slice(at + 1)}`);
          altered.push(
            `${token.slice(0, at)}${token.slice(at + 1)}`,
            `${token.slice(0, at)} ${token.slice(at)}`,
          );
        }
        for (const more of ['=', 'A', '\n', '.', '%00']) altered.push(`${token}${more}`, `${more}${token}`);
        assert.ok(altered.length > 400);
        assert.deepEqual(kinds(await Promise.all(altered.map((text) => tokens.open(text, here)))), [
          'invalid',
        ]);
      }
      for (const text of ['', '.', '....', 'x'.repeat(1_000_000), 'é'.repeat(60), 'A'.repeat(60)])
        assert.equal((await tokens.open(text, here)).kind, 'invalid');
    });

    it('an invitation opens for its survey and account alone, and shows nothing of what is in it [D-446]', async () => {
      const parameters = { segment: 'gold', name: '山田 ¼ "x"', ['__proto__']: 'own' };
      const links = await invite(200, { parameters });
      const tokens = new PageTokens(contextOf());
      const opened = await Promise.all(links.map((link) => tokens.open(link, here)));
      assert.deepEqual(kinds(opened), ['invitation']);
      for (const one of opened)
        assert.deepEqual('parameters' in one && { ...one.parameters }, { ...parameters });
      for (const link of links) {
        const readable = link.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
        assert.doesNotMatch(readable.join(' '), /gold|segment|SRV|4001/);
      }
      for (const elsewhere of [
        { accountId: 4002, surveyId: 'SRV-1' },
        { accountId: 4001, surveyId: 'SRV-2' },
        { accountId: 400, surveyId: '1 SRV-1' },
      ]) {
        const foreign = await Promise.all(links.map((link) => tokens.open(link, elsewhere)));
        assert.deepEqual(kinds(foreign), ['invalid']);
      }
    });

    it('after a rotation what the old key made still opens until it ends; then the key is dropped [D-445] [D-446]', async () => {
      const [tokens, other] = [new PageTokens(contextOf()), new PageTokens(contextOf())];
      nowMs = Date.now();
      const token = await tokens.newFormToken('SRV-1');
      const [invitation] = await invite(1, { days: 400 });
      await rotate();
      elapsedMs += 11_000;
      nowMs = Date.now() + 1;
      const later = await tokens.newFormToken('SRV-1');
      assert.notEqual(later.slice(0, 9), token.slice(0, 9));
      // The other one has not looked since: the mark of an unknown key has it look.
      await other.open(token, here);
      for (const [text, kind] of [
        [token, 'form'],
        [later, 'form'],
        [invitation!, 'invitation'],
      ] as const)
        for (const process of [tokens, other]) assert.equal((await process.open(text, here)).kind, kind);

      await believeTime(store.databaseUrl, nowMs + 399 * dayMs);
      await store.db.write(dropEndedSealingKeys, { nowMs: nowMs + 399 * dayMs });
      elapsedMs += 11_000;
      assert.equal((await other.open(invitation!, here)).kind, 'invitation');
      nowMs += 400 * dayMs;
      const over = await other.open(invitation!, here);
      assert.ok(over.kind === 'expired' && over.of === 'invitation');
      await believeTime(store.databaseUrl, nowMs + 5 * dayMs);
      await store.db.write(dropEndedSealingKeys, { nowMs: nowMs + 5 * dayMs });
      elapsedMs += 11_000;
      assert.equal((await other.open(invitation!, here)).kind, 'invalid');
      nowMs = Date.now() + 2;
    });

    it('a key that another process made a moment ago opens at once, and made-up keys ask the store a few times only [D-445]', async () => {
      let reads = 0;
      const counting = new Proxy(store.db, {
        get(db, name) {
          if (name === 'read') reads += 1;
          const member = Reflect.get(db, name);
          return typeof member === 'function' ? member.bind(db) : member;
        },
      });
      const other = new PageTokens(contextOf(counting));
      await other.newFormToken('SRV-1');
      await rotate();
      nowMs = Date.now() + 1;
      const token = await new PageTokens(contextOf()).newFormToken('SRV-1');
      assert.equal((await other.open(token, here)).kind, 'form');
      reads = 0;
      const garbage = Array.from({ length: 500 }, () =>
        Buffer.concat([Buffer.of(1), randomBytes(44)]).toString('base64url'),
      );
      assert.deepEqual(kinds(await Promise.all(garbage.map((text) => other.open(text, here)))), ['invalid']);
      assert.ok(reads <= 3, `${reads} reads for 500 made-up keys at once`);
    });

    it('a revoked key ends the tokens and invitations that it made; new ones are made by another [D-445]', async () => {
      const tokens = new PageTokens(contextOf());
      const token = await tokens.newFormToken('SRV-1');
      const [invitation] = await invite(1);
      const [newest] = await sealingKeys(store.db);
      const env = { DATABASE_URL: store.databaseUrl };
      const refused = await commandHere(['keys', 'revoke', newest!.kid], env);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /such as invitations to surveys.* Let them end first, or say --force/);
      const revoked = await commandHereOk(['keys', 'revoke', newest!.kid, '--force'], env);
      assert.match(revoked, /pages of surveys that are open and invitations that it sealed are refused/);
      elapsedMs += 11_000;
      assert.equal((await tokens.open(token, here)).kind, 'invalid');
      assert.equal((await tokens.open(invitation!, here)).kind, 'invalid');
      assert.equal((await tokens.open(await tokens.newFormToken('SRV-1'), here)).kind, 'form');
    });
  });
}
