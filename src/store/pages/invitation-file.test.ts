import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InvitationLine, InvitationLines } from '../../domain/pages/invitation-lines.ts';
import type { Db } from '../engine/db.ts';
import { findRevoked } from './invitation-file.ts';

/** Lines without an id: neither the store nor the reader of the list is asked for any of them. */
function* lines(count: number): Generator<InvitationLine> {
  for (let line = 1; line <= count; line += 1) yield { line, invitationId: null, cells: ['x'] };
}

describe('a list of invitations', () => {
  it('is looked through with a pause after some lines, though none of them has an id [D-934]', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    const nobody = null as unknown;
    await findRevoked(nobody as Db, 4001, nobody as InvitationLines, lines(50_000), pause);
    assert.ok(pauses >= 100, `${pauses} pauses`);
  });
});
