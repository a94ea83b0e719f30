// Every operation judges in one order: who asks (401, 403), with which parameters (400), and whether it is there (404). Everything
// that is asked for here is not there, so whatever is answered before 404 was judged before it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { documentedOperations, type Operation } from '../../support/api-document.ts';
import { consoleCall, operatorAside, sessionAside } from '../../support/console.ts';
import { apiDocuments } from '../../support/declared-operations.ts';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme as accountId, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { groupSchema, patchSchema, userSchema } from '../../support/schema-urns.ts';
import { addUsers } from '../../support/user-population.ts';

/** Digits that a number loses: they are told as they were asked for. */
const large = '9007199254740993';
const beyondInt64 = '9223372036854775808';

const operations = apiDocuments
  .flatMap(documentedOperations)
  .filter(({ path, responses }) => path.includes('{') && '404' in responses);

const queries: Readonly<Record<string, string>> = {
  from: '2026-03-01',
  to: '2026-03-31',
  by: 'device',
  format: 'ndjson',
};

/** Wrong values of parameters that are judged beyond their type. */
const wrongQueries: readonly Readonly<Record<string, string>>[] = [
  { from: '2026-03-31', to: '2026-03-01' },
  { from: '2026-02-30' },
  { filter: 'nonsense' },
  { cursor: 'nonsense' },
  { by: 'nonsense' },
  { limit: '0' },
  { after: 'nonsense' },
  { compare: 'nonsense' },
];

const user = {
  schemas: [userSchema],
  userName: 'nobody',
  name: {},
  emails: [{ value: 'nobody@x.example' }],
  meta: {},
};
const long = 'x'.repeat(3_000);
const patch = {
  schemas: [patchSchema],
  Operations: [{ op: 'replace', path: 'displayName', value: 'x' }],
};

/** A body that is right, then those that are wrong in a way that their type does not tell. */
const bodies: Readonly<Record<string, readonly unknown[]>> = {
  createInvitations: [{ invitations: [{}] }],
  revokeInvitations: [{ invitationIds: ['01234567-89ab-4def-8123-456789abcdef'] }],
  replaceUser: [user, { ...user, userName: '' }, { ...user, userName: long }],
  patchUser: [
    { schemas: [patchSchema], operations: [{ op: 'replace', path: 'userName', value: 'x' }] },
    { schemas: [patchSchema], operations: [{ op: 'replace', path: 'nonsense[', value: 'x' }] },
  ],
  scimReplaceUser: [user, { ...user, userName: '' }, { ...user, userName: long }],
  scimPatchUser: [patch, { ...patch, Operations: [{ op: 'replace', path: 'nonsense[', value: 'x' }] }],
  scimReplaceGroup: [
    { schemas: [groupSchema], displayName: 'x' },
    { schemas: [groupSchema], displayName: '' },
    { schemas: [groupSchema], displayName: long },
  ],
  scimPatchGroup: [patch, { ...patch, Operations: [{ op: 'move', path: 'displayName', value: 'x' }] }],
  setApiClientGrants: [{ scopes: ['r_cx_users'] }, { scopes: ['nonsense'] }],
  setUserActive: [{ active: true }],
  changeGroup: [{ displayName: 'x' }, { add: ['nonsense'] }],
  renameMyPasskey: [{ name: 'x' }, { name: ' ' }],
  changeConnection: [{ name: 'x' }, { issuer: 'nonsense' }],
  setUserConnection: [{ connectionId: null }],
  closeMeasureSurvey: [{ closed: true }],
  closeProjectSurvey: [{ closed: true }],
  changeAccount: [{ name: 'x' }, { name: ' ' }],
  removeAccount: [{ confirm: large }, { confirm: 'nonsense' }],
  replayWebhook: [{}],
};

/** Lines are judged by the names that the measure or the survey declares: nothing can be said of them before. */
const lists: Readonly<Record<string, string>> = {
  appendExternalParameters: 'responseId,tier\nx,gold\n',
  inviteMeasure: 'store_id\n12\n',
  inviteProject: 'store_id\n12\n',
};

for (const engine of engines)
  describe(`the order of judging on ${engine.name} [D-888]`, () => {
    let service: FeedbackService;
    let token: string;
    let tokenWithout: string;
    let cookie: string;
    let cookieWithout: string;
    let view: string;
    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: { SOUNDINGS_THROTTLE: 'off' },
      });
      token = await service.token(accountId);
      tokenWithout = await service.token(accountId, []);
      cookie = await operatorAside(service.databaseUrl, { enteredAccountId: accountId });
      const [personId = 0] = await addUsers(service.databaseUrl, accountId, [
        { userName: 'without', externalId: 'without', active: true },
      ]);
      cookieWithout = await sessionAside(service.databaseUrl, { accountId, personId });
      const made = await consoleCall(service.baseUrl, 'POST', '/views', {
        cookie,
        body: {
          name: 'v',
          kind: 'measure',
          key: feedbackCatalogue.accounts[0]!.measures[0]!.key,
          from: queries.from,
          to: queries.to,
        },
      });
      view = String(made.body.url).split('#')[1]!;
    });
    after(() => service?.stop());

    const schemeOf = ({ security }: Operation): string => Object.keys(security[0] ?? {})[0] ?? 'nobody';

    function credentialsOf(
      operation: Operation,
      who: 'right' | 'without' | 'nobody',
    ): Record<string, string> {
      const fromPage = operation.path.includes('/api/') ? { 'sec-fetch-site': 'same-origin' } : {};
      if (who === 'nobody') return fromPage;
      switch (schemeOf(operation)) {
        case 'session':
          return { ...fromPage, cookie: who === 'right' ? cookie : cookieWithout };
        case 'sharedView':
          return { ...fromPage, 'soundings-view': view };
        case 'nobody':
          return fromPage;
        default:
          return { authorization: `Bearer ${who === 'right' ? token : tokenWithout}` };
      }
    }

    interface Asked {
      readonly who?: 'right' | 'without' | 'nobody';
      readonly id?: string;
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }

    function ask(operation: Operation, { who = 'right', id, query = {}, body }: Asked = {}): Promise<Answer> {
      const { operationId, method, path, parameters, requestBody } = operation;
      const isInteger = (name: string): boolean =>
        (parameters.find((one) => one.name === name) as unknown as { schema: { type?: string } }).schema
          .type === 'integer';
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        if (name === 'role') return 'viewer';
        if (name === 'measurementKey' || /^(?:edited|plan|publish)Measure/.test(operationId))
          return id ?? '999';
        return isInteger(name) ? (id ?? large) : '999';
      });
      const required = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
      const asked = new URLSearchParams(Object.fromEntries(required.map((name) => [name, queries[name]!])));
      for (const [name, value] of Object.entries(query)) asked.set(name, value);
      const [type] = Object.keys(requestBody?.content ?? {});
      const right = lists[operationId] ?? bodies[operationId]?.[0];
      assert.ok(type === undefined || right !== undefined, `${operationId} has no body here`);
      const sent = body === undefined ? right : body;
      return exchange(`${service.baseUrl}${address}${asked.size === 0 ? '' : `?${asked}`}`, {
        method,
        headers: {
          accept: '*/*',
          ...credentialsOf(operation, who),
          ...(type === undefined
            ? {}
            : { 'content-type': lists[operationId] === undefined ? type : 'text/csv' }),
        },
        ...(type === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
      });
    }

    /** What is wrong with a request, in each way that the operation can tell. */
    function wrongsOf({ operationId, path, parameters, requestBody }: Operation): readonly Asked[] {
      const names = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name));
      const isScim = path.startsWith('/scim/');
      const wrong = wrongQueries.filter(
        // What the pages of a timeline go on behind is any text.
        (one) =>
          !isScim && operationId !== 'getUserTimeline' && Object.keys(one).every((name) => names.has(name)),
      );
      const [type] = Object.keys(requestBody?.content ?? {});
      const isJson = type !== undefined && lists[operationId] === undefined;
      return [
        ...wrong.map((query) => ({ query })),
        ...(isScim ? [] : [{ query: { nonsense: '1' } }]),
        ...(isJson ? [{ body: '[]' }, { body: '{' }] : []),
        ...(isJson ? (bodies[operationId] ?? []).slice(1).map((body) => ({ body })) : []),
      ];
    }

    it('whoever may not ask is told so, whatever is wrong beside it', async () => {
      const told: string[] = [];
      for (const operation of operations) {
        // Whoever has no link of a shared view is told that there is none: the link is its address.
        if (['nobody', 'sharedView'].includes(schemeOf(operation))) continue;
        for (const wrong of [{}, ...wrongsOf(operation)]) {
          const of = `${operation.operationId} ${JSON.stringify(wrong)}`;
          const { status } = await ask(operation, { ...wrong, who: 'nobody' });
          if (status !== 401) told.push(`${status} without credentials: ${of}`);
          // What is their own is asked for by everybody who is signed in.
          if (operation.path.includes('/me/')) continue;
          const forbidden = await ask(operation, { ...wrong, who: 'without' });
          if (forbidden.status !== 403) told.push(`${forbidden.status} without rights: ${of}`);
        }
      }
      assert.deepEqual(told, []);
    });

    it('what is wrong with the parameters is told before that there is no such thing', async () => {
      const told: string[] = [];
      for (const operation of operations)
        for (const wrong of wrongsOf(operation)) {
          const { status, text } = await ask(operation, wrong);
          // A shared view fixes its days and its filter: that others may not be asked for is about who asks.
          const isFixed = schemeOf(operation) === 'sharedView' && status === 403;
          if (status !== 400 && !isFixed)
            told.push(`${status}: ${operation.operationId} ${JSON.stringify(wrong)} ${text.slice(0, 200)}`);
        }
      assert.deepEqual(told, []);
    });

    it('what is not there is told with the digits that were asked for, and an id beyond int64 is a wrong parameter [D-800]', async () => {
      const told: string[] = [];
      for (const operation of operations) {
        const { operationId, path, parameters } = operation;
        const { status, text } = await ask(operation);
        // A role that nobody has is taken from nobody: so it is already.
        const expected = /^take(?:User|Group)Role$/.test(operationId) ? 204 : 404;
        if (status !== expected) told.push(`${status}: ${operationId} ${text.slice(0, 200)}`);
        const integer = parameters.find(
          (one) =>
            one.in === 'path' && (one as unknown as { schema: { type?: string } }).schema.type === 'integer',
        );
        if (integer === undefined) continue;
        const isMeasureKey = path.startsWith('/v1/measures/') || operationId === 'editedMeasure';
        for (const id of isMeasureKey ? ['0999'] : [large, '9223372036854775807', '0999']) {
          const unknown = await ask(operation, {
            id,
            ...(operationId === 'removeAccount' && { body: { confirm: String(BigInt(id)) } }),
          });
          if (unknown.status !== 404 || !unknown.text.includes(id))
            told.push(`${unknown.status}: ${operationId} ${id} ${unknown.text.slice(0, 200)}`);
        }
        const beyond = await ask(operation, { id: beyondInt64 });
        if (beyond.status !== 400) told.push(`${beyond.status}: ${operationId} beyond int64`);
      }
      assert.deepEqual(told, []);
    });
  });
