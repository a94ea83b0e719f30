// What nobody may find afterwards: a run with the log at its loudest, in which every place that a caller can write to
// holds a secret, and every kind of failure happens.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { engines, type TestStore } from '../support/engines.ts';
import { basic, type Exchange, exchange } from '../support/exchange.ts';
import { postResponse, prepareFeedback, projectId, surveyId } from '../support/feedback.ts';
import { sendRaw } from '../support/raw-http.ts';
import {
  type ApiClientCredentials,
  type ServiceProcess,
  soundings,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows, storeSecrets } from '../support/store-rows.ts';
import { holdWriteLock } from '../support/write-lock.ts';

for (const engine of engines) {
  describe(`secrets on ${engine.name}`, () => {
    let store: TestStore;
    let service: ServiceProcess;
    let client: ApiClientCredentials;
    let token: string;
    let headers: Readonly<Record<string, string>>;
    /** Every secret that was planted, with the place it was planted in. */
    const planted = new Map<string, string>();
    /** Every answer that was an error, as it came. */
    const errors: string[] = [];
    const statuses = new Set<number>();

    /** A secret that is in no other place. */
    const canary = (place: string): string => {
      const secret = `canary${randomUUID().replaceAll('-', '')}`;
      planted.set(secret, place);
      // It would be as telling in another spelling.
      planted.set(Buffer.from(secret).toString('base64').slice(0, 48), `${place} in base64`);
      return secret;
    };

    before(async () => {
      store = await engine.readyStore();
      const address = new URL(store.databaseUrl.replace(/^sqlite:/, 'sqlite://'));
      const isPostgres = engine.name === 'postgres';
      if (isPostgres) address.password = canary('DATABASE_URL');
      const env = {
        DATABASE_URL: isPostgres ? address.href : store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_STORE_TIMEOUT_MS: '1500',
        SOUNDINGS_LOG_LEVEL: 'trace',
      };
      client = await prepareFeedback(env);
      service = await startProcess(env);
      service.expectErrors('STORE_TIMEOUT', 'STORE_UNREACHABLE', 'STORE_DAMAGED', 'INTERNAL_ERROR');
      // The store loses tables while it works.
      service.expectErrors('BACKGROUND_TASK_FAILED');
      token = await tokenFor(service.baseUrl, client);
      headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      planted.set(client.clientSecret, 'a client secret');
      planted.set(basic(client.clientId, client.clientSecret).slice(6, 60), 'Basic credentials');
      planted.set(token, 'an access token');
      planted.set(token.split('.')[2]!, 'the signature of an access token');
      const { keys } = await storeSecrets(store.databaseUrl);
      for (const { secret } of keys) planted.set(secret, 'a signing key');
      const [identity] = await storeRows(store.databaseUrl, 'select secret_key from store');
      planted.set(String(identity?.secret_key), 'the key of the secrets');
      for (const row of await storeRows(store.databaseUrl, 'select secret_hash from api_client'))
        planted.set(String(row.secret_hash), 'the hash of a client secret');
    });
    after(async () => {
      await service?.kill();
      await store?.dispose();
    });

    async function send(path: string, options: Exchange = {}): Promise<number> {
      const answer = await exchange(service.baseUrl + path, options);
      statuses.add(answer.status);
      if (answer.status >= 400) errors.push(`${JSON.stringify(answer.headers)}\n${answer.text}`);
      return answer.status;
    }

    async function sendBytes(bytes: string): Promise<void> {
      const { text, statuses: seen } = await sendRaw(service.baseUrl, bytes);
      for (const status of seen) statuses.add(status);
      errors.push(text);
    }

    const json = (body: unknown): Exchange => ({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

    /** Requests of every kind, right and wrong, with a secret in every place. */
    async function sendEverything(): Promise<void> {
      const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();
      const form = (values: Record<string, string>, more = {}): Exchange => ({
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
        body: query(values),
      });
      const grant = { grant_type: 'client_credentials', scope: 'r_cx_basic' };
      const typed = { 'content-type': 'text/plain' };
      const post = (authorization: string): Exchange => ({
        method: 'POST',
        headers: { ...typed, authorization },
      });

      // Credentials.
      await send(`/v1/token?${query(grant)}`, post(basic(canary('Basic id'), canary('Basic secret'))));
      await send(`/v1/token?${query(grant)}`, post(basic(client.clientId, canary('wrong secret'))));
      await send(`/v1/token?${query(grant)}`, post(`Basic ${canary('Basic that is none')}`));
      await send(`/v1/token?${query(grant)}`, post(`Bearer ${canary('Bearer for Basic')}`));
      await send(`/v1/token?${query(grant)}`, post(basic(`a\0${canary('Basic id with NUL')}`, 'b')));
      await send(
        '/v1/token',
        form({ ...grant, client_id: canary('form id'), client_secret: canary('form secret') }),
      );
      await send(
        '/v1/token',
        form({ ...grant, client_id: client.clientId, client_secret: canary('form secret') }),
      );
      await send(
        '/v1/token',
        form(
          { ...grant, client_secret: canary('two ways') },
          { authorization: basic('a', canary('two ways')) },
        ),
      );
      await send(
        `/v1/token?${query({ ...grant, client_secret: canary('secret in the query') })}`,
        post(basic('a', 'b')),
      );
      const right = basic(client.clientId, client.clientSecret);
      await send(
        `/v1/token?${query({ grant_type: canary('grant_type'), scope: 'r_cx_basic' })}`,
        post(right),
      );
      await send(`/v1/token?${query({ ...grant, scope: canary('scope') })}`, post(right));
      await send(`/v1/token?${query({ ...grant, surplus: canary('unknown parameter') })}`, post(right));
      await send('/v1/token', {
        method: 'POST',
        headers: { authorization: right, ...typed },
        body: canary('text body'),
      });
      await send('/v1/measures', { headers: { ...headers, authorization: `Bearer ${canary('Bearer')}` } });
      await send('/v1/measures', {
        headers: { ...headers, authorization: `Bearer ${token}${canary('Bearer')}` },
      });
      await send('/v1/measures', { headers: { ...headers, authorization: canary('Authorization') } });

      // Addresses, parameters and headers.
      await send(`/${canary('path')}`);
      await send(`/v1/measures/${canary('measure key')}/definition`, { headers });
      await send(`/v1/projects/${canary('project id')}/data?from=2026-01-01&to=2026-01-02`, { headers });
      await send(`/v1/projects/${projectId}/data?from=${canary('from')}&to=${canary('to')}`, { headers });
      await send(`/v1/projects/${projectId}/data?from=2026-01-01&to=2026-01-02&limit=${canary('limit')}`, {
        headers,
      });
      await send(`/v1/measures?limit=${canary('limit')}&offset=${canary('offset')}`, { headers });
      await send(`/v1/measures?surplus=${canary('unknown parameter')}`, { headers });
      await send(`/scim/v2/${canary('scim path')}?filter=${canary('filter')}`, { headers });
      await send(`/livez?token=${canary('parameter of /livez')}`);
      const everyHeader = Object.fromEntries(
        [
          'cookie',
          'x-api-key',
          'x-auth-token',
          'proxy-authorization',
          'referer',
          'origin',
          'user-agent',
          'x-forwarded-for',
          'x-forwarded-host',
          'forwarded',
          'x-request-id',
          'traceparent',
          'if-match',
          'if-none-match',
          'accept-language',
          'accept-encoding',
          'host',
          'from',
        ].map((name) => [name, canary(`the header ${name}`)]),
      );
      await send('/v1/measures', { headers: { ...headers, ...everyHeader } });
      await send('/v1/nothing', { headers: everyHeader });
      await send('/v1/measures', { headers: { ...headers, accept: `application/${canary('Accept')}` } });
      await send('/v1/measures', { method: 'DELETE', headers: everyHeader });

      // Bodies: right ones hold what people said, wrong ones whatever.
      await postResponse(service.baseUrl, token, randomUUID(), canary('an answer'));
      const full = {
        surveyDefinitionId: surveyId,
        url: `https://shop.example/?session=${canary('url')}`,
        locale: canary('locale'),
        referrer: canary('referrer'),
        referrerUrl: canary('referrerUrl'),
        pageVisits: canary('pageVisits'),
        deviceDetails: { browser: canary('browser'), wurflId: canary('wurflId') },
        integrations: { googleAnalyticsId: canary('googleAnalyticsId') },
        responses: { 'Q-STARS': ['5'], 'Q-TEXT': [canary('open text')] },
        cpps: {
          properties: { basket: [canary('property')] },
          data: { customer: canary('data') },
        },
      };
      await send('/v1/surveys/ingestion', json(full));
      const responseId = canary('responseId');
      await send('/v1/surveys/ingestion', json({ ...full, responseId }));
      await send('/v1/surveys/ingestion', json({ ...full, responseId, locale: 'other' }));
      await send(
        '/v1/surveys/ingestion',
        json({ ...full, surveyDefinitionId: canary('surveyDefinitionId') }),
      );
      await send(
        '/v1/surveys/ingestion',
        json({ ...full, responses: { 'Q-STARS': [canary('wrong answer')] } }),
      );
      await send('/v1/surveys/ingestion', json({ ...full, submissionTimestamp: canary('timestamp') }));
      await send(
        '/v1/surveys/ingestion',
        json({ ...full, isTest: canary('isTest'), completionTimeInMs: canary('ms') }),
      );
      await send('/v1/surveys/ingestion', json(`{"surveyDefinitionId":"${canary('broken JSON')}`));
      await send('/v1/surveys/ingestion', json(`{"a":"${canary('NUL')}\\u0000"}`));
      await send('/v1/surveys/ingestion', json(`{"__proto__":"${canary('__proto__')}"}`));
      await send('/v1/surveys/ingestion', json(`"${canary('large')}${'x'.repeat(300_000)}"`));
      await send('/v1/surveys/ingestion', {
        ...json(full),
        headers: { ...headers, 'content-type': `text/${canary('Content-Type')}` },
      });
      await send('/v1/surveys/ingestion', { ...json(full), headers: { 'content-type': 'application/json' } });

      // Bytes that are no request.
      await sendBytes(`${canary('method')} / HTTP/1.1\r\n\r\n`);
      await sendBytes(`GET /${canary('target')}\0 HTTP/1.1\r\nHost: a\r\n\r\n`);
      await sendBytes(`GET /%zz${canary('undecodable target')} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await sendBytes(
        `GET / HTTP/1.1\r\nHost: ${canary('first Host')}\r\nHost: ${canary('second Host')}\r\n\r\n`,
      );
      await sendBytes(
        `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${canary('header')}\r\nX Y: b\r\n\r\n`,
      );
      await sendBytes(
        `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${canary('long header')}${'x'.repeat(40_000)}\r\n\r\n`,
      );
      await sendBytes(
        `POST /v1/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;${canary('chunk')}\r\nabcdefg`,
      );
      await sendBytes(
        `POST /v1/token HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n${canary('short body')}`,
      );
    }

    it('are planted in every place, in good times and while the store fails', {
      timeout: 120_000,
    }, async () => {
      await sendEverything();
      for (const status of [200, 400, 401, 404, 405, 406, 409, 413, 415])
        assert.ok(statuses.has(status), String(status));

      // A store that keeps us waiting.
      const letGo = await block(store.databaseUrl);
      await until(
        () => postResponse(service.baseUrl, token, randomUUID(), canary('answer to a blocked store')),
        ({ status }) => status === 502,
      );
      await send(
        '/v1/surveys/ingestion',
        json({
          surveyDefinitionId: surveyId,
          responses: { 'Q-STARS': ['5'], 'Q-TEXT': [canary('blocked')] },
        }),
      );
      await letGo();
      assert.ok(statuses.has(502));

      // A store that is not what it should be.
      await damage(store.databaseUrl);
      await until(
        () => send('/v1/measures', { headers }),
        (status) => status >= 500,
      );
      await sendEverything();
      assert.ok(statuses.has(500) || statuses.has(502));
    });

    it('stand in no line of the log, which is JSON from end to end', async () => {
      const output = service.output();
      const leaked = [...planted].filter(([secret]) => output.includes(secret)).map(([, place]) => place);
      assert.deepEqual(leaked, []);
      const lines = output.trim().split('\n');
      assert.ok(lines.length > 100);
      for (const line of lines) JSON.parse(line);
      assert.match(output, /"level":50/);
    });

    it('stand in no error, neither body nor header [D-23]', () => {
      assert.ok(errors.length > 60, String(errors.length));
      const leaked = [...planted].filter(([secret]) => errors.some((text) => text.includes(secret)));
      assert.deepEqual(
        leaked.map(([, place]) => place),
        [],
      );
    });

    it('no SQL, no stack and no file name leaves the process [D-23]', () => {
      const internals =
        /\b(select|insert|update|delete) .*\b(from|into|set)\b|sqlite|postgres|\brelation\b|\.ts\b|\.js\b|\.db\b|node:|node_modules|\/tmp|\/src\/|\bat \S+ \(|:\d+:\d+\)|ECONN|errcode|constraint/i;
      assert.deepEqual(
        errors.filter((text) => internals.test(text)),
        [],
      );
    });

    it('an error of ours is found in the log by its request id [D-23]', async () => {
      const failed = errors.filter((text) => /INTERNAL_ERROR|STORE_/.test(text)).at(-1) ?? '';
      const [, id = 'none'] = failed.match(/"x-request-id":"([^"]+)"/) ?? [];
      // The log is read through a pipe, which may be behind the answer.
      await until(
        async () => service.output(),
        (output) => output.includes(id),
      );
    });
  });

  /** Keeps every change from being made. */
  async function block(databaseUrl: string): Promise<() => Promise<void>> {
    if (engine.name === 'sqlite') {
      const lock = await holdWriteLock(databaseUrl);
      return () => lock.release();
    }
    const connection = new pg.Client({ connectionString: databaseUrl });
    await connection.connect();
    const tables = await connection.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const names = tables.rows.map(({ name }) => name).join(', ');
    await connection.query(`begin; lock table ${names} in share row exclusive mode`);
    return () => connection.end();
  }

  /** Makes questions fail in ways that nobody foresaw. */
  async function damage(databaseUrl: string): Promise<void> {
    if (engine.name === 'postgres') {
      await storeRows(databaseUrl, 'drop table heartbeat, api_client, signing_key, source cascade');
      return;
    }
    const path = databaseUrl.slice('sqlite:'.length);
    // As long as it was: a file that was cut short is another fault (D-835).
    for (const file of [path, `${path}-wal`])
      writeFileSync(file, Buffer.alloc(statSync(file).size, 'This is no database any more. '), {
        flag: 'r+',
      });
  }
}

describe('an address of the store that does not work', () => {
  it('is told without its password', async () => {
    const secret = `canary${randomUUID()}`;
    const { code, stdout, stderr } = await soundings(['serve', '--port', '0'], {
      DATABASE_URL: `postgres://someone:${secret}@127.0.0.1:1/nothing?password=${secret}`,
      SOUNDINGS_LOG_LEVEL: 'trace',
      SOUNDINGS_START_PATIENCE_SECONDS: '1',
    });
    assert.notEqual(code, 0);
    assert.ok(!`${stdout}${stderr}`.includes(secret), stderr);
  });
});
