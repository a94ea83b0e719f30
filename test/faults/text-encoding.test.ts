// PostgreSQL databases that do not hold every text, and roles that may not do what the service must: said in a sentence with the line that
// helps, and never a failure of the service.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/store/engine/migrate.ts';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { consoleCall, operatorAside } from '../support/console.ts';
import { isSpread, postgresUrl, type TestStore } from '../support/engines.ts';
import { basic, exchange } from '../support/exchange.ts';
import { postResponse, prepareFeedback } from '../support/feedback.ts';
import { patient } from '../support/open-db.ts';
import { patchOf, standardUser } from '../support/scim.ts';
import {
  commandHere,
  type Service,
  setUp,
  soundings,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { formText, tokenIn } from '../support/survey-page.ts';
import { pageSurvey, surveyPageCatalogue } from '../support/survey-page-catalogue.ts';
import { userBody } from '../support/users.ts';

async function asked(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function addressOf(database: string, role?: string): string {
  const url = new URL(postgresUrl());
  url.pathname = `/${database}`;
  if (role !== undefined) url.username = role;
  return url.href;
}

async function databaseIn(encoding: string): Promise<TestStore> {
  const database = `t_${randomUUID().replaceAll('-', '')}`;
  await asked(
    postgresUrl(),
    `create database ${database} template template0 encoding '${encoding}' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  );
  return {
    databaseUrl: addressOf(database),
    dispose: () => asked(postgresUrl(), `drop database if exists ${database} with (force)`),
  };
}

/** As an earlier release has made it. */
async function storeIn(encoding: string): Promise<TestStore> {
  const store = await databaseIn(encoding);
  const db = await openDb(store.databaseUrl, patient);
  await migrate(db, Date.now);
  await db.close();
  return store;
}

// A database of a coordinator has its workers beside it, and this is about one database.
const skip = (await isSpread()) ? 'about one server' : false;

describe('a PostgreSQL database that is not UTF8', { skip }, () => {
  for (const encoding of ['LATIN1', 'SQL_ASCII', 'WIN1252'])
    it(`a new store is refused in ${encoding}, with the line that makes a database which holds every text [D-856]`, async () => {
      const store = await databaseIn(encoding);
      const database = new URL(store.databaseUrl).pathname.slice(1);
      const env = { DATABASE_URL: store.databaseUrl };
      try {
        for (const args of [['serve', '--port', '0'], ['migrate'], ['doctor']]) {
          const { code, stdout, stderr } = await soundings(args, env);
          assert.equal(code, 1);
          const line = `createdb --encoding=UTF8 --locale=C --template=template0 ${database}`;
          assert.ok(`${stdout}${stderr}`.includes(line), `${stdout}${stderr}`);
          assert.ok(`${stdout}${stderr}`.includes(`has the encoding ${encoding}`));
        }
        assert.deepEqual(
          await storeRows(store.databaseUrl, `select tablename from pg_tables where schemaname = 'public'`),
          [],
        );
      } finally {
        await store.dispose();
      }
    });
});

// Greek, Chinese and an emoji; LATIN1 holds none of them, and the last of the texts of each list is one that it holds.
const unholdable = ['Ω', '很好', '😀'];

describe('a store that exists in LATIN1', { skip }, () => {
  let store: TestStore;
  let env: Record<string, string>;
  let service: Service;
  let token: string;
  let cookie: string;

  before(async () => {
    store = await storeIn('LATIN1');
    env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
    const client = await prepareFeedback(env);
    await setUp(['apply', writeCatalogue(surveyPageCatalogue)], env);
    service = await startProcess(env);
    token = await tokenFor(service.baseUrl, client);
    cookie = await operatorAside(store.databaseUrl);
  });
  after(async () => {
    assert.equal(await service?.stop(), 0);
    await store?.dispose();
  });

  it('is served, with a warning at the start and in doctor [D-856]', async () => {
    assert.match(
      service.output(),
      /Warning: The database has the encoding LATIN1: .*createdb --encoding=UTF8/,
    );
    const { code, stdout } = await commandHere(['doctor', '--json'], env);
    assert.equal(code, 0);
    const found = (JSON.parse(stdout) as { check: string; code: string; isWarning?: boolean }[]).find(
      ({ check }) => check === 'encoding',
    );
    assert.deepEqual(found && [found.code, found.isWarning], ['storeEncoding', true]);
  });

  it('a response with a character that it cannot hold is 400 naming the field, and those beside it are kept [D-856]', async () => {
    const good = Array.from({ length: 30 }, (_, index) => `good-${index}`);
    const [kept, refused] = await Promise.all([
      Promise.all(good.map((id) => postResponse(service.baseUrl, token, id, 'très bon, naïve, 20 °C'))),
      Promise.all(
        unholdable.map((text, index) => postResponse(service.baseUrl, token, `bad-${index}`, text)),
      ),
    ]);
    assert.deepEqual([...new Set(kept.map(({ status }) => status))], [200]);
    for (const { status, body } of refused) {
      assert.equal(status, 400);
      assert.equal((body.detailedErrors as { field: string }[])[0]?.field, 'responses.Q-TEXT[0]');
    }
    const bad = await postResponse(service.baseUrl, token, 'id-😀');
    assert.deepEqual(
      [bad.status, (bad.body.detailedErrors as { field: string }[])[0]?.field],
      [400, 'responseId'],
    );
  });

  it('so is a form of a survey page [D-856]', async () => {
    const page = `${service.baseUrl}/s/${pageSurvey}`;
    const { text, status } = await exchange(page);
    assert.equal(status, 200);
    const answer = await exchange(page, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: formText({ token: tokenIn(text), 'Q-WHY': '😀' }),
    });
    assert.equal(answer.status, 400);
  });

  it('so are users and groups, on both faces, and what is asked about them [D-856]', async () => {
    const call = (method: string, path: string, body?: object) =>
      exchange(`${service.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, application/scim+json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const made = await call('POST', '/scim/v2/Users', standardUser('zoë', { displayName: 'Zoë' }));
    assert.equal(made.status, 201, made.text);
    const id = String(made.body.id);
    const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
    const bad = [
      await call('POST', '/v1/scim/Users', userBody('😀')),
      await call('POST', '/scim/v2/Users', standardUser('x', { displayName: '很好' })),
      await call('PUT', `/scim/v2/Users/${id}`, standardUser('zoë', { displayName: 'Ω' })),
      await call(
        'PATCH',
        `/scim/v2/Users/${id}`,
        patchOf({ op: 'replace', path: 'displayName', value: '😀' }),
      ),
      await call('POST', '/scim/v2/Groups', { schemas: [groupSchema], displayName: '😀' }),
      await call('GET', `/scim/v2/Users?filter=${encodeURIComponent('userName eq "😀"')}`),
      await call('GET', `/scim/v2/Users/${encodeURIComponent('😀')}`),
    ];
    assert.deepEqual(
      bad.map(({ status }) => status),
      bad.map(() => 400),
    );
    assert.match(bad[1]!.text, /displayName/);
    // What becomes of a text when it is compared may be what the database cannot hold.
    for (const [text, expected] of Object.entries({ µ: 400, '¼': 400, ÿ: 201, ª: 201 })) {
      const { status } = await call('POST', '/scim/v2/Users', standardUser(`u-${text}`));
      assert.equal(status, expected, text);
    }
    // The log of what the provider asked for has all of it, as far as it can be said.
    await until(
      () => storeRows(store.databaseUrl, 'select status from provisioning_request'),
      (rows) => rows.filter(({ status }) => Number(status) === 400).length >= bad.length,
    );
  });

  it('so are the console, credentials and files [D-856]', async () => {
    const answers = [
      await consoleCall(service.baseUrl, 'POST', '/accounts', { cookie, body: { id: 4711, name: '😀' } }),
      await consoleCall(service.baseUrl, 'GET', `/accounts?q=${encodeURIComponent('😀')}`, { cookie }),
      await exchange(`${service.baseUrl}/v1/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: basic('😀', '😀') },
      }),
    ];
    for (const { status, text } of answers) assert.ok(status >= 400 && status < 500, `${status} ${text}`);
    const account = { id: 4712, name: 'Ω' };
    const { code, stderr } = await commandHere(['apply', writeCatalogue({ accounts: [account] })], env);
    assert.equal(code, 1);
    assert.match(stderr, /U\+03A9 that the store cannot hold/);
    assert.doesNotMatch(stderr, /should not have happened/);
  });
});

describe('a store that exists in SQL_ASCII', { skip }, () => {
  it('is served with a warning, and gives every text back as it was sent [D-856]', async () => {
    const store = await storeIn('SQL_ASCII');
    const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
    const client = await prepareFeedback(env);
    const service = await startProcess(env);
    try {
      assert.match(service.output(), /Warning: The database has the encoding SQL_ASCII/);
      const token = await tokenFor(service.baseUrl, client);
      for (const [index, text] of unholdable.entries())
        assert.equal((await postResponse(service.baseUrl, token, `r-${index}-${text}`, text)).status, 200);
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      const { text } = await exchange(
        `${service.baseUrl}/v1/projects/3223/data?from=2026-01-15&to=2026-01-15`,
        { headers },
      );
      for (const one of unholdable) assert.ok(text.includes(one), text);
      const user = await exchange(`${service.baseUrl}/scim/v2/Users`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/scim+json' },
        body: JSON.stringify(standardUser('Ω-😀', { displayName: '很好' })),
      });
      assert.equal(user.status, 201, user.text);
      const filter = encodeURIComponent('userName eq "ω-😀"');
      const found = await exchange(`${service.baseUrl}/scim/v2/Users?filter=${filter}`, { headers });
      assert.equal(found.body.totalResults, 1, found.text);
    } finally {
      assert.equal(await service.stop(), 0);
      await store.dispose();
    }
  });
});

describe('a role that may not do what the service must', { skip }, () => {
  const role = `r_${randomUUID().replaceAll('-', '')}`;
  const owner = `o_${role}`;
  const commands = [['serve', '--port', '0'], ['migrate'], ['client', 'list']];
  let store: TestStore;
  let database: string;

  before(async () => {
    store = await databaseIn('UTF8');
    database = new URL(store.databaseUrl).pathname.slice(1);
    await asked(postgresUrl(), `create role ${role} login`, `create role ${owner}`);
    await asked(store.databaseUrl, 'revoke create on schema public from public');
  });
  after(async () => {
    await store?.dispose();
    await asked(postgresUrl(), `drop role if exists ${role}`, `drop role if exists ${owner}`);
  });

  /** The commands are refused, and work when the statements that they name have been run. */
  async function refusedUntilGranted(rights: RegExp, ofServer = false): Promise<void> {
    const env = { DATABASE_URL: addressOf(database, role), SOUNDINGS_START_PATIENCE_SECONDS: '30' };
    let grants = '';
    for (const args of commands) {
      const { code, stderr } = await soundings(args, env);
      assert.equal(code, 1, stderr);
      assert.match(stderr, rights);
      grants = /database run: (.*)$/m.exec(stderr)?.[1] ?? '';
    }
    assert.match((await commandHere(['doctor'], env)).stdout, rights);
    await asked(ofServer ? postgresUrl() : store.databaseUrl, grants);
  }

  it('create on the schema: which, on what, and the statement that grants it [D-857]', async () => {
    await refusedUntilGranted(/usage and create on the schema public/);
    assert.equal((await soundings(['migrate'], { DATABASE_URL: addressOf(database, role) })).code, 0);
  });

  it('the tables of a store that somebody else has made [D-857]', async () => {
    await asked(
      store.databaseUrl,
      `do $$ declare t record; begin
        for t in select tablename from pg_tables where schemaname = 'public' loop
          execute format('alter table %I owner to ${owner}', t.tablename);
        end loop; end $$`,
    );
    await refusedUntilGranted(/select, insert, update and delete on the tables .* and \d+ more/);
    assert.equal((await soundings(['client', 'list'], { DATABASE_URL: addressOf(database, role) })).code, 0);
  });

  it('connect on the database [D-857]', async () => {
    await asked(postgresUrl(), `revoke connect on database ${database} from public`);
    await refusedUntilGranted(/connect on the database/, true);
    assert.equal((await soundings(['client', 'list'], { DATABASE_URL: addressOf(database, role) })).code, 0);
  });
});
