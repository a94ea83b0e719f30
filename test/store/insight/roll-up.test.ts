// The figures that are added up ahead (src/store/insight), with the rows behind them, against a recount of all rows.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { AppendItem } from '../../../src/domain/feedback/judged-draft.ts';
import { fold } from '../../../src/domain/fold.ts';
import { form } from '../../../src/domain/insight/layout.ts';
import { commandLine } from '../../../src/store/engine/audit.ts';
import type { Db } from '../../../src/store/engine/db.ts';
import { findTask, type TaskContext } from '../../../src/store/engine/work/background-task.ts';
import { WorkQueue } from '../../../src/store/engine/work/work-budget.ts';
import { lastSeqOf, nextErasable } from '../../../src/store/erasure/erasable-rows.ts';
import { eraseResponse, eraseSlice } from '../../../src/store/erasure/erase.ts';
import { LogAppender } from '../../../src/store/feedback/appender.ts';
import { appendExternal } from '../../../src/store/feedback/external-parameters.ts';
import { rollUpQueue } from '../../../src/store/feedback/roll-up-queue.ts';
import type { PreparedSource } from '../../../src/store/feedback/sources.ts';
import { advanceBuild, buildsOf, rebuildFigures } from '../../../src/store/insight/builds.ts';
import { FiguresReader } from '../../../src/store/insight/figures-reader.ts';
import { rollUpAll } from '../../../src/store/insight/insight-status.ts';
import { deleteForm, dropFigures, rollUp, rollUpSome } from '../../../src/store/insight/roll-up.ts';
import { rollUpTask } from '../../../src/store/insight/roll-up-task.ts';
import { Versions } from '../../../src/store/insight/versions.ts';
import { engines } from '../../support/engines.ts';
import type { ResponseBody } from '../../support/feedback-model.ts';
import { everyDay, readLines, recountedFigures, sourcesOf } from '../../support/insight-recount.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { seeded } from '../../support/seeded.ts';
import { storeRows } from '../../support/store-rows.ts';

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 0, 1);
const stamp = () => ({ actor: commandLine, changeId: randomUUID(), nowMs: Date.now() });

const scale = { min: 1, max: 10 };
const latents = [
  {
    id: 'L-1',
    name: 'Good',
    type: 'SATISFACTION',
    questions: [{ id: 'Q-1', name: 'How good?', scale }],
  },
  {
    id: 'L-2',
    name: 'Quick',
    type: 'ELEMENTS',
    questions: [
      { id: 'Q-2', name: 'How quick?', scale },
      { id: 'Q-3', name: 'How near?', scale, weight: 2 },
    ],
  },
];
const choice = (id: string) => ({ id, text: `The ${id}` });
const questions = [
  { id: 'C-1', name: 'Why?', responseType: 'TEXT_AREA' },
  { id: 'C-2', name: 'Which?', responseType: 'CHECKBOX', answers: ['a', 'b', 'c'].map(choice) },
  {
    id: 'C-3',
    name: 'What else?',
    responseType: 'RADIO',
    answers: ['x', 'y'].map(choice),
    rules: [{ question: 'C-2', operator: 'equals', answer: 'b' }],
  },
];
const parameters = { custom: [{ id: 'P', name: 'shop' }], external: [{ id: 'E', name: 'tier' }] };
const version = (id: string, current: boolean) => ({
  id,
  modelInstanceId: id,
  current,
  latents,
  questions,
  parameters,
});
const rating = {
  id: 'R',
  name: 'Rating',
  role: 'rating',
  responseType: 'STAR_RATING',
};
const topic = { ...questions[2]!, id: 'T', name: 'Topic', role: 'topic', rules: [] };
const projectVersion = (id: string) => ({
  id,
  modelInstanceId: id,
  questions: [rating, topic, questions[0]!],
  parameters,
});
const catalogueOf = (versions: number) => ({
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      measures: [
        {
          key: 1,
          name: 'One',
          surveys: Array.from({ length: versions }, (_, at) => version(`one-${at + 1}`, at + 1 === versions)),
        },
        { key: 2, name: 'Two', surveys: [version('two-1', true)] },
      ],
      projects: [{ id: 7, name: 'Pages', surveys: [projectVersion('pages-1')] }],
    },
    { id: 4002, name: 'Bolt', measures: [{ key: 1, name: 'One', surveys: [version('bolt-1', true)] }] },
  ],
});

for (const engine of engines) {
  describe(`figures added up ahead on ${engine.name}`, () => {
    let log: OpenedLog;
    let replicas: readonly Db[];
    let readers: readonly FiguresReader[];
    const random = seeded(20_475);
    const sources: { ready: PreparedSource; surveys: string[]; ids: string[] }[] = [];
    let versions = 1;

    const find = async (accountId: number, kind: 'measure' | 'project', key: number) => {
      const ready = await sourcesOf(log.db).byName({ accountId, kind, key });
      assert.ok(ready);
      return ready;
    };

    before(async () => {
      log = await openFeedbackLog(engine, catalogueOf(1));
      replicas = [log.db, await log.open()];
      readers = replicas.map((db) => new FiguresReader(db, sourcesOf(db), new WorkQueue(), Date.now));
      for (const [account, kind, key, survey] of [
        [4001, 'measure', 1, 'one-1'],
        [4001, 'measure', 2, 'two-1'],
        [4001, 'project', 7, 'pages-1'],
        [4002, 'measure', 1, 'bolt-1'],
      ] as const)
        sources.push({ ready: await find(account, kind, key), surveys: [survey], ids: [] });
    });
    after(() => log?.dispose());

    const some = (count: number) => String(1 + random.below(count));
    const newBody = (survey: string): ResponseBody => {
      const open = random.percent(60)
        ? { 'C-1': [random.percent(3) ? 'ß"\n'.repeat(4_000) : `Grüße ${some(99)} 😀\n`] }
        : {};
      const answers = survey.startsWith('pages')
        ? {
            R: [some(5)],
            ...(random.percent(70) ? { T: [random.pick(['x', 'y'])] } : {}),
            ...open,
          }
        : {
            'Q-1': [some(10)],
            ...(random.percent(70) ? { 'Q-2': [some(10)] } : {}),
            'Q-3': [some(10)],
            ...(random.percent(50) ? { 'C-2': random.some(['a', 'b', 'c'], 1 + random.below(3)) } : {}),
            ...open,
          };
      return {
        surveyDefinitionId: survey,
        responseId: randomUUID(),
        submissionTimestamp: new Date(firstMs + random.below(12) * dayMs).toISOString(),
        responses: answers,
        ...(random.percent(50) ? { completionTimeInMs: random.below(90_000) } : {}),
      } as unknown as ResponseBody;
    };

    const append = async (db: Db, at: number, count: number): Promise<void> => {
      const source = sources[at]!;
      const bodies = Array.from({ length: count }, () => newBody(random.pick(source.surveys)));
      const items: AppendItem[] = [];
      for (const body of bodies) items.push(await log.item(body));
      const appender = new LogAppender(db);
      for (const outcome of await Promise.all(items.map((item) => appender.add(item))))
        assert.equal(outcome, 'kept');
      source.ids.push(...items.map(({ responseId }) => responseId));
    };

    const roll = async (db: Db, at: number, steps: number): Promise<void> => {
      for (let step = 0; step < steps; step += 1) {
        const options = { versions: new Versions(db), nowMs: Date.now() };
        const { source } = sources[at]!.ready;
        const { outcome } = await rollUpSome(db, source, options);
        const { answering, latest } = await buildsOf(db, source, Date.now());
        const isAnew = answering !== null && latest!.build > answering.build;
        if (isAnew) await advanceBuild(db, source, latest!.build, options);
        if (outcome === 'end' && !isAnew) return;
      }
    };

    const erase = async (db: Db, at: number): Promise<void> => {
      const { ready, ids } = sources[at]!;
      const { accountId, sourceId } = ready.source;
      if (random.percent(60)) {
        for (const responseId of random.some(ids, 3))
          await db.write(eraseResponse, { ...stamp(), accountId, responseId });
        return;
      }
      // As retention and "erase --from --to" do it.
      const day = Math.floor(firstMs / dayMs) + random.below(12);
      const stretch = {
        afterSeq: 0,
        lastSeq: await lastSeqOf(db, ready.source),
        range: { firstDay: day, lastDay: day },
      };
      const { rows } = await nextErasable(db, ready.source, stretch);
      const taken = rows.slice(0, 20);
      await db.write(eraseSlice, {
        ...stamp(),
        accountId,
        sources: [{ sourceId, rows: taken }],
        foundBy: null,
      });
    };

    const addExternal = async (db: Db, at: number): Promise<void> => {
      const { ready, ids } = sources[at]!;
      await db.write(appendExternal, {
        ...stamp(),
        accountId: ready.source.accountId,
        columns: ['tier'],
        lines: random.some(ids, 2).map((responseId, at) => ({ line: at + 1, responseId, values: ['gold'] })),
        isReplacing: true,
        sourceId: null,
      });
    };

    const rebuild = async (db: Db, at: number): Promise<void> => {
      const { accountId, sourceId } = sources[at]!.ready.source;
      if (random.percent(50))
        return db.write(rebuildFigures, { ...stamp(), accountId, sourceId, kind: 'measure', key: 1 });
      const [cursor] = await db.read<{ moves: number }>(sql`
        select moves from insight_cursor where account_id = ${accountId} and source_id = ${sourceId} and form = ${form}`);
      if (cursor !== undefined)
        await db.write(dropFigures, { accountId, sourceId, form, moves: cursor.moves, nowMs: 1 });
    };

    const check = async (at: number): Promise<void> => {
      const { ready } = sources[at]!;
      for (const range of [everyDay, { firstDay: Math.floor(firstMs / dayMs) + 2, lastDay: 20_460 }]) {
        const expected = await recountedFigures(log.db, ready.source, range);
        for (const reader of readers) assert.deepEqual(await readLines(reader, ready, range), expected);
      }
      await checkComments(at);
    };

    /** Up to the cursor of each build, every open answer that is there, and no other. */
    const checkComments = async (at: number): Promise<void> => {
      const { accountId, sourceId } = sources[at]!.ready.source;
      const where = `account_id = ${accountId} and source_id = ${sourceId}`;
      const bodies = await storeRows(
        log.databaseUrl,
        `select seq, body from response_body where ${where} order by seq`,
      );
      const cursors = await storeRows(
        log.databaseUrl,
        `select form, rolled_seq from insight_cursor where ${where} and rolled_seq >= 0`,
      );
      for (const { form: build, rolled_seq: rolled } of cursors) {
        const kept = await storeRows(
          log.databaseUrl,
          `select seq, folded_text as text from comment where ${where} and form = ${build} order by seq`,
        );
        const wanted = bodies.flatMap(({ seq, body }) => {
          const { responses } = JSON.parse(String(body)) as { responses: Record<string, string[]> };
          return responses['C-1'] === undefined || Number(seq) > Number(rolled)
            ? []
            : [`${seq} ${fold(responses['C-1'][0]!)}`];
        });
        assert.deepEqual(
          kept.map(({ seq, text }) => `${seq} ${text}`),
          wanted,
        );
      }
    };

    it('with the rows behind them are a recount of all rows, after any order of what can happen, with two replicas [D-475] [D-476]', async () => {
      for (let turn = 0; turn < 24; turn += 1) {
        const at = random.below(sources.length);
        const [one, other] = random.percent(50) ? replicas : replicas.toReversed();
        if (turn === 12) {
          versions = 2;
          await log.apply(catalogueOf(versions));
          sources[0]!.surveys.push('one-2');
        }
        await append(one!, at, random.pick([1, 7, 90, 300]));
        await Promise.all([
          roll(one!, at, 1 + random.below(3)),
          roll(other!, at, 1 + random.below(3)),
          random.percent(70) ? erase(other!, at) : addExternal(one!, at),
          append(other!, random.below(sources.length), random.below(30)),
          ...(random.percent(15) ? [rebuild(one!, at)] : []),
        ]);
        await check(at);
      }
      for (const at of sources.keys()) {
        await Promise.all(replicas.map((db) => roll(db, at, 100)));
        await roll(log.db, at, 100);
        const { source } = sources[at]!.ready;
        await rollUpAll(log.db, source, { versions: new Versions(log.db), now: Date.now }, () => {});
        const { answering, latest, toDelete } = await buildsOf(log.db, source, Date.now(), true);
        assert.deepEqual([latest, toDelete], [answering, []]);
        assert.equal(answering!.rolledSeq, await lastSeqOf(log.db, source));
        await check(at);
      }
    });

    it('the task adds up what its own process has kept, and finds what others have kept [D-478]', async () => {
      const config = {} as TaskContext['config'];
      const scopesOf = (db: Db) => rollUpTask.scopes!({ db, config, now: Date.now, newId: randomUUID });
      const work = async (db: Db): Promise<number> => {
        const scopes = await scopesOf(db);
        for (const scope of scopes)
          for (;;) {
            const at = { ...(await findTask(db, rollUpTask.name, scope)) };
            const outcome = await rollUpTask.step({ db, config, now: Date.now, newId: randomUUID }, at);
            if (outcome !== 'moved') break;
          }
        return scopes.length;
      };
      // The first look of a process goes over all sources, whoever has appended to them.
      await append(replicas[0]!, 3, 5);
      // A look ends after some milliseconds, and the next one goes on with the accounts that are left.
      for (let look = 0; look < 10; look += 1) while ((await work(replicas[1]!)) > 0);
      assert.deepEqual(await rowsBehind(), []);
      // After that only its own are at hand: many are due at once, a few wait for others.
      await append(replicas[1]!, 3, 300);
      await append(replicas[1]!, 2, 3);
      const { accountId, sourceId } = sources[3]!.ready.source;
      assert.deepEqual(await scopesOf(replicas[1]!), [{ accountId, scope: `source ${sourceId}` }]);
      await work(replicas[1]!);
      assert.deepEqual(await rowsBehind(), [3]);
      assert.equal(rollUpQueue(replicas[1]!).rows, 3);
      assert.deepEqual(
        await recountedFigures(log.db, sources[2]!.ready.source),
        await readLines(readers[0]!, sources[2]!.ready),
      );
    });

    it('a reader who finds too many rows behind adds some up, says how far it has come, and the next goes on [D-479]', async () => {
      for (let turn = 0; turn < 4; turn += 1) await append(replicas[turn % 2]!, 3, 700);
      const { ready } = sources[3]!;
      const lastSeq = await lastSeqOf(log.db, ready.source);
      const inHaste = { leftMs: 0, pause: async () => {} };
      const reached: number[] = [];
      for (;;) {
        const outcome = await readers[0]!.read(ready, everyDay, inHaste);
        if ('figures' in outcome) break;
        assert.equal(outcome.reached.lastSeq, lastSeq);
        reached.push(outcome.reached.rolledSeq);
      }
      assert.ok(reached.length > 0 && reached.every((seq, at) => at === 0 || seq > reached[at - 1]!));
      await check(3);
    });

    it('while another form is built the one before answers; an erasure of a release that cannot read it makes it begin anew [D-476]', async () => {
      const { ready } = sources[3]!;
      const { accountId, sourceId } = ready.source;
      const where = `account_id = ${accountId} and source_id = ${sourceId}`;
      const newer = form + 1;
      const reader = new FiguresReader(log.db, sourcesOf(log.db), new WorkQueue(), Date.now, [newer, form]);
      const rollNewer = () =>
        rollUpSome(log.db, ready.source, { versions: new Versions(log.db), nowMs: 1, build: newer });
      const cursorOf = async (ofForm: number) =>
        (
          await storeRows(
            log.databaseUrl,
            `select rolled_seq from insight_cursor where ${where} and form = ${ofForm}`,
          )
        )[0];
      await roll(log.db, 3, 100);
      for (let turn = 0; turn < 4; turn += 1) {
        await rollNewer();
        assert.deepEqual(await readLines(reader, ready), await recountedFigures(log.db, ready.source));
      }
      const rolled = Number((await cursorOf(newer))!.rolled_seq);
      assert.ok(rolled > 0 && rolled < (await lastSeqOf(log.db, ready.source)));
      const [first] = await storeRows(
        log.databaseUrl,
        `select response_id as id from response where ${where} and hash is null order by seq limit 1`,
      );
      await log.db.write(eraseResponse, { ...stamp(), accountId, responseId: String(first!.id) });
      assert.equal(Number((await cursorOf(newer))!.rolled_seq), -1);
      for (let isEnd = false; !isEnd; ) {
        isEnd = (await rollNewer()).outcome === 'end';
        assert.deepEqual(await readLines(reader, ready), await recountedFigures(log.db, ready.source));
      }
      const days = (ofForm: number) =>
        storeRows(
          log.databaseUrl,
          `select day, survey_no, figures from insight_day where ${where} and form = ${ofForm} order by day, survey_no`,
        );
      // It may have been added up anew before.
      const { answering } = await buildsOf(log.db, ready.source, Date.now(), true);
      assert.deepEqual(await days(newer), await days(answering!.build));
      // What nobody reads any more goes, in slices, and takes nothing of the other form along.
      while (await log.db.write(deleteForm, { accountId, sourceId, form: newer }));
      assert.deepEqual(await days(newer), []);
      assert.equal(await cursorOf(newer), undefined);
      await check(3);
    });

    const rowsBehind = async (): Promise<readonly number[]> => {
      const rows = await storeRows(
        log.databaseUrl,
        // Of each source the build that has come furthest: those before it are emptied.
        `select last_seq - max(rolled_seq) as behind
         from log_counter
         join insight_cursor on insight_cursor.account_id = log_counter.account_id
           and insight_cursor.source_id = log_counter.source_id
         group by log_counter.account_id, log_counter.source_id, last_seq
         having last_seq <> max(rolled_seq)`,
      );
      return rows.map(({ behind }) => Number(behind));
    };

    it('what a replica of an older release has erased is not shown, and the source is added up anew [D-477]', async () => {
      const { accountId, sourceId } = sources[0]!.ready.source;
      await roll(log.db, 0, 100);
      const where = `account_id = ${accountId} and source_id = ${sourceId}`;
      const days = await storeRows(log.databaseUrl, `select * from insight_day where ${where}`);
      // The build that answers: sources may have been added up anew before.
      const [cursor] = await storeRows(
        log.databaseUrl,
        `select * from insight_cursor where ${where} order by rolled_seq desc, form desc limit 1`,
      );
      const full = await storeRows(
        log.databaseUrl,
        `select response_id from response where ${where} and hash is null order by seq limit 3`,
      );
      for (const { response_id: id } of full)
        await log.db.write(eraseResponse, { ...stamp(), accountId, responseId: String(id) });
      // As if nobody had looked at the figures.
      for (const { day, survey_no: number, figures } of days)
        await storeRows(
          log.databaseUrl,
          `update insight_day set figures = '${figures}' where ${where} and day = ${day} and survey_no = ${number}`,
        );
      await storeRows(log.databaseUrl, `update insight_cursor set moves = ${cursor!.moves} where ${where}`);
      await storeRows(
        log.databaseUrl,
        `update log_change set insight_form = 0 where ${where} and change_no > ${cursor!.change_no}`,
      );
      await check(0);
      await roll(log.db, 0, 100);
      await check(0);
    });

    it('figures of rows that the store has lost are added up anew, and what was read of them is not kept [D-477]', async () => {
      const { accountId, sourceId } = sources[1]!.ready.source;
      await roll(log.db, 1, 100);
      const where = `account_id = ${accountId} and source_id = ${sourceId}`;
      // The build that answers: sources may have been added up anew before.
      const [cursor] = await storeRows(
        log.databaseUrl,
        `select * from insight_cursor where ${where} order by rolled_seq desc, form desc limit 1`,
      );
      const place = {
        accountId,
        sourceId,
        form: Number(cursor!.form),
        moves: Number(cursor!.moves),
        nowMs: 1,
      };
      const lastSeq = Number(cursor!.rolled_seq);
      await append(log.db, 1, 2);
      const lost = {
        ...place,
        rolledSeq: lastSeq + 1,
        rolledId: 'gone',
        changeNo: 0,
        afterSeq: lastSeq,
        ids: ['gone'],
        days: [],
        comments: [],
      };
      assert.equal(await log.db.write(rollUp, lost), false);
      await check(1);
      // The cursor says that another response was there.
      await storeRows(log.databaseUrl, `update insight_cursor set rolled_id = 'other' where ${where}`);
      await check(1);
      await storeRows(log.databaseUrl, `update insight_cursor set rolled_seq = 1000000 where ${where}`);
      await check(1);
    });
  });
}
