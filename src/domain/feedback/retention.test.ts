// A pass over a log, held against a plain model: every row that is too old is emptied, none that is not, whatever comes in
// and however the days are changed between the slices.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  nextStretch,
  type RetentionState,
  readState,
  stateAfter,
  untouched,
  writeState,
} from './retention.ts';

type Event =
  | { readonly kind: 'append'; readonly days: readonly number[] }
  | { readonly kind: 'look'; readonly rows: number }
  | { readonly kind: 'keep'; readonly day: number };

const day = fc.integer({ min: 1, max: 30 });
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), days: fc.array(day, { maxLength: 12 }) }),
    fc.record({ kind: fc.constant('look' as const), rows: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant('keep' as const), day }),
  ),
  { maxLength: 60 },
);

interface Row {
  readonly day: number;
  isEmpty: boolean;
}

/** Looks through so many rows of the next stretch; false when there is nothing to do. */
function look(
  rows: readonly Row[],
  box: { state: RetentionState },
  keptDay: number,
  atMost: number,
): boolean {
  const stretch = nextStretch(box.state, keptDay, rows.length);
  if (stretch === null) return false;
  const throughSeq = Math.min(stretch.lastSeq, stretch.afterSeq + atMost);
  for (let seq = stretch.afterSeq + 1; seq <= throughSeq; seq += 1) {
    const row = rows[seq - 1]!;
    if (row.day < stretch.range.firstDay || row.day > stretch.range.lastDay) continue;
    assert.ok(row.day < keptDay, 'a row that should be kept is emptied');
    row.isEmpty = true;
  }
  const after = stateAfter(box.state, stretch, throughSeq, rows.length);
  box.state = readState(writeState(after));
  return true;
}

describe('the end of the time of responses', () => {
  it('every row that is too old is emptied in the end, and none that is to be kept [D-272]', () => {
    fc.assert(
      fc.property(events, (list: readonly Event[]) => {
        const rows: Row[] = [];
        const box = { state: untouched };
        let keptDay = 10;
        for (const event of list) {
          if (event.kind === 'append') rows.push(...event.days.map((one) => ({ day: one, isEmpty: false })));
          else if (event.kind === 'keep') keptDay = event.day;
          else look(rows, box, keptDay, event.rows);
        }
        let steps = 0;
        while (look(rows, box, keptDay, 5)) {
          steps += 1;
          assert.ok(steps < 2_000, 'it never ends');
        }
        assert.deepEqual(
          rows.filter((row) => row.day < keptDay && !row.isEmpty),
          [],
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
