// soundings refused: what was refused is counted and listed, for whom it belongs to, without what was said.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { prepareFeedback, surveyId } from '../support/feedback.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  type CommandResult,
  commandHere,
  commandHereOk,
  soundings,
  startProcess,
  tokenFor,
  until,
} from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';

interface Refused {
  readonly at: string;
  readonly requestId: string;
  readonly surveyDefinitionId: string | null;
  readonly actor: string | null;
  readonly status: number;
  readonly code: string;
  readonly cause: string;
  readonly faults: readonly { readonly field: string; readonly code: string }[];
  readonly moreFaults: number;
}

interface Count {
  readonly day: string;
  readonly surveyDefinitionId: string | null;
  readonly cause: string;
  readonly refused: number;
  readonly quarantined: number;
}

/** Words that stand nowhere else, so that they can be looked for everywhere. */
const secret = 'Zwetschgenkuchen';

for (const engine of engines) {
  describe(`soundings refused on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let theirs: string;

    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: { SOUNDINGS_THROTTLE: 'off' },
      });
      token = await service.token(acme);
      theirs = await service.token(bolt);
    });
    after(() => service?.stop());

    const env = (): Record<string, string> => ({ DATABASE_URL: service.databaseUrl });
    const list = async (account: number | string): Promise<readonly Refused[]> =>
      JSON.parse(
        await commandHereOk(
          ['refused', 'list', '--account', String(account), '--count', '1000', '--json'],
          env(),
        ),
      );
    const counts = async (account: number | string): Promise<readonly Count[]> =>
      JSON.parse(
        await commandHereOk(
          ['refused', 'counts', '--account', String(account), '--days', '400', '--json'],
          env(),
        ),
      ).counts;
    /** How many are counted, as the store has it: a command takes longer than what is waited for. */
    const total = async (account: number): Promise<number> => {
      const [row] = await storeRows(
        service.databaseUrl,
        `select coalesce(sum(refused), 0) as refused from refused_count where account_id = ${account}`,
      );
      return Number(row?.refused);
    };
    /** The counts of an account once so many refusals are in them. */
    const counted = async (account: number | string, wanted: number): Promise<readonly Count[]> => {
      await until(
        () => total(account === 'none' ? 0 : Number(account)),
        (found) => found >= wanted,
      );
      return counts(account);
    };
    const byCause = (all: readonly Count[]): Record<string, number> =>
      Object.fromEntries(all.map((one) => [`${one.surveyDefinitionId} ${one.cause}`, one.refused]));

    it('hundreds of refusals in mixed order are each counted once, by day, survey and cause [D-285]', async () => {
      const answers = { 'Q-SAT-1': ['8'], 'Q-FOUND': ['A-YES'] };
      const web = (responses: object, more: object = {}) => ({
        surveyDefinitionId: 'acme-web',
        responses,
        ...more,
      });
      await service.post(web(answers, { responseId: 'taken' }), token);
      const kinds: readonly [object | string, string | null, string][] = [
        [web({ ...answers, 'Q-NONE': ['1'] }), token, 'acme-web UNKNOWN_QUESTION'],
        [web({ ...answers, 'Q-SAT-1': ['99'] }), token, 'acme-web OFF_SCALE'],
        [web({}), token, 'acme-web REQUIRED'],
        [
          web({ 'Q-SAT-1': ['3'], 'Q-FOUND': ['A-YES'] }, { responseId: 'taken' }),
          token,
          'acme-web RESPONSE_CONFLICT',
        ],
        [{ ...web(answers), isTest: 'no' }, token, 'acme-web INVALID_TYPE'],
        [
          { surveyDefinitionId: 'acme-web-closed', responses: { 'Q-SAT-1': ['8'] } },
          token,
          'acme-web-closed SURVEY_CLOSED',
        ],
        [
          { surveyDefinitionId: 'acme-public', responses: { 'Q-SAT-1': ['11'] } },
          null,
          'acme-public OFF_SCALE',
        ],
        ['{"surveyDefinitionId":', token, 'null MALFORMED_JSON'],
        [{ surveyDefinitionId: 'bolt-web', responses: {} }, token, 'null SURVEY_NOT_FOUND'],
      ];
      const expected: Record<string, number> = {};
      const bodies = Array.from({ length: 270 }, (_, index) => kinds[(index * 7) % kinds.length]!);
      for (let from = 0; from < bodies.length; from += 30)
        await Promise.all(
          bodies.slice(from, from + 30).map(async ([body, sender, key]) => {
            const { status } = await service.post(body, sender);
            assert.ok(status >= 400 && status < 500);
            expected[key] = (expected[key] ?? 0) + 1;
          }),
        );
      // Each under an id of its own, and they are one line.
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          service.post({ surveyDefinitionId: `nothing-${index}`, responses: {} }, token),
        ),
      );
      expected['null SURVEY_NOT_FOUND'] = (expected['null SURVEY_NOT_FOUND'] ?? 0) + 100;
      const all = await counted(acme, 370);
      assert.deepEqual(byCause(all), expected);
      assert.deepEqual(
        [...new Set(all.map(({ day }) => day))],
        [new Date(service.nowMs).toISOString().slice(0, 10)],
      );
      assert.deepEqual(await counts(bolt), []);
    });

    it('each is listed with the id that its answer gave, paths and codes, and nothing of the answers [D-286]', async () => {
      const before = await total(bolt);
      const long = `Q-${'x'.repeat(3_000)}`;
      const body = {
        surveyDefinitionId: 'bolt-badge',
        responseId: `id-${secret}`,
        responses: { 'Q-STARS': [secret], 'Q-WORDS': [secret, secret], [long]: [secret] },
        cpps: { data: { campaign: secret } },
      };
      const { status, headers } = await service.post(body, theirs);
      assert.equal(status, 400);
      await counted(bolt, before + 1);
      const [one] = (await list(bolt)).filter(({ requestId }) => requestId === headers['x-request-id']);
      assert.deepEqual(
        { ...one, actor: typeof one?.actor },
        {
          at: new Date(service.nowMs).toISOString(),
          requestId: headers['x-request-id'],
          surveyDefinitionId: 'bolt-badge',
          actor: 'string',
          name: 'test',
          status: 400,
          code: 'INVALID_RESPONSE',
          cause: 'UNKNOWN_ANSWER',
          faults: [
            { field: 'responses.Q-STARS[0]', code: 'UNKNOWN_ANSWER' },
            { field: 'responses.Q-WORDS', code: 'TOO_MANY_ANSWERS' },
            { field: `${`responses.${long}`.slice(0, 200)}…`, code: 'UNKNOWN_QUESTION' },
          ],
          moreFaults: 0,
        },
      );
      assert.ok(!JSON.stringify(await wholeStore(service.databaseUrl)).includes(secret));
    });

    it('without a token a refusal belongs to the account of a public survey, or to none [D-285]', async () => {
      const [ofBolt, ofNone] = [await total(bolt), await total(0)];
      const off = { 'Q-SAT-1': ['11'] };
      await service.post({ surveyDefinitionId: 'bolt-public', responses: off }, null);
      // Faulty in form, so that nobody has looked for the survey before it is refused.
      await service.post({ surveyDefinitionId: 'bolt-public', responses: 7 }, null);
      await service.post({ surveyDefinitionId: 'bolt-web', responses: off }, null);
      await service.post({ surveyDefinitionId: 'bolt-web', responses: 7 }, null);
      await service.post({ surveyDefinitionId: 'nothing', responses: 7 }, null);
      await service.post({ surveyDefinitionId: 'bolt-web', responses: off }, 'not-a-token');
      const public_ = (await counted(bolt, ofBolt + 2)).filter(
        (one) => one.surveyDefinitionId === 'bolt-public',
      );
      assert.deepEqual(byCause(public_), { 'bolt-public OFF_SCALE': 1, 'bolt-public INVALID_TYPE': 1 });
      const none = await counted('none', ofNone + 4);
      assert.deepEqual(byCause(none), {
        'null CREDENTIALS_REQUIRED': 1,
        'null INVALID_TYPE': 2,
        'null INVALID_TOKEN': 1,
      });
      assert.ok(
        (await list('none')).every(
          ({ actor, surveyDefinitionId }) => actor === null && surveyDefinitionId === null,
        ),
      );
    });

    it('of a flood every refusal is counted and some are listed, the newest thousand at most, and another account loses nothing [D-286]', async () => {
      const before = await total(acme);
      const theirsBefore = await total(bolt);
      const listedBefore = (await list(acme)).length;
      const flood = 1_500;
      const quiet = { surveyDefinitionId: 'bolt-only', responses: { 'Q-STARS': ['6'] } };
      let quietId: unknown;
      for (let sent = 0; sent < flood; sent += 100) {
        await Promise.all(
          Array.from({ length: 100 }, () =>
            service.post({ surveyDefinitionId: 'acme-web', responses: {} }, token),
          ),
        );
        if (sent === 700) quietId = (await service.post(quiet, theirs)).headers['x-request-id'];
      }
      await counted(acme, before + flood);
      const added = (await list(acme)).length - listedBefore;
      assert.ok(added >= 20 && added < flood / 2, `${added} are listed`);
      await counted(bolt, theirsBefore + 1);
      assert.ok((await list(bolt)).some(({ requestId }) => requestId === quietId));
    });

    it('people are shown a table, and clear faults [D-285]', async () => {
      const run = (...args: string[]): Promise<CommandResult> => commandHere(['refused', ...args], env());
      const shown = await soundings(['refused', 'counts', '--account', String(bolt)], env());
      assert.match(shown.stdout, /^DAY +SURVEY +CAUSE +REFUSED +QUARANTINED\n/);
      assert.match(shown.stdout, /^\d{4}-\d\d-\d\d +bolt-public +OFF_SCALE +1 +0$/m);
      const listed = await run('list', '--account', 'none', '--count', '1');
      assert.match(listed.stdout, /^\S+Z +4\d\d +[A-Z_]+ +\(not known\) +\(no token\) +\S+/);
      assert.equal(
        (await run('list', '--account', '77')).stderr,
        'soundings: There is no account 77. See "soundings account list".\n',
      );
      const wrong = await run('counts', '--account', String(bolt), '--days', '401');
      assert.deepEqual(
        [wrong.code, wrong.stderr],
        [1, 'soundings: --days must be a whole number from 1 to 400, not "401".\n'],
      );
    });

    it('an accepted response is no refusal, and a test response neither', async () => {
      const before = await total(bolt);
      const good = { surveyDefinitionId: 'bolt-public', responses: { 'Q-SAT-1': ['8'] } };
      assert.equal((await service.post(good, theirs)).status, 200);
      assert.equal((await service.post({ ...good, isTest: true }, theirs)).status, 200);
      await service.post({ ...good, responses: {} }, theirs);
      await counted(bolt, before + 1);
      assert.equal(await total(bolt), before + 1);
    });

    it('a process that is stopped writes down what it has, one that is killed loses a second of it at most [D-285]', async () => {
      const store = await engine.newStore();
      const own = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
      const client = await prepareFeedback(own);
      const refuse = async (count: number, end: 'stop' | 'kill', wait: number | null): Promise<void> => {
        const running = await startProcess(own);
        const access = await tokenFor(running.baseUrl, client, 'w_cx_responses');
        const post = () =>
          exchange(`${running.baseUrl}/v1/surveys/ingestion`, {
            method: 'POST',
            headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
            body: JSON.stringify({ surveyDefinitionId: surveyId, responses: {} }),
          });
        await Promise.all(Array.from({ length: count }, post));
        if (wait !== null) {
          await until(stored, (found) => found >= wait);
          await Promise.all(Array.from({ length: 10 }, post));
        }
        await running[end]();
      };
      const stored = async (): Promise<number> => {
        const [row] = await storeRows(
          store.databaseUrl,
          `select coalesce(sum(refused), 0) as refused from refused_count where account_id = 4001`,
        );
        return Number(row?.refused);
      };
      try {
        await refuse(100, 'kill', 100);
        const after = await stored();
        assert.ok(after >= 100 && after <= 110, `${after} are counted`);
        await refuse(300, 'stop', null);
        assert.equal(await stored(), after + 300);
      } finally {
        await store.dispose();
      }
    });
  });
}
