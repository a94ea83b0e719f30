// What comes back from an identity provider, taken or refused: the code is exchanged, everything about the ID token is
// looked at, and what did not match is put into words.

import type { IDToken } from 'openid-client';
import { SignInRefused } from '../../../acts/access/provider-refusal.ts';
import { failureWords, innermost, type Provider } from '../../../acts/access/providers.ts';
import { auditNote } from '../../../domain/access/audit-note.ts';
import type { Connection } from '../../../store/access/connections.ts';
import { isSameText, type ProviderState } from './provider-state.ts';

// Clocks of two machines differ.
const clockSkewMs = 30_000;
const secondMs = 1_000;
const claimLengthMax = 1_000;

interface ProviderAnswer {
  readonly idToken: string;
  readonly claims: IDToken;
  /** What the connection knows its users by. */
  readonly subject: string;
  /** When the person last proved at the provider who they are, where it says so. */
  readonly authenticatedAtMs: number | null;
}

/** What is said of the person who came back, once all of it was looked at. */
export async function claimsOf(
  provider: Provider,
  connection: Connection,
  kept: ProviderState,
  callback: URL,
): Promise<ProviderAnswer> {
  const { claims, idToken } = await exchangeCode(provider, connection, kept, callback);
  const subject = subjectOf(connection, claims);
  const { auth_time: authTime } = claims;
  const authenticatedAtMs = typeof authTime === 'number' ? authTime * secondMs : null;
  if (kept.isFresh && authenticatedAtMs === null)
    throw new SignInRefused('authTimeMissing', auditNote('authTimeMissing'));
  if (kept.isFresh && authenticatedAtMs! < kept.startedAtMs - clockSkewMs)
    throw new SignInRefused('notFresh', auditNote('notFresh'));
  return { idToken, claims, subject, authenticatedAtMs };
}

/** What the connection knows its users by. */
export function subjectOf({ subjectClaim }: Connection, claims: IDToken): string {
  const subject = claims[subjectClaim];
  if (typeof subject === 'string' && subject !== '' && subject.length <= claimLengthMax) return subject;
  throw new SignInRefused('claimMissing', auditNote('claimMissing', { claim: subjectClaim }));
}

/** The answer is in the query of the callback; a mix-up of two providers is seen before anything is asked (RFC 9207). */
export async function exchangeCode(
  { configuration }: Provider,
  connection: Connection,
  kept: ProviderState,
  callback: URL,
): Promise<Pick<ProviderAnswer, 'claims' | 'idToken'>> {
  const { searchParams } = callback;
  const state = searchParams.get('state');
  if (state === null || !isSameText(state, kept.state))
    throw new SignInRefused('stateMismatch', auditNote('stateOther'));
  const issuer = searchParams.get('iss');
  if (issuer !== null && issuer !== connection.issuer)
    throw new SignInRefused('issuerMismatch', auditNote('issuerOther'));
  const client = await import('openid-client');
  let claims: IDToken | undefined;
  let idToken: string | undefined;
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: kept.verifier,
      expectedState: kept.state,
      expectedNonce: kept.nonce,
      idTokenExpected: true,
    });
    claims = tokens.claims();
    idToken = tokens.id_token;
  } catch (error) {
    throw refusalOf(error);
  }
  if (claims === undefined || idToken === undefined)
    throw new SignInRefused('tokenMismatch', auditNote('idTokenMissing'));
  return { claims, idToken };
}

interface LibraryError extends Error {
  readonly code?: string;
  readonly error?: string;
}

/** What went wrong, by the codes of the library; nothing of what the provider wrote but a short word of OAuth's own. */
function refusalOf(error: unknown): SignInRefused {
  if (!(error instanceof Error)) return new SignInRefused('providerUnreachable', auditNote('requestFailed'));
  const { code = '', error: word = '' } = error as LibraryError;
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return new SignInRefused('providerError', auditNote('providerAnswered', { reason: wordOf(word) }));
  if (code === 'OAUTH_RESPONSE_BODY_ERROR')
    return new SignInRefused('codeRefused', auditNote('codeNotTaken', { reason: wordOf(word) }));
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return new SignInRefused('tokenExpired', auditNote('idTokenFault', { reason: innermost(error) }));
  const isOfToken =
    code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' ||
    code === 'OAUTH_KEY_SELECTION_FAILED' ||
    code === 'OAUTH_UNSUPPORTED_OPERATION' ||
    (code === 'OAUTH_INVALID_RESPONSE' && /JWT|ID Token/.test(innermost(error)));
  if (isOfToken)
    return new SignInRefused('tokenMismatch', auditNote('idTokenFault', { reason: innermost(error) }));
  if (code === 'OAUTH_INVALID_RESPONSE' && /response parameter/.test(innermost(error)))
    return new SignInRefused('issuerMismatch', auditNote('issuerUnclear', { reason: innermost(error) }));
  return new SignInRefused(
    'providerUnreachable',
    auditNote('tokenEndpointFault', { reason: failureWords(error) }),
  );
}

function wordOf(text: string): string {
  return /^[\w.-]{1,60}$/.test(text) ? text : 'an error';
}
