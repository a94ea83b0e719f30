// A connection of an account to its identity provider (OpenID Connect): what can be said of one, and the sentences that
// somebody reads who was not let in through it.

import type { Fault } from '../problem.ts';

/** The most that an account can have. */
export const connectionsPerAccount = 10;
const connectionNameMax = 255;
const issuerLengthMax = 1_000;
const clientIdLengthMax = 500;
const clientSecretLengthMax = 4_000;
const claimName = /^[\w.:/-]{1,100}$/;

/** The claim that says who somebody is, where nothing else is said. */
export const usualSubjectClaim = 'sub';

/** What an administrator says of a connection; the secret is apart. */
export interface ConnectionFacts {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The claim of the ID token that equals the externalId of the user. */
  readonly subjectClaim: string;
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.has(hostname);
}

/** What is wrong with the address of a provider; null when nothing is. Whether it may be connected to is seen then (D-351). */
function issuerFault(text: string): string | null {
  if (text.length > issuerLengthMax) return `has more than ${issuerLengthMax} characters.`;
  if (!URL.canParse(text)) return 'is no URL, such as https://login.example.com.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'holds credentials, which have no place in it.';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment, which an issuer never has.';
  if (/[{}\s]/.test(text)) return 'holds a placeholder: name the one tenant whose users sign in.';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return null;
  return 'must begin with https://. Plain http:// is for this machine alone.';
}

function connectionNameFault(name: string): string | null {
  return name.trim() !== '' && name.length <= connectionNameMax
    ? null
    : `must have 1 to ${connectionNameMax} characters.`;
}

function clientIdFault(clientId: string): string | null {
  return clientId !== '' && clientId.length <= clientIdLengthMax && !/[\p{Cc}\s]/u.test(clientId)
    ? null
    : `must have 1 to ${clientIdLengthMax} characters without spaces.`;
}

function subjectClaimFault(claim: string): string | null {
  if (claim === 'email' || claim === 'preferred_username' || claim === 'upn')
    return 'is given to somebody else one day: name a claim that belongs to one person for ever, such as sub or oid.';
  return claimName.test(claim) ? null : 'must be the name of a claim, such as sub or oid.';
}

function clientSecretFault(secret: string): string | null {
  return secret !== '' && secret.length <= clientSecretLengthMax && !/\p{Cc}/u.test(secret)
    ? null
    : `must have 1 to ${clientSecretLengthMax} characters.`;
}

const judges = {
  name: connectionNameFault,
  issuer: issuerFault,
  clientId: clientIdFault,
  subjectClaim: subjectClaimFault,
  secret: clientSecretFault,
} as const;

/** Every fault of what is said, at once. */
export function connectionFaults(said: { readonly [Name in keyof typeof judges]?: string }): Fault[] {
  return Object.entries(judges).flatMap(([field, judge]) => {
    const value = said[field as keyof typeof judges];
    const message = value === undefined ? null : judge(value);
    return message === null ? [] : [{ field, code: 'INVALID' as const, message }];
  });
}

export function newConnectionId({ newId }: { readonly newId: () => string }): string {
  return `cn_${newId().replaceAll('-', '')}`;
}

/**
 * Why somebody who came back from a provider was not let in. The person reads a sentence that says nothing of anybody
 * else; what exactly did not match stands in the audit log of the account (D-354).
 */
export const providerRefusals = {
  stateMismatch:
    'This sign-in was not begun in this browser, or more than ten minutes ago, or another one was begun after it. Begin again.',
  connectionGone: 'There is no such way to sign in any more. Choose another one.',
  connectionUnready:
    'This way to sign in is not set up yet. Ask an administrator of the account to finish it.',
  providerUnreachable:
    'The identity provider did not answer as it should. Try again; if it stays so, ask an administrator of the account.',
  providerError:
    'The identity provider did not let you in. Try again, or ask whoever looks after it in your organisation.',
  codeRefused: 'The identity provider did not take back the code that it gave. Begin again.',
  issuerMismatch: 'The answer came from another identity provider than the one that was asked. Begin again.',
  tokenMismatch:
    'What the identity provider said of you does not fit this sign-in, and was not taken. Begin again; if it stays so, ask an administrator of the account.',
  tokenExpired: 'What the identity provider said of you had expired. Begin again.',
  notFresh: 'The identity provider did not ask you to sign in again. Begin again.',
  authTimeMissing:
    'The identity provider did not say when you signed in there, so that it cannot be told to be fresh. Confirm by a passkey or your password here, or ask whoever looks after the provider to send the claim auth_time.',
  claimMissing:
    'The identity provider does not say what this account knows its users by. Ask an administrator of the account.',
  noMatch:
    'The identity provider knows you, but no user of this account who may sign in has the externalId that it says. Ask an administrator of the account to provision you.',
  noExternalId:
    'There is a user of your name, but without an externalId, and so nobody can be linked with it. Ask an administrator of the account to provision the externalId.',
  otherConnection:
    'You belong to another connection of this account. Sign in through that one, or ask an administrator of the account to change it.',
  onlyOther: 'This account is entered through another connection alone. Sign in through that one.',
} as const;
export type ProviderRefusal = keyof typeof providerRefusals;
