// The tag of what a visitor sees: another one as soon as anything moved that could change it. Made of counters, so that asking for
// it costs next to nothing, however much the account has.

import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Visitor } from '../../../domain/access/visitor.ts';
import { dayOf } from '../../../domain/dates.ts';
import { programVersion } from '../../../domain/version.ts';
import { accountMovement } from '../../../store/access/account-movement.ts';
import { catalogueGeneration } from '../../../store/feedback/catalogue.ts';

export async function liveTag({ db, now }: Context, visitor: Visitor): Promise<string> {
  const { account, abilities } = visitor;
  const today = dayOf(now());
  const counters =
    account === null
      ? []
      : await Promise.all([accountMovement(db, account.id, today), catalogueGeneration(db)]);
  const seen = [programVersion, account, today, [...abilities], counters];
  return `"${createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 22)}"`;
}
