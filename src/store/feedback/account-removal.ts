// Deletes everything that a closed account has, in slices, whoever goes on with it: a command or the console.

import type { ChangeStamp } from '../engine/audit.ts';
import type { Db } from '../engine/db.ts';
import { listSourceNames } from './catalogue.ts';
import { accountRemovedAt, closeSource, emptyAccount, emptySource, sourcesToEmpty } from './removal.ts';

// Replicas remember who may call for four seconds. What they let in until then is deleted by the last round.
const rememberedMs = 5_000;

/** Under which the console keeps how far it has come. */
export function removalJob(accountId: number): string {
  return `removal ${accountId}`;
}

/** Tells of every slice; what that throws stops it between two of them, and begun again it goes on. */
export async function emptyEverything(
  { db, now }: { readonly db: Db; readonly now: () => number },
  stamp: () => ChangeStamp,
  accountId: number,
  onSlice: (table: string, rows: number) => void,
): Promise<void> {
  for (const name of await listSourceNames(db, accountId)) {
    await db.write(closeSource, { ...stamp(), ...name });
    onSlice('source', 1);
  }
  for (const sourceId of await sourcesToEmpty(db, accountId, null))
    await emptySource(db, stamp, { accountId, sourceId }, onSlice);
  await emptyAccount(db, accountId, onSlice);
  const closedAtMs = (await accountRemovedAt(db, accountId)) ?? 0;
  const waitMs = Math.min(rememberedMs, closedAtMs + rememberedMs - now());
  if (waitMs <= 0) return;
  await new Promise((resume) => setTimeout(resume, waitMs));
  await emptyAccount(db, accountId, onSlice);
}
