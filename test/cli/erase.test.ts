// soundings erase: what a person said goes, what was counted stays.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type CommandResult, commandHere } from '../support/service.ts';
import { storeRows, storeWithoutNotes, wholeStore } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const range = 'from=2025-05-01&to=2025-05-31';

/** Words that stand nowhere else, so that they can be looked for everywhere. */
const secret = 'Zwetschgenkuchen';

function respondent(responseId: string, words: string): object {
  return {
    surveyDefinitionId: 'acme-web',
    responseId,
    submissionTimestamp: '2025-05-04T10:00:00Z',
    url: `https://shop.example/${words}`,
    responses: {
      'Q-SAT-1': ['7'],
      'Q-LOOK-1': ['2'],
      'Q-FOUND': ['A-NO'],
      'Q-WHY': [words],
      'Q-WHERE': ['W-MENU'],
    },
    cpps: { data: { campaign: words }, metrics: { cart_value: 12.5 } },
    unheardOf: words,
  };
}

function entry(responseId: string, words: string): object {
  return {
    surveyDefinitionId: 'acme-badge',
    responseId,
    submissionTimestamp: '2025-05-05T10:00:00Z',
    url: `https://shop.example/${words}`,
    locale: 'de-AT',
    responses: { 'Q-STARS': ['4'], 'Q-TOPIC': ['T-TECH'], 'Q-WORDS': [words] },
  };
}

interface Item {
  readonly id: string;
  readonly responses: readonly object[];
  readonly [member: string]: unknown;
}

for (const engine of engines) {
  describe(`soundings erase on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    const post = async (body: object): Promise<void> => {
      const { status, text } = await service.post(body, token);
      assert.equal(status, 200, text);
    };
    const erase = (id: string, ...flags: string[]): Promise<CommandResult> =>
      commandHere(['erase', '--account', String(acme), '--response', id, ...flags], {
        DATABASE_URL: service.databaseUrl,
      });
    const data = async (source: string): Promise<Record<string, unknown> & { items: Item[] }> =>
      (await service.get(`/v1/${source}/data?${range}&limit=100`, token)).body as never;
    const audit = (): Promise<readonly object[]> =>
      storeRows(
        service.databaseUrl,
        `select account_id, actor, action, subject from audit where action = 'response.erase' order by at, id`,
      );

    it('of a respondent the answers and parameters go; place, day, scores, total and summary stay [D-48]', async () => {
      for (const id of ['before', 'gone', 'behind']) await post(respondent(id, 'kept words'));
      await service.addExternal(acme, { gone: { loyalty_tier: 'gold' }, behind: { loyalty_tier: 'gold' } });
      const { items: was, ...factsBefore } = await data('measures/700');
      const { code, stdout } = await erase('gone');
      assert.deepEqual([code, stdout.startsWith('Response gone is erased')], [0, true]);
      const { items: is, ...factsAfter } = await data('measures/700');
      assert.deepEqual(factsAfter, factsBefore);
      const expected = was.map((item) =>
        item.id === 'gone' ? { ...item, responses: [], erased: true } : item,
      );
      assert.deepEqual(is, expected);
      assert.notEqual(was[1]?.responses.length, 0);
    });

    it('of a project entry nothing is left but its place and day [D-48]', async () => {
      await post(entry('entry', 'kept words'));
      const { items: was } = await data('projects/300');
      assert.equal((await erase('entry')).code, 0);
      const { items: is, total } = await data('projects/300');
      const nothing = { url: null, locale: null, rating: null, topic: null, responses: [], erased: true };
      assert.deepEqual([is, total], [[{ ...was[0], ...nothing }], 1]);
    });

    it('what was said is nowhere in the store any more, nor in the bytes of its file [D-48] [D-122]', async () => {
      const own = await engine.newStore();
      try {
        const first = await startFeedback(engine, {
          catalogue: feedbackCatalogue,
          databaseUrl: own.databaseUrl,
        });
        const ownToken = await first.token(acme);
        for (const body of [respondent('a', secret), entry('b', secret)])
          assert.equal((await first.post(body, ownToken)).status, 200);
        await first.addExternal(acme, { a: { loyalty_tier: secret } });
        await first.stop();
        assert.ok(JSON.stringify(await wholeStore(own.databaseUrl)).includes(secret));
        for (const id of ['a', 'b']) {
          const args = ['erase', '--account', String(acme), '--response', id];
          assert.equal((await commandHere(args, { DATABASE_URL: own.databaseUrl })).code, 0);
        }
        assert.equal(JSON.stringify(await wholeStore(own.databaseUrl)).includes(secret), false);
        // PostgreSQL keeps its files to itself, and tidies them in its own time.
        if (engine.name === 'postgres') return;
        const files = globSync(`${own.databaseUrl.slice('sqlite:'.length)}*`);
        assert.notEqual(files.length, 0);
        for (const file of files) assert.equal(readFileSync(file).includes(secret), false, file);
      } finally {
        await own.dispose();
      }
    });

    it('a retry is still the same success, other content is still a conflict, and neither brings anything back [D-41] [D-48]', async () => {
      const body = respondent('retried', 'kept words');
      await post(body);
      assert.equal((await erase('retried')).code, 0);
      const before = await data('measures/700');
      const again = await service.post(body, token);
      assert.deepEqual([again.status, again.body.responseId], [200, 'retried']);
      const other = await service.post(respondent('retried', 'other words'), token);
      assert.deepEqual([other.status, other.body.errorCode], [409, 'RESPONSE_CONFLICT']);
      // A retry is told from a conflict also when its version takes no responses any more, and so nothing is judged.
      const unfit = await service.post({ ...body, responses: {} }, token);
      assert.deepEqual([unfit.status, unfit.body.errorCode], [409, 'RESPONSE_CONFLICT']);
      assert.deepEqual(await data('measures/700'), before);
    });

    it('an erased response gets no external parameters any more: listed and skipped [D-37] [D-48] [D-121]', async () => {
      await post(respondent('forgotten', 'kept words'));
      await post(respondent('remembered', 'kept words'));
      assert.equal((await erase('forgotten')).code, 0);
      const file = temporaryFile('crm.csv', 'responseId,loyalty_tier\nforgotten,gold\nremembered,gold\n');
      const { code, stderr } = await commandHere(['epp', file, '--account', String(acme)], {
        DATABASE_URL: service.databaseUrl,
      });
      assert.equal(code, 2);
      assert.match(stderr, /crm\.csv:2: erased, so it gets nothing more: "forgotten"\n$/);
      const { items } = await data('measures/700');
      assert.deepEqual(items.find(({ id }) => id === 'forgotten')?.responses, []);
      assert.notEqual(items.find(({ id }) => id === 'remembered')?.responses.length, 0);
    });

    it('erasing twice is fine and changes nothing; every erasure is in the audit log once [D-48]', async () => {
      await post(respondent('twice', 'kept words'));
      const before = (await audit()).length;
      const first = await erase('twice', '--json');
      const second = await erase('twice', '--json');
      const facts = { accountId: acme, responseId: 'twice' };
      assert.deepEqual([first.code, JSON.parse(first.stdout)], [0, { ...facts, changed: true }]);
      assert.deepEqual([second.code, JSON.parse(second.stdout)], [0, { ...facts, changed: false }]);
      const written = (await audit()).slice(before).map((row) => ({ ...row }));
      assert.deepEqual(written, [
        {
          account_id: engine.name === 'sqlite' ? acme : String(acme),
          actor: 'command line',
          action: 'response.erase',
          subject: 'response twice',
        },
      ]);
    });

    it('an id that the account does not have is an error, also when another account has it [D-10]', async () => {
      const boltToken = await service.token(bolt);
      const foreign = {
        surveyDefinitionId: 'bolt-web',
        responseId: 'foreign',
        responses: { 'Q-SAT-1': ['5'] },
      };
      assert.equal((await service.post(foreign, boltToken)).status, 200);
      const before = await storeWithoutNotes(service.databaseUrl);
      for (const id of ['foreign', 'nobody', '']) {
        const { code, stdout, stderr } = await erase(id);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^soundings: Account 4001 has no response "/);
      }
      const args = ['erase', '--account', '99', '--response', 'foreign'];
      const { code, stderr } = await commandHere(args, { DATABASE_URL: service.databaseUrl });
      assert.deepEqual(
        [code, stderr],
        [1, 'soundings: There is no account 99. See "soundings account list".\n'],
      );
      // Written by the service a moment later: what it refused in the tests before.
      const besideNotes = ({ refused_count, refused_response, ...rest }: typeof before) => rest;
      assert.deepEqual(besideNotes(await storeWithoutNotes(service.databaseUrl)), besideNotes(before));
    });
  });
}
