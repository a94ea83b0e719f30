// Whoever posts to the page of a survey by the thousand slows down nobody, and heats the survey for nobody else.

import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { floodOfHostilePosts } from '../../support/hostile-posts.ts';

const count = 2_500;

for (const engine of engines)
  describe(`${count} hostile posts from one network on ${engine.name}`, () => {
    it('another account and other people are served in time, and hardly a row is kept [D-466]', () =>
      floodOfHostilePosts(engine, count));
  });
