import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { patience } from '../support/patience.ts';
import { standardCall } from '../support/scim.ts';
import { soundings, soundingsOk } from '../support/service.ts';
import { openUserHouse, type UserHouse } from '../support/users.ts';

interface Check {
  readonly passed: boolean;
  readonly sequences: readonly {
    readonly provider: string;
    readonly steps: readonly { readonly step: string; readonly outcome: string; readonly faults: string[] }[];
    readonly leftBehind: readonly string[];
  }[];
}

for (const engine of engines) {
  describe(`soundings scim check on ${engine.name}`, () => {
    let house: UserHouse;
    let url: string;
    let token: string;
    before(async () => {
      house = await openUserHouse(engine, { ...patience });
      url = `${house.service.baseUrl}/scim/v2`;
      const make = ['provisioning-token', 'create', '--account', '1', '--name', 'check', '--json'];
      ({ token } = JSON.parse(await soundingsOk(make, house.env)));
    });
    after(() => house?.close());

    it('every documented step of Entra ID and Okta passes with a provisioning token, and nothing is left behind', async () => {
      const { code, stdout, stderr } = await soundings([
        'scim',
        'check',
        '--url',
        url,
        '--token',
        token,
        '--json',
      ]);
      const check = JSON.parse(stdout) as Check;
      const failed = check.sequences.flatMap(({ steps }) =>
        steps.filter(({ outcome }) => outcome !== 'passed'),
      );
      assert.deepEqual(failed, []);
      assert.deepEqual([code, check.passed], [0, true], stderr);
      assert.deepEqual(
        new Set(check.sequences.map(({ provider }) => provider)),
        new Set(['Entra ID', 'Okta']),
      );
      const call = standardCall(house);
      for (const path of ['/Users', '/Groups'])
        assert.equal((await call('GET', path)).body.totalResults, 0, path);
    });

    it('for people it is a table; the token may come from the environment, the address may end in a slash', async () => {
      const env = { SOUNDINGS_PROVISIONING_TOKEN: token };
      const { code, stdout, stderr } = await soundings(
        ['scim', 'check', '--url', `${url}/`, '--provider', 'entra'],
        env,
      );
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^PROVIDER +SEQUENCE +STEP +STATUS +OUTCOME/);
      assert.match(stdout, /^Entra ID .* passed$/m);
      assert.doesNotMatch(stdout, /Okta/);
      assert.match(stderr, /All \d+ steps passed\.$/m);
      assert.ok(!(stdout + stderr).includes(token));
    });

    it('a step that fails is told with its reason, and the exit status is 1', async () => {
      const { code, stdout, stderr } = await soundings(['scim', 'check', '--url', url, '--token', 'wrong']);
      assert.equal(code, 1);
      assert.match(stdout, / 401 +failed +status 401 instead of /);
      assert.match(stderr, /\d+ of \d+ steps failed\./);
    });
  });
}

describe('soundings scim check without a service', () => {
  it('says in one sentence what is missing', async () => {
    const cases: [readonly string[], RegExp][] = [
      [['--url', 'ftp://x/scim/v2', '--token', 'x'], /--url must be the address/],
      [['--url', 'http://127.0.0.1/scim/v2?x=1', '--token', 'x'], /--url must be the address/],
      [['--url', 'http://127.0.0.1/scim/v2'], /token is missing/],
      [['--url', 'http://127.0.0.1/scim/v2', '--token', 'x', '--provider', 'ping'], /entra or okta/],
      [['--token', 'x'], /--url/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await soundings(['scim', 'check', ...args]);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });

  it('a server that is none fails every step and ends', async () => {
    const server = createServer((_request, reply) => reply.end('<html>'));
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`;
      const { code, stdout } = await soundings(['scim', 'check', '--url', url, '--token', 'x']);
      assert.equal(code, 1);
      assert.match(stdout, /not JSON/);
      assert.doesNotMatch(stdout, / passed/);
    } finally {
      server.close();
    }
  });
});
