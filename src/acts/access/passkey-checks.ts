// What authenticators say, held against what they were asked. The library that takes it apart is loaded with the first
// passkey; it tells a fault by throwing, and no text of it leaves this file, because it names what was expected.

import type {
  AuthenticatorTransportFuture,
  PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/server';
import { accountIdPattern } from '../../domain/access/account.ts';
import { operatorsAccount, type PersonId } from '../../domain/access/visitor.ts';
import type { ListedPasskey } from '../../store/people/passkeys.ts';
import type { ConsoleAddress } from './console-address.ts';
import type { Assertion, Registration } from './passkey-schemas.ts';

// Ed25519, ECDSA with P-256, RSA with SHA-256: what authenticators have.
const algorithms = [-8, -7, -257];
// An RSA key of 8,192 bits has a kilobyte.
const publicKeyBytesMax = 1_200;
/** How long a browser shows its question. */
const askedForMs = 5 * 60_000;

const relyingPartyName = 'Soundings';

/** What an authenticator keeps beside a passkey and gives back: where its owner is found (D-340). */
function userHandleOf({ accountId, personId }: PersonId): string {
  return `${accountId}.${personId}`;
}

const handleForm = new RegExp(`^(0|${accountIdPattern})\\.([1-9]\\d{0,15})$`);

/** Null for what no passkey of ours gives back. */
export function ownerOf(userHandle: string): PersonId | null {
  const [, account, person] = Buffer.from(userHandle, 'base64url').toString('latin1').match(handleForm) ?? [];
  const owner = { accountId: Number(account), personId: Number(person) };
  const isWhole = Number.isSafeInteger(owner.accountId) && Number.isSafeInteger(owner.personId);
  return isWhole ? owner : null;
}

export async function creationOptions(
  { relyingPartyId }: ConsoleAddress,
  challenge: string,
  owner: PersonId & { readonly name: string },
  known: readonly ListedPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: relyingPartyName,
    rpID: relyingPartyId,
    userID: new Uint8Array(Buffer.from(userHandleOf(owner))),
    userName: owner.name,
    userDisplayName: owner.accountId === operatorsAccount ? `${owner.name} (operator)` : owner.name,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: askedForMs,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** Of any passkey: the browser lets the person choose, and none is named to whoever asks. */
export function requestOptions({ relyingPartyId }: ConsoleAddress, challenge: string) {
  return { rpId: relyingPartyId, challenge, timeout: askedForMs, userVerification: 'required' as const };
}

interface NewPasskey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string;
}

/** The passkey that a browser has made for this challenge; null where anything about it is not as it was asked. */
export async function checkedRegistration(
  { origin, relyingPartyId }: ConsoleAddress,
  challenge: string,
  { id, rawId, type, response }: Registration,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, attestationObject, transports = [] } = response;
  try {
    if (await namesCertificates(attestationObject)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo === undefined) return null;
    const { credential } = registrationInfo;
    if (credential.id !== id || credential.publicKey.length > publicKeyBytesMax) return null;
    return {
      id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: [...new Set(transports)].join(' '),
    };
  } catch {
    return null;
  }
}

/** We ask for none, and browsers leave them out: the checks of certificates are for nobody to try (D-344). */
async function namesCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format !== 'none' && !(format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** How often the authenticator says that it has signed; null where it did not sign this challenge for us. */
export async function checkedAssertion(
  { origin, relyingPartyId }: ConsoleAddress,
  challenge: string,
  { id, rawId, type, response }: Assertion,
  publicKey: string,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature, userHandle },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      requireUserVerification: true,
      // The library would compare counters before it looks at the signature; the store does so behind it, in one step.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

function transportsOf(text: string): AuthenticatorTransportFuture[] {
  return text.split(' ').filter((one) => one !== '') as AuthenticatorTransportFuture[];
}
