// What an entry of the audit log tells beside its action, in the language of the page (D-1040).

import type { AuditNote } from '../../../src/domain/access/audit-note.ts';
import type { AnswerTo } from '../../call.ts';
import { dayWords, momentText } from '../../formats.ts';
import { t } from '../../person-texts.ts';
import { people } from './texts.ts';

type NotedEntry = Pick<
  AnswerTo<'GET /audit'>['items'][number],
  'action' | 'note' | 'noteCode' | 'noteValues'
>;

/** What an older release has written stays as it is, but the names of roles; so does what a later one has written. */
export function noteText({ action, note = '', noteCode, noteValues = {} }: NotedEntry): string {
  if (noteCode !== undefined) return wordsOf({ noteCode, noteValues }) ?? note;
  return action.startsWith('role.') ? named(t.roles, note) : note;
}

function wordsOf({ noteCode, noteValues }: AuditNote): string | null {
  const words = people.t.auditNotes({
    moment: momentText,
    day: dayWords,
    role: (role) => named(t.roles, role),
    way: (way) => named(t.ways, way),
    grant: (grant) => named(people.t.grants, grant),
  });
  return Object.hasOwn(words, noteCode) ? (words[noteCode] as (values: object) => string)(noteValues) : null;
}

function named(names: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(names, code) ? names[code]! : code;
}
