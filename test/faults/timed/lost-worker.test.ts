// Accounts that are spread over machines, and a machine that is away: its accounts are told, and nobody else notices.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { type CitusLookAlike, newCitusLookAlike } from '../../support/citus-look-alike.ts';
import { consoleCall, grantAside, operatorAside, sessionAside } from '../../support/console.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import {
  createClient,
  type Service,
  setUp,
  soundings,
  soundingsOk,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';

const accountIds = Array.from({ length: 8 }, (_, index) => 4001 + index);
// The look-alike has the odd ones on its first worker.
const onFirst = (accountId: number): boolean => accountId % 2 === 1;
const times = 12;

const accounts = accountIds.map((id) => ({
  id,
  name: `Account ${id}`,
  measures: [
    {
      key: 1,
      name: 'One',
      surveys: [
        {
          id: `survey-${id}`,
          modelInstanceId: 'M',
          questions: [{ id: 'Q', name: 'Why?', responseType: 'TEXT' }],
        },
      ],
    },
  ],
}));

/** A session of somebody who may do everything in the account. */
async function adminCookie(databaseUrl: string, accountId: number): Promise<string> {
  const [personId] = await addUsers(databaseUrl, accountId, [
    { userName: 'admin', externalId: 'admin', active: true },
  ]);
  await grantAside(databaseUrl, accountId, { user: personId! }, 'admin');
  return sessionAside(databaseUrl, { accountId, personId: personId! });
}

interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  readonly says: string;
}

describe('a lost worker', () => {
  let store: CitusLookAlike;
  let service: Service;
  let env: Record<string, string>;
  const tokens = new Map<number, string>();
  const cookies = new Map<number, string>();
  let operator = '';
  let round = 0;

  before(async () => {
    store = await newCitusLookAlike();
    env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_STORE_TIMEOUT_MS: '5000' };
    const stdout = await soundingsOk(['migrate'], env);
    assert.match(stdout, /response: spread by account/);
    assert.match(stdout, /account: copied to every machine/);
    assert.match(stdout, /append_account_responses: done by the worker of the account/);
    await setUp(['apply', writeCatalogue({ accounts })], env);
    const clients = new Map<number, Awaited<ReturnType<typeof createClient>>>();
    for (const id of accountIds) clients.set(id, await createClient(env, id));
    for (const id of accountIds) cookies.set(id, await adminCookie(store.databaseUrl, id));
    operator = await operatorAside(store.databaseUrl);
    await store.watchShards();
    env.DATABASE_URL = store.serviceUrl;
    service = await startProcess(env);
    for (const [id, client] of clients) tokens.set(id, await tokenFor(service.baseUrl, client));
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const post = (accountId: number, path: string, body: object): Promise<Answer> =>
    exchange(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get(accountId)}` },
      body: JSON.stringify(body),
    });

  /** Responses and users of all accounts at once, in mixed order: the statuses of each account. */
  async function everybody(): Promise<ReadonlyMap<number, readonly number[]>> {
    round += 1;
    const asked = Array.from({ length: times }, (_, at) =>
      accountIds.map(async (accountId) => {
        const answers = await Promise.all([
          post(accountId, '/v1/surveys/ingestion', {
            surveyDefinitionId: `survey-${accountId}`,
            responseId: `response-${round}-${at}`,
            responses: { Q: ['Because'] },
          }),
          post(accountId, '/scim/v2/Users', {
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
            userName: `user-${round}-${at}`,
          }),
        ]);
        return answers.map(({ status }) => [accountId, status] as const);
      }),
    );
    const answered = (await Promise.all(asked.flat())).flat();
    const byAccount = Map.groupBy(answered, ([accountId]) => accountId);
    return new Map([...byAccount].map(([id, all]) => [id, all.map(([, status]) => status)]));
  }

  const today = new Date().toISOString().slice(0, 10);

  /** What readers and people of the console are told, in each account. */
  async function readers(): Promise<ReadonlyMap<number, readonly string[]>> {
    const days = `from=${today}&to=${today}`;
    const seen = new Map<number, readonly string[]>();
    for (const accountId of accountIds) {
      const answers = await Promise.all([
        ...[`trend?${days}`, `comments?${days}&q=because`, `data?${days}`].map((path) =>
          exchange(`${service.baseUrl}/v1/measures/1/${path}`, {
            headers: { accept: 'application/json', authorization: `Bearer ${tokens.get(accountId)}` },
          }),
        ),
        ...['/me', '/users', '/surveys', `/overview?${days}`].map((path) =>
          consoleCall(service.baseUrl, 'GET', path, { cookie: cookies.get(accountId)! }),
        ),
      ]);
      const told = answers.map(({ status, body }) =>
        status === 200 ? '200' : `${status} ${body.errorCode ?? body.code}`,
      );
      seen.set(accountId, [...new Set(told)]);
    }
    return seen;
  }

  /** Of the accounts of the second worker: how many responses are not added up yet. */
  const behindOnSecond = async (): Promise<number> => {
    const rows = await storeRows(
      store.databaseUrl,
      `select log_counter.account_id, last_seq - coalesce(rolled_seq, 0) as behind
      from log_counter left join insight_cursor using (account_id, source_id)`,
    );
    return rows
      .filter(({ account_id: id }) => !onFirst(Number(id)))
      .reduce((sum, { behind }) => sum + Number(behind), 0);
  };

  const isTaken = (status: number): boolean => status === 200 || status === 201;
  const readyz = async () => {
    const answer = await fetch(`${service.baseUrl}/readyz`);
    return { code: answer.status, ...((await answer.json()) as { status: string; reasons: string[] }) };
  };
  const findings = async (): Promise<ReadonlyMap<string, Finding>> => {
    const { stdout } = await soundings(['doctor', '--json'], env);
    return new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.check, finding]));
  };

  it('every account is served by batches of its own while all workers answer [D-221]', async () => {
    for (const [id, statuses] of await everybody()) assert.ok(statuses.every(isTaken), `${id}: ${statuses}`);
    assert.deepEqual((await readyz()).status, 'ready');
    const [row] = await storeRows(
      store.databaseUrl,
      'select count(distinct xmin::text || account_id) as pairs, count(distinct xmin::text) as commits from response',
    );
    // No commit holds responses of two accounts.
    assert.equal(row!.pairs, row!.commits);
    const found = await findings();
    assert.deepEqual(
      [...found.values()].filter(({ isRight }) => !isRight),
      [],
    );
    assert.equal(found.get('workers')!.says, 'one.test:5432 (1 shards), two.test:5432 (1 shards)');
    for (const [id, told] of await readers()) assert.deepEqual(told, ['200'], String(id));
  });

  it('accounts that are moved while they are written to keep every response, once, and none is left at the old place [D-224]', async () => {
    const kept = async (): Promise<number> => {
      const [row] = await storeRows(
        store.databaseUrl,
        `select count(*) as rows, count(distinct (account_id, response_id)) as ids, (select sum(last_seq) from log_counter) as counted
         from response`,
      );
      const told = [row!.rows, row!.ids, row!.counted].map(Number);
      assert.equal(new Set(told).size, 1, String(told));
      return Number(row!.rows);
    };
    const before = await kept();
    assert.ok((await store.writtenByName()) > 0);
    await store.setMoving(1, true);
    await store.setMoving(2, true);
    const byName = await store.writtenByName();
    for (const [id, statuses] of await everybody()) assert.ok(statuses.every(isTaken), `${id}: ${statuses}`);
    assert.equal(await store.writtenByName(), byName);
    assert.equal((await kept()) - before, accountIds.length * times);
    await store.setMoving(1, false);
    await store.setMoving(2, false);
    for (const statuses of (await everybody()).values()) assert.ok(statuses.every(isTaken));
    assert.ok((await store.writtenByName()) > byName);
    await kept();
  });

  it('only accounts on it get 502, and /readyz is 200 and says degraded [D-223]', async () => {
    service.expectErrors('STORE_UNREACHABLE');
    await store.setWorker(1, false);
    for (const [id, statuses] of await everybody()) {
      if (onFirst(id)) assert.deepEqual([...new Set(statuses)], [502], String(id));
      else assert.ok(statuses.every(isTaken), `${id}: ${statuses}`);
    }
    const degraded = await until(readyz, ({ status }) => status === 'degraded');
    assert.equal(degraded.code, 200);
    assert.deepEqual(degraded.reasons, [
      'Worker 1 of 2 does not answer: its accounts are not served. "soundings doctor" names it.',
    ]);
    const found = await findings();
    assert.equal(found.get('workers')!.isRight, false);
    assert.match(found.get('workers')!.says, /^one\.test:5432 does not answer: start it\./);
  });

  it('a command that needs it says which machine is away', async () => {
    const { code, stderr } = await soundings(['user', 'list', '--account', '4001'], env);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'soundings: The store cannot be reached. Please retry. (connection to the remote node soundings@worker:5432 failed with the following error: refused Is it running?)\n',
    );
  });

  it('figures and the console of the others are there too, and what they send is added up on [D-690] [D-691]', async () => {
    for (const [id, told] of await readers())
      assert.deepEqual(told, [onFirst(id) ? '502 STORE_UNREACHABLE' : '200'], String(id));
    // What operators see of all accounts is there as far as it does not need the lost ones.
    const seen = await consoleCall(service.baseUrl, 'GET', '/operations', { cookie: operator });
    assert.equal(seen.status, 200, seen.text);
    await until(behindOnSecond, (behind) => behind === 0);
    const found = await findings();
    const { says } = found.get('insight')!;
    assert.equal(says, 'Not looked at: it needs a worker that does not answer.');
    const wrong = [...found.values()].filter(({ isRight }) => !isRight);
    assert.deepEqual(
      wrong.map(({ check }) => check),
      ['workers'],
    );
  });

  it('without any worker /readyz is 503, and with all of them everybody is served again [D-223]', async () => {
    await store.setWorker(2, false);
    const none = await until(readyz, ({ status }) => status === 'not ready');
    assert.equal(none.code, 503);
    assert.equal(none.reasons.length, 2);
    await store.setWorker(1, true);
    await store.setWorker(2, true);
    await until(readyz, ({ status }) => status === 'ready');
    await until(everybody, (answers) => [...answers.values()].flat().every(isTaken));
  });

  it('a worker that is away is asked once for all, and costs neither connections nor attempts [D-898]', async () => {
    const connections = async (): Promise<number> => {
      const [row] = await storeRows(
        store.databaseUrl,
        'select sessions from pg_stat_database where datname = current_database()',
      );
      return Number(row!.sessions);
    };
    await store.setWorker(1, false);
    // Until it is known to be away.
    const refusedBy = async (): Promise<number> => {
      const before = await store.refused();
      for (const [id, statuses] of await everybody())
        if (onFirst(id)) assert.deepEqual([...new Set(statuses)], [502], String(id));
      return (await store.refused()) - before;
    };
    await until(refusedBy, (refused) => refused === 0);
    const before = await connections();
    assert.equal(await refusedBy(), 0);
    // The test's own, for what it looks up, and those of the background.
    const looks = 2;
    assert.ok((await connections()) - before <= 10 + looks, 'connections that were closed and opened again');
  });

  it('a worker that is only starting again is waited for [D-898]', async () => {
    await store.setWorker(1, true);
    await until(everybody, (answers) => [...answers.values()].flat().every(isTaken));
    await store.setWorker(1, false);
    const before = await store.refused();
    const answers = everybody();
    await until(store.refused, (refused) => refused > before);
    await store.setWorker(1, true);
    for (const [id, statuses] of await answers) assert.ok(statuses.every(isTaken), `${id}: ${statuses}`);
  });

  it('a worker that hangs gets no more requests until it answers, and other accounts are served [D-298]', async () => {
    const all = service;
    // Requests to a hanging worker take as long as they may.
    service = await startProcess({ ...env, SOUNDINGS_STORE_TIMEOUT_MS: '1500' });
    try {
      service.expectErrors('STORE_TIMEOUT');
      await store.setHanging(1, true);
      const leftByOne = async (): Promise<number> => {
        const before = await store.leftUnanswered();
        const { status } = await post(4001, '/v1/surveys/ingestion', {
          surveyDefinitionId: 'survey-4001',
          responses: { Q: ['Because'] },
        });
        assert.equal(status, 502);
        return (await store.leftUnanswered()) - before;
      };
      assert.ok((await leftByOne()) > 0);
      await until(leftByOne, (left) => left === 0);
      const before = await store.leftUnanswered();
      for (const [id, statuses] of await everybody()) {
        if (onFirst(id)) assert.deepEqual([...new Set(statuses)], [502], String(id));
        else assert.ok(statuses.every(isTaken), `${id}: ${statuses}`);
      }
      assert.equal(await store.leftUnanswered(), before);
      await store.setHanging(1, false);
      await until(everybody, (answers) => [...answers.values()].flat().every(isTaken));
    } finally {
      await service.stop();
      service = all;
    }
  });

  it('doctor names a table that lies on the coordinator by mistake, and migrate spreads it, once there is a worker [D-220] [D-692]', async () => {
    await storeRows(
      store.databaseUrl,
      `delete from citus.pg_dist_partition where logicalrelid = 'survey'::regclass`,
    );
    const wrong = (await findings()).get('tables')!;
    assert.equal(wrong.isRight, false);
    assert.match(wrong.says, /: survey\. Stop the service and run "soundings migrate"/);
    const setPlaces = (are: boolean) =>
      storeRows(store.databaseUrl, `update citus.pg_dist_node set shouldhaveshards = ${are}`);
    await setPlaces(false);
    const { code, stderr } = await soundings(['migrate'], env);
    assert.deepEqual(
      [code, stderr.trim()],
      [
        1,
        `soundings: The server is the coordinator of a Citus that has no worker yet: add one with "select citus_add_node(...)" or, to keep all accounts on this one machine, let it have them with "select citus_set_node_property(HOST, PORT, 'shouldhaveshards', true)". Then run "soundings migrate" again (docs/scaling.md).`,
      ],
    );
    await setPlaces(true);
    // Without a worker it says so and asks; one machine is enough for whoever says so.
    const nodes = 'citus.pg_dist_node';
    await storeRows(
      store.databaseUrl,
      `create table citus.kept as select * from ${nodes}; delete from ${nodes}`,
    );
    await storeRows(store.databaseUrl, 'create table citus.spread as select * from citus.pg_dist_partition');
    await storeRows(store.databaseUrl, 'delete from citus.pg_dist_partition');
    const alone = await soundings(['migrate'], env);
    assert.equal(alone.code, 1);
    assert.match(
      alone.stderr,
      /has the extension Citus and no worker yet: .*"soundings migrate --single-node"/,
    );
    assert.match(await soundingsOk(['migrate', '--single-node'], env), /log_counter: spread by account/);
    await storeRows(store.databaseUrl, `insert into ${nodes} select * from citus.kept`);
    await storeRows(
      store.databaseUrl,
      `delete from citus.pg_dist_partition; insert into citus.pg_dist_partition select * from citus.spread;
       update citus.pg_dist_placement set groupid = 2`,
    );
    const empty = (await findings()).get('workers')!;
    assert.match(empty.says, /^one\.test:5432 has no accounts: run "select citus_rebalance_start\(\)"\./);
    const stdout = await soundingsOk(['migrate'], env);
    assert.match(stdout, /survey: spread by account/);
    assert.equal((await findings()).get('tables')!.isRight, true);
  });
});
