// Comments as long as they may be, of letters that become eighteen characters when they are folded, and thousands of responses at once:
// whatever adds them up, indexes, searches, checks and erases them reads a bounded piece at a time. Told by counting what each
// statement answers, on any machine.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { fold } from '../../../src/domain/fold.ts';
import { form } from '../../../src/domain/insight/layout.ts';
import { commandLine } from '../../../src/store/engine/audit.ts';
import type { Db, Row } from '../../../src/store/engine/db.ts';
import { SqliteConnection } from '../../../src/store/engine/sqlite/sqlite-connection.ts';
import { ScanSlots } from '../../../src/store/engine/work/scan-slots.ts';
import { WorkBudget, WorkQueue } from '../../../src/store/engine/work/work-budget.ts';
import { nextErasable } from '../../../src/store/erasure/erasable-rows.ts';
import { eraseSlice } from '../../../src/store/erasure/erase.ts';
import { findSourceOfSurvey } from '../../../src/store/feedback/catalogue.ts';
import { PreparedSource } from '../../../src/store/feedback/sources.ts';
import { indexComments } from '../../../src/store/insight/comment-index.ts';
import { CommentSearch } from '../../../src/store/insight/comment-search.ts';
import { FiguresReader } from '../../../src/store/insight/figures-reader.ts';
import { checkFigures } from '../../../src/store/insight/insight-status.ts';
import { rollUpSome } from '../../../src/store/insight/roll-up.ts';
import { Versions } from '../../../src/store/insight/versions.ts';
import { appendComments } from '../../support/comment-log.ts';
import { commentCatalogue, commentNowMs, type SentResponse } from '../../support/comment-population.ts';
import { engines } from '../../support/engines.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { storeRows } from '../../support/store-rows.ts';

const segmentRows = 4_096;
const everyLong = 200;
const growing = '\ufdfa'.repeat(20_000);
/** Different words, so that the lists of their segment are long too. */
const wordy = Array.from({ length: 12_000 }, (_, at) => `w${(at * 7_919).toString(36)}`).join(' ');
const day = Date.UTC(2026, 1, 1) / 86_400_000;

function responses(surveyId: string, name: string, long: string): readonly SentResponse[] {
  return Array.from({ length: segmentRows }, (_, number) => ({
    body: {
      surveyDefinitionId: surveyId,
      responseId: `${name}-${number}`,
      submissionTimestamp: '2026-02-01T12:00:00.000Z',
      responses: {
        ...(name === 'grows' ? { 'C-STARS': ['4'] } : { 'Q-1': ['7'], 'Q-2': ['5'] }),
        ...(number % everyLong === 7 && { 'C-WHY': [`Zebra ${long} number ${number}`] }),
        ...(number % everyLong === 8 && { 'C-WHY': [`a short one beside it, number ${number}`] }),
      },
    },
    comments: [],
  }));
}

const longRows = segmentRows / everyLong;

/** What the texts of an answer have in all. */
function lengthOf(rows: readonly Row[]): number {
  let length = 0;
  for (const row of rows)
    for (const value of Object.values(row)) if (typeof value === 'string') length += value.length;
  return length;
}

class Counted {
  /** Rows of the index of comments. */
  lists = 0;
  /** Rows that say nothing but where a comment stands. */
  places = 0;
  most = 0;
  all = 0;
  readonly db: Db;

  constructor(db: Db) {
    this.db = new Proxy(db, {
      get: (target, name) => {
        if (name === 'read')
          return async (query: Parameters<Db['read']>[0]) => {
            const rows = await target.read(query);
            this.note(rows);
            return rows;
          };
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  note(rows: readonly Row[]): void {
    const length = lengthOf(rows);
    this.lists += rows.filter((row) => 'part_group' in row && Number(row.part_group) >= 0).length;
    this.places += rows.filter((row) => Object.keys(row).join() === 'seq' && Number(row.seq) > 0).length;
    this.most = Math.max(this.most, length);
    this.all += length;
  }
}

for (const engine of engines) {
  describe(`comments as long as they may be on ${engine.name}`, () => {
    let log: OpenedLog;
    const prepared = new Map<string, PreparedSource>();
    const texts = { grows: growing, words: wordy };
    const surveyIds = { grows: 'acme-badge', words: 'acme-shops-2' };
    const names = ['grows', 'words'] as const;
    const lengths = { grows: fold(growing).length, words: fold(wordy).length };

    before(async () => {
      log = await openFeedbackLog(engine, commentCatalogue);
      for (const name of names) {
        await appendComments(log, responses(surveyIds[name], name, texts[name]));
        prepared.set(name, new PreparedSource((await findSourceOfSurvey(log.db, surveyIds[name]))!));
      }
    });
    after(() => log?.dispose());

    it('whoever asks for figures before they are added up holds few of their rows, and sixteen do so at once [D-777]', async () => {
      const counted = new Counted(log.db);
      let holding = 0;
      let most = 0;
      const sources = { atLeast: async (ready: PreparedSource) => ready };
      const reader = new FiguresReader(counted.db, sources as never, new WorkQueue(), () => commentNowMs);
      const ask = async (): Promise<unknown> => {
        let isHolding = false;
        const work = {
          leftMs: 120_000,
          async pause() {
            if (!isHolding) most = Math.max(most, ++holding);
            isHolding = true;
            await new Promise((resume) => setImmediate(resume));
          },
        };
        try {
          return await reader.read(prepared.get('words')!, { firstDay: day, lastDay: day }, work);
        } finally {
          if (isHolding) holding -= 1;
        }
      };
      // Rows that are added up as far as is needed before others are read.
      const { figures } = (await ask()) as { figures: { lastSeq: number } };
      assert.equal(figures.lastSeq, segmentRows);
      most = 0;
      await Promise.all(Array.from({ length: 24 }, ask));
      assert.ok(counted.most <= 2_048 * 2_048, `${counted.most} characters at once`);
      assert.ok(most <= 16, `${most} at once`);
    });

    it('they are added up and indexed a piece at a time, and give way within a comment [D-742, D-775]', async () => {
      for (const name of names) {
        const counted = new Counted(log.db);
        const { accountId, sourceId } = prepared.get(name)!.source;
        let pauses = 0;
        const pause = async (): Promise<void> => {
          pauses += 1;
        };
        const options = { versions: new Versions(log.db), nowMs: commentNowMs, pause };
        const source = { accountId, sourceId };
        for (;;) if ((await rollUpSome(counted.db, source, options)).outcome === 'end') break;
        if (name === 'grows') assert.ok(pauses > (longRows * growing.length) / 4_096, `${pauses} pauses`);
        for (;;) if ((await indexComments(counted.db, source, form, { pause, level: 0 })) === 'none') break;
        const [kept] = await storeRows(
          log.databaseUrl,
          `select count(*) as comments, sum(octet_length(folded_text)) as bytes from comment where source_id = ${sourceId}`,
        );
        assert.equal(Number(kept!.comments), 2 * Math.ceil(longRows));
        assert.ok(Number(kept!.bytes) > longRows * lengths[name]);
        assert.ok(counted.most < 2 * 1024 * 1024, `${name}: ${counted.most} characters at once`);
      }
      const lists = await storeRows(
        log.databaseUrl,
        'select count(*) as lists from comment_segment where group_bits is not null',
      );
      // Of the words, and none of what has far too much text.
      assert.equal(Number(lists[0]!.lists), 2);
    });

    async function search(name: 'grows' | 'words', part: string): Promise<[string[], Counted]> {
      const counted = new Counted(log.db);
      const comments = new CommentSearch(counted.db, { atLeast: async (ready: object) => ready } as never);
      const found: string[] = [];
      for (let place = null; ; ) {
        const budget = new WorkBudget(new WorkQueue(), { timeMs: 60_000, units: 1_000_000 });
        const scans = new ScanSlots({ perAccount: 1, inAll: 1, waitingPerAccount: 0 });
        const page = await comments.find(
          prepared.get(name)!,
          { part, questionId: null, range: null, filter: null },
          { after: place, limit: 50 },
          { budget, scans, withinMs: 60_000 },
        );
        found.push(...page.comments.map(({ responseId }) => responseId));
        assert.ok(page.comments.reduce((sum, { text }) => sum + text.length, 0) < 1024 * 1024 + 100_000);
        if (page.next === null) return [found, counted];
        place = page.next as never;
      }
    }

    it('they are searched a piece at a time [D-742]', async () => {
      for (const name of names) {
        const [found, counted] = await search(name, 'zebra');
        assert.equal(found.length, Math.ceil(longRows));
        assert.ok(counted.most < 1024 * 1024, `${name}: ${counted.most} characters at once`);
      }
    });

    it('a rare word of many letters is looked for by three groups of them, and a frequent one by all [D-778]', async () => {
      const [found, counted] = await search('words', 'it, number 2008');
      assert.deepEqual(found, ['words-2008']);
      assert.equal(counted.lists, 3);
      const [none, ofNone] = await search('words', 'nobody has written this');
      assert.deepEqual(none, []);
      assert.ok(ofNone.lists <= 3, `${ofNone.lists} lists`);
    });

    it('the newest comments of a long log are looked for no further than the page goes [D-779]', async () => {
      const counted = new Counted(log.db);
      const comments = new CommentSearch(counted.db, { atLeast: async (ready: object) => ready } as never);
      const { comments: found } = await comments.find(
        prepared.get('words')!,
        { part: null, questionId: null, range: null, filter: null },
        { after: null, limit: 5 },
        {
          budget: new WorkBudget(new WorkQueue(), { timeMs: 60_000, units: 1_000_000 }),
          scans: new ScanSlots({ perAccount: 1, inAll: 1, waitingPerAccount: 0 }),
          withinMs: 60_000,
        },
      );
      const numbers = found.map(({ responseId }) => Number(responseId.slice('words-'.length)));
      assert.deepEqual(numbers, [4_008, 4_007, 3_808, 3_807, 3_608]);
      assert.equal(counted.places, 6);
    });

    it('verify holds one of them at a time [D-776]', async () => {
      for (const name of names) {
        const counted = new Counted(log.db);
        const { accountId, sourceId } = prepared.get(name)!.source;
        const check = await checkFigures(counted.db, { accountId, sourceId }, () => {});
        assert.deepEqual([check.differences, check.isUndecided, check.rows], [0, false, segmentRows]);
        assert.ok(counted.all > longRows * lengths[name]);
        assert.ok(counted.most < 2 * 1024 * 1024, `${name}: ${counted.most} characters at once`);
      }
    });

    it('a thousand responses are erased a piece at a time, and what is in no list is not read [D-776]', async () => {
      for (const name of names) {
        const { accountId, sourceId, kind } = prepared.get(name)!.source;
        const range = { firstDay: day, lastDay: day };
        for (let afterSeq = 0; afterSeq < 2_000; ) {
          const stretch = { afterSeq, lastSeq: 2_000, range };
          const { rows, throughSeq } = await nextErasable(log.db, { accountId, sourceId, kind }, stretch);
          afterSeq = throughSeq;
          const stamp = { actor: commandLine, changeId: randomUUID(), nowMs: commentNowMs };
          const input = { ...stamp, accountId, sources: [{ sourceId, rows }], foundBy: null };
          if (engine.name === 'postgres') {
            await log.db.write(eraseSlice, input);
            continue;
          }
          // The same statements, on a connection that is looked at.
          const connection = new SqliteConnection(log.databaseUrl.slice('sqlite:'.length), 10_000);
          const counted = new Counted(log.db);
          const run = connection.run.bind(connection);
          connection.run = (query) => {
            const answer = run(query);
            counted.note(answer.rows);
            return answer;
          };
          assert.ok(connection.begin());
          const [outcome] = connection.runTogether([{ change: eraseSlice as never, input }]);
          assert.deepEqual(outcome, { value: rows.length });
          connection.pragma('wal_checkpoint');
          const long = (rows.length / everyLong) * lengths[name];
          assert.ok(counted.most < 2.5 * 1024 * 1024, `${name}: ${counted.most} characters at once`);
          if (name === 'grows') assert.ok(counted.all < long / 4, `${counted.all} characters of ${long}`);
        }
        const [left] = await storeRows(
          log.databaseUrl,
          `select count(*) as comments from comment where source_id = ${sourceId} and seq <= 2000`,
        );
        assert.equal(Number(left!.comments), 0);
        const check = await checkFigures(log.db, { accountId, sourceId }, () => {});
        assert.deepEqual(check.named, []);
      }
    });
  });
}
