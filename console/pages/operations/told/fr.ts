import {
  createdbLine,
  deadCommand,
  shellWord,
  unmendedMost,
} from '../../../../src/domain/operations/finding-words.ts';
import { agoText, momentText, numberText } from '../../../formats.ts';
import type { Told } from './en.ts';

type Findings = NonNullable<Told['findings']>;

const sizesText = (sizes: string): string =>
  sizes.replaceAll(/([\d.]+) MB/g, (_, megabytes: string) => `${numberText(Number(megabytes), 1)} Mo`);
const ofAccount = ({ id, account }: { readonly id: string; readonly account: number }): string =>
  `${id} du compte ${account}`;
const secretCommand = ({ id, account }: { readonly id: string; readonly account: number }): string =>
  `soundings connection secret ${id} --account ${account}`;

const copyToRestore = (saved: string): string => (saved === '' ? 'une sauvegarde' : saved);

const findings: Findings = {
  settingsValid: () => 'valides',

  storeAnswers: ({ engine }) => `${engine} répond`,
  storeStuck: () => 'Le stockage n’accepte pas de modifications : voyez si un autre processus le retient.',
  storeOfOtherKind: ({ server }) =>
    `Le serveur est ${server} : Soundings fonctionne sur PostgreSQL, avec ou sans Citus. Indiquez un tel serveur dans DATABASE_URL.`,
  storeEncodingRefused: ({ encoding, database }) =>
    `La base ${database} a l’encodage ${encoding}, qui ne peut contenir tous les textes, et pas encore de stockage : créez-en une avec « ${createdbLine(database)} » (après « dropdb ${shellWord(database)} », ou sous un autre nom), et indiquez-la dans DATABASE_URL.`,
  storeEncoding: ({ encoding }) =>
    `La base a l’encodage ${encoding} : les requêtes avec des caractères qu’elle ne peut contenir sont refusées. Créez-en une avec « ${createdbLine('NAME')} », et déplacez-y le stockage (docs/operations.md).`,
  storeAsciiOnly: () =>
    `La base a l’encodage SQL_ASCII, qui ne connaît pas de caractères. Créez-en une avec « ${createdbLine('NAME')} », et déplacez-y le stockage (docs/operations.md).`,
  storeRightsMissing: ({ role, rights, grants }) =>
    `Le rôle ${role} n’a pas les droits dont le stockage a besoin : ${rights}. Faites exécuter par le propriétaire de la base : ${grants}`,
  storeFileClosed: ({ file, folder, reason }) =>
    `Le stockage ${file} ne s’ouvre pas : ${reason}. Rendez ${folder} accessible en écriture, ou indiquez un autre emplacement dans DATABASE_URL.`,
  storeUnreachable: ({ database, hosts, reason }) =>
    `La base ${database} sur ${hosts} est injoignable : ${reason}. Démarrez-la, ou corrigez DATABASE_URL.`,
  storeDamaged: ({ file, reason }) =>
    `Le stockage ${file} est endommagé : ${reason}. Arrêtez le service, gardez une copie du fichier et restaurez une sauvegarde (sans sauvegarde, « sqlite3 ${file} .recover » récupère ce qui est lisible), ou indiquez un autre emplacement dans DATABASE_URL.`,
  storeFolderMissing: ({ folder }) =>
    `Le dossier ${folder} n’existe pas : corrigez DATABASE_URL, ou ajoutez --create pour le créer.`,
  storeFileMissing: ({ file, record, saved }) =>
    `Il y avait un stockage sous ${file}, et son fichier a disparu : rien n’a été créé à sa place. Remettez-le, ou restaurez ${copyToRestore(saved)} avec « soundings restore ». Pour commencer avec un stockage vide, supprimez ${record}.`,
  storeFileCut: ({ file, bytes, wanted, saved }) =>
    `Le stockage ${file} ${bytes === 0 ? 'est vide et ne l’était pas' : `est tronqué : il a ${bytes} octets sur ${wanted}`}. Remettez le fichier entier, ou déplacez ce qui reste et restaurez ${copyToRestore(saved)} avec « soundings restore ».`,
  storeLogAlone: ({ file, saved }) =>
    `Le journal ${file}-wal est là, mais pas le stockage auquel il appartient : remettez ${file}, ou déplacez le journal et restaurez ${copyToRestore(saved)} avec « soundings restore ».`,
  storeLogLost: ({ file, record, saved }) =>
    `Le journal ${file}-wal manque, est tronqué ou en est un autre, et les dernières modifications s’y trouvaient. Remettez-le, ou déplacez ce qui reste et restaurez ${copyToRestore(saved)} avec « soundings restore ». Pour continuer sans ces modifications, supprimez ${record}.`,
  storeLogForeign: ({ file, saved }) =>
    `${file} a été remplacé, et le journal à côté est celui du stockage d’avant : remettez l’ancien fichier, ou déplacez-les tous et restaurez ${copyToRestore(saved)} avec « soundings restore ». Pour utiliser le nouveau fichier tel quel, déplacez ${file}-wal et ${file}-shm.`,
  storePartLost: ({ file, fault, isIndex, saved, reason }) =>
    `${file} a été ${fault === 'missing' ? 'supprimé ou déplacé' : fault === 'replaced' ? 'remplacé' : 'tronqué'} pendant que le stockage était ouvert, et plus rien n’est confirmé. ${saved === '' ? (reason === '' ? '' : `Il n’a pas pu être sauvegardé : ${reason}. `) : `${fault === 'cut' ? 'Ce qui restait lisible' : 'Ce qui était confirmé'} est sauvegardé dans ${saved}. `}${isIndex === 1 ? 'Arrêtez tout ce qui a ouvert le stockage, puis redémarrez le service : rien ne manque, sauf si un autre programme a écrit entre-temps.' : `Remettez le fichier, ou arrêtez le service, déplacez ce qui reste du stockage et restaurez ${copyToRestore(saved)} avec « soundings restore ».`}`,
  storeManyNames: ({ file, names }) =>
    `Le stockage ${file} a ${names} noms (liens physiques), et chacun aurait son propre journal : supprimez les autres.`,
  storeLockFailed: ({ lock, folder, reason }) =>
    `Le verrou ${lock} ne peut être créé : ${reason}. Rendez ${folder} accessible en écriture, ou indiquez un autre emplacement dans DATABASE_URL.`,
  fileWhole: () => 'le fichier est intact',
  tablesMeasured: ({ tables, megabytes, largest }) =>
    `${tables} tables de ${numberText(Number(megabytes), 1)} Mo ; les plus grandes : ${sizesText(largest)}`,
  tablesUnmeasured: () => 'pas encore mesurées : le service le fait quelques minutes après son démarrage',

  schemaBehind: ({ steps }) => `Il manque des étapes (${steps}) : lancez « soundings migrate ».`,
  schemaCurrent: ({ step }) => `à jour (étape ${step})`,

  workerSilent: () =>
    'L’un d’eux prend les questions et ne répond à aucune : voyez lequel, arrêtez-le ou redémarrez-le. Ses comptes reçoivent 502 entre-temps, les autres sont servis.',
  workersLost: ({ lost, all }) =>
    `${lost} ne répond pas : démarrez-le. Ses comptes reçoivent 502 entre-temps, les autres sont servis. Tous : ${all}.`,
  workersNone: () =>
    'aucun : tous les comptes sont sur le coordinateur. Ajoutez-en un avec « select citus_add_node(...) ».',
  workersEmpty: ({ empty, all }) =>
    `${empty} n’a aucun compte : lancez « select citus_rebalance_start() ». Tous : ${all}.`,
  workersAll: ({ all }) => all,
  workersCareless: ({ workers }) =>
    `${workers} répond avant qu’une modification soit sur son disque : réglez-y synchronous_commit, fsync et full_page_writes sur on.`,
  workersDurable: () => 'les modifications sont sur le disque de leur worker avant la réponse',
  tablesLocal: ({ tables }) =>
    `Sur le coordinateur seul, à tort : ${tables}. Arrêtez le service et lancez « soundings migrate ».`,
  tablesSpread: ({ spread, copied }) =>
    `${spread} réparties par compte, ${copied} copiées sur chaque machine`,
  notLooked: () => 'Non examiné : il faut un worker qui ne répond pas.',

  changesTaken: () => 'sont acceptées',
  changesRefused: ({ reason }) =>
    `Le stockage répond et n’accepte pas de modifications (${reason}) : voyez son journal et ses droits.`,

  keysSign: ({ count }) => (count === 1 ? '1 clé de signature' : `${count} clés de signature`),
  keysNone: () => 'Aucune clé ne signe : lancez « soundings keys rotate ».',
  accountsNone: () => 'aucun encore : « soundings apply FILE » les crée',
  accountsSome: () => 'il y en a',

  sealKeyMissing: ({ kid }) =>
    `Ce que la clé ${kid} a scellé ne s’ouvre plus : remettez-la dans SOUNDINGS_SEAL_KEY, derrière celle qui scelle à présent.`,
  sealedByStore: () =>
    'Scellé par une clé du stockage : qui possède une sauvegarde peut l’ouvrir. Donnez votre propre clé dans SOUNDINGS_SEAL_KEY ; l’ancienne continue d’ouvrir.',
  sealedBySetting: () => 'par la clé de SOUNDINGS_SEAL_KEY',
  nothingSealed: () => 'rien n’est encore scellé',

  erasuresWhole: () => 'chaque réponse effacée l’est partout',
  erasuresUnmended: ({ responses }) =>
    `${responses === unmendedMost ? `${unmendedMost} ou plus` : responses} réponses ont été effacées par une version antérieure, qui laisse des commentaires et des empreintes : « soundings serve » y remédie en quelques minutes, « soundings repair » tout de suite.`,
  taskFails: ({ name, failures, failure }) =>
    `${name} a échoué ${failures} fois (${failure}) : il y aura un nouvel essai ; voyez le journal du service.`,
  tasksLeft: ({ names }) => `${names} : pas encore fait, « soundings serve » s’en charge`,
  tasksDone: ({ count }) => (count === 1 ? '1 tâche, sans retard' : `${count} tâches, aucune en retard`),

  figuresCurrent: ({ responses }) =>
    `les chiffres sont calculés, ${numberText(responses)} réponses de retard`,
  figuresBehind: ({ responses, sources }) =>
    `${numberText(responses)} réponses de ${numberText(sources)} mesures et projets ne sont pas encore comptées, et leurs vues peuvent répondre 503 : « soundings serve » s’en charge, et « soundings insight status » montre où cela en est.`,

  webhookTroubled: ({ id, account, waitedHours, hasDead, failure }) => {
    const faults = [
      ...(waitedHours === null ? [] : [`son plus ancien message attend depuis ${waitedHours} h`]),
      ...(hasDead === 0 ? [] : [`des messages ont été abandonnés (${deadCommand({ id, account })})`]),
    ];
    return `${ofAccount({ id, account })} : ${faults.join(', et ')} (${failure ?? 'pas essayé'}).`;
  },
  webhookWithoutSecret: (trouble) =>
    findings.webhookTroubled({ ...trouble, failure: 'sans secret : soundings webhook rotate' }),
  webhooksMore: ({ count }) => `${count} de plus : voyez « soundings webhook list ».`,
  webhooksRight: ({ count }) => `${count}, aucun en retard`,

  clockPlausible: () => 'plausible',
  clockPast: () => 'L’horloge de cette machine est dans le passé : réglez-la.',
  clockAgrees: () => 'concorde avec la base de données',
  clockFollowed: () => 'suit l’horloge',
  clockJumped: ({ clock, trusted, left }) =>
    `L’horloge indique ${momentText(clock)}, et l’heure fiable est ${momentText(trusted)} : rien n’est supprimé pour cette différence. Réglez l’horloge si elle est fausse ; si elle est juste, lancez « soundings clock confirm ». Si vous ne faites rien, elle est crue après encore ${numberText(left)} heures de service.`,
  clockApart: ({ seconds }) => `${seconds} s d’écart avec la base de données : réglez les deux par NTP.`,

  tokenEnds: ({ id, account, name, days }) => {
    const when = days === 0 ? 'dans la journée' : days === 1 ? 'dans un jour' : `dans ${days} jours`;
    return `${ofAccount({ id, account })} (${name}) expire ${when} : créez-en un autre, donnez-le au fournisseur et révoquez celui-ci.`;
  },

  adminRefused: ({ user, account, act, times }) =>
    `L’utilisateur ${user} du compte ${account} est admin, et quelqu’un qui n’a pas le droit de modifier les admins a demandé ${times === 1 ? 'une fois' : `${times} fois`} de le ${act === 'delete' ? 'supprimer' : 'suspendre'} : faites-le si c’est voulu, ou abandonnez-le avec « soundings user refused ${user} --account ${account} --drop ».`,
  adminRests: ({ user, account }) =>
    `L’utilisateur ${user} du compte ${account} n’a pas les droits d’un admin : son externalId a été modifié par quelque chose qui n’a pas le droit de modifier les admins. Corrigez-le, ou confirmez-le avec « soundings user confirm-admin ${user} --account ${account} ».`,

  backupFailed: ({ at, detail, good }) =>
    `La dernière a échoué, ${momentText(at)} : ${detail} ${good === null ? 'Aucune n’a réussi.' : `La dernière réussie est du ${momentText(good)}.`}`,
  backupOfFuture: () =>
    'La dernière est datée du futur : réglez l’horloge, et faites-en une autre avec « soundings backup ».',
  backupNone: () =>
    'Aucune n’est connue : faites-en une avec « soundings backup », ou réglez SOUNDINGS_BACKUP_EVERY. Signalez celle d’un autre outil avec « soundings backup --record ».',
  backupGood: ({ at, ageMs, place }) =>
    `la dernière réussie est du ${momentText(at)}, ${agoText(new Date(Date.now() - ageMs).toISOString())}${place === null ? '' : ` (${place})`}`,
  backupOld: (backup) => `${findings.backupGood(backup)} : faites-en une autre avec « soundings backup ».`,

  poolsTooLarge: ({ processes, poolSize, wanted, most }) =>
    `${processes} processus avec SOUNDINGS_POOL_SIZE ${poolSize} et trois connexions à côté peuvent ouvrir ${wanted} connexions, et le serveur en permet ${most} : augmentez son max_connections, placez pgbouncer devant, ou réduisez les pools.`,
  poolSmall: ({ poolSize, least }) =>
    `Avec SOUNDINGS_POOL_SIZE ${poolSize}, les questions attendent derrière les modifications : mettez ${least} ou plus.`,
  poolsFit: ({ wanted, most }) => `${wanted} sur ${most} que le serveur permet`,

  connectionWithoutSecret: (of) =>
    `${ofAccount(of)} : personne ne peut se connecter : la connexion n’a pas encore de secret client.`,
  connectionUnanswered: ({ reason, ...of }) =>
    `${ofAccount(of)} : personne ne peut se connecter : ${reason}.`,
  connectionKeyLost: ({ kid, ...of }) =>
    `${ofAccount(of)} : son secret client ne s’ouvre plus, car la clé de scellement ${kid} n’est ni dans SOUNDINGS_SEAL_KEY ni dans le stockage. Remettez-la, ou saisissez le secret de nouveau : ${secretCommand(of)}`,
  connectionSecretLost: (of) =>
    `${ofAccount(of)} : son secret client n’est pas ce qui a été scellé. Saisissez-le de nouveau : ${secretCommand(of)}`,
  connectionClock: ({ seconds, side, ...of }) =>
    `${ofAccount(of)} : l’horloge de son fournisseur a ${seconds} s ${side === 'ahead' ? 'd’avance' : 'de retard'}, et les jetons d’identité portent une heure : réglez les deux par NTP.`,
  connectionsMore: ({ count }) => `${count} de plus : voyez « soundings connection test ».`,
  connectionsNotAsked: ({ count }) =>
    `Seules ${count} ont été interrogées : « soundings connection test » en interroge une.`,
  connectionsRight: ({ count }) => `${count}, dont les fournisseurs répondent comme il faut`,

  standbyWrites: () =>
    'Le serveur de DATABASE_URL_READ accepte lui-même des modifications : indiquez un serveur de secours, ou laissez vide.',
  standbyBehind: ({ seconds, bytes }) =>
    `Le serveur de secours a ${seconds} s et ${bytes} octets de retard, et les pages qu’il n’a pas viennent du serveur principal : voyez-y pg_stat_replication, et la charge du serveur de secours.`,
  standbyAnswers: ({ seconds, bytes }) => `répond, ${seconds} s et ${bytes} octets de retard`,
  standbyAway: ({ reason }) =>
    `Le serveur de secours est injoignable (${reason}), et les pages viennent du serveur principal : démarrez-le, ou corrigez DATABASE_URL_READ.`,

  diskUnseen: ({ folder }) => `${folder} ne peut être examiné : créez-le, ou corrigez DATABASE_URL.`,
  diskFree: ({ gib, folder }) => `${numberText(Number(gib), 1)} Gio libres dans ${folder}`,
  diskFull: (disk) =>
    `${findings.diskFree(disk)} : faites de la place, le service n’accepte plus de modifications quand il est plein.`,

  linksNowhere: () =>
    'Les liens des réponses nomment 127.0.0.1, qui ne mène nulle part depuis d’autres machines : réglez SOUNDINGS_PUBLIC_URL sur l’adresse qu’utilisent les appelants.',
  consoleAt: ({ base }) => `on se connecte à ${base}/console`,
  consoleOff: ({ base }) =>
    `La console est éteinte : ${base} est du http en clair au-delà de cette machine. Placez-la derrière https et réglez SOUNDINGS_PUBLIC_URL, ou réglez SOUNDINGS_CONSOLE_PLAIN_HTTP=on si le réseau est sûr.`,
  consolePlain: ({ base }) =>
    `La console est servie en http en clair à ${base} : qui écoute le réseau apprend mots de passe et sessions. Placez-la derrière https, réglez SOUNDINGS_PUBLIC_URL, et retirez SOUNDINGS_CONSOLE_PLAIN_HTTP.`,

  lookStopped: () => 'Le processus qui examinait a été arrêté : relancez l’examen.',
  lookLate: ({ seconds }) =>
    `Cela a duré plus de ${seconds} s et a été interrompu : lancez « soundings doctor » là où est le stockage.`,
  failed: ({ reason }) => reason,
};

export const texts: Told = {
  findings,
  checks: {
    settings: 'réglages',
    store: 'stockage',
    damage: 'fichier',
    encoding: 'encodage',
    rights: 'droits',
    erasures: 'effacements',
    schema: 'schéma',
    workers: 'workers',
    durability: 'durabilité',
    tables: 'tables',
    changes: 'modifications',
    keys: 'clés',
    accounts: 'comptes',
    sealing: 'scellement',
    background: 'arrière-plan',
    insight: 'chiffres',
    webhooks: 'webhooks',
    clock: 'horloge',
    'trusted time': 'heure fiable',
    tokens: 'jetons',
    admins: 'admins',
    backup: 'sauvegarde',
    connections: 'connexions',
    providers: 'fournisseurs d’identité',
    standby: 'serveur de secours',
    sizes: 'taille des tables',
    disk: 'disque',
    links: 'liens',
    console: 'console',
    doctor: 'diagnostic',
  },
  tasks: {
    'audit-end': 'Les entrées du journal d’audit plus anciennes que SOUNDINGS_AUDIT_KEEP_DAYS sont oubliées',
    'change-end': 'Les modifications du flux plus anciennes que SOUNDINGS_CHANGES_DAYS sont supprimées',
    'invited-counts': 'Le nombre de personnes invitées passe des anciennes notes du journal dans sa colonne',
    'token-marks': 'Quels anciens jetons de provisionnement peuvent modifier les admins est recherché',
    erasures: 'Ce qu’une version antérieure a effacé est effacé partout',
    'erased-comments': 'Les commentaires restés de réponses effacées sont recherchés',
    digests: 'Empreintes des réponses qui étaient là auparavant',
    'refused.forget': 'Les réponses refusées sont oubliées à la fin de leur délai',
    retention: 'Les réponses sont vidées à la fin de retainDays',
    'table-sizes': 'La taille des tables est mesurée',
    'free-space': 'Les pages libres du stockage intégré sont rendues au disque',
    'webhook-end': 'Les messages aux webhooks sont abandonnés et supprimés selon leur âge et leur nombre',
    webhooks: 'Événements des réponses pour les webhooks',
    insight: 'Les chiffres et commentaires des réponses sont calculés',
  },
  sealed: {
    'refused responses in the quarantine': 'réponses refusées en quarantaine',
    'secrets of webhooks': 'secrets de webhooks',
    'secrets of connections': 'secrets de connexions',
  },
  settings: {
    HOST: 'L’adresse d’écoute. Cette machine seulement, jusqu’à ce que vous en décidiez autrement.',
    PORT: 'Le port d’écoute ; 0 en prend un libre.',
    DATABASE_URL:
      'Où sont les données : sqlite:CHEMIN, sqlite::memory: (perdu à la fin du processus), ou postgres://user:password@host:port/database pour plusieurs réplicas. Plusieurs hôtes, séparés par des virgules, sont les serveurs d’une même base : celui qui accepte les modifications est trouvé, et retrouvé après une bascule.',
    DATABASE_URL_READ:
      'Un serveur de secours PostgreSQL : les lignes des pages de données y sont lues s’il les a toutes, sinon sur le serveur principal. Vide : tout est lu sur le serveur principal.',
    SOUNDINGS_SEAL_KEY:
      'La clé qui scelle ce qui est gardé dans le stockage et doit rester lisible, comme les secrets de webhooks : 32 octets en base64 (« openssl rand -base64 32 »). Plusieurs, séparées par des virgules : la première scelle, les autres ouvrent ce qu’elles ont scellé. Vide : des clés du stockage, que possède aussi qui a une sauvegarde.',
    SOUNDINGS_PUBLIC_URL:
      'L’adresse qu’utilisent les appelants ; elle figure dans chaque lien et Location. Vide : l’adresse d’écoute. L’en-tête Host n’est jamais cru.',
    SOUNDINGS_CONSOLE_PLAIN_HTTP:
      'Activé : on peut se connecter en http en clair depuis d’autres machines. Qui écoute le réseau apprend alors mots de passe et sessions.',
    SOUNDINGS_CONSOLE_PASSWORDS:
      'Désactivé : personne n’entre dans la console par mot de passe, et aucun ne peut être défini. Ceux qui existent n’ouvrent rien jusqu’à la réactivation.',
    SOUNDINGS_LAN_HOST:
      'L’adresse de cette machine dans son réseau, pour répondre aux enquêtes depuis un téléphone ; « soundings serve --lan » la trouve et la règle. Les liens des enquêtes la portent, et la console n’est servie qu’à cette machine. Vide : désactivé.',
    SOUNDINGS_HSTS_SUBDOMAINS:
      'Activé : si SOUNDINGS_PUBLIC_URL est en https, les navigateurs sont tenus pendant un an d’utiliser https pour tout nom sous cet hôte aussi (includeSubDomains). À n’activer que si tous ont https.',
    SOUNDINGS_REQUIRE_PASSKEY:
      'Activé : les opérateurs et les admins ont besoin d’une clé d’accès. Qui d’entre eux se connecte par un lien ou un mot de passe ne peut qu’en ajouter une ; une connexion par un fournisseur d’identité compte comme telle. Demande SOUNDINGS_PUBLIC_URL en https, ou localhost.',
    SOUNDINGS_PROVIDER_MAX_AGE_SECONDS:
      'Les fournisseurs d’identité sont priés de ne laisser passer personne dont la connexion y est plus ancienne (max_age), ce qui les oblige aussi à dire quand elle a eu lieu. Par défaut 30 jours. Ce qui demande une connexion récente en demande toujours une nouvelle.',
    SOUNDINGS_WORKERS: 'Processus qui partagent le port sur cette machine.',
    SOUNDINGS_TOKEN_LIFETIME_SECONDS:
      'Durée de vie d’un jeton d’accès. Les fournisseurs d’identité veulent une heure ou plus.',
    SOUNDINGS_THROTTLE: 'À désactiver pour les mesures de performance seulement.',
    SOUNDINGS_THROTTLE_CLIENT_RATE: 'Requêtes par seconde d’un client d’API.',
    SOUNDINGS_THROTTLE_CLIENT_BURST: 'Requêtes qu’un client d’API peut faire d’un coup après une pause.',
    SOUNDINGS_THROTTLE_ACCOUNT_RATE: 'Requêtes par seconde de tous les clients d’API d’un compte.',
    SOUNDINGS_THROTTLE_ACCOUNT_BURST: 'Requêtes qu’un compte peut faire d’un coup après une pause.',
    SOUNDINGS_THROTTLE_PUBLIC_RATE:
      'Réponses par seconde aux enquêtes publiques, sans jeton, d’un même réseau : une adresse IPv4 ou un préfixe IPv6.',
    SOUNDINGS_THROTTLE_PUBLIC_BURST:
      'Réponses aux enquêtes publiques qu’un réseau peut envoyer d’un coup après une pause.',
    SOUNDINGS_PAGE_HOT_PER_MINUTE:
      'Envois par minute à la page d’une enquête en dessous desquels elle n’est jamais en surchauffe. Au-dessus, et au-dessus de huit fois l’habituel de l’enquête, un navigateur doit travailler quelques secondes avant que ses réponses soient acceptées.',
    SOUNDINGS_THROTTLE_SIGNIN_PER_MINUTE:
      'Identifiants erronés par minute d’un même réseau, de toute sorte. Les bons passent quand même.',
    SOUNDINGS_THROTTLE_IPV6_PREFIX:
      'Combien de bits d’une adresse IPv6 désignent le réseau sur lequel comptent les limites par adresse.',
    SOUNDINGS_TRUSTED_PROXIES:
      'Adresses ou réseaux (10.0.0.0/8), séparés par des virgules, dont X-Forwarded-For est cru. Aucun par défaut.',
    SOUNDINGS_BODY_LIMIT_BYTES: 'Le plus grand corps de requête.',
    SOUNDINGS_BODIES_LIMIT_BYTES:
      'Mémoire d’un processus pour les corps de requête en cours de réception, tous appelants réunis. Au-delà, ils sont refusés avec 503.',
    SOUNDINGS_INGESTION_BODY_LIMIT_BYTES: 'La plus grande réponse à une enquête.',
    SOUNDINGS_PUBLIC_BODY_LIMIT_BYTES: 'La plus grande réponse à une enquête envoyée sans jeton.',
    SOUNDINGS_PARAMETER_LIMIT:
      'Le plus grand nombre de paramètres transmis d’une réponse, champs standard compris.',
    SOUNDINGS_PARAMETER_NAME_LIMIT: 'Le plus long nom d’un paramètre transmis, en caractères.',
    SOUNDINGS_PARAMETER_VALUE_LIMIT:
      'La plus longue valeur d’un paramètre transmis, en caractères ; d’une liste, tous ses textes réunis.',
    SOUNDINGS_ANSWER_MEMORY_BYTES:
      'Mémoire d’un processus pour les réponses en cours. Au-delà, les pages de données attendent, et sont refusées avec 503 après cinq secondes.',
    SOUNDINGS_WRITE_TIMEOUT_MS:
      'Une connexion qui ne prend aucun octet de sa réponse pendant ce temps est coupée.',
    SOUNDINGS_URL_LIMIT_BYTES: 'La plus longue adresse de requête.',
    SOUNDINGS_FILTER_LIMIT_BYTES: 'Le plus long filtre d’utilisateurs.',
    SOUNDINGS_FILTER_LIMIT_TERMS: 'Le plus grand nombre de comparaisons dans un filtre d’utilisateurs.',
    SOUNDINGS_PATCH_LIMIT_OPERATIONS: 'Le plus grand nombre d’opérations dans un PATCH d’un utilisateur.',
    SOUNDINGS_WORK_LIMIT_MS:
      'Combien de temps de processeur du service une recherche, un PATCH ou une requête groupée peut utiliser. En tout, elle peut durer dix fois plus, avec le temps où d’autres sont servis et où la base travaille.',
    SOUNDINGS_WORK_LIMIT_UNITS:
      'Combien une recherche, un PATCH ou une requête groupée peut examiner : utilisateurs, groupes, membres.',
    SOUNDINGS_WORK_UNITS_PER_TOKEN: 'Quelle part en est comptée comme une requête de plus par la limitation.',
    SOUNDINGS_DEFINITIONS_MEMORY_BYTES:
      'Mémoire d’un processus pour les définitions d’enquêtes en usage, environ 100 Ko chacune. Au-delà, les moins récemment utilisées sont relues.',
    SOUNDINGS_SCANS_PER_ACCOUNT:
      'Combien de recherches qu’aucun index ne sert un compte peut avoir en cours à la fois, et un quart de celles de tous les comptes. Seize de plus attendent, les suivantes doivent réessayer.',
    SOUNDINGS_AUDIT_KEEP_DAYS: 'Combien de jours les entrées du journal d’audit sont gardées. 0 : toujours.',
    SOUNDINGS_CHANGES_DAYS:
      'Combien de jours le flux garde comme modifications les paramètres externes, les effacements et les fins de conservation ; qui n’en a pas lu une d’ici là recommence par un export. 0 : toujours.',
    SOUNDINGS_GUARD_PERCENT:
      'Protection contre un retrait massif : quand des fournisseurs ont suspendu ou supprimé autant d’utilisateurs sur cent d’un compte en une heure, et 20 au moins, les suivants sont refusés avec 403 jusqu’à ce qu’un opérateur lève la protection. 0 : désactivé. Un compte peut avoir la sienne dans le catalogue.',
    SOUNDINGS_EXPORTS_PER_ACCOUNT:
      'Combien d’exports un compte peut avoir en cours à la fois dans un processus, et un quart de ceux de tous les comptes. Les suivants doivent réessayer.',
    SOUNDINGS_EXPORT_TIME_LIMIT_MS:
      'Combien de temps un export peut durer jusqu’à ce que son lecteur ait tout ; ensuite sa connexion est coupée.',
    SOUNDINGS_POOL_SIZE: 'Connexions PostgreSQL d’un processus.',
    SOUNDINGS_STORE_TIMEOUT_MS:
      'Combien de temps une question ou une modification peut rester immobile avant que l’appelant doive réessayer : elle attend un verrou, ou un serveur qui n’y travaille pas. Celle à laquelle on travaille, ou dont la file avance, a dix fois ce temps en tout, et toutes les lectures et écritures d’une requête l’ont ensemble.',
    SOUNDINGS_START_PATIENCE_SECONDS:
      'Combien de temps serve attend au démarrage un serveur PostgreSQL absent ou lent ; entre-temps il est vivant et pas prêt.',
    SOUNDINGS_BACKUP_FOLDER:
      'Où vont les sauvegardes du stockage intégré : par « soundings backup » quand il ne nomme pas d’autre endroit, et par le service lui-même. Le dossier doit exister ; de préférence sur un autre disque.',
    SOUNDINGS_BACKUP_EVERY:
      'À quel rythme le service sauvegarde le stockage intégré dans SOUNDINGS_BACKUP_FOLDER : 30m, 6h, 1d. Vide : jamais.',
    SOUNDINGS_BACKUP_KEEP:
      'Combien de sauvegardes de ce stockage sont gardées dans SOUNDINGS_BACKUP_FOLDER ; les plus anciennes sont supprimées quand une nouvelle est réussie.',
    SOUNDINGS_LOG_LEVEL:
      'Lignes sur la sortie d’erreur. Les échecs et refus y sont au niveau info, chaque requête au niveau debug.',
    SOUNDINGS_LOG_FORMAT:
      'Comment une ligne du journal est écrite : en JSON ou en texte pour une personne. Auto : du texte si la sortie d’erreur est un terminal, sinon du JSON.',
    SOUNDINGS_WEBHOOK_NETWORKS:
      'Adresses ou réseaux (10.1.0.0/16), séparés par des virgules, où peuvent se trouver webhooks et fournisseurs d’identité bien qu’ils ne soient pas sur l’internet public ; ces webhooks n’ont pas besoin de TLS. Par défaut aucun.',
    SOUNDINGS_MANAGEMENT_PORT:
      'Déplace /livez, /readyz et /metrics sur un port à part. Vide : ils partagent le port principal.',
  },
};
