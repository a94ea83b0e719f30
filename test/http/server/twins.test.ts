// The engines differ below; nobody who calls may notice.

import { it } from 'node:test';
import { assertBroad, playTwins } from '../../support/twin-run.ts';

const requests = 3_000;
const seed = Number(process.env.SOUNDINGS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

it(`SQLite and PostgreSQL give the same bytes to ${requests} random requests, and end the same, seed ${seed}`, async () => {
  assertBroad(await playTwins(seed, requests));
});
