// A million invitations from one list, as an operator makes them: in little memory, each with an id of its own, and each opens.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { type InvitationReader, openInvitationReader } from '../support/invitation-reader.ts';
import { invitedCatalogue } from '../support/invited-catalogue.ts';
import { environment, setUp } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));
const count = 1_000_000;
const openedEvery = 1_000;

for (const engine of engines) {
  describe(`a million invitations on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let reader: InvitationReader;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_PUBLIC_URL: 'https://feedback.example' };
      await setUp(['apply', writeCatalogue(invitedCatalogue)], env);
      reader = await openInvitationReader(store.databaseUrl);
    });
    after(async () => {
      await reader?.close();
      await store?.dispose();
    });

    it('are made in the order of the list within 128 MB of objects, and progress is told [D-447]', async () => {
      const list = join(temporaryFolder(), 'people.csv');
      const lines = function* lines(): Generator<string> {
        yield 'store_id,receipt_total,email\n';
        for (let index = 0; index < count; index += 1)
          yield `S-${index},${index % 997}.5,p${index}@example.com\n`;
      };
      await pipeline(Readable.from(lines()), createWriteStream(list));
      const child = spawn(
        process.execPath,
        ['--max-old-space-size=128', program, 'invite', 'acme-private', list, '--copy', 'email'],
        { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let told = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        told += text;
      });
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      let index = 0;
      const ids = new Set<string>();
      for await (const link of child.stdout.pipe(parse({ columns: true }))) {
        const { store_id, invitationId, link: url } = link as Record<string, string>;
        assert.equal(store_id, `S-${index}`);
        ids.add(invitationId!);
        if (index % openedEvery === 0) {
          const opened = await reader.open(url!);
          assert.ok(opened.kind === 'invitation' && opened.responseId === invitationId);
          assert.equal(opened.parameters.store_id, store_id);
        }
        index += 1;
      }
      assert.equal(await ended, 0, told);
      assert.deepEqual([index, ids.size], [count, count]);
      assert.match(told, /^Inviting to acme-private: [\d,]+ of 1,000,000$/m);
      assert.match(told, /^1,000,000 invitations to acme-private, good until /m);
    });
  });
}
