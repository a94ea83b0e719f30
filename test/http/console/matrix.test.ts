// Every endpoint of the console, as the service itself lists them, against everybody who might call it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import {
  type VisitorAside,
  type VisitorKind,
  visitorKinds,
  visitorsAside,
} from '../../support/console-roles.ts';
import { consoleTable, exemptFromOrigin, openPages, type Row } from '../../support/console-table.ts';
import { type DeclaredRoute, declaredRoutes } from '../../support/declared-routes.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange, tellingPart } from '../../support/exchange.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const everything = await declaredRoutes();
const isForPeople = ({ callers }: DeclaredRoute): boolean =>
  callers === 'signingIn' || callers === 'signedIn';
const ofConsole = everything.filter(isForPeople);
const isChanging = ({ method }: DeclaredRoute): boolean => method !== 'GET';

describe('the endpoints of the console', () => {
  it('each has a row that says who may call it, and no row is left over', () => {
    assert.deepEqual(ofConsole.map(({ name }) => name).toSorted(), Object.keys(consoleTable).toSorted());
  });

  it('those that take changes from elsewhere, and pages that anyone may open, are known by name', () => {
    assert.deepEqual(
      ofConsole
        .filter((route) => route.isExemptFromOrigin)
        .map(({ name }) => name)
        .toSorted(),
      exemptFromOrigin.toSorted(),
    );
    assert.deepEqual(
      everything
        .filter((route) => route.path.startsWith('/console') && !isForPeople(route))
        .map(({ name }) => name)
        .toSorted(),
      openPages.toSorted(),
    );
  });
});

for (const engine of engines) describe(`who may call what on ${engine.name}`, () => matrix(engine));

function matrix(engine: Engine): void {
  let context: ProvisioningService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const cookies = new Map<VisitorKind, string>();
  const planted: string[] = [];
  let provisioningToken = '';

  before(async () => {
    context = await startProvisioning(engine);
    const url = context.store.databaseUrl;
    people = await visitorsAside(url, 1, 'canary');
    const others = await visitorsAside(url, 2, 'foreign');
    for (const kind of visitorKinds) cookies.set(kind, await people[kind].newCookie());
    for (const [account, mark, cookie] of [
      [1, 'canary', cookies.get('admin')!],
      [2, 'foreign', await others.admin.newCookie()],
    ] as const) {
      await storeRows(url, `update account set name = '${mark} account' where id = ${account}`);
      const make = async (path: string, body: object) =>
        (await consoleCall(context.service.baseUrl, 'POST', path, { cookie, body })).body;
      const client = await make('/api-clients', { name: `${mark} client` });
      const token = await make('/provisioning-tokens', { name: `${mark} token` });
      await make('/groups', { displayName: `${mark} group` });
      const secret = randomBytes(24).toString('base64url');
      const connection = {
        name: `${mark} connection`,
        issuer: 'https://login.example',
        clientId: 'id',
        secret,
      };
      await make('/connections', connection);
      planted.push(secret);
      planted.push(String(client.clientSecret), String(token.token));
      if (mark === 'canary') provisioningToken = String(token.token);
    }
    const hashes = await storeRows(url, 'select secret_hash as hash from api_client');
    const sessions = await storeRows(url, 'select token_hash as hash from session');
    const [store] = await storeRows(url, 'select secret_key from store');
    planted.push(...[...hashes, ...sessions].map(({ hash }) => String(hash)), String(store!.secret_key));
    planted.push(...[...cookies.values()].map((cookie) => cookie.slice(cookie.indexOf('.') + 1)));
  });
  after(() => context?.close());

  const pathOf = ({ path }: DeclaredRoute, { params = {}, query = '' }: Partial<Row> = {}): string =>
    path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? 'nobody') + query;
  const send = (
    route: DeclaredRoute,
    row: Partial<Row>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> =>
    exchange(context.service.baseUrl + pathOf(route, row), {
      method: route.method,
      headers: { ...(row.body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(row.body === undefined ? {} : { body: JSON.stringify(row.body) }),
    });
  const fromPage = { 'sec-fetch-site': 'same-origin' };
  const assertDiscreet = (answer: Answer, what: string): void => {
    const { headers, text } = answer;
    assert.equal(headers['cache-control'], 'no-store', what);
    assert.match(String(headers['x-request-id']), /^[\w-]{20,}$/, what);
    const { 'set-cookie': _cookie, ...others } = headers;
    const whole = text + JSON.stringify(others);
    for (const secret of planted) assert.ok(!whole.includes(secret), `${what} shows a secret`);
    assert.doesNotMatch(
      answer.text,
      what.startsWith('GET /console/api/accounts') ? /foreign-/ : /foreign/,
      what,
    );
  };

  it('a role opens exactly its endpoints; whoever is refused sees nothing of the account; no answer shows a secret or is kept', async () => {
    const unseen = new Set(
      Object.entries(consoleTable).flatMap(([name, { shows }]) => (shows === undefined ? [] : [name])),
    );
    for (const route of ofConsole) {
      const row = consoleTable[route.name]!;
      const statuses = [row.status].flat();
      for (const kind of ['signed out', ...visitorKinds] as const) {
        const what = `${route.name} for ${kind}`;
        const cookie = kind === 'signed out' ? {} : { cookie: cookies.get(kind)! };
        const answer = await send(route, row, { ...fromPage, ...cookie });
        assertDiscreet(answer, what);
        const mayCall = row.who === 'anyone' || (kind !== 'signed out' && row.who.includes(kind));
        if (mayCall) {
          assert.ok(statuses.includes(answer.status), `${what}: ${answer.status} ${answer.text}`);
          if (row.shows !== undefined) {
            assert.ok(answer.text.includes(row.shows), what);
            unseen.delete(route.name);
          }
          if (row.spendsSession === true && kind !== 'signed out')
            cookies.set(kind, await people[kind].newCookie());
          continue;
        }
        const wanted = kind === 'signed out' ? [401, 'SIGN_IN_REQUIRED'] : [403, 'ABILITY_MISSING'];
        assert.deepEqual([answer.status, answer.body.code], wanted, `${what}: ${answer.text}`);
        assert.equal(answer.body.requestId, answer.headers['x-request-id'], what);
        assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /canary/, what);
      }
    }
    assert.deepEqual([...unseen], []);
  });

  it('a change from another origin, or from no page at all, is refused everywhere before anything is looked at', async () => {
    for (const route of ofConsole.filter(isChanging)) {
      const row = consoleTable[route.name]!;
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
      ] as readonly Readonly<Record<string, string>>[])
        for (const cookie of [{}, { cookie: cookies.get('operator inside')! }]) {
          const { status, body, text } = await send(route, row, { ...headers, ...cookie });
          const isRefused = status === 403 && body.code === 'FOREIGN_ORIGIN';
          assert.equal(isRefused, !exemptFromOrigin.includes(route.name), `${route.name}: ${status} ${text}`);
        }
    }
    assert.equal((await send(ofConsole[0]!, {}, { cookie: cookies.get('operator inside')! })).status, 200);
  });

  it('tokens of API clients and identity providers open nothing of the console', async () => {
    for (const route of ofConsole) {
      const row = consoleTable[route.name]!;
      const without = await send(route, row, fromPage);
      for (const token of [context.token, provisioningToken]) {
        const answer = await send(route, row, { ...fromPage, authorization: `Bearer ${token}` });
        if (route.callers === 'signedIn')
          assert.deepEqual([answer.status, answer.body.code], [401, 'SIGN_IN_REQUIRED'], route.name);
        else assert.equal(answer.status, without.status, route.name);
      }
    }
  });

  it('the cookie opens nothing of the interface: every answer is as without it', async () => {
    const ofInterface = everything.filter(({ path }) => /^\/(v1|scim)\//.test(path));
    assert.ok(ofInterface.length > 40);
    for (const route of ofInterface) {
      const headers = { accept: '*/*', ...fromPage };
      const without = await send(route, {}, headers);
      for (const kind of ['admin', 'operator inside'] as const) {
        const answer = await send(route, {}, { ...headers, cookie: cookies.get(kind)! });
        assert.deepEqual(tellingPart(answer), tellingPart(without), route.name);
      }
      if (route.callers === 'grant') assert.equal(without.status, 401, `${route.name}: ${without.text}`);
    }
  });
}
