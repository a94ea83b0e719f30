// Two accounts in one store. For a caller of the one, nothing of the other exists: not found or absent, never
// forbidden, and never in the words of an answer or a log line.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Answer, exchange, tellingPart } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import {
  type ApiClientCredentials,
  createClient,
  type Service,
  setUp,
  tokenFor,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const sharedKey = 500;
const sharedProject = 50;
const ownKey = 100;
const foreignKey = 900;
const foreignProject = 77;
const nobodysKey = 901;
const nobodysProject = 78;
const range = 'from=2026-03-01&to=2026-03-31';

/** Everything of an account carries its mark, so that a leak is a word to look for. */
function account(id: number, mark: string, keys: readonly number[], projects: readonly number[]): object {
  const surveys = (name: string, isPublic = false): object[] => [
    {
      id: `${mark}-${name}`,
      modelInstanceId: `${mark}-model-${name}`,
      public: isPublic,
      questions: [{ id: 'Q', name: `${mark} question`, responseType: 'TEXT' }],
    },
  ];
  return {
    id,
    name: `${mark} account`,
    measures: keys.map((key) => ({
      key,
      name: `${mark} measure ${key}`,
      surveys: surveys(`measure-${key}`),
    })),
    projects: projects.map((project) => ({
      id: project,
      name: `${mark} project ${project}`,
      siteKey: `${mark}-site-${project}`,
      surveys: surveys(`project-${project}`, true),
    })),
  };
}

for (const engine of engines) {
  describe(`two accounts on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let env: Record<string, string>;
    let own: ApiClientCredentials;
    let foreign: ApiClientCredentials;
    let token: string;
    let foreignToken: string;

    before(async () => {
      store = await engine.readyStore();
      env = {
        DATABASE_URL: store.databaseUrl,
        ...patience,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_LOG_LEVEL: 'trace',
      };
      const accounts = [
        account(1, 'mine', [ownKey, sharedKey], [sharedProject]),
        account(2, 'theirs', [sharedKey, foreignKey], [sharedProject, foreignProject]),
      ];
      await setUp(['apply', writeCatalogue({ accounts })], env);
      [own, foreign, service] = await Promise.all([
        createClient(env, 1),
        createClient(env, 2),
        startService(env),
      ]);
      token = await tokenFor(service.baseUrl, own);
      foreignToken = await tokenFor(service.baseUrl, foreign);
      for (const [sender, mark] of [
        [token, 'mine'],
        [foreignToken, 'theirs'],
      ] as const) {
        const sent = await Promise.all(
          [`${mark}-measure-${sharedKey}`, `${mark}-project-${sharedProject}`].map((survey) =>
            ingest(survey, sender, { responseId: `${survey}-1`, responses: { Q: [`${mark} answer`] } }),
          ),
        );
        assert.deepEqual(
          sent.map(({ status }) => status),
          [200, 200],
        );
      }
      await ingest(`theirs-measure-${foreignKey}`, foreignToken, { responses: { Q: ['theirs answer'] } });
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const get = (path: string, bearer = token, headers: Record<string, string> = {}): Promise<Answer> =>
      exchange(service.baseUrl + path, {
        headers: { authorization: `Bearer ${bearer}`, accept: 'application/json', ...headers },
      });
    const ingest = (surveyDefinitionId: string, bearer: string | null, more: object = {}): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify({ surveyDefinitionId, submissionTimestamp: '2026-03-10T12:00:00Z', ...more }),
      });
    const assertNoWordOfThem = ({ text, headers }: Answer): void =>
      assert.doesNotMatch(`${text} ${JSON.stringify(headers)}`, /theirs/);
    /** The answer with the number that was asked for taken out of its words. */
    const without = (number: number, answer: Answer): unknown =>
      JSON.parse(JSON.stringify(tellingPart(answer)).replaceAll(String(number), 'N'));

    it('lists hold what is the own account’s and no word of another’s [D-10]', async () => {
      const measures = await get('/v1/measures');
      const { items } = measures.body as { items: { id: number; name: string }[] };
      assert.deepEqual(
        items.map(({ id, name }) => [id, name]),
        [
          [ownKey, `mine measure ${ownKey}`],
          [sharedKey, `mine measure ${sharedKey}`],
        ],
      );
      const projects = await get('/v1/projects');
      assert.deepEqual(
        (JSON.parse(projects.text) as { id: number; name: string }[]).map(({ id, name }) => [id, name]),
        [[sharedProject, `mine project ${sharedProject}`]],
      );
      for (const answer of [measures, projects]) assertNoWordOfThem(answer);
    });

    it('no page of a list goes over into another account [D-10]', async () => {
      for (let offset = 0; offset < 5; offset += 1) {
        const answer = await get(`/v1/measures?limit=1&offset=${offset}`);
        assert.equal(answer.status, 200);
        assert.equal((answer.body.items as unknown[]).length, offset < 2 ? 1 : 0);
        assert.equal(answer.body.hasMore, offset === 0);
        assertNoWordOfThem(answer);
      }
    });

    it('a number that both accounts use means the own thing to each, in definition and data [D-10] [D-47]', async () => {
      for (const [bearer, mark, other] of [
        [token, 'mine', /theirs/],
        [foreignToken, 'theirs', /mine/],
      ] as const) {
        for (const path of [
          `/v1/measures/${sharedKey}/definition`,
          `/v1/measures/${sharedKey}/data?${range}`,
          `/v1/projects/${sharedProject}/definition`,
          `/v1/projects/${sharedProject}/data?${range}`,
        ]) {
          const answer = await get(path, bearer);
          assert.equal(answer.status, 200, path);
          assert.match(answer.text, new RegExp(mark), path);
          assert.doesNotMatch(answer.text, other, path);
          if (path.includes('/data')) assert.equal(answer.body.total, 1, path);
        }
      }
    });

    it('what another account has is answered like what nobody has: not found, never forbidden [D-10]', async () => {
      for (const [path, theirs, nobodys] of [
        ['/v1/measures/N/definition', foreignKey, nobodysKey],
        [`/v1/measures/N/data?${range}`, foreignKey, nobodysKey],
        ['/v1/projects/N/definition', foreignProject, nobodysProject],
        [`/v1/projects/N/data?${range}`, foreignProject, nobodysProject],
      ] as const) {
        const ofTheirs = await get(path.replace('N', String(theirs)));
        const ofNobody = await get(path.replace('N', String(nobodys)));
        assert.equal(ofTheirs.status, 404, path);
        assert.deepEqual(without(theirs, ofTheirs), without(nobodys, ofNobody), path);
        assertNoWordOfThem(ofTheirs);
        // For those who have it, it is there.
        assert.equal((await get(path.replace('N', String(theirs)), foreignToken)).status, 200, path);
      }
    });

    it('faults of form are the same for a foreign thing and for none [D-10] [D-24b]', async () => {
      for (const query of ['', '?from=2026-03-01', '?from=x&to=y', `?${range}&nonsense=1`]) {
        const ofTheirs = await get(`/v1/measures/${foreignKey}/data${query}`);
        const ofNobody = await get(`/v1/measures/${nobodysKey}/data${query}`);
        assert.equal(ofTheirs.status, 400);
        assert.deepEqual(without(foreignKey, ofTheirs), without(nobodysKey, ofNobody));
      }
    });

    it('a response to a survey of another account is not found, public or not, and not kept [D-10] [D-12]', async () => {
      const totals = async (): Promise<unknown[]> =>
        Promise.all(
          [
            `/v1/measures/${foreignKey}/data?${range}`,
            `/v1/measures/${sharedKey}/data?${range}`,
            `/v1/projects/${sharedProject}/data?${range}`,
          ].map(async (path) => (await get(path, foreignToken)).body.total),
        );
      const beforehand = await totals();
      const unknown = await ingest('nobodys-survey', token);
      assert.equal(unknown.status, 404);
      for (const survey of [
        `theirs-measure-${foreignKey}`,
        `theirs-measure-${sharedKey}`,
        `theirs-project-${sharedProject}`,
      ]) {
        for (const more of [
          {},
          { isTest: true },
          { responses: { Q: ['x'] } },
          { responses: { nonsense: ['x'] } },
        ]) {
          const answer = await ingest(survey, token, more);
          assert.deepEqual(tellingPart(answer), tellingPart(unknown));
          assertNoWordOfThem(answer);
        }
      }
      assert.deepEqual(await totals(), beforehand);
    });

    it('a responseId that another account has used is free, and tells nothing of theirs [D-10] [D-41]', async () => {
      const responseId = `theirs-measure-${sharedKey}-1`;
      const answer = await ingest(`mine-measure-${ownKey}`, token, {
        responseId,
        responses: { Q: ['mine answer'] },
      });
      assert.equal(answer.status, 200);
      const mine = await get(`/v1/measures/${ownKey}/data?${range}`);
      assert.equal(mine.body.total, 1);
      assert.match(mine.text, /mine answer/);
      assert.doesNotMatch(mine.text, /theirs answer/);
      const theirs = await get(`/v1/measures/${sharedKey}/data?${range}`, foreignToken);
      assert.match(theirs.text, /theirs answer/);
      assert.doesNotMatch(theirs.text, /mine/);
    });

    it('the token alone says whose caller it is: no header and no parameter speaks for another account [D-10] [D-24]', async () => {
      const plain = tellingPart(await get('/v1/measures'));
      const claims = {
        'x-account-id': '2',
        'x-client-id': foreign.clientId,
        'x-forwarded-user': foreign.clientId,
        cookie: 'account=2',
      };
      assert.deepEqual(tellingPart(await get('/v1/measures', token, claims)), plain);
      for (const name of ['account', 'accountId', 'account_id', 'clientId', 'client_id', 'tenant']) {
        const answer = await get(`/v1/measures?${name}=2`);
        assert.equal(answer.status, 400);
        assertNoWordOfThem(answer);
      }
    });

    it('taking everything from the one account leaves the other untouched [D-10]', async () => {
      const loser = await createClient(env, 2);
      const losing = await tokenFor(service.baseUrl, loser);
      await setUp(['client', 'disable', loser.clientId], env);
      await setUp(['apply', writeCatalogue({ accounts: [{ id: 2, name: 'theirs, renamed' }] })], env);
      assert.notEqual(losing, token);
      const { status, body } = await get('/v1/measures');
      assert.equal(status, 200);
      assert.equal((body.items as unknown[]).length, 2);
    });

    it('the command line lists the clients of the account it is asked for [D-10]', async () => {
      const listed = JSON.parse(await setUp(['client', 'list', '--account', '1', '--json'], env)) as {
        clientId: string;
        accountId: number;
      }[];
      assert.deepEqual(
        listed.map(({ clientId, accountId }) => [clientId, accountId]),
        [[own.clientId, 1]],
      );
    });

    it('the log of a caller’s requests names its own account and nothing of another [D-10]', async () => {
      const lines = service
        .output()
        .split('\n')
        // The last one may not be there whole yet.
        .slice(0, -1)
        .filter((line) => line.includes(own.clientId))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.ok(lines.length > 10);
      for (const line of lines) {
        assert.equal(line.accountId, 1);
        assert.doesNotMatch(JSON.stringify(line), /theirs|mine answer/);
      }
      assert.doesNotMatch(service.output(), /theirs|mine answer/);
    });
  });
}
