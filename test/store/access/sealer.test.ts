// What is sealed in the store: who can open it, for how long, and with which key.

import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { keysOfSettings, Sealer, SealingKeyMissing } from '../../../src/store/access/sealer.ts';
import { dropEndedSealingKeys, sealingKeys } from '../../../src/store/access/sealing-keys.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedStore, openStore } from '../../support/open-db.ts';
import { commandHere, commandHereOk } from '../../support/service.ts';
import { believeTime } from '../../support/trusted-time.ts';

const dayMs = 86_400_000;
const newKey = (): string => randomBytes(32).toString('base64');

interface ShownKey {
  readonly kid: string;
  readonly state: string;
  readonly keptIn: string;
  readonly neededUntil: string | null;
}

for (const engine of engines) {
  describe(`sealing keys on ${engine.name}`, () => {
    let store: OpenedStore;
    let env: Record<string, string>;
    let nowMs = Date.now();
    let elapsedMs = 0;
    before(async () => {
      store = await openStore(engine);
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());

    const sealerWith = (sealKey = ''): Sealer =>
      new Sealer({
        config: { sealKey },
        db: store.db,
        now: () => nowMs,
        elapsedMs: () => elapsedMs,
        newId: randomUUIDv7,
        newSecret: () => randomBytes(32).toString('base64url'),
      });
    const listed = async (more: Record<string, string> = {}): Promise<ShownKey[]> =>
      JSON.parse(await commandHereOk(['keys', 'list', '--json'], { ...env, ...more })).sealingKeys;
    const sealingOf = async (more: Record<string, string> = {}): Promise<string> => {
      const { stdout } = await commandHere(['doctor'], { ...env, ...more });
      return /^(right|warning|WRONG) +sealing .*$/m.exec(stdout)?.[0] ?? stdout;
    };

    it('what one process seals another opens, for the purpose it was sealed for and no other [D-241]', async () => {
      assert.match(await sealingOf(), /^right +sealing +nothing is sealed yet/);
      const sealed = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          sealerWith().seal(`secret ${index}`, `whsec_${index} · ¼`, null),
        ),
      );
      const other = sealerWith();
      for (const [index, { text }] of sealed.entries()) {
        assert.equal((await other.open(`secret ${index}`, text)).toString(), `whsec_${index} · ¼`);
        assert.doesNotMatch(text, /whsec/);
      }
      await assert.rejects(other.open('secret 2', sealed[1]!.text), /sealed for something else/);
      const [head, , nonce, body, tag] = sealed[0]!.text.split('.');
      const flipped = `${body!.slice(0, -2)}${body!.endsWith('AA') ? 'BB' : 'AA'}`;
      await assert.rejects(other.open('secret 0', [head, '', nonce, flipped, tag].join('.')));
    });

    it('doctor says that whoever has a backup can open what a key of the store has sealed [D-241]', async () => {
      assert.match(await sealingOf(), /^warning +sealing .*whoever has a backup can open it/);
    });

    it('a rotated key opens until the last thing that it sealed has ended, then it is dropped', async () => {
      const sealer = sealerWith();
      const { kid: rotated } = JSON.parse(
        await commandHereOk(['keys', 'rotate', '--sealing', '--json'], env),
      );
      nowMs = Date.now() + 1;
      const week = await sealer.seal('body', 'refused', nowMs + 7 * dayMs);
      assert.equal(week.kid, rotated);
      await commandHereOk(['keys', 'rotate', '--sealing'], env);
      elapsedMs += 6_000;
      nowMs = Date.now() + 2;
      const later = await sealer.seal('body', 'later', nowMs + dayMs);
      assert.notEqual(later.kid, week.kid);
      const states = (await listed()).map(({ kid, state }) => [kid, state]);
      assert.deepEqual(states[0], [later.kid, 'seals']);
      assert.deepEqual(states[1], [week.kid, 'opens']);

      await believeTime(store.databaseUrl, nowMs + 6 * dayMs);
      await store.db.write(dropEndedSealingKeys, { nowMs: nowMs + 6 * dayMs });
      assert.equal((await sealerWith().open('body', week.text)).toString(), 'refused');
      await believeTime(store.databaseUrl, nowMs + 9 * dayMs);
      await store.db.write(dropEndedSealingKeys, { nowMs: nowMs + 9 * dayMs });
      const left = (await sealingKeys(store.db)).map(({ kid }) => kid);
      assert.ok(!left.includes(week.kid));
      assert.ok(left.includes(later.kid), 'the key that seals stays');
      await assert.rejects(sealerWith().open('body', week.text), SealingKeyMissing);
    });

    it('keys of SOUNDINGS_SEAL_KEY seal and open, are not in the store, and doctor names one that is missed', async () => {
      const [first, second] = [await keyWithDash(), newKey()];
      const mine = await sealerWith(first).seal('secret', 'mine', null);
      const next = sealerWith(`${second},${first}`);
      assert.equal((await next.open('secret', mine.text)).toString(), 'mine');
      assert.notEqual((await next.seal('secret', 'new', nowMs + dayMs)).kid, mine.kid);
      const rows = JSON.stringify(await sealingKeys(store.db));
      for (const key of [first, second])
        assert.ok(!rows.includes(Buffer.from(key, 'base64').toString('base64url')));

      const both = { SOUNDINGS_SEAL_KEY: `${second},${first}` };
      const [seals, opens] = await listed(both);
      assert.deepEqual([seals?.state, opens?.state, opens?.kid], ['seals', 'opens', mine.kid]);
      const printed = await commandHereOk(['config'], { ...env, ...both });
      assert.ok(!printed.includes(first) && !printed.includes(second));

      await assert.rejects(sealerWith(second).open('secret', mine.text), SealingKeyMissing);
      const missed = await sealingOf({ SOUNDINGS_SEAL_KEY: second });
      assert.match(missed, /^WRONG/);
      assert.ok(missed.includes(mine.kid));
      const refused = await commandHere(['keys', 'rotate', '--sealing'], { ...env, ...both });
      assert.match(refused.stderr, /SOUNDINGS_SEAL_KEY: put a new one before it/);
      const kept = await commandHere(['keys', 'revoke', mine.kid], { ...env, ...both });
      assert.match(kept.stderr, /take it out there/);
      // Ids that look like options of ours, and those with a word of theirs behind them.
      for (const start of ['-h', '--', '-V']) {
        const kid = start.padEnd(43, 'x');
        const unknown = await commandHere(['keys', 'revoke', kid, '--force'], { ...env, ...both });
        assert.ok(unknown.stderr.includes(kid) && !unknown.stderr.includes('option'), unknown.stderr);
      }
      // A value that looks like one stays with its option.
      const name = '-'.padEnd(43, 'n');
      await commandHereOk(['account', 'create', '1', '--name', 'One'], env);
      await commandHereOk(['client', 'create', '--account', '1', '--name', name], env);
      assert.ok((await commandHereOk(['client', 'list'], env)).includes(name));
      const option = await commandHere(['keys', 'revoke', mine.kid, '--forse'], { ...env, ...both });
      assert.match(option.stderr, /unknown option '--forse'/);
    });

    it('a revoked key opens nothing any more, and the next thing is sealed by another', async () => {
      const sealer = sealerWith();
      const sealed = await sealer.seal('secret', 'gone', null);
      const told = await commandHereOk(['keys', 'revoke', sealed.kid], env);
      assert.match(told, /^Revoked .*: nothing was sealed by it/);
      elapsedMs += 6_000;
      await assert.rejects(sealer.open('secret', sealed.text), SealingKeyMissing);
      const again = await sealer.seal('secret', 'again', null);
      assert.notEqual(again.kid, sealed.kid);
      assert.equal((await sealerWith().open('secret', again.text)).toString(), 'again');
    });

    it('a sealing key that is not 32 bytes is refused by name, and not shown', async () => {
      const { code, stderr } = await commandHere(['doctor'], { ...env, SOUNDINGS_SEAL_KEY: 'c2hvcnQ=' });
      assert.equal(code, 1);
      assert.match(stderr, /SOUNDINGS_SEAL_KEY: must be empty, or keys of 32 bytes/);
      assert.doesNotMatch(stderr, /c2hvcnQ/);
    });
  });
}

/** One whose id begins like an option of the command line. */
async function keyWithDash(): Promise<string> {
  for (;;) {
    const sealKey = newKey();
    const [named] = await keysOfSettings({ sealKey });
    if (named!.kid.startsWith('-')) return sealKey;
  }
}
