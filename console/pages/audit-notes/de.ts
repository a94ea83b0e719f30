import type { AuditNoteTexts, AuditSubjectTexts } from './en.ts';

const sessions = (count: number): string => (count === 1 ? 'eine Sitzung' : `${count} Sitzungen`);

const nobody = (claim: string): string => `Der Claim ${claim} ist die externalId keines Benutzers des Kontos`;

/** What each note of the audit log says. */
export const auditNotes: AuditNoteTexts = ({ moment, day, role, way, grant }) => {
  const days = (from: string, to: string): string => `${day(from)} bis ${day(to)}`;
  const filtered = (isFiltered: boolean): string => (isFiltered ? ', gefiltert' : '');
  return {
    digestChanged: (values) => `die Prüfsumme vom ${day(values.day)} hat sich geändert`,
    exported: ({ from, to, isFiltered }) =>
      `${
        from === null
          ? to === null
            ? 'alle Tage'
            : `alle Tage bis ${day(to)}`
          : to === null
            ? `ab ${day(from)}`
            : days(from, to)
      }${filtered(isFiltered)}`,
    clockConfirmed: ({ from, to }) => `von ${moment(from)} auf ${moment(to)}`,
    clockBelieved: ({ from, to }) => `von ${moment(from)} auf ${moment(to)}, nach einer Woche Betrieb`,
    refusedAct: ({ act }) => (act === 'delete' ? 'Löschen' : 'Sperren'),
    grants: ({ grants }) => grants.split(' ').map(grant).join(', '),
    connectionFacts: ({ issuer, claim }) => `Aussteller ${issuer}, Claim ${claim}`,
    onlyWay: () => 'der einzige Weg ins Konto',
    otherWays: () => 'andere Wege sind offen',
    mayChangeAdmins: () => 'darf Admins ändern',
    readOnly: () => 'nur lesend',
    role: (values) => role(values.role),
    roleValues: ({ count }) =>
      count === 0
        ? 'kein Wert gibt eine Rolle'
        : count === 1
          ? 'ein Wert gibt eine Rolle'
          : `${count} Werte geben eine Rolle`,
    sharedPage: ({ kind, key, from, to, isFiltered, until }) =>
      `${kind === 'measure' ? 'Messung' : 'Projekt'} ${key}, ${days(from, to)}${filtered(isFiltered)}, gültig bis ${moment(until)}`,
    setupLink: ({ until, mayChangeAdmins }) =>
      `gültig bis ${moment(until)}${mayChangeAdmins ? ', darf Admins ändern' : ''}`,
    setupLinkOpened: () => 'zum ersten Mal geöffnet',
    setupLinkTakenBack: () => 'zurückgenommen',
    setupLinkDone: () => 'fertig',
    messages: ({ count }) => (count === 1 ? 'eine Nachricht' : `${count} Nachrichten`),
    messageTaken: ({ status }) => `angenommen: ${status}`,
    messageFailed: ({ reason }) => `gescheitert: ${reason}`,
    guardStruck: () => 'weitere Benutzer zu sperren oder zu löschen wurde abgelehnt',
    guardLifted: ({ until }) => `bis ${moment(until)}`,
    invitations: ({ count, until }) =>
      `${count === 1 ? 'eine Einladung' : `${count} Einladungen`}, gültig bis ${moment(until)}`,
    invitationRevoked: ({ invitation }) => `Einladung ${invitation}`,
    invitationsRevoked: ({ count }) => `${count} Einladungen`,
    signedIn: (values) => `${way(values.way)}${values.connection === null ? '' : ` (${values.connection})`}`,
    signedInAgain: (values) => way(values.way),
    rolesGained: () => 'mit neuem Geheimnis, weil Rollen hinzukamen',
    sessions: ({ count }) => sessions(count),
    sessionsByProvider: ({ count }) => `${sessions(count)}, vom Anbieter gemeldet`,
    sessionsEnded: ({ count }) => `${sessions(count)} beendet`,
    otherSessionsEnded: ({ count }) =>
      count === 1 ? 'eine andere Sitzung beendet' : `${count} andere Sitzungen beendet`,
    link: ({ purpose, until, admitsAdmin }) =>
      `${{ operator: 'für einen Betreiber', invite: 'Einladung', reset: 'neuer Zugang' }[purpose]}, gültig bis ${moment(until)}${admitsAdmin ? '' : ', ohne Admin'}`,
    linkOfNewOperator: ({ until }) => `mit einem Link, gültig bis ${moment(until)}`,
    linkOfStart: ({ until }) => `von einem Start gezeigt, gültig bis ${moment(until)}`,
    belongsTo: ({ connection }) =>
      connection === null ? 'gehört zu keinem Anbieter' : `gehört zu ${connection}`,
    testSignIn: () => 'eine Anmeldung, die niemanden einlässt',
    passkey: ({ passkey }) => `Passkey ${passkey}`,
    passkeyCounter: ({ passkey, counter, before }) =>
      `Passkey ${passkey} zählte ${counter} nach ${before}: abgewiesen`,

    authTimeMissing: () => 'Das ID-Token hat kein auth_time, und eine frische Anmeldung war verlangt',
    notFresh: () => 'auth_time liegt vor der frischen Anmeldung, die verlangt war',
    claimMissing: ({ claim }) => `Das ID-Token hat keinen Claim ${claim} mit einem Text`,
    stateOther: () => 'Der state der Antwort ist nicht der gesendete',
    issuerOther: () => 'Die Antwort nennt einen anderen Aussteller als die Verbindung (iss der Antwort)',
    issuerUnclear: ({ reason }) => reason,
    idTokenMissing: () => 'Der Anbieter gab kein ID-Token',
    idTokenFault: ({ reason }) => `Das ID-Token: ${reason}`,
    requestFailed: () => 'Die Anfrage scheiterte',
    providerAnswered: ({ reason }) => `Der Anbieter antwortete ${reason}`,
    codeNotTaken: ({ reason }) => `Der Anbieter nahm den Code nicht an: ${reason}`,
    tokenEndpointFault: ({ reason }) => `Der Token-Endpunkt: ${reason}`,
    connectionRemoved: () => 'Die Verbindung wurde inzwischen entfernt',
    connectionChanged: ({ user }) => `Benutzer ${user}: Die Verbindung wurde inzwischen geändert`,
    connectionGone: ({ connection }) => `Die Verbindung ${connection} gibt es nicht mehr`,
    connectionNotOnly: () => 'Eine andere Verbindung ist der einzige Weg ins Konto',
    connectionWithoutSecret: () => 'Die Verbindung hat noch kein Client-Geheimnis',
    noSignInBegun: () => 'Der Browser brachte keine begonnene Anmeldung mit',
    notHttps: () => 'Der Endpunkt der Anmeldung ist nicht unter https',
    userSuspended: ({ claim, user }) => `Der Claim ${claim} gehört zu Benutzer ${user}, der gesperrt ist`,
    userOfOtherConnection: ({ user, connection }) =>
      `Benutzer ${user} gehört zur Verbindung ${connection}; „soundings connection assign“ ändert das`,
    noUser: ({ claim }) => nobody(claim),
    noExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; Benutzer ${user}, dessen userName der Claim ${nameClaim} ist, hat keine externalId`,
    otherCase: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; Benutzer ${user}, dessen userName der Claim ${nameClaim} ist, hat sie in anderer Groß- und Kleinschreibung`,
    otherExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)}; Benutzer ${user}, dessen userName der Claim ${nameClaim} ist, hat eine andere externalId`,
    metadataFailed: ({ issuer, reason }) => `Die Metadaten von ${issuer}: ${reason}`,
    issuerNamedOtherwise: ({ issuer, named }) =>
      `Der Anbieter nennt sich ${named}, nicht ${issuer}: Tragen Sie den Aussteller so ein, wie er ihn schreibt`,
    endpointMissing: ({ issuer, endpoint }) =>
      `Die Metadaten von ${issuer} nennen kein ${endpoint} unter https`,
    codeNotOffered: () => 'Der Anbieter bietet den Antworttyp code nicht an',
    pkceNotOffered: () => 'Der Anbieter bietet PKCE mit S256 nicht an',
    signatureNotOffered: ({ algorithms }) => `Der Anbieter signiert mit keinem von ${algorithms}`,
  };
};

const responses = (count: number): string => (count === 1 ? 'eine Antwort' : `${count} Antworten`);

/** What an entry is about, where that is more than the name of one thing. */
export const auditSubjects: AuditSubjectTexts = ({ day, thing }) => ({
  retained: ({ count, source, day: before }) =>
    `${responses(count)} aus ${thing(source)} von vor dem ${day(before)}`,
  listed: ({ count }) => `${responses(count)} nach einer Liste von Ids`,
  found: ({ count, source, parameter, isByDays }) =>
    `${responses(count)} aus ${thing(source)} nach ${[...(parameter === null ? [] : [`dem Parameter ${parameter}`]), ...(isByDays ? ['Tagen'] : [])].join(' und ')}`,
  mended: ({ count, source, day: of }) =>
    `${responses(count)} vom ${day(of)} aus ${thing(source)}, von einer älteren Version gelöscht`,
  commentsTaken: ({ count, source }) =>
    `${count === 1 ? 'ein Kommentar' : `${count} Kommentare`} zu gelöschten Antworten aus ${thing(source)}`,
  quarantineListed: ({ count }) =>
    `${count === 1 ? 'eine abgewiesene Antwort' : `${count} abgewiesene Antworten`} nach einer Liste von Ids`,
  redriven: ({ survey, accepted, refused }) =>
    `Umfrage ${survey}: ${accepted} angenommen, ${refused} weiter abgewiesen`,
  external: ({ count, columns }) => `${responses(count)}: ${columns}`,
});

/** The first words of all other subjects, before a name or a number. */
export const subjectKinds: Readonly<Record<string, string>> = {
  user: 'Benutzer',
  group: 'Gruppe',
  survey: 'Umfrage',
  measure: 'Messung',
  project: 'Projekt',
  source: 'Quelle',
  response: 'Antwort',
  account: 'Konto',
  connection: 'Verbindung',
  webhook: 'Webhook',
  operator: 'Betreiber',
  'set-up link': 'Einrichtungslink',
  'shared view': 'Geteilte Ansicht',
  'sealing key': 'Siegelschlüssel',
};
