// Figures and comments that are added up anew while those of before go on answering: thousands of responses, two replicas, and a
// process that is killed half-way.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { buildStep, form } from '../../../src/domain/insight/layout.ts';
import { commandLine } from '../../../src/store/engine/audit.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { findTask, type TaskContext } from '../../../src/store/engine/work/background-task.ts';
import { WorkQueue } from '../../../src/store/engine/work/work-budget.ts';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import { appendExternal } from '../../../src/store/feedback/external-parameters.ts';
import { appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import type { PreparedSource } from '../../../src/store/feedback/sources.ts';
import { advanceBuild, buildsOf, rebuildFigures } from '../../../src/store/insight/builds.ts';
import { FiguresReader } from '../../../src/store/insight/figures-reader.ts';
import { checkFigures, rollUpAll } from '../../../src/store/insight/insight-status.ts';
import { rollUpSome } from '../../../src/store/insight/roll-up.ts';
import { rollUpTask, versionsOf } from '../../../src/store/insight/roll-up-task.ts';
import { appendComments, rollUpComments } from '../../support/comment-log.ts';
import {
  commentAcme,
  commentBolt,
  commentCatalogue,
  commentResponses,
} from '../../support/comment-population.ts';
import { engines } from '../../support/engines.ts';
import { everyDay, linesOf, recountedFigures, sourcesOf } from '../../support/insight-recount.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { seeded } from '../../support/seeded.ts';
import { commandHereOk, endingWithUs, environment, startedProgram, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const count = 4_200;
const stamp = () => ({ actor: commandLine, changeId: randomUUID(), nowMs: Date.now() });

for (const engine of engines) {
  describe(`figures added up anew on ${engine.name}`, () => {
    let log: OpenedLog;
    let replicas: readonly Db[];
    let readers: readonly FiguresReader[];
    let ready: PreparedSource;
    let foreign: PreparedSource;
    let sent = count;
    let turn = 0;
    const random = seeded(630);
    const source = () => ({ accountId: ready.source.accountId, sourceId: ready.source.sourceId });
    const where = () => `account_id = ${commentAcme} and source_id = ${ready.source.sourceId}`;
    const rows = (query: string) => storeRows(log.databaseUrl, query);

    before(async () => {
      log = await openFeedbackLog(engine, commentCatalogue);
      replicas = [log.db, await log.open()];
      readers = replicas.map((db) => new FiguresReader(db, sourcesOf(db), new WorkQueue(), Date.now));
      const named = async (accountId: number): Promise<PreparedSource> => {
        const found = await sourcesOf(log.db).byName({ accountId, kind: 'measure', key: 10 });
        assert.ok(found);
        return found;
      };
      ready = await named(commentAcme);
      foreign = await named(commentBolt);
      await appendComments(log, commentResponses(commentAcme, 'measure', count));
      await appendComments(log, commentResponses(commentBolt, 'measure', 200));
      await rollUpComments(log);
    });
    after(() => log?.dispose());

    const append = async (db: Db): Promise<void> => {
      const items = [];
      for (const { body } of commentResponses(commentAcme, 'measure', 40, sent + 1))
        items.push(await log.item(body));
      sent += 40;
      await db.write(appendResponses, { items, mark: newMark() });
    };
    const erase = async (db: Db): Promise<void> => {
      for (let at = 0; at < 2; at += 1) {
        const responseId = `acme-measure-${1 + random.below(count)}`;
        await db.write(eraseResponse, { ...stamp(), accountId: commentAcme, responseId });
      }
    };
    const correct = async (db: Db): Promise<void> => {
      const responseId = `acme-measure-${1 + random.below(count)}`;
      await db.write(appendExternal, {
        ...stamp(),
        accountId: commentAcme,
        columns: ['tier'],
        lines: [{ line: 1, responseId, values: ['gold'] }],
        isReplacing: true,
        sourceId: null,
      });
    };
    const advance = async (db: Db): Promise<void> => {
      const options = { versions: versionsOf(db), nowMs: Date.now() };
      await rollUpSome(db, source(), options);
      const { answering, latest } = await buildsOf(db, source(), Date.now());
      if (latest!.build > answering!.build) await advanceBuild(db, source(), latest!.build, options);
    };
    const isUnderWay = async (): Promise<boolean> => {
      const { answering, latest } = await buildsOf(log.db, source(), Date.now());
      return latest!.build > answering!.build;
    };

    /** Without a moment to help: what is not ready would be told as such. */
    const readNow = async (reader: FiguresReader, of = ready): Promise<readonly string[]> => {
      const outcome = await reader.read(of, everyDay, { leftMs: 0, pause: async () => {} });
      assert.ok('figures' in outcome, JSON.stringify(outcome));
      const [many] = await reader.readMany([of], everyDay, { leftMs: 0, pause: async () => {} });
      assert.ok('figures' in many!);
      assert.deepEqual(linesOf(many.figures.days), linesOf(outcome.figures.days));
      return linesOf(outcome.figures.days);
    };
    const check = async (): Promise<void> => {
      const expected = await recountedFigures(log.db, source());
      turn += 1;
      assert.deepEqual(await readNow(readers[turn % readers.length]!), expected);
    };
    const begin = (db: Db): Promise<void> =>
      db.write(rebuildFigures, { ...stamp(), ...source(), kind: 'measure', key: 10 });
    /** By table, the builds of which it has rows. */
    const builds = async (): Promise<readonly number[]> => {
      const tables = ['insight_day', 'comment', 'comment_segment', 'comment_part'];
      const found = await rows(
        tables.map((table) => `select distinct form from ${table} where ${where()}`).join(' union '),
      );
      return found.map((row) => Number(row.form));
    };

    it('the ones of before are exact until the new ones are ready, whatever is kept, erased and corrected meanwhile [D-630]', async () => {
      const before = await readNow(readers[0]!, foreign);
      await Promise.all([begin(replicas[0]!), erase(replicas[1]!)]);
      let turns = 0;
      for (; await isUnderWay(); turns += 1) {
        const [one, other] = turns % 2 === 0 ? replicas : replicas.toReversed();
        await Promise.all([
          advance(one!),
          turns % 3 === 0 ? advance(other!) : correct(other!),
          erase(other!),
          append(one!),
        ]);
        // As a release that knows nothing of builds does when it erases.
        if (turns === 4) {
          await rows(
            `update insight_cursor set rolled_seq = -1, rolled_id = '', moves = moves + 1 where ${where()} and form > ${form}`,
          );
          await rows(`delete from insight_day where ${where()} and form > ${form}`);
        }
        await check();
      }
      assert.ok(turns > 10, `${turns}`);
      // Another one goes on with it, and deletes what nobody reads any more.
      await Promise.all([
        rollUpAll(replicas[1]!, source(), { versions: versionsOf(replicas[1]!), now: Date.now }, () => {}),
        erase(replicas[0]!),
      ]);
      assert.deepEqual(await builds(), [form + buildStep]);
      await check();
      await append(replicas[0]!);
      await advance(replicas[0]!);
      await check();
      assert.equal((await checkFigures(log.db, source(), () => {})).differences, 0);
      assert.deepEqual(await readNow(readers[1]!, foreign), before);
    });

    it('a rebuild that was killed is gone on with by a service, and wrong figures are right then [D-630]', async () => {
      const [day] = await rows(`select * from insight_day where ${where()} order by day limit 1`);
      await rows(
        `update insight_day set figures = '9 8 7' where ${where()} and day = ${day!.day} and survey_no = ${day!.survey_no}`,
      );
      await rows(`update comment set folded_text = 'other' where ${where()} and seq <= 100`);
      const args = ['insight', 'rebuild', '--account', String(commentAcme), '--measure', '10'];
      const child = endingWithUs(
        spawn(process.execPath, [startedProgram, ...args], {
          env: environment({ DATABASE_URL: log.databaseUrl }),
          stdio: 'ignore',
        }),
      );
      let hasEnded = false;
      const ended = new Promise<void>((resolve) =>
        child.once('close', () => {
          hasEnded = true;
          resolve();
        }),
      );
      const isBegun = async () =>
        (
          await rows(
            `select form from insight_cursor where ${where()} and form > ${form + buildStep} and rolled_seq > 0`,
          )
        ).length > 0;
      while (!hasEnded && !(await isBegun())) await readNow(readers[0]!);
      child.kill('SIGKILL');
      await ended;
      const config = {} as TaskContext['config'];
      const context = { db: await log.open(), config, now: Date.now, newId: randomUUID };
      // A new process looks at all sources first; it goes on while it is not busy.
      await until(
        async () => {
          for (const scope of await rollUpTask.scopes!(context)) {
            const at = { ...(await findTask(context.db, rollUpTask.name, scope)) };
            while ((await rollUpTask.step(context, at)) !== 'idle') await readNow(readers[0]!);
          }
          return isUnderWay();
        },
        (isIt) => !isIt,
        60_000,
      );
      await check();
      // What is left of before goes at once by the command, and after an hour by a service.
      await commandHereOk(args, { DATABASE_URL: log.databaseUrl });
      await check();
      assert.deepEqual(await checkFigures(log.db, source(), () => {}), {
        rows: sent,
        differences: 0,
        named: [],
        isUndecided: false,
      });
      assert.equal((await builds()).length, 1);
      // The first cursor stays, for erasures and rebuilds to wait for each other there.
      const cursors = await rows(
        `select form, rolled_seq from insight_cursor where ${where()} order by form`,
      );
      assert.deepEqual(
        cursors.map((row) => Number(row.rolled_seq)),
        [-2, sent],
      );
    });

    it('a source whose figures are of another log is added up anew whatever build they are of, and status shows both [D-630]', async () => {
      await begin(log.db);
      await advance(log.db);
      const status = await commandHereOk(['insight', 'status', '--account', String(commentAcme), '--json'], {
        DATABASE_URL: log.databaseUrl,
      });
      const line = (JSON.parse(status) as { key: number; anew: number | null }[]).find(
        ({ key }) => key === 10,
      );
      assert.ok(line!.anew !== null && line!.anew > 0 && line!.anew < sent, status);
      await rows(`update insight_cursor set rolled_id = 'other' where ${where()}`);
      for (;;)
        if (
          (await rollUpSome(log.db, source(), { versions: versionsOf(log.db), nowMs: 1 })).outcome === 'end'
        )
          break;
      await check();
    });
  });
}
