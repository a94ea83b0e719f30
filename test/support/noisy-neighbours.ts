// One account does the worst that a caller can do (noises.ts). Another account's requests and the health checks are answered in time all
// the while, on old and on new connections, and memory stays bounded. With fewer users in every run, and with as many as an account may
// have in test/long (D-702).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Engine } from './engines.ts';
import { neighbourIsServedWhile } from './neighbour.ts';
import { type NoisyAccount, noises, prepareNoise } from './noises.ts';

// A test of being held up must not be held up itself.
const patience = { timeout: 900_000 };

/** All users are members of one group, and each kind of noise is made so many times. */
interface NoiseLevel {
  readonly users: number;
  readonly times: 1 | 2;
}

/** What neighbours are promised on one engine, as the tests of a suite. */
export function neighboursAreServed(engine: Engine, { users, times }: NoiseLevel): void {
  describe(`an account of ${users} users`, patience, () => {
    let noisy: NoisyAccount;

    before(async () => {
      noisy = await prepareNoise(engine, users);
    }, patience);

    after(() => noisy?.close());

    const served = (work: () => Promise<void>): Promise<void> =>
      neighbourIsServedWhile(noisy.service, noisy.quietToken, work);

    it('are served while nobody is noisy, so that the measurement itself is known to be quick [D-403]', () =>
      served(() => setTimeout(1_500)));

    // What never reaches a store is the same on both engines: in every run it is tried on one of them (D-702).
    const isTried = (isOfService: boolean): boolean => !isOfService || times > 1 || engine.name === 'sqlite';

    if (isTried(true))
      it('are late when the service stands still a few times, so that the measurement is known to notice [D-403]', () =>
        assert.rejects(
          served(async () => {
            for (let time = 0; time < 5; time += 1) {
              process.kill(noisy.service.pid, 'SIGSTOP');
              await setTimeout(500);
              process.kill(noisy.service.pid, 'SIGCONT');
              await setTimeout(100);
            }
          }),
          /answers took longer than|answers were measured/,
        ));

    for (const { about, isOfService = false, make } of noises)
      if (isTried(isOfService)) it(`are served while ${about}`, () => served(() => make(noisy, times)));
  });
}
