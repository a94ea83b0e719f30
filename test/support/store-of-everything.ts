// A store in which a release has left some of everything that can lie in one: responses in full and open blocks, erased
// and emptied ones, a roll-up that is half way, people with every way of signing in, tokens, connections, webhooks with
// open deliveries, refused responses, revoked invitations, shared views. Filled through commands and HTTP alone, so that
// every release fills it with its own rows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../src/store/engine/dialect.ts';
import { steps } from '../../src/store/engine/migrations/steps.ts';
import { postgresDialect } from '../../src/store/engine/postgres/dialect-postgres.ts';
import { sqliteDialect } from '../../src/store/engine/sqlite/dialect-sqlite.ts';
import { Authenticator } from './authenticator.ts';
import { writeCatalogue } from './catalogue.ts';
import { consoleCall, cookieSetBy } from './console.ts';
import { exchange } from './exchange.ts';
import { post, standardOf } from './kept-store.ts';
import { PasskeyBrowser } from './passkeys.ts';
import { group, make, standardUser } from './scim.ts';
import {
  type ApiClientCredentials,
  commandHereOk,
  createClient,
  type ServiceProcess,
  tokenFor,
  until,
} from './service.ts';
import { type Shape, shapeOf } from './shape.ts';
import { storeRows } from './store-rows.ts';
import { temporaryFile, temporaryFolder } from './temporary-file.ts';
import { type Message, Receiver } from './webhook-receiver.ts';

export const everythingAccount = 4003;
/** Two full blocks, and some rows behind them. */
export const everythingResponses = 530;
export const everythingPassword = 'seven herons cross the estuary';

/** What a service needs to serve it. */
export const everythingSettings = { SOUNDINGS_THROTTLE: 'off', SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.0/8' };

const satisfaction = {
  id: 'L-SAT',
  name: 'Satisfaction',
  type: 'SATISFACTION',
  questions: [{ id: 'Q-SAT', name: 'How satisfied are you?', scale: { min: 1, max: 10 }, required: true }],
};
const words = { id: 'Q-WORDS', name: 'What would you change?', responseType: 'TEXT_AREA', maxLength: 500 };
const parameters = {
  custom: [{ id: 'CPP-CUSTOMER', name: 'customer' }],
  external: [{ id: 'EPP-TIER', name: 'tier' }],
};

export const everythingCatalogue = {
  accounts: [
    {
      id: everythingAccount,
      name: 'Heron',
      measures: [
        {
          key: 800,
          name: 'Shop',
          surveys: [
            {
              id: 'heron-shop',
              version: 1,
              current: true,
              latents: [satisfaction],
              questions: [words],
              parameters,
            },
          ],
        },
        {
          key: 801,
          name: 'Visits',
          retainDays: 30,
          surveys: [
            { id: 'heron-visits', version: 1, current: true, latents: [satisfaction], questions: [words] },
          ],
        },
      ],
      projects: [
        {
          id: 810,
          name: 'Stores',
          siteKey: 'heron-stores',
          status: 'ACTIVE',
          surveys: [
            {
              id: 'heron-invited',
              version: 2,
              current: true,
              quarantine: true,
              questions: [
                {
                  id: 'Q-STARS',
                  name: 'How was it?',
                  responseType: 'STAR_RATING',
                  scale: { min: 1, max: 5 },
                  required: true,
                },
                words,
              ],
              parameters: { custom: parameters.custom },
            },
            {
              id: 'heron-public',
              version: 1,
              public: true,
              title: 'Our stores',
              language: 'en',
              questions: [
                {
                  id: 'Q-STARS',
                  name: 'How was it?',
                  responseType: 'STAR_RATING',
                  scale: { min: 1, max: 5 },
                  required: true,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

export interface EverythingView {
  readonly clients: readonly ApiClientCredentials[];
  readonly provisioningToken: string;
  readonly operatorPassword: string;
  readonly viewCode: string;
  readonly revokedLink: string;
  readonly openLink: string;
  /** How many rows of the account each table has, where it has some. */
  readonly rows: Readonly<Record<string, number>>;
}

/** What is taken from what commands print. */
interface Said {
  readonly id: string;
  readonly token: string;
  readonly secret: string;
  readonly url: string;
}

export interface Filled {
  readonly view: EverythingView;
  /** What each command printed with --json, and each webhook message held, as names and types. */
  readonly commands: Readonly<Record<string, Shape>>;
  readonly messages: Readonly<Record<string, Shape>>;
  /** The first line of each file that the service writes. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** Fills it; the last service is killed, so that work stays half done. */
export async function fillWithEverything(
  databaseUrl: string,
  start: (env: Readonly<Record<string, string>>) => Promise<ServiceProcess>,
): Promise<Filled> {
  const env = { DATABASE_URL: databaseUrl, ...everythingSettings };
  const account = ['--account', String(everythingAccount)];
  const commands: Record<string, Shape> = {};
  const run = async (verb: string, ...args: readonly string[]): Promise<Said> => {
    const printed = await commandHereOk([...verb.split(' '), ...args, '--json'], env);
    const said = jsonOf(printed) as Said;
    commands[verb] = shapeOf(said);
    return said;
  };

  await run('apply', writeCatalogue(everythingCatalogue));
  await run('maintenance', 'on');
  await run('maintenance', 'off');
  const clients = [
    await createClient(env, everythingAccount),
    await createClient(env, everythingAccount, ['r_cx_measures']),
  ];
  await run('client create', ...account, '--name', 'shown once');
  await run('client list');
  await run('client disable', clients[1]!.clientId);

  const receiver = new Receiver('takes');
  const url = await receiver.start();
  const hook = await run('webhook create', ...account, '--name', 'warehouse', '--url', url);
  let service = await start(env);
  try {
    const token = await tokenFor(service.baseUrl, clients[0]!);

    // Responses: full blocks and an open one, erased by hand, emptied by retention, refused ones.
    for (let index = 0; index < everythingResponses; index += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => post(service, token, shopResponse(index + at))),
      );
    for (let index = 0; index < 40; index += 1)
      await post(service, token, visitResponse(index, '2025-05-04T08:00:00Z'));
    await run('epp', externalParametersFile(), ...account);
    for (const index of [3, 300, 525]) await run('erase', ...account, '--response', `shop-${index}`);
    await run('retention run', ...account);
    for (let index = 40; index < 50; index += 1)
      await post(service, token, visitResponse(index, new Date().toISOString()));
    for (let index = 0; index < 5; index += 1) await refuse(service, token, index);
    await run('refused list', ...account);
    await run('refused counts', ...account);
    await run('insight status');
    await run('insight verify', ...account);

    // People: provisioned, invited, with roles of their own and by groups, and every way of signing in.
    const connection = await run(
      'connection create',
      ...account,
      '--name',
      'Heron ID',
      '--issuer',
      'https://login.heron.example',
      '--client-id',
      'soundings',
    );
    await run('connection list', ...account);
    const tokenMade = await run(
      'provisioning-token create',
      ...account,
      '--name',
      'Heron ID',
      '--connection',
      connection.id,
      '--days',
      '3650',
    );
    await run('provisioning-token create', ...account, '--name', 'read', '--read-only');
    await run('provisioning-token list', ...account);
    const scim = standardOf(service, tokenMade.token);
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const name = { givenName: 'Ibis', familyName: `Number ${index}` };
      ids.push(
        (await make(scim, '/Users', standardUser(`ibis-${index}`, { name, externalId: `ibis-e-${index}` })))
          .id,
      );
    }
    await make(scim, '/Groups', group('CX team', ids.slice(0, 4)));
    await make(scim, '/Groups', group('Admins', ids.slice(4, 6)));
    assert.equal((await scim('DELETE', `/Users/${ids[11]}`)).status, 204);
    await run('group roles', 'CX team', ...account, '--grant', 'analyst');
    await run('group roles', 'Admins', ...account, '--grant', 'admin');
    await run('group list', ...account);
    await run('role values', ...account, '--set', 'CX Viewer=viewer');
    await run('user suspend', 'ibis-e-10', ...account);
    for (const [role, index] of [
      ['viewer', 6],
      ['editor', 7],
      ['identity', 8],
      ['admin', 9],
    ] as const)
      await run('user roles', `ibis-e-${index}`, ...account, '--grant', role);
    await run('user list', ...account);
    await run('user show', 'ibis-e-9', ...account);
    const invited = await run(
      'user invite',
      ...account,
      '--user-name',
      'ada',
      '--external-id',
      'ada-e',
      '--email',
      'ada@heron.example',
    );
    await run('user link', 'ibis-e-6', ...account);
    await run('setup-link create', ...account, '--kind', 'okta');
    await run('setup-link list', ...account);
    await run('scim log', ...account);

    const operator = await run('operator create', 'olga');
    const operatorCookie = await signInByLink(service, operator);
    await setPassword(service, operatorCookie);
    const passkeys = new PasskeyBrowser(service.baseUrl);
    const added = await passkeys.add(
      operatorCookie,
      new Authenticator(service.baseUrl.replace('127.0.0.1', 'localhost')),
    );
    assert.equal(added.status, 201, added.text);
    await run('operator list');
    const ada = await signInByLink(service, invited);
    await setPassword(service, ada);
    await run('user roles', 'ada-e', ...account, '--grant', 'analyst');
    await run('user sessions', 'ada-e', ...account);
    const made = await consoleCall(service.baseUrl, 'POST', '/views', {
      cookie: ada,
      body: { name: 'May', kind: 'measure', key: 800, from: '2025-05-01', to: '2025-05-31' },
    });
    assert.equal(made.status, 201, made.text);
    await run('view list', ...account);

    // Invitations, one of them revoked; a page; a key rotated.
    const links = await invite(env);
    await run('invitation revoke', 'heron-invited', links[0]!.invitationId);
    await run('invitation revoked', ...account);
    await run('share', 'heron-public', '--url', 'https://feedback.heron.example');
    await run('keys list');
    await run('audit', ...account);
    await run('account list');
    await run('account guard', String(everythingAccount));
    await run('config');
    await run('migrate', '--status');

    const columns = await columnsOf(service, token, operatorCookie);
    await untilReceived(receiver, hook.secret);
    const messages = shapesOfMessages(receiver.messages(hook.secret));
    await run('webhook list', ...account);

    // From here on nobody takes messages, so that deliveries stay open.
    receiver.behaviour = 'refuses';
    await post(service, token, shopResponse(10_000));
    const countOf = async (rows: string): Promise<number> =>
      Number((await storeRows(databaseUrl, `select count(*) as number from ${rows}`))[0]!.number);
    await until(
      () => countOf(`webhook_delivery where account_id = ${everythingAccount}`),
      (deliveries) => deliveries > 0,
      120_000,
    );
    // And the service is killed before it has added the newest up.
    for (let round = 1; ; round += 1) {
      assert.ok(round < 40, 'the service was always quicker than its end');
      await Promise.all(
        Array.from({ length: 30 }, (_, at) => post(service, token, shopResponse(10_000 + round * 30 + at))),
      );
      await service.kill();
      const behind = await countOf(`insight_cursor join log_counter using (account_id, source_id)
        where account_id = ${everythingAccount} and insight_cursor.rolled_seq < log_counter.last_seq`);
      if (behind > 0) break;
      service = await start(env);
    }
    await run('webhook deliveries', hook.id, ...account);
    return {
      commands,
      messages,
      columns,
      view: {
        clients,
        provisioningToken: tokenMade.token,
        operatorPassword: everythingPassword,
        viewCode: new URL(String(made.body.url)).hash.slice(1),
        revokedLink: links[0]!.link,
        openLink: links[1]!.link,
        rows: await rowsOfAccount(databaseUrl),
      },
    };
  } finally {
    await service.kill();
    receiver.stop();
  }
}

/** What a command printed: one document, or one on each line. */
function jsonOf(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

export function shopResponse(index: number): object {
  return {
    surveyDefinitionId: 'heron-shop',
    responseId: `shop-${index}`,
    submissionTimestamp: `2025-05-${String((index % 31) + 1).padStart(2, '0')}T10:00:00Z`,
    responses: { 'Q-SAT': [String((index % 10) + 1)], 'Q-WORDS': [`more herons, said customer ${index}`] },
    cpps: { properties: { customer: [`C-${index}`] } },
  };
}

function visitResponse(index: number, submissionTimestamp: string): object {
  return {
    surveyDefinitionId: 'heron-visits',
    responseId: `visit-${index}`,
    submissionTimestamp,
    responses: { 'Q-SAT': [String((index % 10) + 1)], 'Q-WORDS': [`seen on visit ${index}`] },
  };
}

async function refuse(service: ServiceProcess, token: string, index: number): Promise<void> {
  const answer = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      surveyDefinitionId: 'heron-invited',
      responseId: `refused-${index}`,
      responses: { 'Q-STARS': ['9'] },
    }),
  });
  assert.equal(answer.status, 400, answer.text);
}

function externalParametersFile(): string {
  const lines = Array.from(
    { length: 20 },
    (_, index) => `shop-${index + 10},${index % 2 === 0 ? 'gold' : 'silver'}`,
  );
  return temporaryFile('external.csv', `responseId,tier\n${lines.join('\n')}\n`);
}

async function signInByLink(service: ServiceProcess, { url }: Said): Promise<string> {
  const code = new URL(url).hash.slice(1);
  const answer = await consoleCall(service.baseUrl, 'POST', '/sign-in/link', { body: { code } });
  assert.equal(answer.status, 200, answer.text);
  return cookieSetBy(answer)!;
}

async function setPassword(service: ServiceProcess, cookie: string): Promise<void> {
  const body = { password: everythingPassword };
  const answer = await consoleCall(service.baseUrl, 'PUT', '/me/password', { cookie, body });
  assert.equal(answer.status, 204, answer.text);
}

interface InvitationLine {
  readonly invitationId: string;
  readonly link: string;
}

async function invite(env: Readonly<Record<string, string>>): Promise<readonly InvitationLine[]> {
  const list = temporaryFile('list.csv', 'customer\nC-1\nC-2\nC-3\n');
  const out = join(temporaryFolder(), 'links.csv');
  const url = 'https://feedback.heron.example';
  await commandHereOk(['invite', 'heron-invited', list, '--days', '400', '--url', url, '--out', out], env);
  const [head = '', ...lines] = readFileSync(out, 'utf8').trimEnd().split(/\r?\n/);
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return {
      invitationId: cells[columns.indexOf('invitationId')]!,
      link: cells[columns.indexOf('link')]!,
    };
  });
}

const messageTypes = [
  'response.created',
  'response.changed',
  'response.erased',
  'user.created',
  'user.suspended',
  'user.deleted',
];

async function untilReceived(receiver: Receiver, secret: string): Promise<void> {
  await until(
    async () => new Set(receiver.messages(secret).map(({ type }) => type)),
    (types) => messageTypes.every((type) => types.has(type)),
    120_000,
  );
}

async function columnsOf(
  service: ServiceProcess,
  token: string,
  operator: string,
): Promise<Record<string, readonly string[]>> {
  const range = 'from=2025-05-01&to=2025-05-31';
  const entered = await consoleCall(service.baseUrl, 'PUT', '/session/account', {
    cookie: operator,
    body: { accountId: everythingAccount },
  });
  assert.equal(entered.status, 204, entered.text);
  const asOperator = { 'sec-fetch-site': 'same-origin', cookie: cookieSetBy(entered) ?? operator };
  const asClient = { authorization: `Bearer ${token}`, accept: 'text/csv' };
  const files: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
    ['/console/api/audit.csv', asOperator],
    [`/console/api/measures/800/comments.csv?${range}`, asOperator],
    [`/v1/measures/800/export?format=csv&${range}`, asClient],
    [`/v1/projects/810/export?format=csv&${range}`, asClient],
  ];
  const columns: Record<string, readonly string[]> = {};
  for (const [path, headers] of files) {
    const answer = await exchange(`${service.baseUrl}${path}`, { headers });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    columns[path] = answer.text
      .split(/\r?\n/)[0]!
      .replace(/^\uFEFF/, '')
      .split(',');
  }
  return columns;
}

function shapesOfMessages(messages: readonly Message[]): Record<string, Shape> {
  const byType = Map.groupBy(messages, ({ type }) => type);
  return Object.fromEntries(
    [...byType].sort().map(([type, some]) => [type, (shapeOf(some) as { items: Shape }).items]),
  );
}

/** How many rows of the account each table has, where it has some. */
export async function rowsOfAccount(databaseUrl: string): Promise<Record<string, number>> {
  const tablesOf = ({ types }: Dialect): readonly string[] =>
    steps.flatMap((step) =>
      step.statements(types).flatMap((text) => {
        const name = text.match(/^create table (?:if not exists )?(\w+)/)?.[1];
        return name !== undefined && /^ *account_id /m.test(text) ? [name] : [];
      }),
    );
  // How parts of names are found is a matter of the engine.
  const tables = new Set(tablesOf(postgresDialect)).intersection(new Set(tablesOf(sqliteDialect)));
  const counts: Record<string, number> = {};
  for (const table of [...tables].sort()) {
    const [row] = await storeRows(
      databaseUrl,
      `select count(*) as rows from ${table} where account_id = ${everythingAccount}`,
    );
    if (Number(row!.rows) > 0) counts[table] = Number(row!.rows);
  }
  return counts;
}
