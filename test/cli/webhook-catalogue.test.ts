// Webhooks in a catalogue: by name, without secrets.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { commandHere, commandHereOk, soundingsOk } from '../support/service.ts';

const first = { name: 'warehouse', url: 'https://example.com/first', events: ['response.created'] };
const second = { name: 'directory', url: 'https://example.com/second' };

for (const engine of engines) {
  describe(`webhooks of a catalogue on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());

    const apply = (webhooks: readonly object[] | undefined, ...flags: string[]): Promise<string> =>
      commandHereOk(
        [
          'apply',
          writeCatalogue({
            accounts: [
              { id: 4001, name: 'Acme', measures: [{ key: 7, name: 'Web' }], ...(webhooks && { webhooks }) },
              { id: 4002, name: 'Bolt' },
            ],
          }),
          ...flags,
        ],
        env,
      );
    const listed = async (): Promise<{ id: string; name: string; url: string; hasSecret: boolean }[]> =>
      JSON.parse(await soundingsOk(['webhook', 'list', '--json'], env));

    it('are made without a secret, changed by their name, and left alone where the file does not name them [D-242]', async () => {
      assert.match(await apply([first, second], '--dry-run'), /create account 4001/);
      assert.deepEqual(await listed(), []);
      await apply([first, second]);
      const made = await listed();
      assert.deepEqual(made.map(({ name, hasSecret }) => [name, hasSecret]).sort(), [
        ['directory', false],
        ['warehouse', false],
      ]);
      const { id } = made.find(({ name }) => name === 'warehouse')!;
      const untold = await commandHere(['webhook', 'test', id, '--account', '4001'], env);
      assert.match(untold.stderr, /has no secret yet: make one with "soundings webhook rotate/);
      await commandHereOk(['webhook', 'rotate', id, '--account', '4001'], env);

      assert.match(await apply([first]), /0 created, 0 updated|nothing|unchanged/i);
      assert.match(
        await apply([{ ...first, url: 'https://example.com/moved' }]),
        /update account 4001.*webhooks/,
      );
      await apply(undefined);
      const kept = await listed();
      assert.deepEqual(kept.map(({ name, url, hasSecret }) => [name, url, hasSecret]).sort(), [
        ['directory', 'https://example.com/second', false],
        ['warehouse', 'https://example.com/moved', true],
      ]);
      assert.ok(
        kept.some((one) => one.id === id),
        'it is still the same one',
      );
    });

    it('are dumped without secrets, and applied to another store they are the same', async () => {
      const dumped = await soundingsOk(['catalogue', 'dump', '--format', 'ndjson'], env);
      const [acme] = dumped
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        acme.webhooks.map(({ name, url }: { name: string; url: string }) => [name, url]),
        [
          ['directory', 'https://example.com/second'],
          ['warehouse', 'https://example.com/moved'],
        ],
      );
      assert.doesNotMatch(dumped, /secret|whsec/);
      const other = await engine.newStore();
      try {
        const there = { DATABASE_URL: other.databaseUrl };
        await commandHereOk(['apply', writeCatalogue(dumped)], there);
        assert.equal(await soundingsOk(['catalogue', 'dump', '--format', 'ndjson'], there), dumped);
      } finally {
        await other.dispose();
      }
    });

    it('every fault is named with its line', async () => {
      const file = writeCatalogue(
        'id: 4001\nname: Acme\nwebhooks:\n  - name: one\n    url: ftp://example.com\n  - name: one\n    url: https://example.com\n    events: [response.read]\n    secret: x\n',
      );
      const { code, stderr } = await commandHere(['apply', file], env);
      assert.equal(code, 1);
      assert.match(stderr, /:5: .*url must be a URL that begins with https/);
      assert.match(stderr, /:6: .*The name of the webhook/);
      assert.match(stderr, /:8: .*must be one of response\.created/);
      assert.match(stderr, /:9: .*secret is not a member/);
    });
  });
}
