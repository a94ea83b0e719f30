// Wrong passwords are limited by name and by network, and whoever owns the name gets in all the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, passwordAside } from '../../support/console.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { addUsers } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const people = 300;
const password = 'the tall heron eats purple soup';
const wrongPassword = 'nine slow trains leave at midnight';

for (const engine of engines)
  describe(`wrong passwords on ${engine.name}`, { concurrency: 1 }, () => throttled(engine));

function throttled(engine: Engine): void {
  let context: ProvisioningService;
  const nameOf = (index: number): string => `person-${index}@example.com`;
  const tryFrom = (
    address: string,
    name: string,
    given = wrongPassword,
    service: Service = context.service,
  ): Promise<Answer> =>
    consoleCall(service.baseUrl, 'POST', '/sign-in/password', {
      body: { account: 1, name, password: given },
      headers: { 'x-forwarded-for': address },
    });
  /** How many are judged until the first is told to wait. */
  const judgedOf = async (makeTry: (count: number) => Promise<Answer>): Promise<[number, Answer]> => {
    for (let count = 0; ; count += 1) {
      const answer = await makeTry(count);
      if (answer.status !== 401) return [count, answer];
      assert.ok(count < 100, 'none was told to wait');
    }
  };
  const isToldToWait = ({ status, body, headers }: Answer): void => {
    assert.deepEqual([status, body.code], [429, 'TOO_MANY_FAILED_SIGN_INS']);
    assert.ok(Number(headers['retry-after']) >= 1);
  };

  before(async () => {
    context = await startProvisioning(engine, {
      ...patience,
      SOUNDINGS_THROTTLE: 'on',
      SOUNDINGS_TRUSTED_PROXIES: '127.0.0.1',
    });
    const profiles = Array.from({ length: people }, (_, index) => ({
      userName: nameOf(index),
      externalId: `e-${index}`,
      active: true,
    }));
    const ids = await addUsers(context.store.databaseUrl, 1, profiles);
    await passwordAside(
      context.store.databaseUrl,
      ids.map((personId) => ({ accountId: 1, personId })),
      password,
    );
  });
  after(() => context?.close());

  it('ten of one name from everywhere, known or not; the right one waits too where nobody has seen it before [D-335]', async () => {
    for (const name of [nameOf(0), 'nobody@example.com']) {
      const [judged, answer] = await judgedOf((count) => tryFrom(`10.1.${count}.1`, name));
      isToldToWait(answer);
      assert.equal(judged, 10, name);
      isToldToWait(await tryFrom('10.1.200.1', name, password));
      isToldToWait(await tryFrom('10.1.201.1', name.toUpperCase()));
    }
    assert.equal((await tryFrom('10.1.202.1', nameOf(1), password)).status, 204);
  });

  it('who tries without end from such a network waits as well, and others of it do not [D-335]', async () => {
    const home = '10.4.0.1';
    for (const index of [3, 4]) assert.equal((await tryFrom(home, nameOf(index), password)).status, 204);
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryFrom(home, nameOf(3))));
    const judged = answers.filter(({ status }) => status === 401).length;
    assert.ok(judged >= 28 && judged <= 31, String(judged));
    for (const answer of answers) if (answer.status !== 401) isToldToWait(answer);
    assert.equal((await tryFrom(home, nameOf(4), password)).status, 204);
  });

  it('many names from one network: ten wrong ones a minute, and right ones are given back [D-335]', async () => {
    const office = '10.5.0.1';
    for (let index = 10; index < 22; index += 4) {
      const right = [index, index + 1, index + 2, index + 3].map((one) =>
        tryFrom(office, nameOf(one), password),
      );
      for (const { status } of await Promise.all(right)) assert.equal(status, 204);
    }
    const [judged, answer] = await judgedOf((count) => tryFrom(office, nameOf(30 + count)));
    isToldToWait(answer);
    assert.ok(judged >= 10 && judged <= 14, String(judged));
    isToldToWait(await tryFrom(office, nameOf(60), password));
    assert.equal((await tryFrom(office, nameOf(10), password)).status, 204);
    assert.equal((await tryFrom('10.5.0.2', nameOf(60), password)).status, 204);
  });

  it('whoever signed in from their network before gets in however many others try their name, on every replica and after a restart [D-335]', async () => {
    assert.equal((await tryFrom('2001:db8:1:200::1', nameOf(2), password)).status, 204);
    const [, answer] = await judgedOf((count) => tryFrom(`10.2.${count}.1`, nameOf(2)));
    isToldToWait(answer);
    // Another address of the same network.
    assert.equal((await tryFrom('2001:db8:1:2ff::99', nameOf(2), password)).status, 204);
    // From here on there are two replicas, which share the limits.
    const other = await startService(context.env);
    try {
      const [, there] = await judgedOf((count) => tryFrom(`10.3.${count}.1`, nameOf(2), undefined, other));
      isToldToWait(there);
      assert.equal((await tryFrom('2001:db8:1:2aa::7', nameOf(2), password, other)).status, 204);
      isToldToWait(await tryFrom('2001:db8:99:2aa::7', nameOf(2), password, other));
    } finally {
      await other.stop();
    }
  });
}
