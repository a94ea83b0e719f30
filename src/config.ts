// Every setting, with its default and its reason. readConfig is pure: it is handed the environment, the flags and
// a way to read files, and answers with the settings in force or with every fault at once.

import { isIP } from 'node:net';
import { readSealKeys } from './domain/access/seal-key.ts';
import { defaultDatabaseUrl, readDatabaseAddress } from './domain/database-address.ts';

type Kind = 'text' | 'whole' | 'onOff' | 'list' | 'port' | 'duration';

export interface Setting {
  readonly name: string;
  readonly kind: Kind;
  readonly fallback: string;
  readonly why: string;
  readonly secret?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly string[];
}

export const settings = {
  host: {
    name: 'HOST',
    kind: 'text',
    fallback: '127.0.0.1',
    why: 'The address to listen on. By default, only this machine can connect.',
  },
  port: {
    name: 'PORT',
    kind: 'whole',
    fallback: '8080',
    min: 0,
    max: 65_535,
    why: 'The port to listen on; 0 picks a free one.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    kind: 'text',
    fallback: defaultDatabaseUrl,
    secret: true,
    why: 'Where the data is stored: sqlite:PATH, sqlite::memory: (lost when the process ends), or postgres://user:password@host:port/database for many replicas. Several hosts, separated by commas, are the servers of one database: the one that accepts writes is found, and found again after a failover.',
  },
  databaseUrlRead: {
    name: 'DATABASE_URL_READ',
    kind: 'text',
    fallback: '',
    secret: true,
    why: 'A standby of the PostgreSQL server. The rows of pages of data are read from it if it has all of them, and from the writer otherwise. Empty: everything is read from the writer.',
  },
  sealKey: {
    name: 'SOUNDINGS_SEAL_KEY',
    kind: 'text',
    fallback: '',
    secret: true,
    why: 'The key that seals stored data that must be readable again, such as the secrets of webhooks: 32 bytes as base64 ("openssl rand -base64 32"). With several keys, separated by commas, the first one seals and the others open what they sealed before. Empty: keys kept in the store are used, which anyone with a backup has too.',
  },
  publicUrl: {
    name: 'SOUNDINGS_PUBLIC_URL',
    kind: 'text',
    fallback: '',
    why: 'The address that callers use; it appears in every link and Location header. Empty: the listening address. The Host header is never trusted.',
  },
  lanHost: {
    name: 'SOUNDINGS_LAN_HOST',
    kind: 'text',
    fallback: '',
    why: 'The address of this machine in its network, for answering surveys on a phone there; "soundings serve --lan" finds and sets it. Links to survey pages name it, and the console is served to this machine alone. Empty: off.',
  },
  hstsSubdomains: {
    name: 'SOUNDINGS_HSTS_SUBDOMAINS',
    kind: 'onOff',
    fallback: 'off',
    why: 'On: where SOUNDINGS_PUBLIC_URL is https, browsers are told to use https for a year for every name below its host too (includeSubDomains). Switch on only if all of them have https.',
  },
  consolePlainHttp: {
    name: 'SOUNDINGS_CONSOLE_PLAIN_HTTP',
    kind: 'onOff',
    fallback: 'off',
    why: 'On: people can sign in over plain http from other machines. Anyone who can listen on the network can then read their passwords and sessions.',
  },
  consolePasswords: {
    name: 'SOUNDINGS_CONSOLE_PASSWORDS',
    kind: 'onOff',
    fallback: 'on',
    why: 'Off: nobody can sign in to the console with a password, and none can be set. Existing passwords do not work until this is on again.',
  },
  requirePasskey: {
    name: 'SOUNDINGS_REQUIRE_PASSKEY',
    kind: 'onOff',
    fallback: 'off',
    why: 'On: operators and admins need a passkey. Whoever of them signs in by a link or a password can do nothing but add one; a sign-in through a connection to an identity provider counts as one. Needs SOUNDINGS_PUBLIC_URL with https, or localhost.',
  },
  providerMaxAgeSeconds: {
    name: 'SOUNDINGS_PROVIDER_MAX_AGE_SECONDS',
    kind: 'whole',
    fallback: '2592000',
    min: 60,
    max: 31_536_000,
    why: 'Identity providers are asked to let nobody through who signed in there longer ago (max_age), which also obliges them to say when that was. The default is 30 days. What asks for a fresh sign-in always demands a new one.',
  },
  workers: {
    name: 'SOUNDINGS_WORKERS',
    kind: 'whole',
    fallback: '1',
    min: 1,
    max: 64,
    why: 'Number of processes that share the port on this machine.',
  },
  tokenLifetimeSeconds: {
    name: 'SOUNDINGS_TOKEN_LIFETIME_SECONDS',
    kind: 'whole',
    fallback: '7200',
    min: 60,
    max: 21_600,
    why: 'How long an access token is valid. Identity providers expect an hour or more.',
  },
  throttle: {
    name: 'SOUNDINGS_THROTTLE',
    kind: 'onOff',
    fallback: 'on',
    why: 'Whether requests are throttled. Switch off for benchmarks only.',
  },
  throttleClientRate: {
    name: 'SOUNDINGS_THROTTLE_CLIENT_RATE',
    kind: 'whole',
    fallback: '100',
    min: 1,
    max: 1_000_000,
    why: 'Requests per second from one API client.',
  },
  throttleClientBurst: {
    name: 'SOUNDINGS_THROTTLE_CLIENT_BURST',
    kind: 'whole',
    fallback: '200',
    min: 1,
    max: 1_000_000,
    why: 'Requests that one API client can make at once after a pause.',
  },
  throttleAccountRate: {
    name: 'SOUNDINGS_THROTTLE_ACCOUNT_RATE',
    kind: 'whole',
    fallback: '400',
    min: 1,
    max: 1_000_000,
    why: 'Requests per second from all API clients of one account together.',
  },
  throttleAccountBurst: {
    name: 'SOUNDINGS_THROTTLE_ACCOUNT_BURST',
    kind: 'whole',
    fallback: '800',
    min: 1,
    max: 1_000_000,
    why: 'Requests that one account can make at once after a pause.',
  },
  throttlePublicRate: {
    name: 'SOUNDINGS_THROTTLE_PUBLIC_RATE',
    kind: 'whole',
    fallback: '10',
    min: 1,
    max: 1_000_000,
    why: 'Responses per second to public surveys, without a token, from one network: an IPv4 address or an IPv6 prefix.',
  },
  throttlePublicBurst: {
    name: 'SOUNDINGS_THROTTLE_PUBLIC_BURST',
    kind: 'whole',
    fallback: '50',
    min: 1,
    max: 1_000_000,
    why: 'Responses to public surveys that one network can send at once after a pause.',
  },
  pageHotPerMinute: {
    name: 'SOUNDINGS_PAGE_HOT_PER_MINUTE',
    kind: 'whole',
    fallback: '120',
    min: 1,
    max: 1_000_000,
    why: 'Below this many submissions per minute, the page of one survey never runs hot. Above it, and above eight times what is usual for the survey, a browser has to work for some seconds before its answers are accepted.',
  },
  throttleSigninPerMinute: {
    name: 'SOUNDINGS_THROTTLE_SIGNIN_PER_MINUTE',
    kind: 'whole',
    fallback: '10',
    min: 1,
    max: 1_000_000,
    why: 'Wrong credentials of any kind per minute from one network. Correct ones are still accepted.',
  },
  throttleIpv6PrefixBits: {
    name: 'SOUNDINGS_THROTTLE_IPV6_PREFIX',
    kind: 'whole',
    fallback: '56',
    min: 16,
    max: 128,
    why: 'How many bits of an IPv6 address identify the network for limits by address.',
  },
  trustedProxies: {
    name: 'SOUNDINGS_TRUSTED_PROXIES',
    kind: 'list',
    fallback: '',
    why: 'Addresses or networks (10.0.0.0/8), separated by commas, whose X-Forwarded-For header is trusted. None by default.',
  },
  bodyLimitBytes: {
    name: 'SOUNDINGS_BODY_LIMIT_BYTES',
    kind: 'whole',
    fallback: '1048576',
    min: 1024,
    max: 67_108_864,
    why: 'The largest request body, in bytes.',
  },
  bodiesLimitBytes: {
    name: 'SOUNDINGS_BODIES_LIMIT_BYTES',
    kind: 'whole',
    fallback: '67108864',
    min: 1_048_576,
    max: 68_719_476_736,
    why: 'Memory that one process may use for request bodies being received, from all callers together. Beyond it, requests are refused with 503.',
  },
  ingestionBodyLimitBytes: {
    name: 'SOUNDINGS_INGESTION_BODY_LIMIT_BYTES',
    kind: 'whole',
    fallback: '262144',
    min: 1024,
    max: 67_108_864,
    why: 'The largest survey response, in bytes.',
  },
  publicBodyLimitBytes: {
    name: 'SOUNDINGS_PUBLIC_BODY_LIMIT_BYTES',
    kind: 'whole',
    fallback: '32768',
    min: 1024,
    max: 67_108_864,
    why: 'The largest survey response sent without a token, in bytes.',
  },
  parameterLimit: {
    name: 'SOUNDINGS_PARAMETER_LIMIT',
    kind: 'whole',
    fallback: '200',
    min: 1,
    max: 100_000,
    why: 'The maximum number of passed parameters in one survey response, including standard fields.',
  },
  parameterNameLimit: {
    name: 'SOUNDINGS_PARAMETER_NAME_LIMIT',
    kind: 'whole',
    fallback: '128',
    min: 1,
    max: 10_000,
    why: 'The longest name of a passed parameter, in characters.',
  },
  parameterValueLimit: {
    name: 'SOUNDINGS_PARAMETER_VALUE_LIMIT',
    kind: 'whole',
    fallback: '4096',
    min: 1,
    max: 1_000_000,
    why: 'The longest value of a passed parameter, in characters; for a list, all of its texts together.',
  },
  answerMemoryBytes: {
    name: 'SOUNDINGS_ANSWER_MEMORY_BYTES',
    kind: 'whole',
    fallback: '67108864',
    min: 4_194_304,
    max: 4_294_967_296,
    why: 'Memory that one process may use for answers being sent. Pages of data beyond it wait, and are refused with 503 after five seconds.',
  },
  writeTimeoutMs: {
    name: 'SOUNDINGS_WRITE_TIMEOUT_MS',
    kind: 'whole',
    fallback: '30000',
    min: 500,
    max: 3_600_000,
    why: 'A connection that accepts no byte of its answer for this long is closed.',
  },
  urlLimitBytes: {
    name: 'SOUNDINGS_URL_LIMIT_BYTES',
    kind: 'whole',
    fallback: '8192',
    min: 256,
    max: 16_384,
    why: 'The longest request target, in bytes.',
  },
  filterLimitBytes: {
    name: 'SOUNDINGS_FILTER_LIMIT_BYTES',
    kind: 'whole',
    fallback: '4096',
    min: 64,
    max: 16_384,
    why: 'The longest filter of users, in bytes.',
  },
  filterLimitTerms: {
    name: 'SOUNDINGS_FILTER_LIMIT_TERMS',
    kind: 'whole',
    fallback: '64',
    min: 1,
    max: 1_000,
    why: 'The maximum number of comparisons in one filter of users.',
  },
  patchLimitOperations: {
    name: 'SOUNDINGS_PATCH_LIMIT_OPERATIONS',
    kind: 'whole',
    fallback: '1000',
    min: 1,
    max: 10_000,
    why: 'The maximum number of operations in one patch of a user.',
  },
  workLimitMs: {
    name: 'SOUNDINGS_WORK_LIMIT_MS',
    kind: 'whole',
    fallback: '20000',
    min: 100,
    max: 600_000,
    why: 'How much processor time one search, patch or bulk request may use in the service. In all it may take ten times as long, with the time in which others are served and the store works.',
  },
  workLimitUnits: {
    name: 'SOUNDINGS_WORK_LIMIT_UNITS',
    kind: 'whole',
    fallback: '5000000',
    min: 1_000,
    max: 1_000_000_000,
    why: 'How many users, groups and members one search, patch or bulk request may look at.',
  },
  workUnitsPerToken: {
    name: 'SOUNDINGS_WORK_UNITS_PER_TOKEN',
    kind: 'whole',
    fallback: '2000',
    min: 1,
    max: 1_000_000_000,
    why: 'The throttle counts this many users, groups and members looked at as one more request.',
  },
  definitionsMemoryBytes: {
    name: 'SOUNDINGS_DEFINITIONS_MEMORY_BYTES',
    kind: 'whole',
    fallback: '134217728',
    min: 1_048_576,
    max: 68_719_476_736,
    why: 'Memory that one process may use for survey definitions in use, about 100 KB each. Beyond it, the least recently used ones are read again when needed.',
  },
  scansPerAccount: {
    name: 'SOUNDINGS_SCANS_PER_ACCOUNT',
    kind: 'whole',
    fallback: '2',
    min: 1,
    max: 100,
    why: 'How many searches that no index can answer one account may run at once; all accounts together may run four times as many. Sixteen more wait, and any further ones are told to retry.',
  },
  auditKeepDays: {
    name: 'SOUNDINGS_AUDIT_KEEP_DAYS',
    kind: 'whole',
    fallback: '400',
    min: 0,
    max: 36_500,
    why: 'How many days audit log entries are kept. 0: forever.',
  },
  changesDays: {
    name: 'SOUNDINGS_CHANGES_DAYS',
    kind: 'whole',
    fallback: '400',
    min: 0,
    max: 36_500,
    why: 'How many days the change feed keeps external parameters, erasures and ends of retention as changes; a follower that has not read one by then begins again from an export. 0: forever.',
  },
  guardPercent: {
    name: 'SOUNDINGS_GUARD_PERCENT',
    kind: 'whole',
    fallback: '0',
    min: 0,
    max: 100,
    why: 'Guard against mass deprovisioning: once providers have suspended or deleted this percentage of the users of an account, and at least 20, within an hour, further requests to do so are refused with 403 until an operator lifts the guard. 0: off. An account can have its own percentage in the catalogue.',
  },
  exportsPerAccount: {
    name: 'SOUNDINGS_EXPORTS_PER_ACCOUNT',
    kind: 'whole',
    fallback: '2',
    min: 1,
    max: 100,
    why: 'How many exports one account may run at once in a process; all accounts together may run four times as many. Any further ones are told to retry.',
  },
  exportTimeLimitMs: {
    name: 'SOUNDINGS_EXPORT_TIME_LIMIT_MS',
    kind: 'whole',
    fallback: '3600000',
    min: 1000,
    max: 86_400_000,
    why: 'How long one export may take until its reader has received all of it; after that, the connection is closed.',
  },
  poolSize: {
    name: 'SOUNDINGS_POOL_SIZE',
    kind: 'whole',
    fallback: '10',
    min: 1,
    max: 200,
    why: 'Number of PostgreSQL connections of one process.',
  },
  storeTimeoutMs: {
    name: 'SOUNDINGS_STORE_TIMEOUT_MS',
    kind: 'whole',
    fallback: '1500',
    min: 100,
    max: 60_000,
    why: 'How long one read or write may stand still before the caller is told to retry: it waits for a lock, or for a server that does not work on it. One that is worked on, or whose queue moves, has ten times as long in all, and so have all reads and writes of one request together.',
  },
  startPatienceSeconds: {
    name: 'SOUNDINGS_START_PATIENCE_SECONDS',
    kind: 'whole',
    fallback: '60',
    min: 0,
    max: 3_600,
    why: 'How long "soundings serve" waits without a step at its start for a PostgreSQL server that is unreachable or slow; meanwhile it is alive but not ready.',
  },
  backupFolder: {
    name: 'SOUNDINGS_BACKUP_FOLDER',
    kind: 'text',
    fallback: '',
    why: 'The folder for backups of the embedded store, made by the service itself and by "soundings backup" unless it names another place. It must exist, and should be on another disk.',
  },
  backupEverySeconds: {
    name: 'SOUNDINGS_BACKUP_EVERY',
    kind: 'duration',
    fallback: '',
    min: 60,
    max: 31 * 86_400,
    why: 'How often the service backs up the embedded store to SOUNDINGS_BACKUP_FOLDER: 30m, 6h, 1d. Empty: never.',
  },
  backupKeep: {
    name: 'SOUNDINGS_BACKUP_KEEP',
    kind: 'whole',
    fallback: '28',
    min: 1,
    max: 100_000,
    why: 'How many backups of this store are kept in SOUNDINGS_BACKUP_FOLDER; older ones are deleted once a newer one has passed its checks.',
  },
  logLevel: {
    name: 'SOUNDINGS_LOG_LEVEL',
    kind: 'text',
    fallback: 'info',
    oneOf: ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    why: 'The log is lines on standard error. Failures and refusals are logged at info, every request at debug.',
  },
  logFormat: {
    name: 'SOUNDINGS_LOG_FORMAT',
    kind: 'text',
    fallback: 'auto',
    oneOf: ['auto', 'json', 'text'],
    why: 'How a line of the log is written: as JSON, or as text for people. Auto: text where standard error is a terminal, JSON everywhere else.',
  },
  webhookNetworks: {
    name: 'SOUNDINGS_WEBHOOK_NETWORKS',
    kind: 'list',
    fallback: '',
    why: 'Addresses or networks (10.1.0.0/16), separated by commas, where webhooks and identity providers may be although they are not on the public internet; such webhooks need no TLS. None by default.',
  },
  managementPort: {
    name: 'SOUNDINGS_MANAGEMENT_PORT',
    kind: 'port',
    fallback: '',
    why: 'Moves /livez, /readyz and /metrics to a separate port. Empty: they share the main port.',
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof settings;

type ValueOf<S extends Setting> = S['kind'] extends 'whole'
  ? number
  : S['kind'] extends 'onOff'
    ? boolean
    : S['kind'] extends 'list'
      ? readonly string[]
      : S['kind'] extends 'port' | 'duration'
        ? number | null
        : string;

export type Config = { readonly [K in SettingKey]: ValueOf<(typeof settings)[K]> };

export interface ConfigSources {
  readonly flags: Partial<Record<SettingKey, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the file of --config says: names and values. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly readFile: (path: string) => string;
}

export interface SettingInForce {
  readonly setting: Setting;
  readonly text: string;
  readonly source: 'flag' | 'environment' | 'file' | 'default';
}

export type ConfigReading =
  | { readonly config: Config; readonly inForce: readonly SettingInForce[] }
  | { readonly faults: readonly string[] };

// Kubernetes puts these beside a service called "soundings"; they are not ours to judge.
const foreignNames = /^SOUNDINGS_(SERVICE_|PORT)/;
// Ours, but of one command and not of the service.
const commandNames = new Set([
  'SOUNDINGS_CLIENT_ID',
  'SOUNDINGS_CLIENT_SECRET',
  'SOUNDINGS_CLIENT_SECRET_FILE',
  'SOUNDINGS_CONNECTION_SECRET',
  'SOUNDINGS_CONNECTION_SECRET_FILE',
  'SOUNDINGS_PROVISIONING_TOKEN',
]);

export function readConfig(sources: ConfigSources): ConfigReading {
  const faults = unknownNames(sources);
  const values: Record<string, unknown> = {};
  const inForce: SettingInForce[] = [];
  for (const [key, setting] of Object.entries(settings) as [SettingKey, Setting][]) {
    const found = look(key, setting, sources, faults);
    inForce.push({ setting, ...found });
    const value = parse(setting, found.text);
    if (value === undefined)
      faults.push(
        `${setting.name}: ${describeWanted(setting)}${setting.secret ? '' : `, not "${found.text}"`}.`,
      );
    values[key] = value;
  }
  faults.push(...contradictions(values as Partial<Config>));
  return faults.length > 0 ? { faults } : { config: values as Config, inForce };
}

function unknownNames({ env, file }: ConfigSources): string[] {
  const known = new Set<string>();
  for (const { name, secret } of Object.values(settings) as Setting[]) {
    known.add(name);
    if (secret === true) known.add(`${name}_FILE`);
  }
  const fromEnv = Object.keys(env).filter(
    (name) =>
      name.startsWith('SOUNDINGS_') &&
      !known.has(name) &&
      !foreignNames.test(name) &&
      !commandNames.has(name),
  );
  const fromFile = Object.keys(file).filter((name) => !known.has(name));
  return [...fromEnv, ...fromFile].map((name) => `${name}: there is no such setting.`);
}

function look(
  key: SettingKey,
  setting: Setting,
  { flags, env, file, readFile }: ConfigSources,
  faults: string[],
): { text: string; source: SettingInForce['source'] } {
  const flag = flags[key];
  if (flag !== undefined) return { text: flag, source: 'flag' };
  const layers = [
    { source: 'environment', values: env },
    { source: 'file', values: file },
  ] as const;
  for (const { source, values } of layers) {
    const plain = values[setting.name];
    const path = setting.secret === true ? values[`${setting.name}_FILE`] : undefined;
    if (plain !== undefined && path !== undefined)
      faults.push(`${setting.name}: given both as itself and as ${setting.name}_FILE.`);
    if (plain !== undefined) {
      const text = textOf(plain, setting);
      if (text === null) faults.push(`${setting.name}: must be one value, not a map or a list.`);
      return { text: text ?? setting.fallback, source };
    }
    if (path !== undefined) {
      try {
        return { text: readFile(String(path)).trim(), source };
      } catch {
        faults.push(`${setting.name}_FILE: the file ${String(path)} cannot be read.`);
        return { text: setting.fallback, source };
      }
    }
  }
  return { text: setting.fallback, source: 'default' };
}

/** A file has numbers, lists and empty places too; null for what no setting can be. */
function textOf(value: unknown, { kind }: Setting): string | null {
  if (value === null) return '';
  if (Array.isArray(value)) return kind === 'list' ? value.join(',') : null;
  return typeof value === 'object' ? null : String(value);
}

function parse(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'onOff':
      return text === 'on' ? true : text === 'off' ? false : undefined;
    case 'list':
      return parseNetworks(text);
    case 'port':
      return text === '' ? null : wholeNumber(text, 0, 65_535);
    case 'duration':
      return text === '' ? null : parseDuration(text, setting);
    case 'whole':
      return wholeNumber(text, setting.min ?? 0, setting.max ?? Number.MAX_SAFE_INTEGER);
    case 'text':
      return parseText(setting, text);
  }
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,12}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** In seconds. */
function parseDuration(
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Setting,
): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (secondsOf[unit] ?? Number.NaN);
  return seconds >= min && seconds <= max ? seconds : undefined;
}

function parseNetworks(text: string): readonly string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const areValid = entries.every((entry) => {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const bitsMax = family === 4 ? 32 : 128;
    return (
      family !== 0 && rest.length === 0 && (bits === undefined || wholeNumber(bits, 0, bitsMax) !== undefined)
    );
  });
  return areValid ? entries : undefined;
}

function parseText(setting: Setting, text: string): string | undefined {
  if (setting.oneOf !== undefined) return setting.oneOf.includes(text) ? text : undefined;
  if (setting.name === 'DATABASE_URL') return isDatabaseUrl(text) ? text : undefined;
  if (setting.name === 'DATABASE_URL_READ')
    return text === '' || readDatabaseAddress(text) !== null ? text : undefined;
  if (setting.name === 'SOUNDINGS_SEAL_KEY') return readSealKeys(text) === null ? undefined : text;
  if (setting.name === 'SOUNDINGS_PUBLIC_URL') return text === '' ? '' : publicUrl(text);
  if (setting.name === 'SOUNDINGS_LAN_HOST') return text === '' || isIP(text) !== 0 ? text : undefined;
  if (setting.name === 'SOUNDINGS_BACKUP_FOLDER') return text;
  return text.trim() === '' ? undefined : text;
}

function isDatabaseUrl(text: string): boolean {
  if (text.startsWith('sqlite:')) return text.length > 'sqlite:'.length;
  return readDatabaseAddress(text) !== null;
}

function publicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return /^https?:$/.test(url.protocol) && isPlain ? text.replace(/\/+$/, '') : undefined;
}

/** A setting that is wrong by itself is missing here, and contradicts nothing. */
function contradictions(config: Partial<Config>): string[] {
  const { databaseUrl, workers, managementPort, port, bodiesLimitBytes = 0 } = config;
  const faults: string[] = [];
  const largestBody = Math.max(config.bodyLimitBytes ?? 0, config.ingestionBodyLimitBytes ?? 0);
  if (bodiesLimitBytes > 0 && bodiesLimitBytes < largestBody) {
    faults.push(
      'SOUNDINGS_BODIES_LIMIT_BYTES: smaller than the largest request body; make it several times as large.',
    );
  }
  if (databaseUrl === 'sqlite::memory:' && workers !== undefined && workers > 1) {
    faults.push('DATABASE_URL: sqlite::memory: belongs to one process; use a file, or SOUNDINGS_WORKERS 1.');
  }
  faults.push(...addressFaults(config), ...backupFaults(config), ...passkeyFaults(config));
  if (managementPort && managementPort === port) {
    faults.push('SOUNDINGS_MANAGEMENT_PORT: the same as PORT; leave it empty to share the main port.');
  }
  return faults;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Browsers make passkeys under https and on localhost alone. */
function passkeyFaults({ requirePasskey, publicUrl = '', host = '' }: Partial<Config>): string[] {
  if (requirePasskey !== true) return [];
  const isPossible =
    publicUrl === ''
      ? loopbackNames.has(host)
      : publicUrl.startsWith('https:') || loopbackNames.has(new URL(publicUrl).hostname);
  return isPossible
    ? []
    : [
        'SOUNDINGS_REQUIRE_PASSKEY: passkeys can be made under https or on localhost alone; set SOUNDINGS_PUBLIC_URL to an https address first.',
      ];
}

function backupFaults({ databaseUrl = '', backupEverySeconds, backupFolder }: Partial<Config>): string[] {
  if (typeof backupEverySeconds !== 'number') return [];
  if (databaseUrl !== '' && (!databaseUrl.startsWith('sqlite:') || databaseUrl === 'sqlite::memory:'))
    return [
      'SOUNDINGS_BACKUP_EVERY: the service backs up an embedded store in a file alone; leave it empty, and see "soundings backup".',
    ];
  return backupFolder === '' ? ['SOUNDINGS_BACKUP_EVERY: name the place in SOUNDINGS_BACKUP_FOLDER.'] : [];
}

function addressFaults({ databaseUrl = '', databaseUrlRead = '' }: Partial<Config>): string[] {
  const writer = readDatabaseAddress(databaseUrl);
  const faults: string[] = [];
  if (writer?.wanted === 'standby')
    faults.push('DATABASE_URL: a standby takes no changes; say target_session_attrs=read-write.');
  if (databaseUrl !== '' && databaseUrlRead !== '' && writer === null)
    faults.push(
      'DATABASE_URL_READ: only PostgreSQL has standbys; leave it empty, or name one in DATABASE_URL.',
    );
  if (readDatabaseAddress(databaseUrlRead)?.wanted === 'writer')
    faults.push('DATABASE_URL_READ: the writer is in DATABASE_URL; say target_session_attrs=any or standby.');
  return faults;
}

function describeWanted(setting: Setting): string {
  switch (setting.kind) {
    case 'onOff':
      return 'must be on or off';
    case 'list':
      return 'must be IP addresses or networks, separated by commas';
    case 'port':
      return 'must be empty or a port number';
    case 'duration':
      return 'must be empty or a time such as 30m, 6h or 1d, from a minute to 31 days';
    case 'whole':
      return `must be a whole number from ${setting.min ?? 0} to ${setting.max ?? Number.MAX_SAFE_INTEGER}`;
    case 'text':
      if (setting.oneOf !== undefined) return `must be one of ${setting.oneOf.join(', ')}`;
      if (setting.name === 'DATABASE_URL')
        return 'must be sqlite:PATH, sqlite::memory: or postgres://user:password@host:port/database';
      if (setting.name === 'DATABASE_URL_READ')
        return 'must be empty or postgres://user:password@host:port/database';
      if (setting.name === 'SOUNDINGS_SEAL_KEY')
        return 'must be empty, or keys of 32 bytes as base64, separated by commas';
      if (setting.name === 'SOUNDINGS_PUBLIC_URL') return 'must be an http or https address without query';
      if (setting.name === 'SOUNDINGS_LAN_HOST') return 'must be empty, or an IP address';
      return 'must not be empty';
  }
}

export interface ShownSetting {
  readonly name: string;
  /** A secret is hidden. */
  readonly value: string;
  readonly source: SettingInForce['source'];
  readonly why: string;
}

/** The settings as an operator may see them: secrets hidden, the reason beside each. */
export function shownSettings(inForce: readonly SettingInForce[]): readonly ShownSetting[] {
  return inForce.map(({ setting, text, source }) => ({
    name: setting.name,
    value: setting.secret === true ? hidePassword(text) : text,
    source,
    why: setting.why,
  }));
}

function hidePassword(address: string): string {
  if (address === '') return '';
  const servers = readDatabaseAddress(address)?.servers ?? [];
  if (servers.length > 1) return servers.map(hidePassword).join(' ');
  if (!URL.canParse(address)) return '(hidden)';
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  // A password may also come as a parameter, so none of those is shown.
  if (url.search !== '') url.search = '?***';
  return url.href;
}
