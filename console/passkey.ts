// Passkeys as this browser offers them.

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { type CallInput, call, Refusal } from './call.ts';
import { t } from './person-texts.ts';

// The library's types say less than the declaration where an authenticator may leave something out, which the service validates, and
// demand lists that may be changed, which it does not change.
type Assertion = CallInput<'POST /sign-in/passkey'>['body']['response'];
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Browsers offer them under https and on localhost alone. */
export const canUsePasskeys = browserSupportsWebAuthn;

export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await call('POST /sign-in/passkey/options', { body: {} });
  const response = await startAuthentication({ optionsJSON });
  await call('POST /sign-in/passkey', { body: { response: response as Assertion } });
}

/**
 * Has the browser list passkeys among the names that it fills in, and waits until one is chosen there or another way is
 * taken. False where it cannot.
 */
export async function offerPasskeys(): Promise<boolean> {
  if (!(await browserSupportsWebAuthnAutofill())) return false;
  const optionsJSON = await call('POST /sign-in/passkey/options', { body: {} }).catch(() => null);
  if (optionsJSON === null) return false;
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  await call('POST /sign-in/passkey', { body: { response: response as Assertion } });
  return true;
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await call('POST /me/passkeys/options', { body: {} });
  const response = await startRegistration({ optionsJSON: optionsJSON as CreationOptions });
  await call('POST /me/passkeys', { body: { name, response } });
}

/** What went wrong in the browser itself, in words; what the service said passes. */
export function passkeyFault(error: unknown, otherwise: string): unknown {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.name === 'InvalidStateError' ? t.passkeyKnown : otherwise;
}
