// Whoever looks through a log of a million responses slows down nobody else.

import { describe } from 'node:test';
import { engines } from '../../support/engines.ts';
import { neighboursOfAnalystsAreServed } from '../../support/noisy-analysts.ts';

for (const engine of engines)
  describe(`neighbours of analysts, on ${engine.name}`, () =>
    neighboursOfAnalystsAreServed(engine, {
      responses: 1_000_000,
      commentLength: null,
      times: 2,
      withinMs: 10_000,
    }));
