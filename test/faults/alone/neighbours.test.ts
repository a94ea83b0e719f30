// Whoever asks for as much as it can slows down nobody else.

import { describe } from 'node:test';
import { engines } from '../../support/engines.ts';
import { neighboursAreServed } from '../../support/noisy-neighbours.ts';

for (const engine of engines)
  describe(`neighbours of a noisy account, on ${engine.name} [D-192]`, () =>
    neighboursAreServed(engine, { users: 10_000, times: 1 }));
