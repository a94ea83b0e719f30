// What operators see of the whole service in the console, and what they do there, on two replicas.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { addEndingRows } from '../../support/ended-rows.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { commandHere, commandHereOk, type Service, startProcess, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { believeTime } from '../../support/trusted-time.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

interface Replica {
  readonly id: string;
  readonly isLive: boolean;
  readonly isThis: boolean;
  readonly facts: {
    readonly name: string;
    readonly version: string;
    readonly memoryBytes: number;
    readonly diskFreeBytes: number | null;
    readonly requests: number;
    readonly routes: readonly {
      route: string;
      method: string;
      count: number;
      p50Ms: number;
      p99Ms: number;
    }[];
  } | null;
}

interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  readonly isWarning?: boolean;
}

for (const engine of engines)
  describe(`operations in the console on ${engine.name}`, () => operations(engine));

function operations(engine: Engine): void {
  let context: ProvisioningService;
  let other: Service;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  let operator = '';
  let stale = '';

  before(async () => {
    context = await startProvisioning(engine, {}, startProcess);
    other = await context.another();
    people = await visitorsAside(context.store.databaseUrl, 1, 'own');
    operator = await people['operator outside'].newCookie();
    stale = await people['operator outside'].newCookie(16 * 60_000);
  });
  after(() => context?.close());

  const call = (
    method: string,
    path: string,
    body?: unknown,
    { cookie = operator, service = context.service }: { cookie?: string; service?: Service } = {},
  ): Promise<Answer> =>
    consoleCall(service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
  const replicas = async (service?: Service): Promise<readonly Replica[]> => {
    const { status, body, text } = await call('GET', '/operations', undefined, {
      ...(service === undefined ? {} : { service }),
    });
    assert.equal(status, 200, text);
    return body.replicas as readonly Replica[];
  };

  const usersIn = (routes: NonNullable<Replica['facts']>['routes']) =>
    routes.find(({ route, method }) => route === '/v1/scim/Users' && method === 'GET');

  it('each replica tells of itself: version, memory, queue, and its slowest routes with p50 and p99', async () => {
    for (let count = 0; count < 30; count += 1) await context.call('GET', '/Users');
    const seen = await until(
      () => replicas(other),
      (all) =>
        all.filter(({ isLive, facts }) => isLive && facts !== null).length === 2 &&
        all.some(({ isThis, facts }) => !isThis && usersIn(facts?.routes ?? [])?.count === 30),
    );
    const asked = seen.find(({ isThis }) => !isThis)!.facts!;
    assert.ok(asked.memoryBytes > 10_000_000);
    assert.equal(asked.diskFreeBytes === null, engine.name !== 'sqlite');
    const users = usersIn(asked.routes)!;
    assert.ok(users.p50Ms > 0 && users.p50Ms <= users.p99Ms);
    const p99 = asked.routes.map(({ p99Ms }) => p99Ms);
    assert.deepEqual(
      p99,
      p99.toSorted((one, two) => two - one),
    );
    assert.equal(new Set(seen.map(({ facts }) => facts?.name)).size, 2);
  });

  it('garbage, a megabyte, and a thousand rows beside heartbeats are not shown, and live replicas are [D-612]', async () => {
    const url = context.store.databaseUrl;
    const later = Date.now() + 3_600_000;
    const garbage = [
      'not json',
      '[]',
      '{"name":1}',
      `{"name":"${'x'.repeat(300)}"}`,
      'x'.repeat(1_000_000),
      '{"__proto__":{"name":"a"}}',
    ];
    const rows = Array.from({ length: 1_000 }, (_, at) => {
      const facts = garbage[at];
      return `('row ${at}', ${later + at}, ${facts === undefined ? 'null' : `'${facts}'`})`;
    });
    await storeRows(url, `insert into heartbeat (replica, at, facts) values ${rows.join(', ')}`);
    try {
      for (const service of [context.service, other]) {
        const { status, body, text } = await call('GET', '/operations', undefined, { service });
        assert.equal(status, 200, text);
        assert.ok(text.length < 200_000, `${text.length} bytes`);
        const shown = body.replicas as readonly Replica[];
        assert.equal(shown.length, 50);
        assert.ok(shown.some(({ isThis, isLive, facts }) => isThis && isLive && facts !== null));
        assert.ok(shown.filter(({ id }) => id.startsWith('row ')).every(({ facts }) => facts === null));
        assert.ok(Number(body.otherReplicas) >= 900);
      }
    } finally {
      await storeRows(url, `delete from heartbeat where replica like 'row %'`);
    }
    // Each has counted the rows among the living until it read again.
    await until(
      () => replicas(),
      (all) => all.length === 2 && all.every(({ isLive }) => isLive),
    );
  });

  it('doctor asked for a hundred times looks once, finds what the command finds, and any replica tells [D-613] [D-611]', async () => {
    const services = [context.service, other];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        call('POST', '/operations/doctor', undefined, { service: services[at % 2]! }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
    // A look may have ended before the last of them asked; then that one has begun another.
    const looks = new Set(answers.map(({ body }) => body.began)).size;
    assert.ok(looks <= 3, `${looks} looks`);
    const report = await until(
      async () => (await call('GET', '/operations/doctor', undefined, { service: other })).body,
      ({ state }) => state === 'ended',
      60_000,
    );
    const starts = await storeRows(
      context.store.databaseUrl,
      `select actor from audit where action = 'doctor.start'`,
    );
    assert.equal(starts.length, looks);
    assert.ok(starts.every(({ actor }) => actor === people['operator outside'].actor));
    const byCommand = JSON.parse((await commandHere(['doctor', '--json'], context.env)).stdout) as Finding[];
    const verdicts = (all: readonly Finding[]) =>
      all.map(({ check, isRight, isWarning = false }) => [check, isRight, isWarning]);
    assert.deepEqual(verdicts(report.findings as Finding[]), verdicts(byCommand));
    // A look whose process is gone does not hold up the next.
    await storeRows(
      context.store.databaseUrl,
      `update job set ended_at = null, updated_at = 1 where name = 'doctor'`,
    );
    assert.equal((await call('GET', '/operations/doctor')).body.state, 'lost');
    assert.equal((await call('POST', '/operations/doctor')).body.state, 'runs');
    await until(
      async () => (await call('GET', '/operations/doctor')).body.state,
      (state) => state === 'ended',
      60_000,
    );
  });

  it('a finding with very long words takes no room of those that follow it [D-613]', async () => {
    const url = context.store.databaseUrl;
    const words = `no room ${'and no more '.repeat(10_000)}`;
    await storeRows(
      url,
      `insert into backup_record (number, kind, at, recorded_at, detail) values (1000, 'failed', 1000, 1000, '${words}')`,
    );
    try {
      assert.equal((await call('POST', '/operations/doctor')).body.state, 'runs');
      const { findings } = await until(
        async () => (await call('GET', '/operations/doctor')).body,
        ({ state }) => state === 'ended',
        60_000,
      );
      const found = findings as (Finding & { says: string; values: { detail: string } })[];
      const backup = found.find(({ check }) => check === 'backup')!;
      assert.match(backup.says, /failed at .*: no room and no more/);
      assert.equal(backup.says.length, 1_000);
      assert.equal(backup.values.detail.length, 1_000);
      assert.equal(found.at(-1)?.check, 'console');
    } finally {
      await storeRows(url, 'delete from backup_record where number = 1000');
    }
  });

  it('maintenance is begun and ended by an operator, to whom the console stays open [D-610]', async () => {
    const admin = await people.admin.newCookie();
    const on = await call('PUT', '/operations/maintenance', { on: true });
    assert.deepEqual(on.body, { on: true, changed: true });
    try {
      for (const { baseUrl } of [context.service, other])
        await until(
          async () => (await context.call('GET', '/Users', { baseUrl })).status,
          (status) => status === 503,
        );
      const { body } = await call('GET', '/operations', undefined, { service: other });
      assert.ok(Math.abs(Date.parse(String(body.maintenanceSince)) - Date.now()) < 60_000);
      assert.equal((await call('GET', '/session', undefined, { cookie: admin })).status, 200);
      assert.equal((await call('GET', '/users', undefined, { cookie: admin })).body.code, 'MAINTENANCE');
      assert.equal((await fetch(`${context.service.baseUrl}/console/sign-in`)).status, 200);
    } finally {
      assert.equal((await call('PUT', '/operations/maintenance', { on: false })).status, 200);
    }
    await until(
      async () => (await context.call('GET', '/Users')).status,
      (status) => status === 200,
    );
    const { items } = (await call('GET', '/operations/audit?limit=2')).body as unknown as {
      items: { action: string; actor: { name: string } }[];
    };
    assert.deepEqual(
      items.map(({ action, actor }) => [action, `operator ${actor.name}`]),
      [
        ['maintenance.off', people['operator outside'].actor],
        ['maintenance.on', people['operator outside'].actor],
      ],
    );
  });

  it('a clock that has jumped is shown, and confirmed with what would be deleted, by a fresh sign-in alone [D-846]', async () => {
    const url = context.env.DATABASE_URL!;
    await believeTime(url, Date.now() - 90 * 86_400_000);
    const seen = (await call('GET', '/operations')).body.clock as Record<string, number | string>;
    assert.ok(Math.abs(Number(seen.jumpSeconds) - 90 * 86_400) < 60, JSON.stringify(seen));
    assert.ok(Math.abs(Number(seen.believedInSeconds) - 7 * 86_400) < 120);
    await addEndingRows(url, 'ended', Date.now() - 3_600_000);
    const { body } = await call('GET', '/operations/clock');
    const deletes = body.deletes as Record<string, number>;
    for (const kind of ['sessions', 'links']) assert.ok(deletes[kind]! >= 1, `${kind}: ${deletes[kind]}`);
    assert.equal(body.isWhole, true);
    const confirm = { clock: body.clock };
    const refused = await call('POST', '/operations/clock', confirm, { cookie: stale });
    assert.deepEqual([refused.status, refused.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    const other = { clock: new Date(Date.now() + 2 * 3_600_000).toISOString() };
    assert.equal((await call('POST', '/operations/clock', other)).status, 409);
    assert.notEqual((await call('GET', '/operations/clock')).body.jumpSeconds, 0);
    const confirmed = await call('POST', '/operations/clock', confirm);
    assert.deepEqual([confirmed.status, confirmed.body.jumpSeconds], [200, 0], confirmed.text);
    const { items } = (await call('GET', '/operations/audit?limit=1')).body as unknown as {
      items: { action: string; actor: { name: string } }[];
    };
    assert.deepEqual(
      items.map(({ action, actor }) => [action, `operator ${actor.name}`]),
      [['clock.confirm', people['operator outside'].actor]],
    );
  });

  it('keys are listed, rotated and revoked as by the command, with the name of the operator', async () => {
    const keys = async () =>
      (await call('GET', '/operations/keys')).body as unknown as {
        signing: { kid: string; state: string }[];
        sealing: { kid: string; state: string }[];
      };
    const [first] = (await keys()).signing;
    assert.equal(first!.state, 'signs');
    for (const [method, path, body] of [
      ['POST', '/operations/keys', { kind: 'signing' }],
      ['POST', `/operations/keys/${first!.kid}/revoke`, {}],
      ['PUT', '/operations/maintenance', { on: true }],
    ] as const) {
      const refused = await call(method, path, body, { cookie: stale });
      assert.deepEqual([refused.status, refused.body.code], [403, 'FRESH_SIGN_IN_REQUIRED'], path);
    }
    const made = await call('POST', '/operations/keys', { kind: 'signing' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(
      (await keys()).signing.map(({ kid, state }) => [kid, state]),
      [
        [made.body.kid, 'waits'],
        [first!.kid, 'signs'],
      ],
    );
    const shown = JSON.parse(await commandHereOk(['keys', 'list', '--json'], context.env));
    assert.deepEqual(shown.keys, (await keys()).signing);
    const revoked = await call('POST', `/operations/keys/${String(made.body.kid)}/revoke`, {});
    assert.equal(revoked.status, 200, revoked.text);
    assert.ok((revoked.body.revoked as string[]).includes(first!.kid));
    assert.equal((await call('POST', '/operations/keys/nobody/revoke', {})).status, 400);
    // A key that has sealed something is needed, unless it is forced.
    assert.equal((await call('POST', '/operations/keys', { kind: 'sealing' })).status, 201);
    const inside = await people.admin.newCookie();
    const hook = { name: 'Sealed', url: 'https://hooks.example/one' };
    assert.equal((await call('POST', '/webhooks', hook, { cookie: inside })).status, 201);
    const [sealing] = (await keys()).sealing;
    const needed = await call('POST', `/operations/keys/${sealing!.kid}/revoke`, {});
    assert.deepEqual([needed.status, needed.body.code], [409, 'CONFLICT']);
    assert.match(String(needed.body.detail), /has sealed 1 secrets of webhooks/);
    assert.equal(
      (await call('POST', `/operations/keys/${sealing!.kid}/revoke`, { force: true })).status,
      200,
    );
    const { items } = (await call('GET', '/operations/audit?action=keys')).body as unknown as {
      items: { action: string; actor: { id: string } }[];
    };
    assert.deepEqual(
      items.map(({ action, actor }) => [action, actor.id]),
      ['keys.revoke', 'keys.rotate', 'keys.revoke', 'keys.rotate'].map((action) => [
        action,
        people['operator outside'].actor,
      ]),
    );
  });

  it('a key that is rotated over and over goes on to be accepted, and from fifty keys on a further one is refused [D-872]', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 120; times += 1)
      statuses.push((await call('POST', '/operations/keys', { kind: 'signing' })).status);
    assert.equal(statuses.at(-1), 409);
    assert.ok(statuses.filter((status) => status === 201).length >= 40);
    const { signing } = (await call('GET', '/operations/keys')).body as unknown as { signing: unknown[] };
    assert.equal(signing.length, 50);
    // A key that was just revoked may sign for some seconds more; what it signs opens nothing.
    await until(
      async () => {
        const token = await context.tokenWith(['r_cx_users']);
        return (await context.call('GET', '/Users?count=1', { token })).status;
      },
      (status) => status === 200,
    );
  });

  it('settings say where they came from, and never a secret', async () => {
    const { body, text } = await call('GET', '/operations/settings');
    const items = body.items as { name: string; value: string; source: string }[];
    const found = (name: string) => items.find((one) => one.name === name)!;
    assert.deepEqual(
      [found('SOUNDINGS_THROTTLE').value, found('SOUNDINGS_THROTTLE').source, found('PORT').source],
      ['off', 'environment', 'flag'],
    );
    assert.equal(found('SOUNDINGS_LOG_LEVEL').source, 'default');
    const { password } = URL.canParse(context.store.databaseUrl)
      ? new URL(context.store.databaseUrl)
      : { password: '' };
    if (password !== '') assert.ok(!text.includes(`:${password}@`));
    assert.equal((await call('GET', '/operations')).body.engine, engine.name);
  });
}
