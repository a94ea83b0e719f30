// The client against the service: the token, what is tried again and what is not, faults, aborting, users and groups, figures.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { type ConnectOptions, connect, type Soundings, SoundingsError } from '../../client/index.ts';
import { engines } from '../support/engines.ts';
import { type Fate, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type ApiClientCredentials, createClient } from '../support/service.ts';

const grants = ['r_cx_measures', 'r_cx_projects', 'w_cx_responses', 'r_cx_users', 'w_cx_users'];
const range = { from: '2025-05-01', to: '2025-05-31' };
const responses = 200;
const users = 210;

for (const engine of engines)
  describe(`the client, ${engine.name}`, () => {
    let service: FeedbackService;
    let proxy: FaultyProxy;
    let credentials: ApiClientCredentials;
    let soundings: Soundings;

    const connected = (options: Partial<ConnectOptions> = {}): Soundings =>
      connect({ url: proxy.url, ...credentials, backoffMs: 1, ...options });

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      proxy = await startFaultyProxy(service.baseUrl);
      const env = { DATABASE_URL: service.databaseUrl };
      credentials = await createClient(env, acme, grants);
      soundings = connected();
      const beside = connect({ url: service.baseUrl, ...(await createClient(env, bolt, grants)) });
      await beside.users.create({ userName: 'user-7@acme.example' });
      await beside.send(response('bolt-web', 7));
    });
    afterEach(() => {
      proxy.decide = () => 'pass';
      proxy.seen.length = 0;
      mock.timers.reset();
    });
    after(async () => {
      proxy.close();
      await service.stop();
    });

    function response(surveyDefinitionId: string, index: number) {
      return {
        surveyDefinitionId,
        submissionTimestamp: `2025-05-${String(1 + (index % 28)).padStart(2, '0')}T10:00:00Z`,
        responses: {
          'Q-SAT-1': [String(1 + (index % 10))],
          ...(surveyDefinitionId === 'acme-web' ? found(index) : {}),
        },
      };
    }
    const found = (index: number): Record<string, string[]> =>
      index % 4 === 0 ? { 'Q-FOUND': ['A-NO'], 'Q-WHY': [`slow ${index}`] } : { 'Q-FOUND': ['A-YES'] };

    const tokensAsked = (): number => proxy.seen.filter(({ path }) => path.startsWith('/v1/token')).length;
    const callsSeen = (part: string): number => proxy.seen.filter(({ path }) => path.includes(part)).length;
    /** Each of these calls in its sequence; `pass` behind the last one. Others, such as one that was given up and comes late, pass. */
    const inSequence = (part: '/v1/projects' | '/scim/v2', ...fates: readonly Fate[]): void => {
      const left = [...fates];
      proxy.decide = ({ path }) => (path.startsWith(part) ? (left.shift() ?? 'pass') : 'pass');
    };
    const failing = async (work: Promise<unknown>): Promise<SoundingsError> => {
      const error = await work.then(
        () => null,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof SoundingsError, String(error));
      return error;
    };

    describe('the token', () => {
      it('is asked for once by 100 calls at once, and kept for those that follow', async () => {
        const one = connected();
        await Promise.all(Array.from({ length: 100 }, () => one.projects()));
        await one.projects();
        assert.equal(tokensAsked(), 1);
        assert.equal(callsSeen('/v1/projects'), 101);
      });

      it('is renewed once by 100 calls that are refused because it expired', async () => {
        const one = connected();
        await one.projects();
        service.pass(8 * 3_600_000);
        const lists = await Promise.all(Array.from({ length: 100 }, () => one.projects()));
        assert.ok(lists.every((list) => list.length === 4));
        assert.equal(tokensAsked(), 2);
      });

      it('is renewed before its end, by the clock of the caller', async () => {
        mock.timers.enable({ apis: ['Date'], now: Date.now() });
        const one = connected();
        await one.projects();
        mock.timers.setTime(Date.now() + (7_200 - 61) * 1_000);
        await one.projects();
        assert.equal(tokensAsked(), 1);
        mock.timers.setTime(Date.now() + 2_000);
        await one.projects();
        assert.equal(tokensAsked(), 2);
        // Nobody was refused for it.
        assert.equal(callsSeen('/v1/projects'), 3);
      });

      it('survives a bad network on its way, and a wrong secret is told at once', async () => {
        const fates: Fate[] = [
          'answer lost',
          { status: 503, headers: { 'retry-after': '0' } },
          'request lost',
        ];
        proxy.decide = () => fates.shift() ?? 'pass';
        assert.equal((await connected().projects()).length, 4);
        const wrong = connected({ clientSecret: 'wrong' });
        const error = await failing(Promise.all([wrong.projects(), wrong.projects()]));
        assert.equal(error.status, 401);
        assert.equal(error.code, 'INVALID_CLIENT');
      });

      it('may be given, or come from a function that is asked again when it was refused', async () => {
        const token = await service.token(acme);
        assert.equal(
          (await connected({ clientId: undefined, clientSecret: undefined, token }).projects()).length,
          4,
        );
        const handed = ['not a token', token];
        const one = connected({
          clientId: undefined,
          clientSecret: undefined,
          token: async () => handed.shift()!,
        });
        assert.equal((await one.projects()).length, 4);
        const stale = connected({ clientId: undefined, clientSecret: undefined, token: 'not a token' });
        assert.equal((await failing(stale.projects())).status, 401);
      });
    });

    describe('what is tried again', () => {
      it('waits as long as Retry-After says, in seconds and as a date by the clock of who wrote it', async () => {
        const hourAwayMs = Date.now() + 3_600_000;
        const date = (ms: number): string => new Date(ms).toUTCString();
        const waits = [
          { 'retry-after': '1' },
          { 'retry-after': date(hourAwayMs + 1_000), date: date(hourAwayMs) },
        ];
        const startedMs = performance.now();
        await Promise.all(
          waits.map(async (headers) => {
            inSequence('/v1/projects', { status: 503, headers });
            await connected().projects();
          }),
        );
        assert.ok(performance.now() - startedMs >= 1_000);
      });

      it('is given up at once if the service wants more time than there is', async () => {
        inSequence('/v1/projects', { status: 503, headers: { 'retry-after': '600' } });
        const error = await failing(soundings.projects());
        assert.equal(error.retryAfterMs, 600_000);
        assert.equal(callsSeen('/v1/projects'), 1);
      });

      it('is bounded in number and in time', async () => {
        proxy.decide = ({ path }) => (path.startsWith('/v1/token') ? 'pass' : { status: 502 });
        const error = await failing(soundings.projects({ tries: 3 }));
        assert.deepEqual([error.status, error.code], [502, 'HTTP_502']);
        assert.equal(callsSeen('/v1/projects'), 3);
        await failing(soundings.measure(700).definition({}, { totalMs: 40, tries: 10_000 }));
        assert.ok(callsSeen('/v1/measures') < 1_000);
      });

      it('is never a POST or a PATCH whose answer was lost, unless it was throttled [D-662]', async () => {
        const draft = { userName: 'lost@acme.example' };
        inSequence('/scim/v2', { status: 429, headers: { 'retry-after': '0' } }, 'answer lost');
        assert.equal((await failing(soundings.users.create(draft))).code, 'CONNECTION_LOST');
        assert.equal(callsSeen('/scim/v2/Users'), 2);
        const [user] = await soundings.users.list({ filter: 'userName eq "lost@acme.example"' }).all();
        inSequence('/scim/v2', { status: 503, headers: { 'retry-after': '0' } });
        const patched = soundings.users.patch(user!.id, [{ op: 'replace', path: 'active', value: false }]);
        assert.equal((await failing(patched)).status, 503);
        // A replacement is the same however often it is made, and so is a removal.
        inSequence('/scim/v2', 'answer lost', 'answer lost');
        assert.equal(
          (await soundings.users.replace(user!.id, { ...draft, displayName: 'Lost' })).displayName,
          'Lost',
        );
        inSequence('/scim/v2', 'answer lost');
        const conditional = soundings.users.replace(user!.id, draft, { ifMatch: user!.meta!.version });
        assert.equal((await failing(conditional)).code, 'CONNECTION_LOST');
        inSequence('/scim/v2', 'answer lost');
        await soundings.users.remove(user!.id);
        assert.equal((await failing(soundings.users.remove(user!.id))).status, 404);
      });

      it('follows nobody elsewhere [D-666]', async () => {
        inSequence('/v1/projects', { status: 307, headers: { location: 'http://127.0.0.1:9/' } });
        const error = await failing(soundings.projects());
        assert.deepEqual([error.status, error.code], [307, 'REDIRECTED']);
        assert.equal(callsSeen('/v1/projects'), 1);
      });
    });

    describe('an error', () => {
      it('has status, code, every fault and the id of the request', async () => {
        const error = await failing(
          soundings.send({
            surveyDefinitionId: 'acme-web',
            responses: { 'Q-SAT-1': ['11'], 'Q-NONE': ['1'] },
          }),
        );
        assert.deepEqual([error.status, error.code], [400, 'INVALID_RESPONSE']);
        assert.deepEqual(error.faults.map(({ field }) => field).toSorted(), [
          'responses.Q-FOUND',
          'responses.Q-NONE',
          'responses.Q-SAT-1[0]',
        ]);
        assert.match(error.requestId!, /\S/);
        assert.equal((await failing(soundings.measure(99).definition())).code, 'MEASURE_NOT_FOUND');
        assert.equal((await failing(soundings.project(99).definition())).status, 404);
        assert.equal((await failing(soundings.project(99).data(range).all())).code, 'HTTP_404');
        const twice = {
          surveyDefinitionId: 'acme-badge',
          responseId: 'twice',
          responses: { 'Q-STARS': ['1'] },
        };
        await soundings.send(twice);
        await soundings.send(twice);
        const conflict = failing(soundings.send({ ...twice, responses: { 'Q-STARS': ['2'] } }));
        assert.equal((await conflict).code, 'RESPONSE_CONFLICT');
      });

      it('is told before anything is asked where the options cannot be meant', () => {
        assert.throws(() => connect({ url: 'ftp://feedback.example' }), TypeError);
        assert.throws(() => connect({ url: 'https://feedback.example/?a=1' }), TypeError);
        assert.throws(() => connected({ clientSecret: undefined }), TypeError);
        assert.throws(() => soundings.measure(700).data({ ...range, limit: 0 }), RangeError);
        assert.throws(() => soundings.project(300).data({ ...range, skip: -1 }), RangeError);
      });
    });

    it('ends with the reason of its signal: before, during and between tries, in a feed and in an export', async () => {
      const reason = new Error('enough');
      await assert.rejects(soundings.projects({ signal: AbortSignal.abort(reason) }), reason);
      const between = new AbortController();
      proxy.decide = () => {
        setImmediate(() => between.abort(reason));
        return { status: 503, headers: { 'retry-after': '60' } };
      };
      await assert.rejects(soundings.projects({ signal: between.signal }), reason);
      proxy.decide = () => 'pass';
      const during = new AbortController();
      proxy.decide = ({ path }) => {
        if (path.includes('/changes')) setImmediate(() => during.abort(reason));
        return 'pass';
      };
      // It would wait for 20 seconds: nobody has answered this survey.
      const following = soundings.measure(701).changes({ follow: true }, { signal: during.signal });
      await assert.rejects(following.all(), reason);
      const exporting = new AbortController();
      const rows = soundings
        .measure(700)
        .exportFile({ ...range, format: 'csv' }, { signal: exporting.signal });
      await rows.next();
      exporting.abort(reason);
      await assert.rejects(async () => {
        for await (const _piece of rows);
      }, reason);
    });

    it('gives up on an answer that does not come', async () => {
      const silent: typeof fetch = (_input, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        });
      const one = connect({
        url: service.baseUrl,
        token: 'x',
        fetch: silent,
        attemptMs: 5,
        tries: 2,
        backoffMs: 1,
      });
      assert.equal((await failing(one.projects())).code, 'TIMED_OUT');
    });

    it('a follower hears of what happens, each once', async () => {
      const changes = soundings.measure(703).changes({ follow: true });
      const heard: string[] = [];
      const sent = (async () => {
        for (let index = 0; index < 20; index += 1)
          await soundings.send({ ...response('acme-public', index), responseId: `f-${index}` });
      })();
      for await (const change of changes) {
        assert.equal(change.type, 'response');
        if ('item' in change) heard.push(change.item.id);
        if (heard.length === 20) break;
      }
      await sent;
      assert.deepEqual(
        heard,
        Array.from({ length: 20 }, (_, index) => `f-${index}`),
      );
    });

    it('figures, comments and single responses are typed and right', async () => {
      const sent = await Promise.all(
        Array.from({ length: responses }, (_, index) => soundings.send(response('acme-web', index))),
      );
      const measure = soundings.measure(700);
      const [trend, distribution, drivers, breakdown] = await Promise.all([
        measure.trend({ ...range, unit: 'month' }),
        measure.distribution(range),
        measure.drivers(range),
        measure.breakdown({ ...range, by: 'question:Q-FOUND', within: 10_000 }),
      ]);
      assert.equal(trend.from, range.from);
      assert.ok(distribution.questions.length > 0);
      assert.equal(drivers.to, range.to);
      assert.equal(breakdown.complete, true);
      const comments = await measure.comments({ ...range, q: 'SLOW', limit: 7 }).all();
      assert.deepEqual(
        new Set(comments.map(({ text }) => text)),
        new Set(Array.from({ length: responses / 4 }, (_, index) => `slow ${index * 4}`)),
      );
      assert.equal(comments.length, responses / 4);
      const id = sent[4]!.responseId;
      assert.equal((await measure.response(id)).id, id);
      assert.equal((await measure.trace(id)).id, id);
      assert.ok((await measure.cost(range)).pages >= 2);
      assert.ok((await measure.digest(range)).items.length === 28);
      const external = await measure.addExternalParameters([{ responseId: id, loyalty_tier: 'gold' }]);
      assert.equal(external.changed, 1);
      const list = await soundings.measures({ limit: 2 }).all();
      assert.deepEqual(
        list.map((one) => one.id),
        [700, 701, 702, 703, 704],
      );
      assert.deepEqual(
        (await soundings.measures({ limit: 2, skip: 3 }).all()).map((one) => one.id),
        [703, 704],
      );
      const preview = await soundings.send({ ...response('acme-web', 1), isTest: true });
      assert.ok(preview.preview!.latentScores.length > 0);
    });

    it('users and groups are made, found, changed and removed, hundreds of them [D-665]', async () => {
      const operations = Array.from({ length: users }, (_, index) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${index}`,
        data: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName: `user-${index}@acme.example`,
          name: { givenName: `Given ${index % 7}` },
        },
      }));
      const made = await soundings.bulk(operations);
      assert.deepEqual(new Set(made.map(({ status }) => status)), new Set(['201']));
      const found = await soundings.users.list({ filter: 'name.givenName eq "Given 3"', limit: 9 }).all();
      assert.equal(found.length, users / 7);
      const names = new Set<string>();
      let pages = 0;
      for await (const { items, total } of soundings.users.list({ limit: 50 }).pages()) {
        pages += 1;
        assert.equal(total, users);
        for (const { userName } of items) names.add(userName!);
      }
      assert.deepEqual([pages, names.size], [5, users]);
      const group = await soundings.groups.create({
        displayName: 'Web team',
        members: found.map(({ id }) => ({ value: id })),
      });
      assert.equal(group.members!.length, users / 7);
      const [first] = found;
      assert.equal(
        await soundings.groups.patch(group.id, [{ op: 'remove', path: `members[value eq "${first!.id}"]` }]),
        undefined,
      );
      assert.equal((await soundings.groups.get(group.id)).members!.length, users / 7 - 1);
      const suspended = await soundings.users.patch(first!.id, [
        { op: 'replace', path: 'active', value: false },
      ]);
      assert.equal(suspended.active, false);
      const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
      const replaced = await soundings.users.replace(
        first!.id,
        { userName: first!.userName!, [extension]: { department: 'Web' } },
        { ifMatch: suspended.meta!.version },
      );
      assert.ok(replaced.schemas.includes(extension));
      await soundings.users.remove(first!.id);
      assert.equal((await failing(soundings.users.get(first!.id))).status, 404);
      await soundings.groups.remove(group.id);
      assert.deepEqual(await soundings.groups.list().all(), []);
    });
  });
