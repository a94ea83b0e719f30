// Whoever looks through a long log slows down nobody else.

import { describe } from 'node:test';
import { engines } from '../../support/engines.ts';
import { neighboursOfAnalystsAreServed } from '../../support/noisy-analysts.ts';

for (const engine of engines)
  describe(`neighbours of analysts, on ${engine.name}`, () =>
    neighboursOfAnalystsAreServed(engine, {
      responses: 20_000,
      commentLength: 1_500,
      times: 1,
      withinMs: 2_000,
    }));
