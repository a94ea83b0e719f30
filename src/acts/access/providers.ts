// What Soundings knows of the identity providers of accounts: their metadata and keys, fetched when somebody wants to sign in
// and remembered for a while. A provider that hangs holds up its own account alone: requests of one account for one
// connection share what is under way, and beyond a few they are refused.

import { createHash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { Context } from '../../context.ts';
import { type AuditNote, auditNote } from '../../domain/access/audit-note.ts';
import { isLoopbackHost } from '../../domain/access/connection.ts';
import { Problem } from '../../domain/problem.ts';
import { type Connection, connectionSecretPurpose } from '../../store/access/connections.ts';
import { Sealer } from '../../store/access/sealer.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import { ReceiverAddresses } from '../webhooks/receiver-address.ts';
import { type ProviderFetch, providerFetch, providerRequestMs } from './provider-fetch.ts';
import { SignInRefused } from './provider-refusal.ts';

const rememberedMs = 10 * 60_000;
const rememberedBytes = 8 * 1024 * 1024;
const underWayMax = 16;
const secondMs = 1_000;

/** A provider as it describes itself, and as it is asked. */
export interface Provider {
  readonly configuration: Configuration;
  readonly keys: JWTVerifyGetKey;
}

export class Providers {
  readonly #sealer: Sealer;
  readonly #fetch: ProviderFetch;
  readonly #underWay = new Map<number, number>();
  readonly #known: Cache<string, Provider>;

  constructor(
    context: Pick<Context, 'config' | 'elapsedMs'> & ConstructorParameters<typeof Sealer>[0],
    fetch: ProviderFetch = providerFetch(new ReceiverAddresses(context.config.webhookNetworks)),
  ) {
    this.#sealer = new Sealer(context);
    this.#fetch = fetch;
    this.#known = new Cache({
      bytesMax: rememberedBytes,
      bytesOf: () => 40_000,
      ageMaxMs: rememberedMs,
      elapsedMs: context.elapsedMs,
    });
  }

  /** Work that waits for a provider; an account has so much of it at once. */
  async within<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(accountId) ?? 0;
    if (before >= underWayMax)
      throw new Problem('THROTTLED', 'Too many sign-ins of this account wait for its identity provider.');
    this.#underWay.set(accountId, before + 1);
    try {
      return await work();
    } finally {
      const left = this.#underWay.get(accountId)! - 1;
      if (left > 0) this.#underWay.set(accountId, left);
      else this.#underWay.delete(accountId);
    }
  }

  /** Refused where the provider cannot be asked, or is not what the connection says. */
  async of(connection: Connection): Promise<Provider> {
    const { accountId, id, issuer, clientId, secret } = connection;
    if (secret === null) throw new SignInRefused('connectionUnready', auditNote('connectionWithoutSecret'));
    const stamp = createHash('sha256')
      .update(JSON.stringify([issuer, clientId, secret]))
      .digest('base64url');
    const found = await this.#known.find(`${accountId} ${id} ${stamp}`, () => this.#ask(connection, secret));
    return found!;
  }

  async #ask(connection: Connection, sealedSecret: string): Promise<Provider> {
    const { accountId, id, clientId } = connection;
    const purpose = connectionSecretPurpose(accountId, id);
    const secret = (await this.#sealer.open(purpose, sealedSecret)).toString();
    return this.discover(connection, clientId, secret);
  }

  /** Asks the provider for its metadata, and holds them against the connection. */
  async discover(
    { issuer }: Pick<Connection, 'issuer'>,
    clientId: string,
    secret: string,
  ): Promise<Provider> {
    const [client, { createRemoteJWKSet, customFetch }] = await Promise.all([
      import('openid-client'),
      import('jose'),
    ]);
    const isPlain = isPlainIssuer(issuer);
    let configuration: Configuration;
    try {
      const found = await client.discovery(new URL(issuer), clientId, secret, undefined, {
        timeout: providerRequestMs / secondMs,
        [client.customFetch]: this.#fetch,
        ...(isPlain && { execute: [client.allowInsecureRequests] }),
      });
      const metadata = found.serverMetadata();
      // A provider that does not name its ways of taking the secret takes it by HTTP Basic.
      const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authentication = ways.includes('client_secret_post')
        ? client.ClientSecretPost(secret)
        : client.ClientSecretBasic(secret);
      configuration = new client.Configuration(metadata, clientId, secret, authentication);
    } catch (error) {
      throw new SignInRefused(
        'providerUnreachable',
        auditNote('metadataFailed', { issuer, reason: failureWords(error) }),
      );
    }
    configuration.timeout = providerRequestMs / secondMs;
    configuration[client.customFetch] = this.#fetch;
    if (isPlain) client.allowInsecureRequests(configuration);
    // The library trusts TLS for what comes straight from the provider; the signature is looked at all the same.
    client.enableNonRepudiationChecks(configuration);
    const metadata = configuration.serverMetadata();
    const fault = metadataFault(issuer, metadata);
    if (fault !== null) throw new SignInRefused('providerUnreachable', fault);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri!), {
      [customFetch]: this.#fetch,
      timeoutDuration: providerRequestMs,
    });
    return { configuration, keys };
  }
}

type Metadata = ReturnType<Configuration['serverMetadata']>;

function isPlainIssuer(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:';
}

/** What a sign-in needs and the metadata lack; null where nothing is missing. */
function metadataFault(issuer: string, metadata: Metadata): AuditNote | null {
  if (metadata.issuer !== issuer)
    return auditNote('issuerNamedOtherwise', { issuer, named: shortened(metadata.issuer) });
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const value = metadata[name];
    if (typeof value !== 'string' || !mayBeOpened(value, issuer))
      return auditNote('endpointMissing', { issuer, endpoint: name });
  }
  const responses = metadata.response_types_supported;
  if (responses !== undefined && !responses.includes('code')) return auditNote('codeNotOffered');
  const challenges = metadata.code_challenge_methods_supported;
  if (challenges !== undefined && !challenges.includes('S256')) return auditNote('pkceNotOffered');
  const algorithms = metadata.id_token_signing_alg_values_supported;
  if (algorithms !== undefined && !algorithms.some((one) => signingAlgorithms.includes(one)))
    return auditNote('signatureNotOffered', { algorithms: signingAlgorithms.join(', ') });
  return null;
}

/** Signatures that only the provider can make; a shared secret would let its every holder speak for it. */
export const signingAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Whether a browser or this machine may be sent there: over TLS, or where the issuer is on this machine, to it. */
export function mayBeOpened(address: string, issuer: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (isPlainIssuer(issuer) && protocol === 'http:' && isLoopbackHost(hostname));
}

/** Why a provider could not be asked, without anything that it may have put into its answer. */
export function failureWords(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code, name, message } = at as Error & { code?: unknown };
    if (code === 'ADDRESS_NOT_ALLOWED') return message;
    if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || code === 'ABORT_ERR')
      return `no answer within ${providerRequestMs / secondMs} s`;
    if (typeof code === 'string' && code.startsWith('OAUTH_')) return shortened(innermost(at));
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
    if (message.startsWith('The answer has')) return message.replace(/\.$/, '');
  }
  return 'the request failed';
}

/** The most precise words of the library: they name claims and members, never their values. */
export function innermost(error: Error): string {
  let words = error.message;
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) words = at.message || words;
  return words;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
