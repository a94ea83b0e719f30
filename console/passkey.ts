// Passkeys as this browser offers them.

import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call, Refusal } from './call.ts';
import { t } from './person-texts.ts';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Browsers offer them under https and on localhost alone. */
export const canUsePasskeys = browserSupportsWebAuthn;

export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await call<RequestOptions>('POST', '/sign-in/passkey/options', {});
  const response = await startAuthentication({ optionsJSON });
  await call('POST', '/sign-in/passkey', { response });
}

/**
 * Has the browser list passkeys among the names that it fills in, and waits until one is chosen there or another way is
 * taken. False where it cannot.
 */
export async function offerPasskeys(): Promise<boolean> {
  if (!(await browserSupportsWebAuthnAutofill())) return false;
  const optionsJSON = await call<RequestOptions>('POST', '/sign-in/passkey/options', {}).catch(() => null);
  if (optionsJSON === null) return false;
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  await call('POST', '/sign-in/passkey', { response });
  return true;
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await call<CreationOptions>('POST', '/me/passkeys/options', {});
  const response = await startRegistration({ optionsJSON });
  await call('POST', '/me/passkeys', { name, response });
}

/** What went wrong in the browser itself, in words; what the service said passes. */
export function passkeyFault(error: unknown, otherwise: string): unknown {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.name === 'InvalidStateError' ? t.passkeyKnown : otherwise;
}
