// What a fresh sign-in guards, and that no other road leads there with a session that is not fresh: no file with what people
// answered, and nothing that opens it later by itself. The pages of the console, a page at a time, are no such road.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appendComments, rollUpComments } from '../../support/comment-log.ts';
import {
  commentAcme,
  commentCatalogue,
  commentResponses,
  type SentResponse,
} from '../../support/comment-population.ts';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type DeclaredRoute, declaredRoutes } from '../../support/declared-routes.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

// The clock of the service stands still, that of the sessions does not.
const stale = 60 * 60_000;
const responsesSent = 600;
// The largest page of the lists of responses and comments.
const pageMax = 200;

const ofPeople = (await declaredRoutes()).filter(({ callers }) => callers === 'signedIn');
const guarded = ofPeople.filter(({ freshReason }) => freshReason !== null);
// What removes something comes last, so that the rest finds it.
const others = ofPeople
  .filter(({ freshReason }) => freshReason === null)
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** What the routes that nothing guards are sent, so that they do what they can. */
const bodies: Readonly<Record<string, unknown>> = {
  'PUT /console/api/session/account': { accountId: commentAcme },
  'POST /console/api/accounts': { id: 777_001, name: 'Another' },
  'PATCH /console/api/accounts/:accountId': { name: 'Renamed' },
  'POST /console/api/groups': { displayName: 'Made by a stale session' },
  'PATCH /console/api/groups/:id': { displayName: 'Renamed by a stale session' },
  'PATCH /console/api/users/:id': { active: true },
  'PATCH /console/api/me/passkeys/:id': { name: 'Renamed' },
  'POST /console/api/webhooks/:id/replay': {},
  'POST /console/api/refused/redrive': { surveyId: 'acme-1', cause: 'UNKNOWN' },
  'POST /console/api/starters/:name': { kind: 'measure', key: 21, name: 'Started' },
  'PUT /console/api/surveys/measures/:key/versions/:surveyId/closed': { closed: false },
  'PUT /console/api/surveys/projects/:key/versions/:surveyId/closed': { closed: false },
};
const someDays = 'from=2026-01-01&to=2026-06-30';
const queries: Readonly<Record<string, string>> = {
  'GET /console/api/refused/bodies': 'surveyId=acme-1&cause=UNKNOWN',
  'GET /console/api/surveys/free-key': 'kind=measure',
};
/** Files of figures, pictures and the audit log: none of them holds an answer of anybody. */
const otherFiles = others.filter(({ produces }) => produces.some((type) => type !== 'application/json'));

describe('the table of what a fresh sign-in guards', () => {
  it('names routes that there are, and every file that is not in it is known by name [D-821]', () => {
    // A row without a route would not have let the service start.
    assert.ok(guarded.length > 40);
    assert.deepEqual(
      others.flatMap(({ name, freshAtTimes }) => (freshAtTimes === null ? [] : [name])),
      ['PATCH /console/api/groups/:id'],
    );
    const figures = ['trend', 'distribution', 'breakdown'].flatMap((what) =>
      ['measures', 'projects'].map((kind) => `GET /console/api/${kind}/:key/${what}.csv`),
    );
    assert.deepEqual(
      otherFiles.map(({ name }) => name).toSorted(),
      [
        ...figures,
        'GET /console/api/measures/:key/drivers.csv',
        'GET /console/api/projects/:key/topics.csv',
        'GET /console/api/surveys/measures/:key/qr.svg',
        'GET /console/api/surveys/projects/:key/qr.svg',
        'GET /console/api/audit.csv',
      ].toSorted(),
    );
  });
});

for (const engine of engines)
  describe(`with a session that is not fresh on ${engine.name}`, () => roads(engine));

function roads(engine: Engine): void {
  let log: OpenedLog;
  let service: FeedbackService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  let sent: readonly SentResponse[];
  let params: Readonly<Record<string, string>>;

  before(async () => {
    log = await openFeedbackLog(engine, commentCatalogue);
    service = await startFeedback(engine, {
      catalogue: commentCatalogue,
      databaseUrl: log.databaseUrl,
      env: { SOUNDINGS_THROTTLE: 'off' },
    });
    service.nowMs = Date.now();
    sent = [
      ...commentResponses(commentAcme, 'measure', responsesSent),
      ...commentResponses(commentAcme, 'project', responsesSent),
    ];
    await appendComments(log, sent);
    await rollUpComments(log);
    people = await visitorsAside(service.databaseUrl, commentAcme, 'fresh');
    const cookie = await people.admin.newCookie();
    const make = async (path: string, body: object): Promise<Answer['body']> => {
      const answer = await consoleCall(service.baseUrl, 'POST', path, { cookie, body });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    const client = await make('/api-clients', { name: 'there' });
    const token = await make('/provisioning-tokens', { name: 'there' });
    const group = await make('/groups', { displayName: 'there' });
    const webhook = await make('/webhooks', { name: 'there', url: 'https://receiver.example/' });
    const view = await make('/views', { ...viewOf('measure'), name: 'there' });
    const issuer = 'https://login.example';
    const connection = await make('/connections', {
      name: 'there',
      issuer,
      clientId: 'id',
      secret: 'x'.repeat(20),
    });
    params = {
      accountId: String(commentAcme),
      clientId: String(client.clientId),
      tokenId: String(token.id ?? token.tokenId),
      role: 'viewer',
      name: 'nps',
      surveyId: 'acme-1',
      groupId: String(group.id),
      userId: String(people.none.id),
      webhookId: String(webhook.id),
      viewId: String(view.id),
      connectionId: String(connection.id),
    };
  });
  after(async () => {
    await service?.stop();
    await log?.dispose();
  });

  const viewOf = (kind: 'measure' | 'project') => ({
    name: 'stale',
    kind,
    key: kind === 'measure' ? 10 : 20,
    from: '2026-01-01',
    to: '2026-06-30',
  });

  const idOf = (path: string): string => {
    const [, , , area = ''] = path.split('/');
    const kinds: Readonly<Record<string, string>> = {
      users: 'userId',
      groups: 'groupId',
      webhooks: 'webhookId',
      views: 'viewId',
      connections: 'connectionId',
      providers: 'connectionId',
    };
    return params[kinds[area] ?? ''] ?? 'nobody';
  };
  const responseOf = (path: string): string =>
    String((path.includes('/measures/') ? sent.at(0) : sent.at(-1))!.body.responseId);
  const pathOf = ({ name, path }: DeclaredRoute, query: string): string => {
    const whole = path.replaceAll(/:([A-Za-z]+)/g, (_, part: string) =>
      part === 'key'
        ? path.includes('/measures/')
          ? '10'
          : '20'
        : part === 'responseId'
          ? responseOf(path)
          : part === 'id'
            ? idOf(path)
            : (params[part] ?? 'nobody'),
    );
    const asked = queries[name] ?? query;
    return asked === '' ? whole : `${whole}?${asked}`;
  };
  const send = (route: DeclaredRoute, cookie: string, query: string, body: unknown): Promise<Answer> =>
    exchange(service.baseUrl + pathOf(route, query), {
      method: route.method,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('each guarded route refuses whoever may call it, and with a fresh sign-in does not ask for one [D-821]', async () => {
    for (const route of guarded) {
      const { 'operator inside': operator } = people;
      const refused = await send(route, await operator.newCookie(stale), '', {});
      assert.deepEqual([refused.status, refused.body.code], [403, 'FRESH_SIGN_IN_REQUIRED'], route.name);
      if (route.method !== 'GET') continue;
      const head = await send({ ...route, method: 'HEAD' }, await operator.newCookie(stale), '', undefined);
      assert.equal(head.status, 403, route.name);
    }
    for (const route of guarded.filter(
      ({ freshReason }) => !['operation', 'destruction'].includes(freshReason!),
    )) {
      // Ids that nobody has: nothing is taken from the store that the next test looks at.
      const unknown = { ...route, path: route.path.replaceAll(/:(?!key)[A-Za-z]+/g, 'nobody') };
      const taken = await send(unknown, await people['operator inside'].newCookie(), '', undefined);
      assert.notEqual(taken.body.code, 'FRESH_SIGN_IN_REQUIRED', route.name);
    }
  });

  it('no other route gives a file with an answer, more than a page of answers, or anything that opens the interface [D-821]', async () => {
    // With what stands around an id, in JSON and in CSV: some ids begin with others.
    const ids = sent.map(({ body }) => new RegExp(`["/,\\n]${body.responseId}["/,\\n]`));
    const opened = new Set<string>();
    const harmless = new Set<string>();
    let answersSeen = 0;
    for (const kind of ['admin', 'operator inside'] as const) {
      let cookie = await people[kind].newCookie(stale);
      for (const route of others) {
        const isReading = route.method === 'GET';
        // A session that ended or changed its secret is followed by another.
        if (!isReading) cookie = await people[kind].newCookie(stale);
        for (const query of isReading ? ['', `${someDays}&by=device`, someDays, `limit=${pageMax}`] : ['']) {
          const what = `${route.name}?${query} for ${kind}`;
          const answer = await send(route, cookie, query, bodies[route.name]);
          if (answer.status >= 300) continue;
          opened.add(route.name);
          const shown = ids.filter((id) => id.test(answer.text)).length;
          answersSeen += shown;
          const isFile =
            answer.headers['content-disposition'] !== undefined ||
            !/json/.test(String(answer.headers['content-type'] ?? 'json'));
          assert.ok(shown <= (isFile ? 0 : pageMax), `${what} gives ${shown} answers`);
          for (const [name, text] of textsIn(answer.body)) {
            if (text.length < 16 || harmless.has(text)) continue;
            harmless.add(text);
            // The document of the interface describes secrets and holds none.
            if (!route.path.endsWith('openapi.json'))
              assert.doesNotMatch(name, /secret|password/i, `${what}: ${name}`);
            // The codes of one-time links, set-up links and shared views.
            assert.doesNotMatch(text, /#\d+\.[\w-]{43}/, `${what}: ${name}`);
            await assertOpensNothing(text, what);
          }
        }
        if (!isReading) cookie = await people[kind].newCookie(stale);
      }
    }
    // The walk has been through the lists of answers, and nearly every route did what it is for.
    assert.ok(answersSeen > 2 * pageMax);
    const idle = others.map(({ name }) => name).filter((name) => !opened.has(name));
    assert.deepEqual(idle.toSorted(), idleOnes.toSorted());
  });

  async function assertOpensNothing(text: string, what: string): Promise<void> {
    // Neither a sentence nor a word.
    if (!/^(?=.*\d)[\w.+/=-]{16,}$/.test(text)) return;
    for (const path of ['/v1/measures', '/v1/scim/Users']) {
      const { status } = await service.get(path, text, { accept: '*/*' });
      assert.equal(status, 401, `${what} answers something that opens ${path}`);
    }
  }

  it('comments that comments.csv refuses are not exported by a token either: none is made [D-820]', async () => {
    const made = async (): Promise<number> => {
      const counted = `select count(*) as made from audit where action = 'access-token.create'`;
      return Number((await storeRows(service.databaseUrl, counted))[0]?.made);
    };
    const before = await made();
    const cookie = await people.analyst.newCookie(stale);
    const file = await consoleCall(service.baseUrl, 'GET', '/measures/10/comments.csv', { cookie });
    const token = await consoleCall(service.baseUrl, 'POST', '/access-token', { cookie });
    for (const answer of [file, token])
      assert.deepEqual([answer.status, answer.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    assert.equal(await made(), before);
  });
}

/** What has nothing to do in this store: nobody's passkey, refusal or draft is there, and no test was made. */
const idleOnes: readonly string[] = [
  'GET /console/api/refused/bodies/:id',
  'GET /console/api/surveys/measures/:key/qr.svg',
  'GET /console/api/surveys/projects/:key/qr.svg',
  'PATCH /console/api/me/passkeys/:id',
  'POST /console/api/connections/:id/test-sign-in/result',
  'POST /console/api/refused/redrive',
  'POST /console/api/starters/:name',
  'POST /console/api/surveys/measures/:key/plan',
  'POST /console/api/surveys/measures/:key/publish',
  'POST /console/api/surveys/projects/:key/plan',
  'POST /console/api/surveys/projects/:key/publish',
  'PUT /console/api/surveys/measures/:key/versions/:surveyId/closed',
  'PUT /console/api/surveys/projects/:key/versions/:surveyId/closed',
];

function textsIn(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, Array.isArray(value) ? name : key));
}
