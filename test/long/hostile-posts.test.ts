// As test/faults/timed/hostile-posts.test.ts, with all of the ten thousand.

import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { floodOfHostilePosts } from '../support/hostile-posts.ts';

const count = 10_000;

for (const engine of engines)
  describe(`${count} hostile posts from one network on ${engine.name}`, () => {
    it('another account and other people are served in time, and hardly a row is kept [D-466]', () =>
      floodOfHostilePosts(engine, count));
  });
