// Somebody holds what one account's responses or users need: an operator's session, a catalogue that is applied, a
// replica that stopped in the middle of a commit. The other accounts must not notice. PostgreSQL only: the embedded
// engine has one write lock for all, and nothing to hold of one account.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, lockWaits, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { disagreements } from '../../support/log-agreement.ts';
import {
  createClient,
  type ServiceProcess,
  setUp,
  startProcess,
  tokenFor,
  until,
} from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const held = 1;
const others = [2, 3, 4];
// Without users, so that their first one takes a range of ids.
const newcomers = [5, 6, 7, 8];
const measuresOfHeld = 1_500;
const timeoutMs = 4_000;

const measureOf = (account: number, key: number, name = `Measure ${key}`) => ({
  key,
  name,
  surveys: [
    {
      id: `s-${account}-${key}`,
      modelInstanceId: 'm',
      latents: [
        {
          id: 'L',
          name: 'L',
          type: 'SATISFACTION',
          questions: [{ id: 'Q', name: 'Q', scale: { min: 1, max: 10 } }],
        },
      ],
    },
  ],
});
const accountOf = (id: number, count: number, name?: string) => ({
  id,
  name: `Account ${id}`,
  measures: Array.from({ length: count }, (_, at) => measureOf(id, at + 1, name && `${name} ${at}`)),
});

describe('what one account waits for on postgres', { timeout: 180_000 }, () => {
  const [, postgres] = engines;
  let store: TestStore;
  let env: Record<string, string>;
  let services: readonly ServiceProcess[] = [];
  const tokens = new Map<number, string>();
  let sent = 0;

  before(async () => {
    store = await postgres!.readyStore();
    env = {
      DATABASE_URL: store.databaseUrl,
      SOUNDINGS_THROTTLE: 'off',
      SOUNDINGS_STORE_TIMEOUT_MS: String(timeoutMs),
    };
    const accounts = [
      accountOf(held, measuresOfHeld),
      ...[...others, ...newcomers].map((id) => accountOf(id, 5)),
    ];
    await setUp(['apply', writeCatalogue({ accounts })], env);
    services = await Promise.all([startProcess(env), startProcess(env)]);
    // Of the account that is held up for too long.
    for (const service of services) service.expectErrors('STORE_TIMEOUT');
    for (const id of [held, ...others, ...newcomers])
      tokens.set(id, await tokenFor(services[0]!.baseUrl, await createClient(env, id)));
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await store?.dispose();
  });

  const request = (service: ServiceProcess, account: number, path: string, body: object): Promise<Answer> =>
    exchange(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.get(account)}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(body),
    });
  interface Posted {
    readonly account: number;
    readonly body: { readonly responseId: string };
    readonly answer: Answer;
  }
  const post = async (
    service: ServiceProcess,
    account: number,
    responseId = `r-${++sent}`,
  ): Promise<Posted> => {
    const body = {
      surveyDefinitionId: `s-${account}-${(sent % 5) + 1}`,
      responseId,
      submissionTimestamp: '2026-01-15T12:00:00Z',
      responses: { Q: [String((sent % 10) + 1)] },
    };
    return { account, body, answer: await request(service, account, '/v1/surveys/ingestion', body) };
  };
  /** Posts of all accounts in turn, all at once, over and over until the work is done. */
  const postAll = async (service: ServiceProcess, isDone: () => boolean): Promise<Posted[]> => {
    const posted: Posted[] = [];
    const sender = async (account: number): Promise<void> => {
      do posted.push(await post(service, account));
      while (!isDone());
    };
    await Promise.all([held, ...others, ...others].flatMap((id) => [sender(id), sender(id)]));
    return posted;
  };
  /** What others do must not matter to them, and whoever is held up is told to retry, in words of the store. */
  const assertUndisturbed = (posted: readonly Posted[]): void => {
    for (const { account, answer } of posted) {
      if (account !== held) assert.equal(answer.status, 200, answer.text);
      else if (answer.status !== 200) {
        assert.equal(answer.status, 502, answer.text);
        assert.equal(answer.body.errorCode, 'STORE_TIMEOUT');
      }
    }
  };
  /** Everything that was answered with success is there once; what was not is kept by a retry, once. */
  const assertKeptOnce = async (posted: readonly Posted[]): Promise<void> => {
    for (const { account, body, answer } of posted) {
      if (answer.status === 200) continue;
      const again = await request(services[0]!, account, '/v1/surveys/ingestion', body);
      assert.equal(again.status, 200, again.text);
    }
    const rows = await storeRows(
      store.databaseUrl,
      'select response_id, count(*) as count from response group by 1',
    );
    const counts = new Map(rows.map(({ response_id: id, count }) => [String(id), Number(count)]));
    for (const { body } of posted) assert.equal(counts.get(body.responseId), 1, body.responseId);
    assert.deepEqual(await disagreements(store.databaseUrl), []);
  };
  const outside = async (statement: string): Promise<pg.Client> => {
    const connection = new pg.Client({ connectionString: store.databaseUrl });
    connection.on('error', () => {});
    await connection.connect();
    await connection.query(`begin; ${statement}`);
    return connection;
  };

  it('responses of one account wait for its counters, those of the others are kept meanwhile; then all are [D-186]', async () => {
    const connection = await outside(`select 1 from log_counter where account_id = ${held} for update`);
    const [service] = services;
    const waiting = Array.from({ length: 60 }, () => post(service!, held));
    const rounds: Posted[] = [];
    for (let round = 0; round < 10; round += 1)
      rounds.push(
        ...(await Promise.all(others.flatMap((id) => Array.from({ length: 10 }, () => post(service!, id))))),
      );
    assertUndisturbed(rounds);
    await connection.query('rollback');
    await connection.end();
    const late = await Promise.all(waiting);
    assertUndisturbed(late);
    await assertKeptOnce([...rounds, ...late]);
  });

  it('whoever waits too long is told so in time, and nobody else, however long it lasts [D-186]', async () => {
    const connection = await outside(`select 1 from log_counter where account_id = ${held} for update`);
    const posted: Posted[] = [];
    let refused = 0;
    const startedAtMs = performance.now();
    const waiting = Array.from({ length: 20 }, async () => {
      const one = await post(services[0]!, held);
      if (one.answer.status === 502) refused += 1;
      return { one, ms: performance.now() - startedAtMs };
    });
    const flow = postAll(services[0]!, () => refused === 20);
    for (const { one, ms } of await Promise.all(waiting)) {
      posted.push(one);
      // Beyond the store's own limit there is one more attempt of a quarter of it; the rest is for a busy machine.
      assert.ok(ms < timeoutMs * 2.5, `${ms} ms`);
    }
    await connection.query('rollback');
    await connection.end();
    posted.push(...(await flow));
    assertUndisturbed(posted);
    assert.equal(refused, 20);
    await assertKeptOnce(posted);
  });

  const createOn = (service: ServiceProcess, account: number, name: string): Promise<Answer> =>
    request(service, account, '/scim/v2/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: name,
      name: { givenName: 'Given', familyName: name },
      emails: [{ value: `${name}@example.com`, primary: true }],
    });

  it('users of one account wait for its counter, those of the others are made meanwhile [D-186]', async () => {
    const create = (account: number, name: string): Promise<Answer> => createOn(services[0]!, account, name);
    for (const id of [held, ...others]) assert.equal((await create(id, `first-${id}`)).status, 201);
    const connection = await outside(`select 1 from user_counter where account_id = ${held} for update`);
    const waiting = Array.from({ length: 40 }, (_, at) => create(held, `held-${at}`));
    for (let round = 0; round < 5; round += 1) {
      const made = await Promise.all(
        others.flatMap((id) =>
          Array.from({ length: 10 }, (_, at) => create(id, `user-${id}-${round}-${at}`)),
        ),
      );
      for (const { status, text } of made) assert.equal(status, 201, text);
    }
    await connection.query('rollback');
    await connection.end();
    const late = await Promise.all(waiting);
    for (const { status, text } of late) assert.ok(status === 201 || status === 502, text);
    const rows = await storeRows(
      store.databaseUrl,
      'select account_id, count(*) as count from account_user group by 1',
    );
    const counters = await storeRows(store.databaseUrl, 'select account_id, total from user_counter');
    for (const { account_id: id, total } of counters) {
      const counted = rows.find((row) => row.account_id === id)?.count;
      assert.equal(Number(counted), Number(total));
      if (Number(id) !== held) assert.equal(Number(counted), 51);
    }
  });

  it('a replica that stops while it takes a range of ids holds up only users who need one, and those are made [D-189]', async () => {
    const [stopped, running] = services;
    const [first, ...later] = newcomers;
    const waits = await lockWaits();
    const waitingForLock = (): Promise<readonly unknown[]> => storeRows(store.databaseUrl, waits);
    const connection = await outside('select 1 from user_range for update');
    const ofStopped = createOn(stopped!, first!, 'of the stopped one');
    await until(waitingForLock, (rows) => rows.length > 0);
    process.kill(stopped!.pid, 'SIGSTOP');
    try {
      const waiting = later.flatMap((id) =>
        Array.from({ length: 10 }, (_, at) => createOn(running!, id, `new-${id}-${at}`)),
      );
      // While the ranges are held by whoever does not let go, users of accounts that have one are made.
      for (let round = 0; round < 3; round += 1) {
        const made = await Promise.all(
          others.flatMap((id) =>
            Array.from({ length: 10 }, (_, at) => createOn(running!, id, `beside-${id}-${round}-${at}`)),
          ),
        );
        for (const { status, text } of made) assert.equal(status, 201, text);
      }
      await until(waitingForLock, (rows) => rows.length > 1);
      // From here on the stopped replica has them, until the server takes them away.
      await connection.query('rollback');
      for (const { status, text } of await Promise.all(waiting)) assert.equal(status, 201, text);
    } finally {
      process.kill(stopped!.pid, 'SIGCONT');
      await connection.end();
    }
    const { status, text } = await ofStopped;
    assert.ok(status === 201 || status === 502, text);
  });

  it('a catalogue that renames 1,500 measures holds up neither its own account nor the others [D-186]', async () => {
    let isApplied = false;
    const file = writeCatalogue({ accounts: [accountOf(held, measuresOfHeld, 'Renamed')] });
    const applying = setUp(['apply', file], env).finally(() => {
      isApplied = true;
    });
    const posted = await postAll(services[0]!, () => isApplied);
    await applying;
    for (const { answer } of posted) assert.equal(answer.status, 200, answer.text);
    await assertKeptOnce(posted);
  });

  it('a replica that stops in the middle of an append holds up nobody but the account of it [D-186]', async () => {
    const [stopped, running] = services;
    const id = `r-${++sent}`;
    // The append of this id takes its counter and then waits for the row that this session has not committed.
    const connection = await outside(
      `insert into response (account_id, source_id, seq, day, response_id, survey_no, submitted_at, row_values)
       values (${held}, 1400, 1, 1, '${id}', 1, 1, '')`,
    );
    const first = post(stopped!, held, id);
    const waits = await lockWaits();
    await until(
      () => storeRows(store.databaseUrl, waits),
      (rows) => rows.length > 0,
    );
    process.kill(stopped!.pid, 'SIGSTOP');
    await connection.query('rollback');
    await connection.end();
    let posted: Posted[];
    try {
      const startedAtMs = performance.now();
      posted = await postAll(running!, () => performance.now() - startedAtMs > timeoutMs);
    } finally {
      process.kill(stopped!.pid, 'SIGCONT');
    }
    assertUndisturbed(posted);
    await assertKeptOnce([...posted, await first]);
  });
});
