// What a replica says about itself beside its heartbeat. It is JSON in the store, which a replica of another version may have
// written, or anybody who can write there: whatever is not as it should be is not shown (D-612).

export interface SlowRoute {
  readonly method: string;
  /** The pattern of the path. */
  readonly route: string;
  /** Requests since the start of the process. */
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Where people and programs reach a replica, as it stands in links. */
export interface ReplicaAddresses {
  readonly api: string;
  /** Of the pages of surveys. */
  readonly pages: string;
  /** Null where the console is not served. */
  readonly console: string | null;
}

export interface ReplicaFacts {
  /** The machine and the process. */
  readonly name: string;
  readonly version: string;
  readonly startedAtMs: number;
  /** Changes that wait for the store. */
  readonly writesWaiting: number;
  /** Requests that wait for a connection to it. */
  readonly connectionsWaiting: number;
  readonly connections: number;
  /** What follows the log, and by how many seconds it is behind. */
  readonly lags: readonly { readonly of: string; readonly seconds: number }[];
  readonly memoryBytes: number;
  readonly heapBytes: number;
  /** From 0 to 1: how much of the time since the beat before the event loop was at work. */
  readonly busy: number;
  /** By how much what was due waited for the event loop; one time in a hundred it was more. */
  readonly delayP99Ms: number;
  /** Of the disk that an embedded store is on; null where a server keeps the data. */
  readonly diskFreeBytes: number | null;
  readonly diskBytes: number | null;
  /** Answered since the start, and how many of them with a failure of ours (5xx). */
  readonly requests: number;
  readonly failures: number;
  /** The slowest first. */
  readonly routes: readonly SlowRoute[];
  /** Null before it listens, and of an older version. */
  readonly addresses: ReplicaAddresses | null;
}

/** Longer than what a replica says. */
export const factsBytesMax = 8_192;
export const routesMax = 10;
const lagsMax = 10;
const textMax = 200;

/** Null for what no replica of this version would say. */
export function readReplicaFacts(text: string | null): ReplicaFacts | null {
  if (text === null || text.length > factsBytesMax) return null;
  const found = objectOf(parsed(text));
  if (found === null) return null;
  const numbers = numbersOf(found, [
    'startedAtMs',
    'writesWaiting',
    'connectionsWaiting',
    'connections',
    'memoryBytes',
    'heapBytes',
    'busy',
    'delayP99Ms',
    'requests',
    'failures',
  ]);
  const name = textOf(found.name);
  const version = textOf(found.version);
  const lags = listOf(found.lags, lagsMax, (one) => {
    const seconds = numberOf(one.seconds);
    const of = textOf(one.of);
    return of === null || seconds === null ? null : { of, seconds };
  });
  const routes = listOf(found.routes, routesMax, (one) => {
    const method = textOf(one.method);
    const route = textOf(one.route);
    const figures = numbersOf(one, ['count', 'p50Ms', 'p99Ms']);
    return method === null || route === null || figures === null ? null : { method, route, ...figures };
  });
  if (numbers === null || name === null || version === null || lags === null || routes === null) return null;
  // No date is later, and a time that is none could not be shown.
  if (numbers.startedAtMs > 8_640_000_000_000_000) return null;
  return {
    name,
    version,
    ...numbers,
    busy: Math.min(1, numbers.busy),
    diskFreeBytes: numberOf(found.diskFreeBytes),
    diskBytes: numberOf(found.diskBytes),
    lags,
    routes,
    addresses: addressesOf(objectOf(found.addresses)),
  };
}

function addressesOf(found: Readonly<Record<string, unknown>> | null): ReplicaAddresses | null {
  const api = addressOf(found?.api);
  const pages = addressOf(found?.pages);
  return api === null || pages === null ? null : { api, pages, console: addressOf(found?.console) };
}

/** A link that a command hands out begins with it: nothing but http and https. */
function addressOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && /^https?:\/\/[^\s"<>\\]+$/.test(text) && URL.canParse(text) ? text : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= textMax ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function numbersOf<Name extends string>(
  found: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Readonly<Record<Name, number>> | null {
  const numbers: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const value = numberOf(found[name]);
    if (value === null) return null;
    numbers[name] = value;
  }
  return numbers as Record<Name, number>;
}

function listOf<Item>(
  value: unknown,
  most: number,
  itemOf: (found: Readonly<Record<string, unknown>>) => Item | null,
): readonly Item[] | null {
  if (!Array.isArray(value) || value.length > most) return null;
  const items: Item[] = [];
  for (const one of value) {
    const found = objectOf(one);
    const item = found === null ? null : itemOf(found);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}
