// What "soundings doctor" can find, as a code with values, in English. Callers and terminals get these sentences; pages of the
// console in another language say the same by the code (D-730).

import { type ClockApart, type ConnectionOf, connectionWords } from './connection-words.ts';

export type FindingValue = string | number | null;
type Words = (values: never) => string;

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Responses that an older version has erased are counted up to here. */
export const unmendedMost = 1_000;

/** The locale C goes with every encoding, whatever the server's own is. */
export function createdbLine(database: string): string {
  return `createdb --encoding=UTF8 --locale=C --template=template0 ${shellWord(database)}`;
}

/** Quoted where a shell would read it in another way. */
export function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export const findingWords = {
  settingsValid: () => 'valid',

  storeAnswers: ({ engine }: { engine: string }) => `${engine} answers`,
  storeStuck: () => 'The store does not take changes: see whether another process holds it.',
  storeOfOtherKind: ({ server }: { server: string }) =>
    `The server is ${server}: Soundings runs on PostgreSQL, with or without Citus. Name such a server in DATABASE_URL.`,
  storeEncodingRefused: ({ encoding, database }: { encoding: string; database: string }) =>
    `The database ${database} has the encoding ${encoding}, which cannot hold every text, and no store yet: make one with "${createdbLine(database)}" (after "dropdb ${shellWord(database)}", or under another name), and name it in DATABASE_URL.`,
  storeEncoding: ({ encoding }: { encoding: string }) =>
    `The database has the encoding ${encoding}: requests with characters that it cannot hold are refused. Make one with "${createdbLine('NAME')}", and move the store there (docs/operations.md).`,
  storeAsciiOnly: () =>
    `The database has the encoding SQL_ASCII, which does not know characters. Make one with "${createdbLine('NAME')}", and move the store there (docs/operations.md).`,
  storeRightsMissing: ({ role, rights, grants }: { role: string; rights: string; grants: string }) =>
    `The role ${role} has no right to what the store needs: ${rights}. Have the owner of the database run: ${grants}`,
  storeFileClosed: ({ file, folder, reason }: { file: string; folder: string; reason: string }) =>
    `The store ${file} cannot be opened: ${reason}. Make ${folder} writable, or name another place in DATABASE_URL.`,
  storeUnreachable: ({ database, hosts, reason }: { database: string; hosts: string; reason: string }) =>
    `The database ${database} on ${hosts} cannot be reached: ${reason}. Start it, or mend DATABASE_URL.`,
  storeDamaged: ({ file, reason }: { file: string; reason: string }) =>
    `The store ${file} is damaged: ${reason}. Stop the service, keep a copy of the file, and restore a backup (without one, "sqlite3 ${file} .recover" saves what can be read), or name another place in DATABASE_URL.`,
  storeFolderMissing: ({ folder }: { folder: string }) =>
    `The folder ${folder} is not there: mend DATABASE_URL, or say --create to make it.`,
  storeFileMissing: ({ file, record, saved }: { file: string; record: string; saved: string }) =>
    `There was a store at ${file}, and its file is gone: nothing was made in its place. Put it back, or restore ${copyToRestore(saved)} with "soundings restore". To begin with an empty store, delete ${record}.`,
  storeFileCut: (cut: { file: string; bytes: number; wanted: number; saved: string }) =>
    `The store ${cut.file} ${cut.bytes === 0 ? 'is empty, and was not' : `is cut short: it has ${cut.bytes} of ${cut.wanted} bytes`}. Put the whole file back, or move away what is left and restore ${copyToRestore(cut.saved)} with "soundings restore".`,
  storeLogAlone: ({ file, saved }: { file: string; saved: string }) =>
    `The log ${file}-wal is there, and the store it belongs to is not: put ${file} back, or move the log away and restore ${copyToRestore(saved)} with "soundings restore".`,
  storeLogLost: ({ file, record, saved }: { file: string; record: string; saved: string }) =>
    `The log ${file}-wal is missing, cut short or another one, and the last changes were in it. Put it back, or move away what is left and restore ${copyToRestore(saved)} with "soundings restore". To go on without those changes, delete ${record}.`,
  storeLogForeign: ({ file, saved }: { file: string; saved: string }) =>
    `${file} was replaced, and the log beside it is that of the store before: put the old file back, or move all of them away and restore ${copyToRestore(saved)} with "soundings restore". To use the new file as it is, move ${file}-wal and ${file}-shm away.`,
  storePartLost: (lost: PartLost) =>
    `${lost.file} was ${lost.fault === 'missing' ? 'deleted or moved' : lost.fault === 'replaced' ? 'replaced' : 'cut short'} while somebody had the store open, and nothing is acknowledged any more. ${lost.saved === '' ? (lost.reason === '' ? '' : `It could not be saved: ${lost.reason}. `) : `${lost.fault === 'cut' ? 'What could still be read' : 'What was acknowledged'} is saved in ${lost.saved}. `}${lost.isIndex === 1 ? `Stop whatever has the store open, and start the service again: nothing is missing unless another program wrote meanwhile.` : `Put the file back, or stop the service, move away what is left of the store, and restore ${copyToRestore(lost.saved)} with "soundings restore".`}`,
  storeManyNames: ({ file, names }: { file: string; names: number }) =>
    `The store ${file} has ${names} names (hard links), and each would have a log of its own: delete the others.`,
  storeLockFailed: ({ lock, folder, reason }: { lock: string; folder: string; reason: string }) =>
    `The lock ${lock} cannot be made: ${reason}. Make ${folder} writable, or name another place in DATABASE_URL.`,
  fileWhole: () => 'the file is whole',
  tablesMeasured: ({ tables, megabytes, largest }: { tables: number; megabytes: string; largest: string }) =>
    `${tables} tables of ${megabytes} MB; the largest: ${largest}`,
  tablesUnmeasured: () => 'not measured yet: the service does it some minutes after its start',

  schemaBehind: ({ steps }: { steps: string }) => `Steps are missing (${steps}): run "soundings migrate".`,
  schemaCurrent: ({ step }: { step: number }) => `up to date (step ${step})`,

  workerSilent: () =>
    'One of them takes questions and answers none: see which, and stop it or start it anew. Its accounts get 502 meanwhile, the others are served.',
  workersLost: ({ lost, all }: { lost: string; all: string }) =>
    `${lost} does not answer: start it. Its accounts get 502 meanwhile, the others are served. All: ${all}.`,
  workersNone: () => 'none: all accounts are on the coordinator. Add one with "select citus_add_node(...)".',
  workersEmpty: ({ empty, all }: { empty: string; all: string }) =>
    `${empty} has no accounts: run "select citus_rebalance_start()". All: ${all}.`,
  workersAll: ({ all }: { all: string }) => all,
  workersCareless: ({ workers }: { workers: string }) =>
    `${workers} answers before a change is on its disk: set synchronous_commit, fsync and full_page_writes to on there.`,
  workersDurable: () => 'changes are on the disk of their worker before they are answered',
  tablesLocal: ({ tables }: { tables: string }) =>
    `On the coordinator alone, and should not be: ${tables}. Stop the service and run "soundings migrate".`,
  tablesSpread: ({ spread, copied }: { spread: number; copied: number }) =>
    `${spread} spread by account, ${copied} copied to every machine`,
  notLooked: () => 'Not looked at: it needs a worker that does not answer.',

  changesTaken: () => 'are taken',
  changesRefused: ({ reason }: { reason: string }) =>
    `The store answers and takes no changes (${reason}): look at its log and its rights.`,

  keysSign: ({ count }: { count: number }) => `${count} signing key${count === 1 ? '' : 's'}`,
  keysNone: () => 'No key signs: run "soundings keys rotate".',
  accountsNone: () => 'none yet: "soundings apply FILE" makes them',
  accountsSome: () => 'there are some',

  sealKeyMissing: ({ kid }: { kid: string }) =>
    `What the key ${kid} has sealed cannot be opened: put it back into SOUNDINGS_SEAL_KEY, behind the one that seals now.`,
  sealedByStore: () =>
    'Sealed by a key of the store: whoever has a backup can open it. Give a key of your own in SOUNDINGS_SEAL_KEY; the old one opens on.',
  sealedBySetting: () => 'by the key of SOUNDINGS_SEAL_KEY',
  nothingSealed: () => 'nothing is sealed yet',

  erasuresWhole: () => 'every erased response is erased everywhere',
  erasuresUnmended: ({ responses }: { responses: number }) =>
    `${responses === unmendedMost ? `${unmendedMost} or more` : responses} responses were erased by an older version, which leaves comments and digests behind: "soundings serve" mends them within minutes, "soundings repair" now.`,
  taskFails: ({ name, failures, failure }: { name: string; failures: number; failure: string }) =>
    `${name} has failed ${failures} times (${failure}): it is tried again; look at the log of the service.`,
  tasksLeft: ({ names }: { names: string }) => `${names}: not done yet, "soundings serve" does it`,
  tasksDone: ({ count }: { count: number }) => `${count} task${count === 1 ? '' : 's'}, none behind`,

  figuresCurrent: ({ responses }: { responses: number }) =>
    `figures are added up, ${countText(responses)} responses behind`,
  figuresBehind: ({ responses, sources }: { responses: number; sources: number }) =>
    `${countText(responses)} responses of ${countText(sources)} measures and projects are not added up yet, and their views may answer 503: "soundings serve" does it, and "soundings insight status" shows how far it has come.`,

  webhookTroubled: ({ id, account, waitedHours, hasDead, failure }: WebhookTrouble) => {
    const faults = [
      ...(waitedHours === null ? [] : [`its oldest message has waited for ${waitedHours} h`]),
      ...(hasDead === 0 ? [] : [`messages were given up (${deadCommand({ id, account })})`]),
    ];
    return `${id} of account ${account}: ${faults.join(', and ')} (${failure ?? 'not tried'}).`;
  },
  webhookWithoutSecret: (trouble: Omit<WebhookTrouble, 'failure'>): string =>
    findingWords.webhookTroubled({ ...trouble, failure: 'it has no secret: soundings webhook rotate' }),
  webhooksMore: ({ count }: { count: number }) => `${count} more: see "soundings webhook list".`,
  webhooksRight: ({ count }: { count: number }) => `${count}, none of which is behind`,

  clockPlausible: () => 'plausible',
  clockPast: () => 'The clock of this machine is in the past: set it.',
  clockAgrees: () => 'agrees with the database',
  clockFollowed: () => 'follows the clock',
  clockJumped: ({ clock, trusted, left }: ClockJumped) =>
    `The clock says ${clock}, and the trusted time is ${trusted}: nothing is deleted for the difference. Set the clock if it is wrong; if it is right, run "soundings clock confirm". Otherwise it is believed after ${left} h more of serving.`,
  clockApart: ({ seconds }: { seconds: number }) => `${seconds} s apart from the database: set both by NTP.`,

  tokenEnds: ({ id, account, name, days }: { id: string; account: number; name: string; days: number }) => {
    const when = days === 0 ? 'within a day' : days === 1 ? 'in a day' : `in ${days} days`;
    return `${id} of account ${account} (${name}) ends ${when}: make another one, give it to the provider, and revoke this one.`;
  },

  adminRefused: ({
    user,
    account,
    act,
    times,
  }: {
    user: number;
    account: number;
    act: string;
    times: number;
  }) =>
    `User ${user} of account ${account} is an admin, and somebody who may not change admins has asked ${times === 1 ? 'once' : `${times} times`} to ${act} them: ${act} them if that is meant, or drop it with "soundings user refused ${user} --account ${account} --drop".`,
  adminRests: ({ user, account }: { user: number; account: number }) =>
    `User ${user} of account ${account} has no rights of an admin: their externalId was changed by something that may not change admins. Set it right, or confirm it with "soundings user confirm-admin ${user} --account ${account}".`,

  backupFailed: ({ at, detail, good }: { at: string; detail: string; good: string | null }) =>
    `The last one failed at ${at}: ${detail} The last good one is of ${good ?? 'never'}.`,
  backupOfFuture: () =>
    'The last one is dated in the future: set the clock, and make another with "soundings backup".',
  backupNone: () =>
    'None is known: make one with "soundings backup", or set SOUNDINGS_BACKUP_EVERY. Record one made by other tools with "soundings backup --record".',
  backupGood: ({ at, ageMs, place }: BackupOf) =>
    `the last good one is of ${at}, ${ageText(ageMs)} ago${place === null ? '' : ` (${place})`}`,
  backupOld: (backup: BackupOf): string =>
    `${findingWords.backupGood(backup)}: make another with "soundings backup".`,

  poolsTooLarge: ({ processes, poolSize, wanted, most }: Pools) =>
    `${processes} processes with SOUNDINGS_POOL_SIZE ${poolSize} and three connections beside it may open ${wanted} connections, and the server allows ${most}: raise its max_connections, put pgbouncer before it, or make the pools smaller.`,
  poolSmall: ({ poolSize, least }: { poolSize: number; least: number }) =>
    `With SOUNDINGS_POOL_SIZE ${poolSize} questions wait behind changes: raise it to ${least} or more.`,
  poolsFit: ({ wanted, most }: { wanted: number; most: number }) =>
    `${wanted} of ${most} that the server allows`,

  connectionWithoutSecret: (of: ConnectionOf) => `${ofAccount(of)}: ${connectionWords.noSecret()}`,
  connectionUnanswered: ({ reason, ...of }: ConnectionOf & { reason: string }) =>
    `${ofAccount(of)}: ${connectionWords.provider({ reason })}`,
  connectionKeyLost: (lost: ConnectionOf & { kid: string }) =>
    `${ofAccount(lost)}: ${connectionWords.keyLost(lost)}`,
  connectionSecretLost: (of: ConnectionOf) => `${ofAccount(of)}: ${connectionWords.secretLost(of)}`,
  connectionClock: (apart: ConnectionOf & ClockApart) =>
    `${ofAccount(apart)}: ${connectionWords.clock(apart)}`,
  connectionsMore: ({ count }: { count: number }) => `${count} more: see "soundings connection test".`,
  connectionsNotAsked: ({ count }: { count: number }) =>
    `Only ${count} were asked: "soundings connection test" asks one.`,
  connectionsRight: ({ count }: { count: number }) => `${count}, whose providers answer as they should`,

  standbyWrites: () =>
    'The server of DATABASE_URL_READ takes changes itself: name a standby, or leave it empty.',
  standbyBehind: (lag: Lag): string =>
    `The standby is ${lagText(lag)}, and pages that it does not have come from the writer: look at pg_stat_replication there, and at the load of the standby.`,
  standbyAnswers: (lag: Lag): string => `answers, ${lagText(lag)}`,
  standbyAway: ({ reason }: { reason: string }) =>
    `The standby cannot be reached (${reason}), and pages come from the writer: start it, or mend DATABASE_URL_READ.`,

  diskUnseen: ({ folder }: { folder: string }) =>
    `${folder} cannot be looked at: make it, or mend DATABASE_URL.`,
  diskFree: ({ gib, folder }: Disk) => `${gib} GiB free in ${folder}`,
  diskFull: (disk: Disk): string =>
    `${findingWords.diskFree(disk)}: make room, the service stops taking changes when it is full.`,

  linksNowhere: () =>
    'Links in answers name 127.0.0.1, which leads other machines nowhere: set SOUNDINGS_PUBLIC_URL to the address that callers use.',
  consoleAt: ({ base }: { base: string }) => `people sign in at ${base}/console`,
  consoleOff: ({ base }: { base: string }) =>
    `The console is off: ${base} is plain http beyond this machine. Put it behind https and set SOUNDINGS_PUBLIC_URL, or set SOUNDINGS_CONSOLE_PLAIN_HTTP=on where the network is trusted.`,
  consolePlain: ({ base }: { base: string }) =>
    `The console is served over plain http at ${base}: whoever can listen on the network learns passwords and sessions. Put it behind https, set SOUNDINGS_PUBLIC_URL, and take SOUNDINGS_CONSOLE_PLAIN_HTTP away.`,

  lookStopped: () => 'The process that looked was stopped: look again.',
  lookLate: ({ seconds }: { seconds: number }) =>
    `It took longer than ${seconds} s and was ended: run "soundings doctor" where the store is.`,
  /** Words of a program below, which has one language. */
  failed: ({ reason }: { reason: string }) => reason,
} satisfies Readonly<Record<string, Words>>;

function copyToRestore(saved: string): string {
  return saved === '' ? 'a backup' : saved;
}

/** Of an open store, a file that is not as it was left. */
interface PartLost {
  readonly file: string;
  readonly fault: string;
  /** 1 for the index of the log, which SQLite makes anew. */
  readonly isIndex: number;
  /** Where the store was saved to; empty where it was not. */
  readonly saved: string;
  /** Why it was not; empty where nobody tried. */
  readonly reason: string;
}

export type FindingWords = typeof findingWords;
export type FindingCode = keyof FindingWords;
export type FindingValues<Code extends FindingCode> =
  Parameters<FindingWords[Code]> extends [infer Values] ? Values : Readonly<Record<string, never>>;

interface ClockJumped {
  readonly clock: string;
  readonly trusted: string;
  /** Hours. */
  readonly left: number;
}

interface WebhookTrouble {
  readonly id: string;
  readonly account: number;
  /** Null where its oldest message is not late. */
  readonly waitedHours: number | null;
  /** 1 where messages were given up. */
  readonly hasDead: number;
  readonly failure: string | null;
}

interface BackupOf {
  readonly at: string;
  readonly ageMs: number;
  readonly place: string | null;
}

interface Pools {
  readonly processes: number;
  readonly poolSize: number;
  readonly wanted: number;
  readonly most: number;
}

function ofAccount({ id, account }: ConnectionOf): string {
  return `${id} of account ${account}`;
}

interface Lag {
  readonly seconds: string;
  readonly bytes: number;
}

interface Disk {
  readonly gib: string;
  readonly folder: string;
}

export function deadCommand({ id, account }: Pick<WebhookTrouble, 'id' | 'account'>): string {
  return `"soundings webhook deliveries ${id} --account ${account} --dead"`;
}

function lagText({ seconds, bytes }: Lag): string {
  return `${seconds} s and ${bytes} bytes behind`;
}

function ageText(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.floor(ms / 60_000)} min`;
  return ms < 2 * dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} days`;
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}
