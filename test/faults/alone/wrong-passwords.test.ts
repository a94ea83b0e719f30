// Whoever tries passwords by the thousand slows down nobody, and keeps nobody out.

import { describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { floodOfWrongPasswords } from '../../support/password-flood.ts';

const count = 2_000;

for (const engine of engines)
  describe(`${count} wrong passwords on ${engine.name}`, () => {
    it('another account is served in time, and whoever was here before signs in all the while [D-333] [D-335]', () =>
      floodOfWrongPasswords(engine, count));
  });
