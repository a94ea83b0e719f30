// What holds for every test of every file, whatever it is about. The worker registers it (worker.ts).

import { after, afterEach } from 'node:test';
import { failOnUndescribed } from './documented-answers.ts';
import { failOnUnexpected } from './error-lines.ts';

export function guardTests(): void {
  const check = (): void => {
    failOnUnexpected();
    failOnUndescribed();
  };
  afterEach(check);
  // What comes after the last test of a file, as when its service stops.
  after(check);
}
