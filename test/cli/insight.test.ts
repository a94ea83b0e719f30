// soundings insight: what is added up ahead is shown, counted again and made anew, beside a service that adds up.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { sendPopulation } from '../support/response-population.ts';
import { type CommandResult, commandHere, commandHereOk, soundings } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';

interface Line {
  readonly accountId: number;
  readonly kind?: string;
  readonly key?: number;
  readonly responses: number;
  readonly addedUp: number;
  readonly behind: number;
}

for (const engine of engines) {
  describe(`soundings insight on ${engine.name}`, () => {
    let service: FeedbackService;
    const env = () => ({ DATABASE_URL: service.databaseUrl });
    const run = (...args: string[]): Promise<CommandResult> => commandHere(['insight', ...args], env());
    const runOk = (...args: string[]): Promise<string> => commandHereOk(['insight', ...args], env());
    const statusOf = async (...args: string[]): Promise<readonly Line[]> =>
      JSON.parse(await runOk('status', '--json', ...args)) as Line[];

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      await sendPopulation(service, 400);
    });
    after(() => service?.stop());

    it('status shows how far each account and each measure and project has come, until nothing is behind [D-480]', async () => {
      assert.deepEqual(
        (await statusOf()).map(({ accountId, addedUp, behind }) => [accountId, addedUp, behind]),
        [
          [acme, 0, 400],
          [bolt, 0, 400],
        ],
      );
      await runOk('rebuild');
      const accounts = await statusOf();
      assert.deepEqual(
        accounts.map(({ behind }) => behind),
        [0, 0],
      );
      assert.deepEqual(
        accounts.map(({ accountId, kind }) => [accountId, kind]),
        [
          [acme, undefined],
          [bolt, undefined],
        ],
      );
      const sources = await statusOf('--account', String(acme));
      const sum = sources.reduce((total, { addedUp }) => total + addedUp, 0);
      assert.equal(sum, accounts[0]!.responses);
      assert.ok(sources.some(({ kind, addedUp }) => kind === 'project' && addedUp > 0));
      const text = await runOk('status', '--account', String(acme));
      assert.match(text, /^ACCOUNT +SOURCE +RESPONSES +ADDED UP +BEHIND +LAST CHANGE\n/);
      assert.equal(text.trim().split('\n').length, 1 + sources.length);
    });

    it('verify finds every figure and comment as the responses have them, and names each that is not [D-480]', async () => {
      assert.match(
        await runOk('verify'),
        /^The figures of \d+ measures and projects are those of their 800 responses\.\n$/,
      );
      const [day] = await storeRows(
        service.databaseUrl,
        `select * from insight_day where account_id = ${acme} order by source_id, day limit 1`,
      );
      const place = `account_id = ${acme} and source_id = ${day!.source_id} and day = ${day!.day} and survey_no = ${day!.survey_no}`;
      await storeRows(service.databaseUrl, `update insight_day set figures = '9 8 7' where ${place}`);
      const [comment] = await storeRows(
        service.databaseUrl,
        `select source_id, seq, question_id from comment where account_id = ${bolt} order by source_id, seq limit 1`,
      );
      await storeRows(
        service.databaseUrl,
        `update comment set folded_text = 'other'
         where account_id = ${bolt} and source_id = ${comment!.source_id} and seq = ${comment!.seq}`,
      );
      const { code, stdout, stderr } = await run('verify');
      assert.equal(code, 1);
      const dayText = new Date(Number(day!.day) * 86_400_000).toISOString().slice(0, 10);
      assert.match(
        stdout,
        new RegExp(
          `of account ${acme}: ${dayText}, version number ${day!.survey_no}: \\d+ figures differ; responses 9 where`,
        ),
      );
      assert.match(
        stdout,
        new RegExp(
          `of account ${bolt}: the comment of response ${comment!.seq} to question ${comment!.question_id} is another\\.`,
        ),
      );
      assert.match(stderr, /2 differences: run "soundings insight rebuild"/);
      // The other account has nothing wrong.
      const ofAcme = JSON.parse((await run('verify', '--account', String(acme), '--json')).stdout) as {
        differences: number;
        faults: { accountId: number }[];
      };
      assert.equal(ofAcme.differences, 1);
      assert.deepEqual(
        ofAcme.faults.map(({ accountId }) => accountId),
        [acme],
      );
    });

    it('rebuild makes them right again, beside the service, and is in the audit log [D-480]', async () => {
      await runOk('rebuild', '--account', String(bolt));
      assert.match(
        await runOk('rebuild', '--account', String(acme)),
        /^\d+ responses of \d+ measures and projects were added up anew\.\n$/,
      );
      await runOk('verify');
      const audit = await storeRows(
        service.databaseUrl,
        `select account_id, count(*) as entries from audit where action = 'insight.rebuild' group by account_id order by 1`,
      );
      assert.deepEqual(
        audit.map(({ account_id: id }) => Number(id)),
        [acme, bolt],
      );
    });

    it('what is not there is refused by name', async () => {
      assert.match((await run('status', '--account', '77')).stderr, /There is no account 77\./);
      assert.match(
        (await run('rebuild', '--account', String(acme), '--measure', '999')).stderr,
        new RegExp(`Account ${acme} has no measure 999\\.`),
      );
      assert.match((await run('verify', '--measure', '700')).stderr, /Name the --account/);
    });

    if (engine.name === 'sqlite')
      it('verify is a process that ends with 0', async () => {
        const { code, stdout } = await soundings(['insight', 'verify', '--json'], env());
        assert.equal(code, 0);
        assert.equal((JSON.parse(stdout) as { differences: number }).differences, 0);
      });
  });
}
