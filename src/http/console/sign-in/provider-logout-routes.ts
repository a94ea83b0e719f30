// Signing out that concerns the identity provider too: it tells us that somebody has signed out there (OpenID Connect
// Back-Channel Logout 1.0), or whoever signs out here goes on to sign out there (RP-Initiated Logout 1.0).

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JWTPayload } from 'jose';
import { SignInRefused } from '../../../acts/access/provider-refusal.ts';
import { mayBeOpened, type Provider, signingAlgorithms } from '../../../acts/access/providers.ts';
import { providerSignInOperations } from '../../../contract/access/provider-sign-in.ts';
import { sessionOperations } from '../../../contract/access/session.ts';
import { actorOf, personIdOf } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import { type Connection, findConnection } from '../../../store/access/connections.ts';
import { endSessions } from '../../../store/people/sessions.ts';
import { logOutByProvider } from '../../../store/people/user-connections.ts';
import { addOperation } from '../../server/route.ts';
import { visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { dropSessionCookie } from './session-cookie.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const bodyLimitBytes = 16 * 1024;
const idLengthMax = 500;
/** A token is taken so long after it was issued, and known so long as one that was taken. */
const tokenAgeSeconds = 600;
const clockSkewSeconds = 30;
const secondMs = 1_000;

export function providerLogoutRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, providers, idTokenHints } = services;

  addOperation(
    app,
    providerSignInOperations,
    'POST /logout/:account/:connection',
    async ({ params }, request, reply) => {
      const connection = await findConnection(context.db, params.account, params.connection);
      const token = tokenOf(request);
      if (connection === null || token === null)
        throw refused('A logout_token of a connection is needed, in a form.');
      const { accountId, id: connectionId } = connection;
      const told = await providers.within(accountId, async () => {
        let provider: Provider;
        try {
          provider = await providers.of(connection);
        } catch (error) {
          if (error instanceof SignInRefused)
            throw refused('The identity provider cannot be asked for its keys.');
          throw error;
        }
        return verified(provider, connection, token);
      });
      const ended = await context.db.write(logOutByProvider, {
        ...stampOf(context, request, 'identity provider'),
        accountId,
        connectionId,
        ...told,
        endsAtMs: context.now() + (tokenAgeSeconds + 2 * clockSkewSeconds) * secondMs,
      });
      if (ended === null) throw refused('This logout_token was taken before.');
      reply.code(200);
      return {};
    },
    { bodyLimitBytes },
  );

  addOperation(app, sessionOperations, 'POST /session/end-at-provider', async (_input, request, reply) => {
    const visitor = visitorOf(request);
    const { sessionId, person, connectionId } = visitor;
    const change = { ...stampOf(context, request), ...personIdOf(person), sessionId };
    await context.db.write(endSessions, {
      ...change,
      rights: { admitsAdmin: visitor.admitsAdmin },
      subject: actorOf(visitor),
    });
    dropSessionCookie(reply, address);
    if (connectionId === null) return { url: null };
    idTokenHints.drop(reply);
    const { accountId } = personIdOf(person);
    const hint = await idTokenHints.open(request, { accountId, connectionId, sessionId });
    return { url: await endAddress(accountId, connectionId, hint) };
  });

  /** Null where the provider names none, or does not answer: they are signed out here all the same. */
  async function endAddress(
    accountId: number,
    connectionId: string,
    idTokenHint: string | null,
  ): Promise<string | null> {
    const connection = await findConnection(context.db, accountId, connectionId);
    if (connection === null) return null;
    try {
      const { configuration } = await providers.within(accountId, () => providers.of(connection));
      const end = configuration.serverMetadata().end_session_endpoint;
      if (end === undefined || !mayBeOpened(end, connection.issuer)) return null;
      const url = new URL(end);
      url.searchParams.set('client_id', connection.clientId);
      if (idTokenHint !== null) url.searchParams.set('id_token_hint', idTokenHint);
      url.searchParams.set('post_logout_redirect_uri', address.to('/console/sign-in'));
      return url.href;
    } catch (error) {
      if (error instanceof SignInRefused || error instanceof Problem) return null;
      throw error;
    }
  }
}

function tokenOf(request: FastifyRequest): string | null {
  const type = request.sentContentType?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded' || !Buffer.isBuffer(request.body)) return null;
  const tokens = new URLSearchParams(request.body.toString('utf8')).getAll('logout_token');
  return tokens.length === 1 && tokens[0] !== '' ? tokens[0]! : null;
}

/** Everything that the specification asks of the token, in one sentence for all that is wrong with it. */
async function verified(
  { keys }: Provider,
  { issuer, clientId }: Connection,
  token: string,
): Promise<{
  readonly jti: string;
  readonly providerSubject?: string;
  readonly providerSession?: string;
}> {
  const { jwtVerify } = await import('jose');
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: [...signingAlgorithms],
      maxTokenAge: tokenAgeSeconds,
      clockTolerance: clockSkewSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    }));
  } catch {
    throw refused('The logout_token is not valid: its signature, issuer, audience or time.');
  }
  const { jti, sub, sid, events, nonce } = payload as JWTPayload & {
    readonly sid?: unknown;
    readonly events?: unknown;
    readonly nonce?: unknown;
  };
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
  if (!isLogout || nonce !== undefined) throw refused('The token is no logout_token.');
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= idLengthMax;
  if (!isText(jti) || (!isText(sub) && !isText(sid)))
    throw refused('The logout_token names no session and no subject.');
  return {
    jti,
    ...(isText(sub) && { providerSubject: sub }),
    ...(isText(sid) && { providerSession: sid }),
  };
}

function refused(message: string): Problem {
  return new Problem('INVALID_REQUEST', message);
}
