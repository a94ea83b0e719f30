// That somebody took a file of what people said out of the console: it is noted before the first byte leaves (D-552).

import { auditNote } from '../../domain/access/audit-note.ts';
import { auditStatement, type ChangeStamp } from '../engine/audit.ts';
import type { Steps } from '../engine/db.ts';

interface NoteExport extends ChangeStamp {
  readonly accountId: number;
  readonly what: 'comments' | 'responses';
  /** `measure 8840868`. */
  readonly subject: string;
  /** Which days, null for all before or after, and that there was a filter; never a word that was searched for. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isFiltered: boolean;
}

export function* noteExport(input: NoteExport): Steps<void> {
  const { accountId, what, subject, from, to, isFiltered } = input;
  const details = auditNote('exported', { from, to, isFiltered });
  yield auditStatement(input, { accountId, action: `${what}.export`, subject, details });
}
