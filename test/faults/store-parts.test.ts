// The three files of an embedded store, each deleted, replaced or cut under a service that is written to: nothing is
// acknowledged afterwards that is neither in the store nor in what the service saved. The long tests do it fifty times.

import { before, describe, it } from 'node:test';
import { FileRounds, type Harm, type Part, type RoundOf } from '../support/file-rounds.ts';

const rounds: readonly (readonly [Part, Harm, RoundOf])[] = [
  ['', 'replaced', { hasCommand: true, isKilled: false }],
  ['-wal', 'cut to half', { hasCommand: false, isKilled: true }],
  ['-shm', 'deleted', { hasCommand: true, isKilled: false }],
  ['-shm', 'cut to nothing', { hasCommand: false, isKilled: false }],
];

describe('a file of the store that goes under load', () => {
  const files = new FileRounds();
  before(() => files.prepare());

  for (const [part, harm, how] of rounds)
    it(`${part === '' ? 'the file' : part} ${harm}: what is acknowledged is in the store, or in what was saved of it [D-835] [D-837]`, async (t) => {
      t.diagnostic(JSON.stringify(await files.round(part, harm, how)));
    });
});
