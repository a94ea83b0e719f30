// What the log of changes promises whoever follows a source (src/store/feedback/change-log.ts), held on both engines.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { Db } from '../../../src/store/engine/db.ts';
import { eraseResponse } from '../../../src/store/erasure/erase.ts';
import { changesOfRuns } from '../../../src/store/feedback/change-log.ts';
import { appendExternal, checkExternal } from '../../../src/store/feedback/external-parameters.ts';
import { appendResponses } from '../../../src/store/feedback/log.ts';
import { newMark } from '../../../src/store/feedback/log-history.ts';
import { engines } from '../../support/engines.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';

interface ChangeRow {
  readonly change_no: number;
  readonly position: number;
  readonly kind: string;
  readonly first_seq: number;
  readonly last_seq: number;
}

for (const engine of engines) {
  describe(`the log of changes on ${engine.name}`, () => {
    let log: OpenedLog;
    let db: Db;
    let sourceId: number;

    before(async () => {
      log = await openFeedbackLog(engine, feedbackCatalogue);
      db = log.db;
    });
    after(() => log?.dispose());

    const stamp = () => ({ changeId: randomUUID(), nowMs: 7, actor: 'test', accountId: acme });
    const append = async (ids: readonly string[]): Promise<void> => {
      const items = await Promise.all(
        ids.map((responseId) =>
          log.item({
            surveyDefinitionId: 'acme-web',
            responseId,
            responses: { 'Q-SAT-1': ['7'], 'Q-FOUND': ['A-YES'] },
          }),
        ),
      );
      sourceId = items[0]!.sourceId;
      assert.deepEqual(
        new Set(await db.write(appendResponses, { items, mark: newMark() })),
        new Set(['kept']),
      );
    };
    const changes = (): Promise<readonly ChangeRow[]> =>
      db.read<ChangeRow>(sql`
        select change_no, position, kind, first_seq, last_seq
        from log_change
        where account_id = ${acme} and source_id = ${sourceId}
        order by change_no`);

    it('numbers changes without a gap, in the order of their positions, while responses keep coming [D-257]', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `r-${index}`);
      await append(ids.slice(0, 200));
      const erased = ids.slice(0, 60).filter((_, index) => index % 3 === 0);
      const given = ids.slice(60, 200).filter((_, index) => index % 2 === 0);
      await Promise.all([
        ...erased.map((responseId) => db.write(eraseResponse, { ...stamp(), responseId })),
        ...[0, 1, 2].map((part) =>
          db.write(appendExternal, {
            ...stamp(),
            sourceId: null,
            isReplacing: false,
            columns: ['loyalty_tier'],
            lines: given
              .filter((_, index) => index % 3 === part)
              .map((responseId, index) => ({ line: index + 2, responseId, values: ['gold'] })),
          }),
        ),
        ...ids.slice(200).map((id) => append([id])),
      ]);
      const rows = await changes();
      assert.deepEqual(
        rows.map((row) => row.change_no),
        rows.map((_, index) => index + 1),
      );
      const positions = rows.map(({ position }) => position);
      assert.deepEqual(
        positions,
        positions.toSorted((one, other) => one - other),
      );
      assert.deepEqual([positions.every((position) => position >= 200 && position <= 300)], [true]);
      const seqs = (kind: string): number[] =>
        rows
          .filter((row) => row.kind === kind)
          .map((row) => row.first_seq)
          .sort((one, other) => one - other);
      const seqOf = (id: string): number => ids.indexOf(id) + 1;
      assert.deepEqual(seqs('erased'), erased.map(seqOf));
      assert.deepEqual(seqs('external'), given.map(seqOf));
    });

    it('a repeat that changes nothing, and a mere check, are no changes [D-257]', async () => {
      const before = (await changes()).length;
      const lines = [{ line: 2, responseId: 'r-61', values: ['basic'] }];
      const order = {
        accountId: acme,
        sourceId: null,
        isReplacing: false,
        columns: ['loyalty_tier'],
      };
      const asked = async (): Promise<void> => {};
      await checkExternal(db, order, lines, () => {}, asked);
      await db.write(eraseResponse, { ...stamp(), responseId: 'r-0' });
      assert.equal((await changes()).length, before);
      await db.write(appendExternal, { ...stamp(), ...order, lines });
      await db.write(appendExternal, { ...stamp(), ...order, lines });
      assert.deepEqual((await changes()).slice(before), [
        { change_no: before + 1, position: 300, kind: 'external', first_seq: 62, last_seq: 62 },
      ]);
    });
  });
}

it('what is done to neighbours is one change, whatever the order in which they are named', () => {
  const run = (firstSeq: number, lastSeq: number) => ({ sourceId: 3, kind: 'retained', firstSeq, lastSeq });
  assert.deepEqual(changesOfRuns(3, 'retained', [9, 2, 1, 3, 3, 7, 8, 20]), [
    run(1, 3),
    run(7, 9),
    run(20, 20),
  ]);
  assert.deepEqual(changesOfRuns(3, 'retained', []), []);
});
