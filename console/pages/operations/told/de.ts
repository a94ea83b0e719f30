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
  sizes.replaceAll(/([\d.]+) MB/g, (_, megabytes: string) => `${numberText(Number(megabytes), 1)} MB`);
const ofAccount = ({ id, account }: { readonly id: string; readonly account: number }): string =>
  `${id} des Kontos ${account}`;
const secretCommand = ({ id, account }: { readonly id: string; readonly account: number }): string =>
  `soundings connection secret ${id} --account ${account}`;

const copyToRestore = (saved: string): string => (saved === '' ? 'eine Sicherung' : saved);

const findings: Findings = {
  settingsValid: () => 'gültig',

  storeAnswers: ({ engine }) => `${engine} antwortet`,
  storeStuck: () =>
    'Der Speicher nimmt keine Änderungen an: Sehen Sie nach, ob ein anderer Prozess ihn hält.',
  storeOfOtherKind: ({ server }) =>
    `Der Server ist ${server}: Soundings läuft auf PostgreSQL, mit oder ohne Citus. Nennen Sie einen solchen Server in DATABASE_URL.`,
  storeEncodingRefused: ({ encoding, database }) =>
    `Die Datenbank ${database} hat die Kodierung ${encoding}, die nicht jeden Text aufnehmen kann, und noch keinen Speicher: Legen Sie eine an mit „${createdbLine(database)}“ (nach „dropdb ${shellWord(database)}“ oder unter anderem Namen), und nennen Sie sie in DATABASE_URL.`,
  storeEncoding: ({ encoding }) =>
    `Die Datenbank hat die Kodierung ${encoding}: Anfragen mit Zeichen, die sie nicht aufnehmen kann, werden abgelehnt. Legen Sie eine an mit „${createdbLine('NAME')}“, und ziehen Sie den Speicher dorthin um (docs/operations.md).`,
  storeAsciiOnly: () =>
    `Die Datenbank hat die Kodierung SQL_ASCII, die keine Zeichen kennt. Legen Sie eine an mit „${createdbLine('NAME')}“, und ziehen Sie den Speicher dorthin um (docs/operations.md).`,
  storeRightsMissing: ({ role, rights, grants }) =>
    `Der Rolle ${role} fehlen Rechte, die der Speicher braucht: ${rights}. Lassen Sie den Eigentümer der Datenbank ausführen: ${grants}`,
  storeFileClosed: ({ file, folder, reason }) =>
    `Der Speicher ${file} lässt sich nicht öffnen: ${reason}. Machen Sie ${folder} beschreibbar, oder nennen Sie in DATABASE_URL einen anderen Ort.`,
  storeUnreachable: ({ database, hosts, reason }) =>
    `Die Datenbank ${database} auf ${hosts} ist nicht erreichbar: ${reason}. Starten Sie sie, oder berichtigen Sie DATABASE_URL.`,
  storeDamaged: ({ file, reason }) =>
    `Der Speicher ${file} ist beschädigt: ${reason}. Halten Sie den Dienst an, heben Sie eine Kopie der Datei auf und spielen Sie eine Sicherung ein (ohne eine rettet „sqlite3 ${file} .recover“, was lesbar ist), oder nennen Sie in DATABASE_URL einen anderen Ort.`,
  storeFolderMissing: ({ folder }) =>
    `Den Ordner ${folder} gibt es nicht: Berichtigen Sie DATABASE_URL, oder sagen Sie --create, damit er angelegt wird.`,
  storeFileMissing: ({ file, record, saved }) =>
    `Unter ${file} lag ein Speicher, und seine Datei ist fort: Es wurde nichts an ihre Stelle gesetzt. Legen Sie sie zurück, oder spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein. Um mit einem leeren Speicher zu beginnen, löschen Sie ${record}.`,
  storeFileCut: ({ file, bytes, wanted, saved }) =>
    `Der Speicher ${file} ist ${bytes === 0 ? 'leer und war es nicht' : `abgeschnitten: Er hat ${bytes} von ${wanted} Bytes`}. Legen Sie die ganze Datei zurück, oder räumen Sie weg, was übrig ist, und spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein.`,
  storeLogAlone: ({ file, saved }) =>
    `Das Protokoll ${file}-wal ist da, der Speicher dazu nicht: Legen Sie ${file} zurück, oder räumen Sie das Protokoll weg und spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein.`,
  storeLogLost: ({ file, record, saved }) =>
    `Das Protokoll ${file}-wal fehlt, ist abgeschnitten oder ein anderes, und die letzten Änderungen standen darin. Legen Sie es zurück, oder räumen Sie weg, was übrig ist, und spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein. Um ohne diese Änderungen weiterzumachen, löschen Sie ${record}.`,
  storeLogForeign: ({ file, saved }) =>
    `${file} wurde ersetzt, und das Protokoll daneben gehört zum Speicher davor: Legen Sie die alte Datei zurück, oder räumen Sie alle weg und spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein. Um die neue Datei zu nehmen, wie sie ist, räumen Sie ${file}-wal und ${file}-shm weg.`,
  storePartLost: ({ file, fault, isIndex, saved, reason }) =>
    `${file} wurde ${fault === 'missing' ? 'gelöscht oder verschoben' : fault === 'replaced' ? 'ersetzt' : 'abgeschnitten'}, während jemand den Speicher offen hatte, und es wird nichts mehr bestätigt. ${saved === '' ? (reason === '' ? '' : `Es ließ sich nicht sichern: ${reason}. `) : `${fault === 'cut' ? 'Was noch lesbar war' : 'Was bestätigt wurde'}, ist in ${saved} gesichert. `}${isIndex === 1 ? 'Halten Sie an, was den Speicher offen hat, und starten Sie den Dienst neu: Es fehlt nichts, wenn nicht ein anderes Programm inzwischen geschrieben hat.' : `Legen Sie die Datei zurück, oder halten Sie den Dienst an, räumen Sie weg, was vom Speicher übrig ist, und spielen Sie ${copyToRestore(saved)} mit „soundings restore“ ein.`}`,
  storeManyNames: ({ file, names }) =>
    `Der Speicher ${file} hat ${names} Namen (harte Verweise), und jeder hätte ein eigenes Protokoll: Löschen Sie die anderen.`,
  storeLockFailed: ({ lock, folder, reason }) =>
    `Die Sperre ${lock} lässt sich nicht anlegen: ${reason}. Machen Sie ${folder} beschreibbar, oder nennen Sie in DATABASE_URL einen anderen Ort.`,
  fileWhole: () => 'die Datei ist heil',
  tablesMeasured: ({ tables, megabytes, largest }) =>
    `${tables} Tabellen mit ${numberText(Number(megabytes), 1)} MB; die größten: ${sizesText(largest)}`,
  tablesUnmeasured: () => 'noch nicht gemessen: Der Dienst tut es einige Minuten nach seinem Start',

  schemaBehind: ({ steps }) => `Es fehlen Schritte (${steps}): Führen Sie „soundings migrate“ aus.`,
  schemaCurrent: ({ step }) => `auf dem neuesten Stand (Schritt ${step})`,

  workerSilent: () =>
    'Einer nimmt Fragen an und beantwortet keine: Sehen Sie nach, welcher, und halten Sie ihn an oder starten Sie ihn neu. Seine Konten erhalten so lange 502, die übrigen werden bedient.',
  workersLost: ({ lost, all }) =>
    `${lost} antwortet nicht: Starten Sie ihn. Seine Konten erhalten so lange 502, die übrigen werden bedient. Alle: ${all}.`,
  workersNone: () =>
    'keine: Alle Konten liegen auf dem Koordinator. Fügen Sie einen hinzu mit „select citus_add_node(...)“.',
  workersEmpty: ({ empty, all }) =>
    `${empty} hat keine Konten: Führen Sie „select citus_rebalance_start()“ aus. Alle: ${all}.`,
  workersAll: ({ all }) => all,
  workersCareless: ({ workers }) =>
    `${workers} antwortet, bevor eine Änderung auf der Platte ist: Setzen Sie dort synchronous_commit, fsync und full_page_writes auf on.`,
  workersDurable: () => 'Änderungen sind auf der Platte ihres Workers, bevor sie beantwortet werden',
  tablesLocal: ({ tables }) =>
    `Nur auf dem Koordinator, und das soll nicht sein: ${tables}. Halten Sie den Dienst an und führen Sie „soundings migrate“ aus.`,
  tablesSpread: ({ spread, copied }) => `${spread} nach Konto verteilt, ${copied} auf jede Maschine kopiert`,
  notLooked: () => 'Nicht angesehen: Es braucht einen Worker, der nicht antwortet.',

  changesTaken: () => 'werden angenommen',
  changesRefused: ({ reason }) =>
    `Der Speicher antwortet und nimmt keine Änderungen an (${reason}): Sehen Sie in sein Protokoll und auf seine Rechte.`,

  keysSign: ({ count }) => (count === 1 ? '1 Signaturschlüssel' : `${count} Signaturschlüssel`),
  keysNone: () => 'Kein Schlüssel signiert: Führen Sie „soundings keys rotate“ aus.',
  accountsNone: () => 'noch keine: „soundings apply FILE“ legt sie an',
  accountsSome: () => 'es gibt welche',

  sealKeyMissing: ({ kid }) =>
    `Was der Schlüssel ${kid} versiegelt hat, lässt sich nicht öffnen: Tragen Sie ihn in SOUNDINGS_SEAL_KEY wieder ein, hinter dem, der jetzt versiegelt.`,
  sealedByStore: () =>
    'Versiegelt mit einem Schlüssel des Speichers: Wer eine Sicherung hat, kann es öffnen. Geben Sie in SOUNDINGS_SEAL_KEY einen eigenen Schlüssel an; der alte öffnet weiterhin.',
  sealedBySetting: () => 'mit dem Schlüssel aus SOUNDINGS_SEAL_KEY',
  nothingSealed: () => 'noch ist nichts versiegelt',

  erasuresWhole: () => 'jede gelöschte Antwort ist überall gelöscht',
  erasuresUnmended: ({ responses }) =>
    `${responses === unmendedMost ? `${unmendedMost} oder mehr` : responses} Antworten hat eine ältere Version gelöscht, die Kommentare und Prüfsummen zurücklässt: „soundings serve“ bringt das binnen Minuten in Ordnung, „soundings repair“ sofort.`,
  taskFails: ({ name, failures, failure }) =>
    `${name} ist ${failures}-mal fehlgeschlagen (${failure}): Es wird wieder versucht; sehen Sie in das Protokoll des Dienstes.`,
  tasksLeft: ({ names }) => `${names}: noch nicht fertig, „soundings serve“ erledigt es`,
  tasksDone: ({ count }) =>
    count === 1 ? '1 Aufgabe, nicht im Rückstand' : `${count} Aufgaben, keine im Rückstand`,

  figuresCurrent: ({ responses }) =>
    `Die Kennzahlen sind berechnet, ${numberText(responses)} Antworten stehen aus`,
  figuresBehind: ({ responses, sources }) =>
    `${numberText(responses)} Antworten von ${numberText(sources)} Messungen und Projekten sind noch nicht eingerechnet, und deren Ansichten antworten vielleicht mit 503: „soundings serve“ holt es nach, und „soundings insight status“ zeigt, wie weit es ist.`,

  webhookTroubled: ({ id, account, waitedHours, hasDead, failure }) => {
    const faults = [
      ...(waitedHours === null ? [] : [`die älteste Nachricht wartet seit ${waitedHours} h`]),
      ...(hasDead === 0 ? [] : [`Nachrichten wurden aufgegeben (${deadCommand({ id, account })})`]),
    ];
    return `${ofAccount({ id, account })}: ${faults.join(', und ')} (${failure ?? 'nicht versucht'}).`;
  },
  webhookWithoutSecret: (trouble) =>
    findings.webhookTroubled({ ...trouble, failure: 'ohne Geheimnis: soundings webhook rotate' }),
  webhooksMore: ({ count }) => `${count} weitere: siehe „soundings webhook list“.`,
  webhooksRight: ({ count }) => `${count}, keiner im Rückstand`,

  clockPlausible: () => 'glaubwürdig',
  clockPast: () => 'Die Uhr dieser Maschine geht nach: Stellen Sie sie.',
  clockAgrees: () => 'stimmt mit der Datenbank überein',
  clockFollowed: () => 'folgt der Uhr',
  clockJumped: ({ clock, trusted, left }) =>
    `Die Uhr sagt ${momentText(clock)}, die verlässliche Zeit ist ${momentText(trusted)}: Für den Unterschied wird nichts gelöscht. Stellen Sie die Uhr, wenn sie falsch geht; geht sie richtig, führen Sie „soundings clock confirm“ aus. Wenn Sie nichts tun, wird sie nach weiteren ${numberText(left)} Stunden Betrieb geglaubt.`,
  clockApart: ({ seconds }) => `${seconds} s von der Datenbank entfernt: Stellen Sie beide über NTP.`,

  tokenEnds: ({ id, account, name, days }) => {
    const when = days === 0 ? 'innerhalb eines Tages' : days === 1 ? 'in einem Tag' : `in ${days} Tagen`;
    return `${ofAccount({ id, account })} (${name}) endet ${when}: Erstellen Sie ein neues, geben Sie es dem Anbieter und widerrufen Sie dieses.`;
  },

  adminRefused: ({ user, account, act, times }) =>
    `Benutzer ${user} des Kontos ${account} ist Admin, und jemand ohne das Recht, Admins zu ändern, wollte ihn ${times === 1 ? 'einmal' : `${times}-mal`} ${act === 'delete' ? 'löschen' : 'sperren'}: Tun Sie es, wenn es gemeint ist, oder verwerfen Sie es mit „soundings user refused ${user} --account ${account} --drop“.`,
  adminRests: ({ user, account }) =>
    `Benutzer ${user} des Kontos ${account} hat keine Rechte eines Admins: Seine externalId wurde von etwas geändert, das Admins nicht ändern darf. Berichtigen Sie sie, oder bestätigen Sie sie mit „soundings user confirm-admin ${user} --account ${account}“.`,

  backupFailed: ({ at, detail, good }) =>
    `Die letzte schlug fehl, ${momentText(at)}: ${detail} ${good === null ? 'Eine gelungene gibt es nicht.' : `Die letzte gelungene ist vom ${momentText(good)}.`}`,
  backupOfFuture: () =>
    'Die letzte liegt in der Zukunft: Stellen Sie die Uhr, und erstellen Sie mit „soundings backup“ eine neue.',
  backupNone: () =>
    'Es ist keine bekannt: Erstellen Sie eine mit „soundings backup“, oder setzen Sie SOUNDINGS_BACKUP_EVERY. Von einer, die andere Werkzeuge erstellt haben, berichten Sie mit „soundings backup --record“.',
  backupGood: ({ at, ageMs, place }) =>
    `Die letzte gelungene ist vom ${momentText(at)}, ${agoText(new Date(Date.now() - ageMs).toISOString())}${place === null ? '' : ` (${place})`}`,
  backupOld: (backup) => `${findings.backupGood(backup)}: Erstellen Sie mit „soundings backup“ eine neue.`,

  poolsTooLarge: ({ processes, poolSize, wanted, most }) =>
    `${processes} Prozesse mit SOUNDINGS_POOL_SIZE ${poolSize} und drei Verbindungen daneben öffnen bis zu ${wanted} Verbindungen, und der Server erlaubt ${most}: Heben Sie dessen max_connections an, setzen Sie pgbouncer davor, oder verkleinern Sie die Pools.`,
  poolSmall: ({ poolSize, least }) =>
    `Mit SOUNDINGS_POOL_SIZE ${poolSize} warten Fragen hinter Änderungen: Setzen Sie ihn auf ${least} oder mehr.`,
  poolsFit: ({ wanted, most }) => `${wanted} von ${most}, die der Server erlaubt`,

  connectionWithoutSecret: (of) =>
    `${ofAccount(of)}: Niemand kann sich anmelden: Die Verbindung hat noch kein Client-Geheimnis.`,
  connectionUnanswered: ({ reason, ...of }) => `${ofAccount(of)}: Niemand kann sich anmelden: ${reason}.`,
  connectionKeyLost: ({ kid, ...of }) =>
    `${ofAccount(of)}: Das Client-Geheimnis lässt sich nicht öffnen, denn der Siegelschlüssel ${kid} ist weder in SOUNDINGS_SEAL_KEY noch im Speicher. Tragen Sie ihn wieder ein, oder setzen Sie das Geheimnis neu: ${secretCommand(of)}`,
  connectionSecretLost: (of) =>
    `${ofAccount(of)}: Das Client-Geheimnis ist nicht das, was versiegelt wurde. Setzen Sie es neu: ${secretCommand(of)}`,
  connectionClock: ({ seconds, side, ...of }) =>
    `${ofAccount(of)}: Die Uhr des Anbieters geht ${seconds} s ${side === 'ahead' ? 'vor' : 'nach'}, und ID-Tokens haben eine Uhrzeit: Stellen Sie beide über NTP.`,
  connectionsMore: ({ count }) => `${count} weitere: siehe „soundings connection test“.`,
  connectionsNotAsked: ({ count }) =>
    `Nur ${count} wurden gefragt: „soundings connection test“ fragt eine einzelne.`,
  connectionsRight: ({ count }) => `${count}, deren Anbieter antworten, wie sie sollen`,

  standbyWrites: () =>
    'Der Server aus DATABASE_URL_READ nimmt selbst Änderungen an: Nennen Sie einen Standby, oder lassen Sie es leer.',
  standbyBehind: ({ seconds, bytes }) =>
    `Der Standby ist ${seconds} s und ${bytes} Byte zurück, und Seiten, die er nicht hat, kommen vom Schreiber: Sehen Sie dort in pg_stat_replication nach, und auf die Last des Standbys.`,
  standbyAnswers: ({ seconds, bytes }) => `antwortet, ${seconds} s und ${bytes} Byte zurück`,
  standbyAway: ({ reason }) =>
    `Der Standby ist nicht erreichbar (${reason}), und Seiten kommen vom Schreiber: Starten Sie ihn, oder berichtigen Sie DATABASE_URL_READ.`,

  diskUnseen: ({ folder }) =>
    `${folder} lässt sich nicht ansehen: Legen Sie es an, oder berichtigen Sie DATABASE_URL.`,
  diskFree: ({ gib, folder }) => `${numberText(Number(gib), 1)} GiB frei in ${folder}`,
  diskFull: (disk) =>
    `${findings.diskFree(disk)}: Schaffen Sie Platz, der Dienst nimmt keine Änderungen mehr an, wenn sie voll ist.`,

  linksNowhere: () =>
    'Links in Antworten nennen 127.0.0.1, was andere Maschinen nirgendwohin führt: Setzen Sie SOUNDINGS_PUBLIC_URL auf die Adresse, die Aufrufer benutzen.',
  consoleAt: ({ base }) => `angemeldet wird sich unter ${base}/console`,
  consoleOff: ({ base }) =>
    `Die Konsole ist aus: ${base} ist unverschlüsseltes http über diese Maschine hinaus. Stellen Sie sie hinter https und setzen Sie SOUNDINGS_PUBLIC_URL, oder setzen Sie SOUNDINGS_CONSOLE_PLAIN_HTTP=on, wo dem Netz zu trauen ist.`,
  consolePlain: ({ base }) =>
    `Die Konsole läuft unter ${base} über unverschlüsseltes http: Wer im Netz mithört, erfährt Passwörter und Sitzungen. Stellen Sie sie hinter https, setzen Sie SOUNDINGS_PUBLIC_URL, und nehmen Sie SOUNDINGS_CONSOLE_PLAIN_HTTP weg.`,

  lookStopped: () => 'Der Prozess, der nachsah, wurde angehalten: Sehen Sie noch einmal nach.',
  lookLate: ({ seconds }) =>
    `Es dauerte länger als ${seconds} s und wurde beendet: Führen Sie „soundings doctor“ dort aus, wo der Speicher ist.`,
  failed: ({ reason }) => reason,
};

export const texts: Told = {
  findings,
  checks: {
    settings: 'Einstellungen',
    store: 'Speicher',
    damage: 'Datei',
    encoding: 'Kodierung',
    rights: 'Rechte',
    erasures: 'Löschungen',
    schema: 'Schema',
    workers: 'Worker',
    durability: 'Dauerhaftigkeit',
    tables: 'Tabellen',
    changes: 'Änderungen',
    keys: 'Schlüssel',
    accounts: 'Konten',
    sealing: 'Versiegelung',
    background: 'Hintergrund',
    insight: 'Kennzahlen',
    webhooks: 'Webhooks',
    clock: 'Uhr',
    'trusted time': 'verlässliche Zeit',
    tokens: 'Tokens',
    admins: 'Admins',
    backup: 'Sicherung',
    connections: 'Verbindungen',
    providers: 'Identitätsanbieter',
    standby: 'Standby',
    sizes: 'Größe der Tabellen',
    disk: 'Platte',
    links: 'Links',
    console: 'Konsole',
    doctor: 'Diagnose',
  },
  tasks: {
    'audit-end':
      'Einträge des Audit-Protokolls, die älter sind als SOUNDINGS_AUDIT_KEEP_DAYS, werden vergessen',
    'change-end': 'Änderungen im Feed, die älter sind als SOUNDINGS_CHANGES_DAYS, werden gelöscht',
    'invited-counts':
      'Wie viele Menschen eingeladen wurden, kommt aus alten Einträgen des Protokolls in seine Spalte',
    'token-marks': 'Welche früheren Token für die Bereitstellung Admins ändern dürfen, wird herausgefunden',
    erasures: 'Was eine ältere Version gelöscht hat, wird überall gelöscht',
    'erased-comments': 'Kommentare, die von gelöschten Antworten geblieben sind, werden gesucht',
    digests: 'Prüfsummen der Antworten, die vorher da waren',
    'refused.forget': 'Abgelehnte Antworten werden nach ihrer Frist vergessen',
    retention: 'Antworten werden am Ende von retainDays geleert',
    'table-sizes': 'Die Größe der Tabellen wird gemessen',
    'free-space': 'Freie Seiten des eingebetteten Speichers werden der Platte zurückgegeben',
    'webhook-end': 'Nachrichten an Webhooks werden nach Alter und Zahl aufgegeben und gelöscht',
    webhooks: 'Ereignisse der Antworten für Webhooks',
    insight: 'Kennzahlen und Kommentare der Antworten werden berechnet',
  },
  sealed: {
    'refused responses in the quarantine': 'abgelehnte Antworten in der Quarantäne',
    'secrets of webhooks': 'Geheimnisse von Webhooks',
    'secrets of connections': 'Geheimnisse von Verbindungen',
  },
  settings: {
    HOST: 'Die Adresse, auf der gelauscht wird. Nur diese Maschine, bis Sie etwas anderes sagen.',
    PORT: 'Der Port, auf dem gelauscht wird; 0 nimmt einen freien.',
    DATABASE_URL:
      'Wo die Daten liegen: sqlite:PFAD, sqlite::memory: (weg, wenn der Prozess endet) oder postgres://user:password@host:port/database für viele Replikate. Mehrere Hosts, durch Kommas getrennt, sind die Server einer Datenbank: Der, der Änderungen annimmt, wird gefunden, auch nach einem Ausfall wieder.',
    DATABASE_URL_READ:
      'Ein Standby des PostgreSQL-Servers: Die Zeilen von Datenseiten werden dort gelesen, wo er alle hat, sonst beim Schreiber. Leer: Alles wird beim Schreiber gelesen.',
    SOUNDINGS_SEAL_KEY:
      'Der Schlüssel, der versiegelt, was im Speicher liegt und wieder lesbar sein muss, etwa die Geheimnisse von Webhooks: 32 Byte in Base64 („openssl rand -base64 32“). Mehrere, durch Kommas getrennt: Der erste versiegelt, die übrigen öffnen, was sie früher versiegelt haben. Leer: Schlüssel des Speichers, die auch hat, wer eine Sicherung hat.',
    SOUNDINGS_PUBLIC_URL:
      'Die Adresse, die Aufrufer benutzen; sie steht in jedem Link und in Location. Leer: die Adresse, auf der gelauscht wird. Dem Host-Header wird nie geglaubt.',
    SOUNDINGS_CONSOLE_PLAIN_HTTP:
      'An: Man darf sich von anderen Maschinen über unverschlüsseltes http anmelden. Wer im Netz mithört, erfährt dann Passwörter und Sitzungen.',
    SOUNDINGS_CONSOLE_PASSWORDS:
      'Aus: Niemand meldet sich an der Konsole mit einem Passwort an, und keines lässt sich setzen. Vorhandene öffnen nichts, bis es wieder an ist.',
    SOUNDINGS_LAN_HOST:
      'Die Adresse dieses Rechners in seinem Netz, um Umfragen dort auf einem Telefon zu beantworten; „soundings serve --lan“ findet und setzt sie. Links zu Umfragen nennen sie, und die Konsole gibt es nur auf diesem Rechner. Leer: aus.',
    SOUNDINGS_HSTS_SUBDOMAINS:
      'An: Ist SOUNDINGS_PUBLIC_URL https, so werden Browser angewiesen, ein Jahr lang auch für jeden Namen unterhalb dieses Hosts https zu nehmen (includeSubDomains). Nur einschalten, wenn alle https haben.',
    SOUNDINGS_REQUIRE_PASSKEY:
      'An: Betreiber und Admins brauchen einen Passkey. Wer von ihnen sich mit einem Link oder Passwort anmeldet, kann nichts, als einen hinzuzufügen; eine Anmeldung durch eine Verbindung zu einem Identitätsanbieter zählt als einer. Verlangt SOUNDINGS_PUBLIC_URL mit https oder localhost.',
    SOUNDINGS_PROVIDER_MAX_AGE_SECONDS:
      'Identitätsanbieter werden gebeten, niemanden durchzulassen, der sich dort vor längerer Zeit angemeldet hat (max_age); damit müssen sie auch sagen, wann das war. Voreingestellt sind 30 Tage. Was eine frische Anmeldung verlangt, verlangt immer eine neue.',
    SOUNDINGS_WORKERS: 'Prozesse, die sich auf dieser Maschine den Port teilen.',
    SOUNDINGS_TOKEN_LIFETIME_SECONDS:
      'Wie lange ein Zugriffstoken lebt. Identitätsanbieter wollen eine Stunde oder mehr.',
    SOUNDINGS_THROTTLE: 'Aus nur für Messungen.',
    SOUNDINGS_THROTTLE_CLIENT_RATE: 'Anfragen eines API-Clients je Sekunde.',
    SOUNDINGS_THROTTLE_CLIENT_BURST: 'Anfragen, die ein API-Client nach einer Pause auf einmal stellen darf.',
    SOUNDINGS_THROTTLE_ACCOUNT_RATE: 'Anfragen aller API-Clients eines Kontos je Sekunde.',
    SOUNDINGS_THROTTLE_ACCOUNT_BURST: 'Anfragen, die ein Konto nach einer Pause auf einmal stellen darf.',
    SOUNDINGS_THROTTLE_PUBLIC_RATE:
      'Antworten auf öffentliche Umfragen je Sekunde, ohne Token, aus einem Netz: einer IPv4-Adresse oder einem IPv6-Präfix.',
    SOUNDINGS_THROTTLE_PUBLIC_BURST:
      'Antworten auf öffentliche Umfragen, die ein Netz nach einer Pause auf einmal senden darf.',
    SOUNDINGS_PAGE_HOT_PER_MINUTE:
      'Sendungen je Minute an die Seite einer Umfrage, unterhalb derer sie nie heißläuft. Darüber, und über dem Achtfachen des für die Umfrage Üblichen, muss ein Browser einige Sekunden arbeiten, bevor seine Antworten angenommen werden.',
    SOUNDINGS_THROTTLE_SIGNIN_PER_MINUTE:
      'Falsche Zugangsdaten je Minute aus einem Netz, gleich welcher Art. Richtige kommen trotzdem durch.',
    SOUNDINGS_THROTTLE_IPV6_PREFIX:
      'Wie viele Bits einer IPv6-Adresse das Netz nennen, nach dem Grenzen je Adresse zählen.',
    SOUNDINGS_TRUSTED_PROXIES:
      'Adressen oder Netze (10.0.0.0/8), durch Kommas getrennt, deren X-Forwarded-For geglaubt wird. Ohne Angabe keine.',
    SOUNDINGS_BODY_LIMIT_BYTES: 'Der größte Rumpf einer Anfrage.',
    SOUNDINGS_BODIES_LIMIT_BYTES:
      'Speicher eines Prozesses für Anfragen, die gerade empfangen werden, aller Aufrufer zusammen. Darüber werden sie mit 503 abgelehnt.',
    SOUNDINGS_INGESTION_BODY_LIMIT_BYTES: 'Die größte Antwort auf eine Umfrage.',
    SOUNDINGS_PUBLIC_BODY_LIMIT_BYTES: 'Die größte Antwort auf eine Umfrage, die ohne Token gesendet wird.',
    SOUNDINGS_PARAMETER_LIMIT:
      'Die meisten mitgegebenen Parameter einer Antwort, Standardfelder eingeschlossen.',
    SOUNDINGS_PARAMETER_NAME_LIMIT: 'Der längste Name eines mitgegebenen Parameters, in Zeichen.',
    SOUNDINGS_PARAMETER_VALUE_LIMIT:
      'Der längste Wert eines mitgegebenen Parameters, in Zeichen; bei einer Liste alle Texte zusammen.',
    SOUNDINGS_ANSWER_MEMORY_BYTES:
      'Der Speicher eines Prozesses für Antworten, die unterwegs sind. Datenseiten darüber hinaus warten und werden nach fünf Sekunden mit 503 abgelehnt.',
    SOUNDINGS_WRITE_TIMEOUT_MS:
      'Eine Verbindung, die so lange kein Byte ihrer Antwort annimmt, wird getrennt.',
    SOUNDINGS_URL_LIMIT_BYTES: 'Die längste Adresse einer Anfrage.',
    SOUNDINGS_FILTER_LIMIT_BYTES: 'Der längste Filter für Benutzer.',
    SOUNDINGS_FILTER_LIMIT_TERMS: 'Die meisten Vergleiche in einem Filter für Benutzer.',
    SOUNDINGS_PATCH_LIMIT_OPERATIONS: 'Die meisten Schritte in einer Änderung (PATCH) eines Benutzers.',
    SOUNDINGS_WORK_LIMIT_MS:
      'Wie viel Prozessorzeit des Dienstes eine Suche, eine Änderung (PATCH) oder eine Sammelanfrage brauchen darf. Insgesamt darf sie zehnmal so lange dauern, mit der Zeit, in der andere bedient werden und der Speicher arbeitet.',
    SOUNDINGS_WORK_LIMIT_UNITS:
      'Wie viel eine Suche, eine Änderung (PATCH) oder eine Sammelanfrage ansehen darf: Benutzer, Gruppen, Mitglieder.',
    SOUNDINGS_WORK_UNITS_PER_TOKEN: 'Wie viel davon der Drosselung als eine weitere Anfrage gilt.',
    SOUNDINGS_DEFINITIONS_MEMORY_BYTES:
      'Speicher eines Prozesses für die benutzten Umfragedefinitionen, je etwa 100 KB. Darüber hinaus werden die am längsten unbenutzten neu gelesen.',
    SOUNDINGS_SCANS_PER_ACCOUNT:
      'Wie viele Suchen, die kein Index beantwortet, ein Konto zugleich laufen haben darf, und ein Viertel derer aller Konten. Sechzehn weitere warten, die übrigen sollen es noch einmal versuchen.',
    SOUNDINGS_AUDIT_KEEP_DAYS: 'Wie lange Einträge des Audit-Protokolls bleiben. 0: für immer.',
    SOUNDINGS_CHANGES_DAYS:
      'Wie viele Tage der Feed externe Parameter, Löschungen und Enden der Aufbewahrung als Änderungen behält; wer eine bis dahin nicht gelesen hat, beginnt noch einmal mit einem Export. 0: für immer.',
    SOUNDINGS_GUARD_PERCENT:
      'Schutz vor massenhaftem Entzug: Haben Anbieter innerhalb einer Stunde so viele von hundert Benutzern eines Kontos gesperrt oder gelöscht, und mindestens 20, werden weitere mit 403 abgelehnt, bis ein Betreiber es aufhebt. 0: aus. Ein Konto kann im Katalog einen eigenen Wert haben.',
    SOUNDINGS_EXPORTS_PER_ACCOUNT:
      'Wie viele Exporte ein Konto in einem Prozess zugleich laufen haben darf, und ein Viertel derer aller Konten. Die übrigen sollen es noch einmal versuchen.',
    SOUNDINGS_EXPORT_TIME_LIMIT_MS:
      'Wie lange ein Export dauern darf, bis sein Leser alles hat; dann wird die Verbindung getrennt.',
    SOUNDINGS_POOL_SIZE: 'PostgreSQL-Verbindungen eines Prozesses.',
    SOUNDINGS_STORE_TIMEOUT_MS:
      'Wie lange eine Frage oder Änderung stillstehen darf, bevor der Aufrufer es noch einmal versuchen soll: sie wartet auf eine Sperre oder auf einen Server, der nicht an ihr arbeitet. Wird an ihr gearbeitet oder bewegt sich ihre Schlange, hat sie insgesamt zehnmal so lange, und so lange haben auch alle Fragen und Änderungen einer Anfrage zusammen.',
    SOUNDINGS_START_PATIENCE_SECONDS:
      'Wie lange serve beim Start auf einen PostgreSQL-Server wartet, der fort oder langsam ist; so lange ist es am Leben und nicht bereit.',
    SOUNDINGS_BACKUP_FOLDER:
      'Wohin Sicherungen des eingebetteten Speichers kommen: von „soundings backup“, wenn kein anderer Ort genannt ist, und vom Dienst selbst. Das Verzeichnis muss da sein; besser auf einer anderen Platte.',
    SOUNDINGS_BACKUP_EVERY:
      'Wie oft der Dienst den eingebetteten Speicher nach SOUNDINGS_BACKUP_FOLDER sichert: 30m, 6h, 1d. Leer: nie.',
    SOUNDINGS_BACKUP_KEEP:
      'Wie viele Sicherungen dieses Speichers in SOUNDINGS_BACKUP_FOLDER bleiben; ältere werden gelöscht, wenn eine neuere gelungen ist.',
    SOUNDINGS_LOG_LEVEL:
      'Zeilen auf der Standardfehlerausgabe. Fehler und Ablehnungen stehen dort bei info, jede Anfrage bei debug.',
    SOUNDINGS_LOG_FORMAT:
      'Wie eine Zeile des Protokolls geschrieben wird: als JSON oder als Text für Menschen. Auto: Text, wo die Standardfehlerausgabe ein Terminal ist, sonst JSON.',
    SOUNDINGS_WEBHOOK_NETWORKS:
      'Adressen oder Netze (10.1.0.0/16), durch Kommas getrennt, in denen Webhooks und Identitätsanbieter liegen dürfen, obwohl sie nicht im öffentlichen Internet sind; solche Webhooks brauchen kein TLS. Ohne Angabe keine.',
    SOUNDINGS_MANAGEMENT_PORT:
      'Verlegt /livez, /readyz und /metrics auf einen eigenen Port. Leer: Sie teilen den Hauptport.',
  },
};
