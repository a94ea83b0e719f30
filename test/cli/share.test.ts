// soundings share: link, QR code and snippet.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { invitedCatalogue } from '../support/invited-catalogue.ts';
import { commandHere, commandHereOk, setUp, soundings } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const base = 'https://feedback.example';

for (const engine of engines) {
  describe(`soundings share on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_PUBLIC_URL: base };
      await setUp(['apply', writeCatalogue(invitedCatalogue)], env);
    });
    after(() => store?.dispose());

    it('a public survey has its link, its snippet and its QR code, printed, as JSON and as a picture [D-449]', async () => {
      const { code, stdout, stderr } = await soundings(['share', 'acme-public'], env);
      assert.equal(code, 0, stderr);
      const [link, embed, empty, ...drawn] = stdout.trimEnd().split('\n');
      assert.equal(link, `Link:  ${base}/s/acme-public`);
      assert.equal(embed, `Embed: <script src="${base}/embed.js" data-survey="acme-public" async></script>`);
      assert.equal(empty, '');
      assert.match(drawn.join(''), /^[ ▀▄█]+$/);

      const file = join(temporaryFolder(), 'code.svg');
      const facts = JSON.parse(await commandHereOk(['share', 'acme-public', '--svg', file, '--json'], env));
      assert.deepEqual(facts, {
        ...{ name: 'acme-public', surveyId: 'acme-public', closed: false, origins: [] },
        ...{ link: `${base}/s/acme-public`, embed: embed!.slice('Embed: '.length), svg: file },
      });
      assert.match(readFileSync(file, 'utf8'), /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox=/);
      const again = await commandHere(['share', 'acme-public', '--svg', file], env);
      assert.match(again.stderr, /exists already/);
    });

    it('a private survey is not shared: invitations are; what there is not is said so [D-449]', async () => {
      const { SOUNDINGS_PUBLIC_URL: _, ...noAddress } = env;
      for (const [args, environment, told] of [
        [['acme-private'], env, /is private: .* Make links with "soundings invite acme-private LIST\.csv"/],
        // The site key leads to the current version, which is the private one.
        [['acme-site'], env, /The survey acme-private is private/],
        [['nothing'], env, /There is no survey "nothing"/],
        [['acme-public'], noAddress, /set SOUNDINGS_PUBLIC_URL/],
      ] as const) {
        const { code, stdout, stderr } = await commandHere(['share', ...args], environment);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, told);
      }
    });
  });
}
