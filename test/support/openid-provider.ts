// An identity provider that speaks OpenID Connect over real HTTP and signs its own tokens: as Entra ID does it (oid, and a
// sub that is another one for each application) or as Okta does it (sub). It can be told to lie in every way that a
// sign-in has to notice.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** What is wrong with the next answers. */
export interface Lies {
  readonly nonce?: string;
  readonly state?: string;
  readonly audience?: string;
  readonly issuer?: string;
  /** The iss parameter of the redirect. */
  readonly answerIssuer?: string;
  readonly algorithm?: 'none' | 'HS256';
  /** Signed by a key that the provider does not publish. */
  readonly foreignKey?: boolean;
  readonly isExpired?: boolean;
  readonly withoutAuthTime?: boolean;
  readonly authTime?: number;
  readonly error?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The Date header of its answers. */
  readonly clockAheadMs?: number;
  readonly metadataAnswer?: 'hangs' | 'garbage' | 'endless' | 'redirects';
  readonly tokenAnswer?: 'hangs' | 'garbage';
}

export interface ProviderPerson {
  readonly sub: string;
  readonly oid?: string;
  readonly sid?: string;
  readonly groups?: readonly string[];
  readonly email?: string;
  readonly preferred_username?: string;
}

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

interface Code {
  readonly person: ProviderPerson;
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  /** As the standard obliges a provider, and no further: auth_time is sent where a max_age was asked for. */
  readonly isTimeAsked: boolean;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export class OpenIdProvider {
  readonly clientId = 'soundings-client';
  readonly clientSecret = `provider-secret-${randomUUID()}`;
  lies: Lies = {};
  person: ProviderPerson = { sub: 'nobody' };
  /** Every request that came, as method and path. */
  readonly asked: string[] = [];
  readonly authorizations: URLSearchParams[] = [];
  /** Of sign-ins, as they were handed out. */
  readonly idTokens: string[] = [];
  /** Whose sign-out was asked for, by a hint; null for whoever brought none that is ours. */
  readonly signedOut: (string | null)[] = [];
  readonly #server: Server;
  readonly #codes = new Map<string, Code>();
  #keys!: Keys;
  #foreign!: Keys;
  #issuer = '';

  constructor() {
    this.#server = createServer((request, reply) => {
      this.#answer(request, reply).catch((error: unknown) => {
        reply.writeHead(500).end(String(error));
      });
    });
  }

  static async start(): Promise<OpenIdProvider> {
    const provider = new OpenIdProvider();
    [provider.#keys, provider.#foreign] = await Promise.all([
      generateKeyPair('ES256'),
      generateKeyPair('ES256'),
    ]);
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    provider.#issuer = `http://127.0.0.1:${(provider.#server.address() as AddressInfo).port}`;
    return provider;
  }

  get issuer(): string {
    return this.#issuer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A token that tells of a sign-out. */
  async logoutToken(claims: Readonly<Record<string, unknown>>, lies: Lies = {}): Promise<string> {
    const payload: JWTPayload = {
      jti: randomUUID(),
      iat: nowSeconds(),
      exp: nowSeconds() + 120,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    };
    return this.#signed(payload, lies, 'logout+jwt');
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#issuer);
    this.asked.push(`${request.method} ${url.pathname}`);
    const { clockAheadMs } = this.lies;
    if (clockAheadMs !== undefined)
      reply.setHeader('date', new Date(Date.now() + clockAheadMs).toUTCString());
    if (url.pathname === '/.well-known/openid-configuration') return this.#describe(reply);
    if (url.pathname === '/keys') return json(reply, { keys: [await this.#publicKey()] });
    if (url.pathname === '/authorize') return this.#authorize(url.searchParams, reply);
    if (url.pathname === '/token') return this.#token(await bodyOf(request), request, reply);
    if (url.pathname === '/logout') return this.#logOut(url.searchParams, reply);
    json(reply, { error: 'not_found' }, 404);
  }

  async #publicKey(): Promise<object> {
    return { ...(await exportJWK(this.#keys.publicKey)), kid: 'first', use: 'sig', alg: 'ES256' };
  }

  #describe(reply: ServerResponse): void {
    const { metadataAnswer, metadata } = this.lies;
    if (metadataAnswer === 'hangs') return;
    if (metadataAnswer === 'garbage')
      return void reply.writeHead(200, { 'content-type': 'application/json' }).end('<html>');
    if (metadataAnswer === 'redirects')
      return void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    if (metadataAnswer === 'endless') {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const pour = (): void => {
        while (!reply.destroyed && reply.write(' '.repeat(65_536)));
      };
      reply.on('drain', pour);
      return pour();
    }
    json(reply, {
      issuer: this.#issuer,
      authorization_endpoint: `${this.#issuer}/authorize`,
      token_endpoint: `${this.#issuer}/token`,
      jwks_uri: `${this.#issuer}/keys`,
      end_session_endpoint: `${this.#issuer}/logout`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      ...metadata,
    });
  }

  /** Whoever comes is `person` and agrees to everything. */
  #authorize(query: URLSearchParams, reply: ServerResponse): void {
    this.authorizations.push(query);
    const redirectUri = query.get('redirect_uri') ?? '';
    const back = new URL(redirectUri);
    const isFit =
      query.get('client_id') === this.clientId &&
      query.get('response_type') === 'code' &&
      query.get('response_mode') === 'query' &&
      query.get('code_challenge_method') === 'S256' &&
      query.get('scope')?.split(' ').includes('openid') === true;
    back.searchParams.set('state', this.lies.state ?? query.get('state') ?? '');
    back.searchParams.set('iss', this.lies.answerIssuer ?? this.#issuer);
    if (this.lies.error !== undefined || !isFit)
      back.searchParams.set('error', this.lies.error ?? 'invalid_request');
    else {
      const code = randomUUID();
      const challenge = query.get('code_challenge') ?? '';
      this.#codes.set(code, {
        person: this.person,
        nonce: query.get('nonce'),
        challenge,
        redirectUri,
        isTimeAsked: query.has('max_age'),
      });
      back.searchParams.set('code', code);
    }
    reply.writeHead(302, { location: back.href }).end();
  }

  async #token(body: URLSearchParams, request: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (this.lies.tokenAnswer === 'hangs') return;
    if (this.lies.tokenAnswer === 'garbage')
      return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    const basic = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    const isClient =
      (body.get('client_id') === this.clientId && body.get('client_secret') === this.clientSecret) ||
      basic === `${this.clientId}:${this.clientSecret}`;
    if (!isClient) return json(reply, { error: 'invalid_client' }, 401);
    const name = body.get('code') ?? '';
    const code = this.#codes.get(name);
    // A code is good once.
    this.#codes.delete(name);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge || code.redirectUri !== body.get('redirect_uri'))
      return json(reply, { error: 'invalid_grant' }, 400);
    const { lies } = this;
    const issuedAt = lies.isExpired ? nowSeconds() - 7_200 : nowSeconds();
    const payload: JWTPayload = {
      ...code.person,
      nonce: lies.nonce ?? code.nonce,
      iat: issuedAt,
      exp: issuedAt + 3_600,
      ...(lies.withoutAuthTime || !code.isTimeAsked ? {} : { auth_time: lies.authTime ?? nowSeconds() }),
    };
    const idToken = await this.#signed(payload, lies, 'JWT');
    this.idTokens.push(idToken);
    json(reply, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken });
  }

  /** As Okta and Keycloak do it: whoever brings an ID token is sent back, everybody else is asked. */
  #logOut(query: URLSearchParams, reply: ServerResponse): void {
    const hint = query.get('id_token_hint') ?? '';
    const back = query.get('post_logout_redirect_uri');
    const isOurs = this.idTokens.includes(hint);
    this.signedOut.push(isOurs ? (decodeJwt(hint).sub ?? null) : null);
    if (isOurs && back !== null && query.get('client_id') === this.clientId)
      return void reply.writeHead(302, { location: back }).end();
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Do you want to sign out?</h1>');
  }

  async #signed(payload: JWTPayload, lies: Lies, type: string): Promise<string> {
    const claims = {
      iss: lies.issuer ?? this.#issuer,
      aud: lies.audience ?? this.clientId,
      ...payload,
    };
    if (lies.algorithm === 'none') {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none', typ: type })}.${part(claims)}.`;
    }
    if (lies.algorithm === 'HS256')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: type })
        .sign(Buffer.from(this.clientSecret));
    const key = (lies.foreignKey ? this.#foreign : this.#keys).privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first', typ: type }).sign(key);
  }
}

function json(reply: ServerResponse, body: object, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}
