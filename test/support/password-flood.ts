// Many wrong passwords from many addresses, for names that exist and names that do not, while somebody who was here before
// signs in again and again.

import assert from 'node:assert/strict';
import { consoleCall, passwordAside } from './console.ts';
import type { Engine } from './engines.ts';
import { neighbourIsServedWhile, type Watch } from './neighbour.ts';
import { patience } from './patience.ts';
import { startProcess } from './service.ts';
import { addUsers } from './user-population.ts';
import { startProvisioning } from './users.ts';

const people = 300;
// More than may wait in line.
const atOnce = 80;
const networks = 5_000;
const password = 'the tall heron eats purple soup';
const wrongPassword = 'nine slow trains leave at midnight';
const home = '10.200.0.1';
const nameOf = (index: number): string => `person-${index}@example.com`;

/** Holds a service to what neighbours are promised meanwhile, or looks at it in another way. */
export async function floodOfWrongPasswords(engine: Engine, count: number, watch?: Watch): Promise<void> {
  const settings = {
    ...patience,
    SOUNDINGS_THROTTLE: 'on',
    // The neighbour, and whoever signs in all the while, ask without a pause.
    SOUNDINGS_THROTTLE_PUBLIC_RATE: '100000',
    SOUNDINGS_THROTTLE_PUBLIC_BURST: '100000',
    SOUNDINGS_THROTTLE_CLIENT_RATE: '100000',
    SOUNDINGS_THROTTLE_CLIENT_BURST: '100000',
    SOUNDINGS_THROTTLE_ACCOUNT_RATE: '100000',
    SOUNDINGS_THROTTLE_ACCOUNT_BURST: '100000',
    SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
  };
  const context = await startProvisioning(engine, settings, startProcess);
  try {
    const { service, store, foreignToken } = context;
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: nameOf(index),
      active: true,
    }));
    const ids = await addUsers(store.databaseUrl, 1, profiles);
    await passwordAside(
      store.databaseUrl,
      ids.map((personId) => ({ accountId: 1, personId })),
      password,
    );
    const signIn = async (address: string, name: string, given: string): Promise<string> => {
      const { status, body } = await consoleCall(service.baseUrl, 'POST', '/sign-in/password', {
        body: { account: 1, name, password: given },
        headers: { 'x-forwarded-for': address },
      });
      return status === 204 ? 'signed in' : String(body.code);
    };
    assert.equal(await signIn(home, nameOf(0), password), 'signed in');

    const answers = new Map<string, number>();
    let sent = 0;
    const attack = async (): Promise<void> => {
      while (sent < count) {
        sent += 1;
        const network = sent % networks;
        const address = `10.${network >> 8}.${network & 0xff}.7`;
        // Every fourth is for the one who signs in meanwhile.
        const name = [nameOf(0), nameOf(sent % people), `nobody-${sent}`, `nobody-${sent % people}`][
          sent % 4
        ]!;
        const answer = await signIn(address, name, wrongPassword);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    const own: string[] = [];
    const held: Watch = watch ?? ((_service, work) => neighbourIsServedWhile(service, foreignToken, work));
    await held(service, async () => {
      const attacks = Array.from({ length: atOnce }, attack);
      while (sent < count) own.push(await signIn(home, nameOf(0), password));
      await Promise.all(attacks);
    });
    assert.deepEqual([...new Set(own)], ['signed in']);
    const known = ['SIGN_IN_REFUSED', 'TOO_MANY_FAILED_SIGN_INS', 'TOO_MANY_SIGN_INS'];
    assert.deepEqual([...answers.keys()].sort(), known, JSON.stringify([...answers]));
    // Some are judged, however slow the machine is at it.
    assert.ok(answers.get('SIGN_IN_REFUSED')! >= 10, JSON.stringify([...answers]));
  } finally {
    await context.close();
  }
}
