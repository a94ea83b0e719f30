// The way to an identity provider, for whoever signs in and for whoever tests a connection.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ConsoleAddress, callbackPath } from '../../../acts/access/console-address.ts';
import { SignInRefused } from '../../../acts/access/provider-refusal.ts';
import { mayBeOpened } from '../../../acts/access/providers.ts';
import { auditNote } from '../../../domain/access/audit-note.ts';
import type { Connection } from '../../../store/access/connections.ts';
import type { ConsoleServices } from '../console-services.ts';
import type { ProviderState } from './provider-state.ts';

/** Where the browser is sent; what it has to bring back is sealed in a cookie. */
export async function beginAtProvider(
  {
    context,
    address,
    providers,
    providerStates,
  }: Pick<ConsoleServices, 'context' | 'address' | 'providers' | 'providerStates'>,
  reply: FastifyReply,
  connection: Connection,
  wanted: Pick<ProviderState, 'returnTo' | 'isFresh' | 'testOf'>,
): Promise<string> {
  const { accountId, id: connectionId, issuer } = connection;
  const { configuration } = await providers.within(accountId, () => providers.of(connection));
  const client = await import('openid-client');
  const state: ProviderState = {
    ...wanted,
    accountId,
    connectionId,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    startedAtMs: context.now(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: address.to(callbackPath),
    response_mode: 'query',
    scope: 'openid profile email',
    state: state.state,
    nonce: state.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(state.verifier),
    code_challenge_method: 'S256',
    // Whoever is asked for a max_age must say when the person signed in (OpenID Connect Core 3.1.2.1); step-up lives by it (D-822).
    max_age: String(wanted.isFresh ? 0 : context.config.providerMaxAgeSeconds),
    ...(wanted.isFresh && { prompt: 'login' }),
  });
  if (!mayBeOpened(url.href, issuer)) throw new SignInRefused('providerUnreachable', auditNote('notHttps'));
  await providerStates.keep(reply, state);
  return url.href;
}

/** The address of the callback as the browser opened it. */
export function callbackOf(address: ConsoleAddress, request: FastifyRequest): URL {
  const callback = new URL(address.to(callbackPath));
  callback.search = new URL(request.raw.url ?? '', callback).search;
  return callback;
}
