// A token that a person got for themselves is kept nowhere; the audit log says that there was one.

import type { Grant } from '../../domain/access/account.ts';
import { auditNote } from '../../domain/access/audit-note.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Steps } from '../engine/db.ts';

interface NoteAccessToken extends ChangeStamp {
  readonly accountId: number;
  /** As the audit log names the person. */
  readonly subject: string;
  readonly grants: readonly Grant[];
}

export function* noteAccessToken(input: NoteAccessToken): Steps<void> {
  const { accountId, subject, grants } = input;
  yield auditStatement(input, {
    accountId,
    action: 'access-token.create',
    subject,
    details: auditNote('grants', { grants: grants.join(' ') }),
  });
}
