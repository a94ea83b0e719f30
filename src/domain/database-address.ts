// The address of PostgreSQL servers, as libpq spells it: several hosts behind one another, and which of them is wanted,
// postgres://user@first:5432,second:5433/database?target_session_attrs=read-write.

/** Where the data is stored unless somebody says otherwise; its folder alone is made by itself (D-839). */
export const defaultDatabaseUrl = 'sqlite:data/soundings.db';

/** `writer` takes changes; `standby` takes them only where there is no other; `any` is the one that is named. */
export type WantedServer = 'any' | 'writer' | 'standby';

export interface DatabaseAddress {
  /** One address for each host, in their order. */
  readonly servers: readonly string[];
  readonly wanted: WantedServer;
  /** For people to read: hosts with their ports, without a user or a password. */
  readonly hosts: readonly string[];
  readonly database: string;
}

const attribute = 'target_session_attrs';
const wantedServers: Readonly<Record<string, WantedServer>> = {
  any: 'any',
  'read-write': 'writer',
  primary: 'writer',
  'read-only': 'standby',
  standby: 'standby',
  'prefer-standby': 'standby',
};

/** Null where it is not an address of PostgreSQL. */
export function readDatabaseAddress(text: string): DatabaseAddress | null {
  const [, scheme, authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/.exec(text) ?? [];
  if (scheme === undefined || `${authority}${rest}` === '') return null;
  const behindUser = authority.lastIndexOf('@') + 1;
  const user = authority.slice(0, behindUser);
  const hosts = authority.slice(behindUser).split(',');
  const addresses = hosts.map((host) => `${scheme}${user}${host}${rest}`);
  if (hosts.length > 1 && hosts.includes('')) return null;
  if (!addresses.every((address) => URL.canParse(address))) return null;
  const urls = addresses.map((address) => new URL(address));
  const said = urls[0]!.searchParams.get(attribute);
  const wanted = said === null ? 'any' : wantedServers[said];
  if (wanted === undefined) return null;
  if (said !== null) for (const { searchParams } of urls) searchParams.delete(attribute);
  return {
    servers: said === null ? addresses : urls.map(({ href }) => href),
    wanted,
    hosts: urls.map(({ hostname, port }) => `${hostname}:${port || '5432'}`),
    database: urls[0]!.pathname.slice(1),
  };
}
