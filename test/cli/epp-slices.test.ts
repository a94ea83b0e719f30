// soundings epp with a large file: it is written in slices, and goes on where it was stopped.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { appendResponses } from '../../src/store/feedback/log.ts';
import { newMark } from '../../src/store/feedback/log-history.ts';
import { engines } from '../support/engines.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type OpenedLog, openFeedbackLog } from '../support/open-feedback-log.ts';
import { commandHere, endingWithUs, environment, soundings, until } from '../support/service.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const count = 4_000;
const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));

for (const engine of engines) {
  describe(`soundings epp with ${count} lines on ${engine.name}`, () => {
    let log: OpenedLog;
    let sourceId: number;

    before(async () => {
      log = await openFeedbackLog(engine, feedbackCatalogue);
      for (let first = 0; first < count; first += 1_000) {
        const items = await Promise.all(
          Array.from({ length: 1_000 }, (_, index) => log.item(bodyOf(`r-${first + index}`))),
        );
        sourceId = items[0]!.sourceId;
        await log.db.write(appendResponses, { items, mark: newMark() });
      }
    });
    after(() => log?.dispose());

    const bodyOf = (responseId: string) => ({
      surveyDefinitionId: 'acme-web',
      responseId,
      responses: { 'Q-SAT-1': ['7'], 'Q-FOUND': ['A-YES'] },
    });
    const file = (tier: string): string =>
      temporaryFile(
        'crm.csv',
        `responseId,loyalty_tier\n${Array.from({ length: count }, (_, index) => `r-${index},${tier}\n`).join('')}`,
      );
    const changedSeqs = async (): Promise<readonly number[]> =>
      (
        await log.db.read<{ seq: number }>(sql`
          select first_seq as seq
          from log_change
          where account_id = ${acme} and source_id = ${sourceId}
          order by change_no`)
      ).map(({ seq }) => seq);
    const slices = async (action: string): Promise<readonly string[]> =>
      (
        await log.db.read<{ subject: string }>(sql`
          select subject
          from audit
          where account_id = ${acme} and action = ${action}`)
      ).map(({ subject }) => subject);
    const all = Array.from({ length: count }, (_, index) => index + 1);

    it('killed in between, whole slices are there, others could write meanwhile, and the same command goes on [D-260]', async () => {
      const path = file('gold');
      const env = { DATABASE_URL: log.databaseUrl };
      const child = endingWithUs(
        spawn(process.execPath, [program, 'epp', path, '--account', String(acme)], {
          env: environment(env),
          stdio: 'ignore',
        }),
      );
      const ended = new Promise((resolve) => child.once('close', resolve));
      await until(changedSeqs, (seqs) => seqs.length > 0);
      await log.db.write(appendResponses, { items: [await log.item(bodyOf('meanwhile'))], mark: newMark() });
      child.kill('SIGKILL');
      await ended;
      // PostgreSQL may end what it was told before the command died: so a slice may come between the two questions.
      const [seqs, written] = await until(
        async () => [await changedSeqs(), await slices('external.append')] as const,
        ([changed, entries]) => changed.length === entries.length * 1_000,
      );
      assert.ok(seqs.length > 0);
      assert.deepEqual(new Set(written), new Set(['1000 responses: loyalty_tier']));
      const { code, stderr } = await soundings(['epp', path, '--account', String(acme)], env);
      assert.equal(code, 0, stderr);
      assert.deepEqual(await changedSeqs(), all);
      assert.equal((await slices('external.append')).length, count / 1_000);
    });

    it('--replace corrects what is there, by slices, once; without it nothing is changed [D-260]', async () => {
      const env = { DATABASE_URL: log.databaseUrl };
      const path = file('silver');
      const refused = await commandHere(['epp', path, '--account', String(acme)], env);
      assert.deepEqual([refused.code, (await changedSeqs()).length], [1, count]);
      assert.match(refused.stderr, /crm\.csv:4001: loyalty_tier is "gold" already, not "silver"/);
      const args = ['epp', path, '--account', String(acme), '--replace', '--json'];
      const { stdout } = await commandHere(args, env);
      assert.deepEqual(JSON.parse(stdout), {
        applied: true,
        changed: count,
        unchanged: 0,
        skipped: [],
        faults: [],
      });
      assert.deepEqual(await changedSeqs(), [...all, ...all]);
      assert.equal((await slices('external.replace')).length, count / 1_000);
      const again = await commandHere(args, env);
      assert.deepEqual([JSON.parse(again.stdout).changed, (await changedSeqs()).length], [0, 2 * count]);
    });
  });
}
