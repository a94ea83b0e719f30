// Whether the index of comments is that of the comments which are kept (D-480).

import sql from 'sql-template-tag';
import type { SourceKey } from '../../domain/feedback/source-key.ts';
import {
  firstSeqOf,
  type PackedSegment,
  SegmentBuilder,
  segmentsOfSpan,
  spanOfNumber,
} from '../../domain/insight/comment-parts.ts';
import { type Db, limitOf } from '../engine/db.ts';
import { withPauses } from '../engine/work/work-budget.ts';
import type { Pause } from '../feedback/day-digests.ts';
import { commentsOf, ofForm, partsOf, spanOfStore } from './comment-index.ts';

const segmentsAtOnce = 256;

/** Segments and spans whose lists are others than their comments have, as sentences. */
export async function* indexDifferences(
  db: Db,
  source: SourceKey,
  form: number,
  pause: Pause,
): AsyncGenerator<string> {
  for (let last: number | null = null; ; ) {
    const rows: readonly SegmentRow[] = await db.read<SegmentRow>(sql`
      select segment as number, group_bits as "groupBits"
      from comment_segment
      where ${ofForm(source, form)} and segment > ${last ?? Number.MIN_SAFE_INTEGER}
      order by segment
      limit ${limitOf(segmentsAtOnce)}`);
    for (const { number, groupBits } of rows) {
      if (groupBits === null) continue;
      const packed = await withPauses(
        await packedAnew(db, source, form, { number, groupBits }, pause),
        pause,
      );
      const others = await rowsThatDiffer(db, source, form, { number, groupBits }, packed);
      const [first, end] = number < 0 ? segmentsOfSpan(spanOfNumber(number)) : [number, number + 1];
      if (others > 0)
        yield `the index of the comments of responses ${firstSeqOf(first)} to ${firstSeqOf(end) - 1} differs in ${others} rows`;
    }
    if (rows.length < segmentsAtOnce) return;
    last = rows.at(-1)!.number;
  }
}

interface SegmentRow {
  readonly number: number;
  readonly groupBits: number | null;
}

interface Indexed extends SegmentRow {
  readonly groupBits: number;
}

async function packedAnew(
  db: Db,
  source: SourceKey,
  form: number,
  { number, groupBits }: Indexed,
  pause: Pause,
): Promise<Generator<void, PackedSegment>> {
  if (number < 0) return (await spanOfStore(db, source, form, spanOfNumber(number), pause)).pack(groupBits);
  const builder = new SegmentBuilder(number);
  for await (const { seq, folded } of commentsOf(db, source, form, number, pause)) builder.add(seq, folded);
  return builder.pack(groupBits);
}

async function rowsThatDiffer(
  db: Db,
  source: SourceKey,
  form: number,
  { number, groupBits }: Indexed,
  { groups }: PackedSegment,
): Promise<number> {
  const expected = new Map(groups);
  let others = 0;
  for (let group = 0; group < 2 ** groupBits; group += segmentsAtOnce)
    for (const row of await partsOf(db, source, form, number, [group, group + segmentsAtOnce])) {
      if (expected.get(row.group) !== row.parts) others += 1;
      expected.delete(row.group);
    }
  return others + expected.size;
}
