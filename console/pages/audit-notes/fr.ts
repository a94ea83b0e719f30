import type { AuditNoteTexts, AuditSubjectTexts } from './en.ts';

const sessions = (count: number): string => (count === 1 ? 'une session' : `${count} sessions`);

const nobody = (claim: string): string =>
  `Le claim ${claim} n’est l’externalId d’aucun utilisateur du compte`;

/** What each note of the audit log says. */
export const auditNotes: AuditNoteTexts = ({ moment, day, role, way, grant }) => {
  const days = (from: string, to: string): string => `du ${day(from)} au ${day(to)}`;
  const filtered = (isFiltered: boolean): string => (isFiltered ? ', avec un filtre' : '');
  return {
    digestChanged: (values) => `l’empreinte du ${day(values.day)} a changé`,
    exported: ({ from, to, isFiltered }) =>
      `${
        from === null
          ? to === null
            ? 'tous les jours'
            : `tous les jours jusqu’au ${day(to)}`
          : to === null
            ? `à partir du ${day(from)}`
            : days(from, to)
      }${filtered(isFiltered)}`,
    clockConfirmed: ({ from, to }) => `de ${moment(from)} à ${moment(to)}`,
    clockBelieved: ({ from, to }) => `de ${moment(from)} à ${moment(to)}, après une semaine de service`,
    refusedAct: ({ act }) => (act === 'delete' ? 'suppression' : 'suspension'),
    grants: ({ grants }) => grants.split(' ').map(grant).join(', '),
    connectionFacts: ({ issuer, claim }) => `émetteur ${issuer}, claim ${claim}`,
    onlyWay: () => 'la seule entrée du compte',
    otherWays: () => 'd’autres entrées sont ouvertes',
    mayChangeAdmins: () => 'peut modifier les admins',
    readOnly: () => 'lecture seule',
    role: (values) => role(values.role),
    roleValues: ({ count }) =>
      count === 0
        ? 'aucune valeur ne donne de rôle'
        : count === 1
          ? 'une valeur donne un rôle'
          : `${count} valeurs donnent un rôle`,
    sharedPage: ({ kind, key, from, to, isFiltered, until }) =>
      `${kind === 'measure' ? 'mesure' : 'projet'} ${key}, ${days(from, to)}${filtered(isFiltered)}, valable jusqu’au ${moment(until)}`,
    setupLink: ({ until, mayChangeAdmins }) =>
      `valable jusqu’au ${moment(until)}${mayChangeAdmins ? ', peut modifier les admins' : ''}`,
    setupLinkOpened: () => 'ouvert pour la première fois',
    setupLinkTakenBack: () => 'repris',
    setupLinkDone: () => 'terminé',
    messages: ({ count }) => (count === 1 ? 'un message' : `${count} messages`),
    messageTaken: ({ status }) => `accepté : ${status}`,
    messageFailed: ({ reason }) => `échec : ${reason}`,
    guardStruck: () => 'refus de suspendre ou de supprimer d’autres utilisateurs',
    guardLifted: ({ until }) => `jusqu’au ${moment(until)}`,
    invitations: ({ count, until }) =>
      `${count === 1 ? 'une invitation' : `${count} invitations`}, valable jusqu’au ${moment(until)}`,
    invitationRevoked: ({ invitation }) => `invitation ${invitation}`,
    invitationsRevoked: ({ count }) => `${count} invitations`,
    signedIn: (values) => `${way(values.way)}${values.connection === null ? '' : ` (${values.connection})`}`,
    signedInAgain: (values) => way(values.way),
    rolesGained: () => 'avec un nouveau secret, car des rôles se sont ajoutés',
    sessions: ({ count }) => sessions(count),
    sessionsByProvider: ({ count }) => `${sessions(count)}, signalé par le fournisseur`,
    sessionsEnded: ({ count }) => (count === 1 ? 'une session terminée' : `${count} sessions terminées`),
    otherSessionsEnded: ({ count }) =>
      count === 1 ? 'une autre session terminée' : `${count} autres sessions terminées`,
    link: ({ purpose, until, admitsAdmin }) =>
      `${{ operator: 'pour un opérateur', invite: 'invitation', reset: 'nouvel accès' }[purpose]}, valable jusqu’au ${moment(until)}${admitsAdmin ? '' : ', sans admin'}`,
    linkOfNewOperator: ({ until }) => `avec un lien, valable jusqu’au ${moment(until)}`,
    linkOfStart: ({ until }) => `montré par un démarrage, valable jusqu’au ${moment(until)}`,
    belongsTo: ({ connection }) =>
      connection === null ? 'n’appartient à aucun fournisseur' : `appartient à ${connection}`,
    testSignIn: () => 'une connexion qui ne laisse entrer personne',
    passkey: ({ passkey }) => `clé d’accès ${passkey}`,
    passkeyCounter: ({ passkey, counter, before }) =>
      `la clé d’accès ${passkey} a compté ${counter} après ${before} : refusée`,

    authTimeMissing: () => 'Le jeton d’identité n’a pas d’auth_time, et une connexion récente était demandée',
    notFresh: () => 'auth_time précède la connexion récente qui était demandée',
    claimMissing: ({ claim }) => `Le jeton d’identité n’a pas de claim ${claim} avec un texte`,
    stateOther: () => 'Le state de la réponse n’est pas celui qui fut envoyé',
    issuerOther: () => 'La réponse nomme un autre émetteur que la connexion (iss de la réponse)',
    issuerUnclear: ({ reason }) => reason,
    idTokenMissing: () => 'Le fournisseur n’a pas donné de jeton d’identité',
    idTokenFault: ({ reason }) => `Le jeton d’identité : ${reason}`,
    requestFailed: () => 'La requête a échoué',
    providerAnswered: ({ reason }) => `Le fournisseur a répondu ${reason}`,
    codeNotTaken: ({ reason }) => `Le fournisseur n’a pas accepté le code : ${reason}`,
    tokenEndpointFault: ({ reason }) => `Le point de jeton : ${reason}`,
    connectionRemoved: () => 'La connexion a été retirée entre-temps',
    connectionChanged: ({ user }) => `Utilisateur ${user} : la connexion a été modifiée entre-temps`,
    connectionGone: ({ connection }) => `La connexion ${connection} n’existe plus`,
    connectionNotOnly: () => 'Une autre connexion est la seule entrée du compte',
    connectionWithoutSecret: () => 'La connexion n’a pas encore de secret client',
    noSignInBegun: () => 'Le navigateur n’a apporté aucune connexion commencée',
    notHttps: () => 'Le point d’autorisation n’est pas sous https',
    userSuspended: ({ claim, user }) =>
      `Le claim ${claim} est celui de l’utilisateur ${user}, qui est suspendu`,
    userOfOtherConnection: ({ user, connection }) =>
      `L’utilisateur ${user} appartient à la connexion ${connection} ; « soundings connection assign » le change`,
    noUser: ({ claim }) => nobody(claim),
    noExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)} ; l’utilisateur ${user}, dont l’userName est le claim ${nameClaim}, n’a pas d’externalId`,
    otherCase: ({ claim, user, nameClaim }) =>
      `${nobody(claim)} ; l’utilisateur ${user}, dont l’userName est le claim ${nameClaim}, l’a dans une autre casse`,
    otherExternalId: ({ claim, user, nameClaim }) =>
      `${nobody(claim)} ; l’utilisateur ${user}, dont l’userName est le claim ${nameClaim}, a un autre externalId`,
    metadataFailed: ({ issuer, reason }) => `Les métadonnées de ${issuer} : ${reason}`,
    issuerNamedOtherwise: ({ issuer, named }) =>
      `Le fournisseur se nomme ${named}, non ${issuer} : écrivez l’émetteur comme il l’écrit`,
    endpointMissing: ({ issuer, endpoint }) =>
      `Les métadonnées de ${issuer} n’ont pas de ${endpoint} sous https`,
    codeNotOffered: () => 'Le fournisseur n’offre pas le type de réponse code',
    pkceNotOffered: () => 'Le fournisseur n’offre pas PKCE par S256',
    signatureNotOffered: ({ algorithms }) => `Le fournisseur ne signe par aucun de ${algorithms}`,
  };
};

const responses = (count: number): string => (count === 1 ? 'une réponse' : `${count} réponses`);

/** What an entry is about, where that is more than the name of one thing. */
export const auditSubjects: AuditSubjectTexts = ({ day, thing }) => ({
  retained: ({ count, source, day: before }) =>
    `${responses(count)} (${thing(source)}) d’avant le ${day(before)}`,
  listed: ({ count }) => `${responses(count)} d’après une liste d’ids`,
  found: ({ count, source, parameter, isByDays }) =>
    `${responses(count)} (${thing(source)}) d’après ${[...(parameter === null ? [] : [`le paramètre ${parameter}`]), ...(isByDays ? ['les jours'] : [])].join(' et ')}`,
  mended: ({ count, source, day: of }) =>
    `${responses(count)} (${thing(source)}) du ${day(of)}, effacées par une version antérieure`,
  commentsTaken: ({ count, source }) =>
    `${count === 1 ? 'un commentaire' : `${count} commentaires`} de réponses effacées (${thing(source)})`,
  quarantineListed: ({ count }) =>
    `${count === 1 ? 'une réponse refusée' : `${count} réponses refusées`} d’après une liste d’ids`,
  redriven: ({ survey, accepted, refused }) =>
    `enquête ${survey} : ${accepted} acceptées, ${refused} encore refusées`,
  external: ({ count, columns }) => `${responses(count)} : ${columns}`,
});

/** The first words of all other subjects, before a name or a number. */
export const subjectKinds: Readonly<Record<string, string>> = {
  user: 'utilisateur',
  group: 'groupe',
  survey: 'enquête',
  measure: 'mesure',
  project: 'projet',
  source: 'source',
  response: 'réponse',
  account: 'compte',
  connection: 'connexion',
  webhook: 'webhook',
  operator: 'opérateur',
  'set-up link': 'lien d’installation',
  'shared view': 'vue partagée',
  'sealing key': 'clé de scellement',
};
