import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { patience } from '../support/patience.ts';
import { standardCall } from '../support/scim.ts';
import { commandHere, commandHereOk, soundings, until } from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

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
    let context: ProvisioningService;
    let url: string;
    let token: string;
    before(async () => {
      context = await startProvisioning(engine, { ...patience });
      url = `${context.service.baseUrl}/scim/v2`;
      const make = ['provisioning-token', 'create', '--account', '1', '--name', 'check', '--json'];
      ({ token } = JSON.parse(await commandHereOk(make, context.env)));
    });
    after(() => context?.close());

    it('every step of Entra ID, Okta, pocket-id, ssosync and authentik passes with a provisioning token, and nothing is left behind', async () => {
      const { code, stdout, stderr } = await commandHere([
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
        new Set(['Entra ID', 'Okta', 'pocket-id', 'ssosync', 'authentik']),
      );
      const call = standardCall(context);
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

    // What is done is in the check of all of them, on both engines; how it is told depends on none.
    if (engine.name === 'sqlite')
      it('230 users are synchronised, renamed, regrouped and deleted, and each kind of step is one row', async () => {
        const args = ['scim', 'check', '--url', url, '--token', token, '--provider', 'authentik'];
        const { code, stdout, stderr } = await commandHere(args);
        assert.equal(code, 0, stdout + stderr);
        assert.match(stdout, /each user is created \(230 times\) +201 +passed/);
        assert.match(stdout, /each user is deleted \(230 times\) +204 +passed/);
        assert.ok(stdout.split('\n').length < 25, stdout);
      });

    it('a throttled check waits as it is told, and passes', async () => {
      const throttled = await startService({
        ...context.env,
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_CLIENT_RATE: '15',
        SOUNDINGS_THROTTLE_CLIENT_BURST: '20',
      });
      try {
        const args = ['scim', 'check', '--url', `${throttled.baseUrl}/scim/v2`, '--token', token];
        const { code, stdout, stderr } = await commandHere([...args, '--provider', 'okta']);
        assert.equal(code, 0, stdout + stderr);
        await until(
          async () => throttled.output(),
          (output) => output.includes('"status":429'),
        );
      } finally {
        await throttled.stop();
      }
    });

    it('a step that fails is told with its reason, and the exit status is 1', async () => {
      const foreign = createServer((request, reply) => {
        // Everything is as it should be but for the state of a list.
        void fetch(`${context.service.baseUrl}${request.url}`, {
          headers: { authorization: `Bearer ${token}` },
        }).then(async (answer) =>
          reply.writeHead(request.method === 'GET' ? answer.status : 500).end(await answer.text()),
        );
      });
      await new Promise<void>((resume) => foreign.listen(0, '127.0.0.1', resume));
      try {
        const address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/scim/v2`;
        const args = ['scim', 'check', '--url', address, '--token', token, '--provider', 'entra'];
        const { code, stdout, stderr } = await commandHere(args);
        assert.equal(code, 1);
        assert.match(stdout, / 500 +failed +status 500 instead of /);
        assert.match(stderr, /\d+ of \d+ steps failed\./);
      } finally {
        foreign.close();
      }
    });

    it('a wrong token or a wrong address is one sentence after one request, not a table', async () => {
      const check = ['scim', 'check', '--url', url, '--token', 'wrong'];
      const refused = await commandHere(check);
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.match(refused.stderr, /does not accept the token \(401\)\./);
      const elsewhere = await commandHere(['scim', 'check', '--url', `${url}/nowhere`, '--token', token]);
      assert.deepEqual([elsewhere.code, elsewhere.stdout], [1, '']);
      assert.match(elsewhere.stderr, /There are no users at .*\/nowhere\/Users \(404\)\./);
    });
  });
}

describe('soundings scim check without a service', () => {
  it('says in one sentence what is missing', async () => {
    const cases: [readonly string[], RegExp][] = [
      [['--url', 'ftp://x/scim/v2', '--token', 'x'], /--url must be the address/],
      [['--url', 'http://127.0.0.1/scim/v2?x=1', '--token', 'x'], /--url must be the address/],
      [['--url', 'http://127.0.0.1/scim/v2'], /token is missing/],
      [
        ['--url', 'http://127.0.0.1/scim/v2', '--token', 'x', '--provider', 'ping'],
        /entra, okta, pocket-id, ssosync, authentik/,
      ],
      [['--token', 'x'], /--url/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await commandHere(['scim', 'check', ...args]);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });

  it('a server that is none fails every step and ends', async () => {
    const server = createServer((_request, reply) => reply.end('<html>'));
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`;
      const { code, stdout } = await commandHere(['scim', 'check', '--url', url, '--token', 'x']);
      assert.equal(code, 1);
      assert.match(stdout, /not JSON/);
      assert.doesNotMatch(stdout, / passed/);
    } finally {
      server.close();
    }
  });
});
