// What an entry of the audit log tells beside its action: a code and its values, which are worded where they are read (D-1040).
// The sentences here are those of the API, the file and the command line, and never change; the console has its own in each of
// its languages. A code keeps its meaning once entries have been written with it.

import type { LinkPurpose } from './one-time-link.ts';
import { refusalSentences } from './refusal-note.ts';
import type { RefusedAct } from './refused-act.ts';
import type { Role } from './role.ts';
import type { SignInWay } from './sign-in-way.ts';

/** A moment is in its ISO form, a day is YYYY-MM-DD. */
interface Until {
  readonly until: string;
}
interface Count {
  readonly count: number;
}
interface Jump {
  readonly from: string;
  readonly to: string;
}
interface Exported {
  readonly from: string | null;
  readonly to: string | null;
  readonly isFiltered: boolean;
}
interface SharedPageFacts {
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly from: string;
  readonly to: string;
  readonly isFiltered: boolean;
  readonly until: string;
}

const sessions = (count: number): string => (count === 1 ? 'one session' : `${count} sessions`);
const jump = ({ from, to }: Jump): string => `from ${from} to ${to}`;

const sentences = {
  ...refusalSentences,
  digestChanged: ({ day }: { readonly day: string }) => `the digest of ${day} has changed`,
  exported: ({ from, to, isFiltered }: Exported) =>
    `${from === null && to === null ? 'all days' : `${from ?? 'first'} to ${to ?? 'last'}`}${isFiltered ? ', filtered' : ''}`,
  clockConfirmed: jump,
  clockBelieved: (values: Jump) => `${jump(values)}, after a week of serving`,
  refusedAct: ({ act }: { readonly act: RefusedAct }) => act,
  grants: ({ grants }: { readonly grants: string }) => grants,
  connectionFacts: ({ issuer, claim }: { readonly issuer: string; readonly claim: string }) =>
    `issuer ${issuer}, claim ${claim}`,
  onlyWay: () => 'the only way into the account',
  otherWays: () => 'other ways are open',
  mayChangeAdmins: () => 'may change admins',
  readOnly: () => 'read-only',
  role: ({ role }: { readonly role: Role }) => role,
  roleValues: ({ count }: Count) => (count === 0 ? 'no value gives a role' : `${count} values give a role`),
  sharedPage: ({ kind, key, from, to, isFiltered, until }: SharedPageFacts) =>
    `${kind} ${key}, ${from} to ${to}${isFiltered ? ', filtered' : ''}, until ${until}`,
  setupLink: ({ until, mayChangeAdmins }: Until & { readonly mayChangeAdmins: boolean }) =>
    `until ${until}${mayChangeAdmins ? ', may change admins' : ''}`,
  setupLinkOpened: () => 'opened for the first time',
  setupLinkTakenBack: () => 'taken back',
  setupLinkDone: () => 'done',
  messages: ({ count }: Count) => `${count} messages`,
  messageTaken: ({ status }: { readonly status: number }) => `taken: ${status}`,
  messageFailed: ({ reason }: { readonly reason: string }) => reason,
  guardStruck: () => 'refused to suspend or delete more users',
  guardLifted: ({ until }: Until) => `until ${until}`,
  invitations: ({ count, until }: Count & Until) => `${count} invitations until ${until}`,
  invitationRevoked: ({ invitation }: { readonly invitation: string }) => `invitation ${invitation}`,
  invitationsRevoked: ({ count }: Count) => `${count} invitations`,
  signedIn: ({ way, connection }: { readonly way: SignInWay; readonly connection: string | null }) =>
    `signed in by ${way}${connection === null ? '' : ` ${connection}`}`,
  signedInAgain: ({ way }: { readonly way: SignInWay }) => `signed in again by ${way}`,
  rolesGained: () => 'under a new secret, because roles were gained',
  sessions: ({ count }: Count) => sessions(count),
  sessionsByProvider: ({ count }: Count) => `${sessions(count)}, told by the provider`,
  sessionsEnded: ({ count }: Count) => `${sessions(count)} ended`,
  otherSessionsEnded: ({ count }: Count) =>
    count === 1 ? 'one other session ended' : `${count} other sessions ended`,
  link: ({
    purpose,
    until,
    admitsAdmin,
  }: Until & { readonly purpose: LinkPurpose; readonly admitsAdmin: boolean }) =>
    `${purpose}, until ${until}${admitsAdmin ? '' : ', without admin'}`,
  linkOfNewOperator: ({ until }: Until) => `with a link until ${until}`,
  linkOfStart: ({ until }: Until) => `shown by a start, until ${until}`,
  belongsTo: ({ connection }: { readonly connection: string | null }) =>
    connection === null ? 'belongs to no connection' : `belongs to ${connection}`,
  testSignIn: () => 'a sign-in that lets nobody in',
  passkey: ({ passkey }: { readonly passkey: string }) => `passkey ${passkey}`,
  passkeyCounter: (counted: {
    readonly passkey: string;
    readonly counter: number;
    readonly before: number;
  }) => `passkey ${counted.passkey} counted ${counted.counter} after ${counted.before}: refused`,
};

type Sentences = typeof sentences;
export type AuditNoteCode = keyof Sentences;
export const auditNoteCodes = Object.keys(sentences) as readonly AuditNoteCode[];

/** Every code worded anew, such as in another language; of a code without values the function has none. */
export type AuditNoteWords = {
  readonly [C in AuditNoteCode]: (...values: Parameters<Sentences[C]>) => string;
};

type AuditNoteValue = string | number | boolean | null;

/** As it is kept and handed on. */
export interface AuditNote {
  readonly noteCode: AuditNoteCode;
  readonly noteValues: Readonly<Record<string, AuditNoteValue>>;
}

export function auditNote<C extends AuditNoteCode>(
  noteCode: C,
  ...values: Parameters<Sentences[C]>
): AuditNote {
  return { noteCode, noteValues: (values[0] ?? {}) as AuditNote['noteValues'] };
}

/** Null for a code that a later release has written. */
export function noteSentence({ noteCode, noteValues }: AuditNote): string | null {
  if (!Object.hasOwn(sentences, noteCode)) return null;
  return (sentences[noteCode] as (values: object) => string)(noteValues);
}
