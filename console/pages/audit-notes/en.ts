import type { AuditNoteWords } from '../../../src/domain/access/audit-note.ts';
import type { AuditSubjectWords } from '../../../src/domain/access/audit-subject.ts';
import type { Role } from '../../../src/domain/access/role.ts';
import type { SignInWay } from '../../../src/domain/access/sign-in-way.ts';

/** How the values in a note are said in the language of the page. */
interface ValueTexts {
  readonly moment: (iso: string) => string;
  /** YYYY-MM-DD. */
  readonly day: (day: string) => string;
  readonly role: (role: Role) => string;
  readonly way: (way: SignInWay) => string;
  readonly grant: (grant: string) => string;
}

export type AuditSubjectTexts = (
  values: Pick<ValueTexts, 'day'> & { readonly thing: (subject: string) => string },
) => AuditSubjectWords;

export type AuditNoteTexts = (values: ValueTexts) => AuditNoteWords;

const sessions = (count: number): string => (count === 1 ? 'one session' : `${count} sessions`);

const nobody = (claim: string): string => `The claim ${claim} is the externalId of no user of the account`;

/** What each note of the audit log says. */
export const auditNotes: AuditNoteTexts = ({ moment, day, role, way, grant }) => {
  const days = (from: string, to: string): string => `${day(from)} to ${day(to)}`;
  const filtered = (isFiltered: boolean): string => (isFiltered ? ', filtered' : '');
  return {
    digestChanged: (values) => `the digest of ${day(values.day)} has changed`,
    exported: ({ from, to, isFiltered }) =>
      `${
        from === null
          ? to === null
            ? 'all days'
            : `all days to ${day(to)}`
          : to === null
            ? `from ${day(from)}`
            : days(from, to)
      }${filtered(isFiltered)}`,
    clockConfirmed: ({ from, to }) => `from ${moment(from)} to ${moment(to)}`,
    clockBelieved: ({ from, to }) => `from ${moment(from)} to ${moment(to)}, after a week of serving`,
    refusedAct: ({ act }) => act,
    grants: ({ grants }) => grants.split(' ').map(grant).join(', '),
    connectionFacts: ({ issuer, claim }) => `issuer ${issuer}, claim ${claim}`,
    onlyWay: () => 'the only way into the account',
    otherWays: () => 'other ways are open',
    mayChangeAdmins: () => 'may change admins',
    readOnly: () => 'read-only',
    role: (values) => role(values.role),
    roleValues: ({ count }) =>
      count === 0
        ? 'no value gives a role'
        : count === 1
          ? 'one value gives a role'
          : `${count} values give a role`,
    sharedPage: ({ kind, key, from, to, isFiltered, until }) =>
      `${kind} ${key}, ${days(from, to)}${filtered(isFiltered)}, valid until ${moment(until)}`,
    setupLink: ({ until, mayChangeAdmins }) =>
      `valid until ${moment(until)}${mayChangeAdmins ? ', may change admins' : ''}`,
    setupLinkOpened: () => 'opened for the first time',
    setupLinkTakenBack: () => 'taken back',
    setupLinkDone: () => 'done',
    messages: ({ count }) => (count === 1 ? 'one message' : `${count} messages`),
    messageTaken: ({ status }) => `accepted: ${status}`,
    messageFailed: ({ reason }) => `failed: ${reason}`,
    guardStruck: () => 'refused to suspend or delete more users',
    guardLifted: ({ until }) => `until ${moment(until)}`,
    invitations: ({ count, until }) =>
      `${count === 1 ? 'one invitation' : `${count} invitations`}, valid until ${moment(until)}`,
    invitationRevoked: ({ invitation }) => `invitation ${invitation}`,
    invitationsRevoked: ({ count }) => `${count} invitations`,
    signedIn: (values) => `${way(values.way)}${values.connection === null ? '' : ` (${values.connection})`}`,
    signedInAgain: (values) => way(values.way),
    rolesGained: () => 'under a new secret, because roles were gained',
    sessions: ({ count }) => sessions(count),
    sessionsByProvider: ({ count }) => `${sessions(count)}, reported by the provider`,
    sessionsEnded: ({ count }) => `${sessions(count)} ended`,
    otherSessionsEnded: ({ count }) =>
      count === 1 ? 'one other session ended' : `${count} other sessions ended`,
    link: ({ purpose, until, admitsAdmin }) =>
      `${{ operator: 'for an operator', invite: 'invitation', reset: 'new way in' }[purpose]}, valid until ${moment(until)}${admitsAdmin ? '' : ', without admin'}`,
    linkOfNewOperator: ({ until }) => `with a link, valid until ${moment(until)}`,
    linkOfStart: ({ until }) => `shown by a start, valid until ${moment(until)}`,
    belongsTo: ({ connection }) =>
      connection === null ? 'belongs to no provider' : `belongs to ${connection}`,
    testSignIn: () => 'a sign-in that lets nobody in',
    passkey: ({ passkey }) => `passkey ${passkey}`,
    passkeyCounter: ({ passkey, counter, before }) =>
      `passkey ${passkey} counted ${counter} after ${before}: refused`,

    authTimeMissing: () => 'The ID token has no auth_time, and a fresh sign-in was asked for',
    notFresh: () => 'auth_time lies before the fresh sign-in that was asked for',
    claimMissing: ({ claim }) => `The ID token has no claim ${claim} with a text`,
    stateOther: () => 'The state of the answer is not the one that was sent',
    issuerOther: () => 'The answer names another issuer than the connection (iss of the answer)',
    issuerUnclear: ({ reason }) => reason,
    idTokenMissing: () => 'The provider gave no ID token',
    idTokenFault: ({ reason }) => `The ID token: ${reason}`,
    requestFailed: () => 'The request failed',
    providerAnswered: ({ reason }) => `The provider answered ${reason}`,
    codeNotTaken: ({ reason }) => `The provider did not take the code: ${reason}`,
    tokenEndpointFault: ({ reason }) => `The token endpoint: ${reason}`,
    connectionRemoved: () => 'The connection was removed meanwhile',
    connectionChanged: ({ user }) => `User ${user}: the connection was changed meanwhile`,
    connectionGone: ({ connection }) => `There is no connection ${connection} any more`,
    connectionNotOnly: () => 'Another connection is the only way into the account',
    connectionWithoutSecret: () => 'The connection has no client secret yet',
    noSignInBegun: () => 'The browser brought no sign-in that was begun',
    notHttps: () => 'The authorization endpoint is not under https',
    userSuspended: ({ claim, user }) => `The claim ${claim} is of user ${user}, who is suspended`,
    userOfOtherConnection: ({ user, connection }) =>
      `User ${user} belongs to the connection ${connection}; "soundings connection assign" changes that`,
    noUser: ({ claim }) => nobody(claim),
    noExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; user ${user}, whose userName is the claim ${nameClaim}, has no externalId`,
    otherCase: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; user ${user}, whose userName is the claim ${nameClaim}, has it in another case`,
    otherExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; user ${user}, whose userName is the claim ${nameClaim}, has another externalId`,
    metadataFailed: ({ issuer, reason }) => `The metadata of ${issuer}: ${reason}`,
    issuerNamedOtherwise: ({ issuer, named }) =>
      `The provider calls itself ${named}, not ${issuer}: enter the issuer as it writes it`,
    endpointMissing: ({ issuer, endpoint }) => `The metadata of ${issuer} have no ${endpoint} over https`,
    codeNotOffered: () => 'The provider does not offer the response type code',
    pkceNotOffered: () => 'The provider does not offer PKCE by S256',
    signatureNotOffered: ({ algorithms }) => `The provider signs by none of ${algorithms}`,
  };
};

const responses = (count: number): string => (count === 1 ? 'one response' : `${count} responses`);

/** What an entry is about, where that is more than the name of one thing. */
export const auditSubjects: AuditSubjectTexts = ({ day, thing }) => ({
  retained: ({ count, source, day: before }) =>
    `${responses(count)} of ${thing(source)} from before ${day(before)}`,
  listed: ({ count }) => `${responses(count)} by a list of ids`,
  found: ({ count, source, parameter, isByDays }) =>
    `${responses(count)} of ${thing(source)} by ${[...(parameter === null ? [] : [`the parameter ${parameter}`]), ...(isByDays ? ['days'] : [])].join(' and ')}`,
  mended: ({ count, source, day: of }) =>
    `${responses(count)} of ${day(of)} of ${thing(source)}, erased by an older version`,
  commentsTaken: ({ count, source }) =>
    `${count === 1 ? 'one comment' : `${count} comments`} of erased responses of ${thing(source)}`,
  quarantineListed: ({ count }) =>
    `${count === 1 ? 'one refused response' : `${count} refused responses`} by a list of ids`,
  redriven: ({ survey, accepted, refused }) =>
    `survey ${survey}: ${accepted} accepted, ${refused} still refused`,
  external: ({ count, columns }) => `${responses(count)}: ${columns}`,
});

/** The first words of all other subjects, before a name or a number. */
export const subjectKinds: Readonly<Record<string, string>> = {
  user: 'user',
  group: 'group',
  survey: 'survey',
  measure: 'measure',
  project: 'project',
  source: 'source',
  response: 'response',
  account: 'account',
  connection: 'connection',
  webhook: 'webhook',
  operator: 'operator',
  'set-up link': 'set-up link',
  'shared view': 'shared view',
  'sealing key': 'sealing key',
};
