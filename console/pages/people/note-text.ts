// What an entry of the audit log tells beside its action, in the language of the page (D-1040).

import type { AuditNote } from '../../../src/domain/access/audit-note.ts';
import type { AnswerTo } from '../../call.ts';
import { dayWords, momentText } from '../../formats.ts';
import { t } from '../../person-texts.ts';
import { people } from './texts.ts';

type Entry = AnswerTo<'GET /audit'>['items'][number];
type NotedEntry = Pick<Entry, 'action' | 'note' | 'noteCode' | 'noteValues'>;
type SubjectEntry = Pick<Entry, 'subject' | 'subjectName' | 'subjectCode' | 'subjectValues'>;

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

/** Names and numbers stay; so does what a release of before, or a later one, has said of many things at once. */
export function subjectText({ subject, subjectName, subjectCode, subjectValues = {} }: SubjectEntry): string {
  const words = people.t.auditSubjects({ day: dayWords, thing });
  if (subjectCode !== undefined && Object.hasOwn(words, subjectCode))
    return (words[subjectCode] as (values: object) => string)(subjectValues);
  return subjectName ?? thing(subject);
}

/** Such as `measure 10`. */
export function thing(subject: string): string {
  const [, kind = '', name = ''] = /^(set-up link|shared view|sealing key|[a-z]+) (\S+)$/.exec(subject) ?? [];
  return Object.hasOwn(people.t.subjectKinds, kind) ? `${people.t.subjectKinds[kind]} ${name}` : subject;
}

function named(names: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(names, code) ? names[code]! : code;
}
