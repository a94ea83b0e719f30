// The engines differ below; nobody who calls may notice.

import { it } from 'node:test';
import { assertBroad, playTwins } from '../../support/twin-run.ts';

// Each run has another seed, and test/long plays longer.
const requests = 2_400;
const seed = Number(process.env.SOUNDINGS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

it(`SQLite and PostgreSQL give the same bytes to ${requests} random requests, and end the same, seed ${seed}`, async () => {
  assertBroad(await playTwins(seed, requests));
});
