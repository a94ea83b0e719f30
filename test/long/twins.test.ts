// The same as in the short run, longer, and for several seeds.

import { it } from 'node:test';
import { assertBroad, playTwins } from '../support/twin-run.ts';

const requests = 10_000;

for (const seed of [1, 20_261_115, Math.floor(Math.random() * 2 ** 31)]) {
  it(`SQLite and PostgreSQL give the same bytes to ${requests} random requests, and end the same, seed ${seed}`, async () => {
    assertBroad(await playTwins(seed, requests));
  });
}
