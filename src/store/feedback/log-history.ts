// What is kept beside a log so that replicas may cache parts of it: marks, by which they notice that the store has lost
// rows that they have cached, and the days of groups of blocks, so that a range is counted without reading every block.

import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { type Block, blockGroupSize, blockSize, packBlockGroup } from '../../domain/feedback/block.ts';
import type { Steps } from '../engine/db.ts';
import type { Dialect } from '../engine/dialect.ts';

/** For one append. A store that lost an append never has its mark again, whatever is appended in its place. */
export function newMark(): string {
  return randomBytes(9).toString('base64url');
}

/**
 * Rows of the log, or what stands beside them, have changed: their full blocks get another mark, so that whoever compares
 * marks notices (standby-rows.ts). The counter has none to spare for it, because appends would wait.
 */
export function* renewMarks(
  dialect: Dialect,
  { accountId, sourceId }: Pick<CloseBlockGroup, 'accountId' | 'sourceId'>,
  seqs: readonly number[],
  mark: string,
): Steps<void> {
  const blocks = [...new Set(seqs.map((seq) => Math.floor((seq - 1) / blockSize)))];
  yield sql`
    update log_block
    set mark = ${mark}
    where account_id = ${accountId} and source_id = ${sourceId}
      and ${dialect.isAmong(sql`block`, blocks, 'integer')}`;
}

interface CloseBlockGroup {
  readonly accountId: number;
  readonly sourceId: number;
  readonly group: number;
}

/** Writes down the days of a group whose last block is full; it never changes after that. */
export function* closeBlockGroup({ accountId, sourceId, group }: CloseBlockGroup): Steps<boolean> {
  const { rows } = yield sql`
    select day_min as "dayMin", day_max as "dayMax", days
    from log_block
    where account_id = ${accountId} and source_id = ${sourceId}
      and block >= ${group * blockGroupSize} and block < ${(group + 1) * blockGroupSize}
    order by block`;
  if (rows.length < blockGroupSize) return false;
  yield sql`
    insert into log_block_group (account_id, source_id, block_group, days)
    values (${accountId}, ${sourceId}, ${group}, ${packBlockGroup(rows as unknown as Block[])})
    on conflict (account_id, source_id, block_group) do nothing`;
  return true;
}

/**
 * The store was put back to an earlier state: what is appended from now on has numbers that other rows had before. Every
 * log gets another mark at its end, so that nothing that was remembered of it is taken for true (D-295).
 */
export function* renewEnds({ mark }: { readonly mark: string }): Steps<void> {
  const { rows } = yield sql`select account_id, source_id from log_counter`;
  for (const { account_id: accountId, source_id: sourceId } of rows)
    yield sql`
      update log_counter
      set mark = ${mark}
      where account_id = ${accountId} and source_id = ${sourceId}`;
}
