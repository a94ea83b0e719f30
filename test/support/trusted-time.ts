// Lets a store take a time for true, as an operator does who confirms the clock: then what has ended by it is deleted.

import { storeRows } from './store-rows.ts';

export async function believeTime(databaseUrl: string, wallMs: number): Promise<void> {
  await storeRows(
    databaseUrl,
    `update trusted_time set at = ${Math.round(wallMs)}, claimed_at = null, agreed = 0, moves = moves + 1`,
  );
}
