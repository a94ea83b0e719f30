// Whether a standby has the rows of a page as the writer has them. A full block has a mark: of the append that filled it,
// or of the last change of one of its rows, such as an erasure. Where the standby has the same mark, it has replayed
// that change and everything before it, and its log is not one that went another way before a failover (D-233). Rows
// behind the last full block are read from the writer, where they are at hand anyway.

import sql from 'sql-template-tag';
import { blockSize } from '../../domain/feedback/block.ts';
import type { Db } from '../engine/db.ts';
import type { Standby } from '../engine/postgres/standby.ts';
import { markOfBlock, type SourceId } from './log-places.ts';

// A page of a few rows from each of many blocks would take as long to compare as to read.
const blocksMax = 256;

/** The standby, if it has these rows; null where the writer is to be asked. */
export async function standbyWith(
  standby: Standby,
  writer: Db,
  source: SourceId,
  seqs: readonly number[],
): Promise<Standby | null> {
  const blocks = [...new Set(seqs.map((seq) => Math.floor((seq - 1) / blockSize)))];
  const isThere =
    standby.mayAnswer && blocks.length <= blocksMax && (await hasSame(standby, writer, source, blocks));
  if (isThere) standby.pages += 1;
  else standby.pagesOfWriter += 1;
  return isThere ? standby : null;
}

async function hasSame(
  standby: Standby,
  writer: Db,
  source: SourceId,
  blocks: readonly number[],
): Promise<boolean> {
  const [marks, itsMarks] = await Promise.all([
    marksOf(writer, source, blocks),
    marksOf(standby.db, source, blocks).catch(() => null),
  ]);
  if (itsMarks === null) standby.noteFailure();
  return (
    itsMarks !== null &&
    marks.size === blocks.length &&
    blocks.every((block) => itsMarks.has(block) && itsMarks.get(block) === marks.get(block))
  );
}

async function marksOf(
  db: Db,
  { accountId, sourceId }: SourceId,
  blocks: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const rows = await db.read<{ block: number; mark: string | null }>(sql`
    select block, ${markOfBlock(accountId)} as mark
    from log_block
    where account_id = ${accountId} and source_id = ${sourceId}
      and ${db.dialect.isAmong(sql`block`, blocks, 'integer')}`);
  return new Map(rows.map(({ block, mark }) => [block, mark]));
}
