// What may call the service is made here, by the command line and by the console alike: API clients and the provisioning
// tokens of identity providers. A secret is handed over once, to whoever asked for it; the store keeps its hash (D-15).

import type { Grant } from '../../domain/access/account.ts';
import { tokenDaysUsual } from '../../domain/access/credential-bounds.ts';
import type { ByActor } from '../../domain/access/role-rules.ts';
import { clientSecretPrefix, hashSecret, provisioningSecretPrefix } from '../../domain/access/secret.ts';
import { dayMs } from '../../domain/dates.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import type { Db } from '../engine/db.ts';
import { createClient, rotateClientSecret } from './clients.ts';
import { createProvisioningToken } from './provisioning-tokens.ts';
import { createTokenByLink } from './setup-links.ts';
import { findIdentity } from './signing-keys.ts';

/** The store and the chance that are needed; a Context has both. */
export interface CredentialContext {
  readonly db: Db;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

export interface NewApiClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly Grant[];
  readonly mayChangeAdmins: boolean;
}

export interface WantedClient {
  readonly accountId: number;
  readonly name: string;
  readonly granted: readonly Grant[];
  readonly mayChangeAdmins: boolean;
}

export async function newApiClient(
  context: CredentialContext,
  stamp: ChangeStamp,
  { accountId, name, granted, mayChangeAdmins }: WantedClient,
): Promise<NewApiClient> {
  const id = newCredentialId(context, 'sc_');
  const { secret, secretHash } = await newSecret(context, clientSecretPrefix);
  const scopes = [...new Set(granted)];
  const client = { id, accountId, name, grants: scopes, secretHash, mayChangeAdmins };
  await context.db.write(createClient, { ...stamp, ...client });
  return { clientId: id, clientSecret: secret, scopes, mayChangeAdmins };
}

/** The new secret; the old one works beside it until the rotation is finished. */
export async function newClientSecret(
  context: CredentialContext,
  change: ChangeStamp & { readonly id: string; readonly accountId?: number },
): Promise<string> {
  const { secret, secretHash } = await newSecret(context, clientSecretPrefix);
  await context.db.write(rotateClientSecret, { ...change, secretHash });
  return secret;
}

export interface WantedToken {
  readonly accountId: number;
  readonly name: string;
  readonly days?: number | undefined;
  readonly isReadOnly: boolean;
  readonly connectionId?: string;
  readonly mayChangeAdmins: boolean;
}

export interface NewProvisioningToken {
  readonly id: string;
  readonly secret: string;
  readonly expiresAtMs: number;
}

export async function newProvisioningToken(
  context: CredentialContext,
  stamp: ChangeStamp & ByActor,
  wanted: WantedToken,
): Promise<NewProvisioningToken> {
  const { input, made } = await preparedToken(context, stamp, wanted);
  await context.db.write(createProvisioningToken, { ...input, rights: stamp.rights });
  return made;
}

/** That of a set-up link, in place of the one that it made before. */
export async function newTokenByLink(
  context: CredentialContext,
  stamp: ChangeStamp,
  linkId: string,
  wanted: Omit<WantedToken, 'mayChangeAdmins'>,
): Promise<NewProvisioningToken> {
  const { input, made } = await preparedToken(context, stamp, wanted);
  await context.db.write(createTokenByLink, { ...input, linkId, revocationId: context.newId() });
  return made;
}

async function preparedToken<W extends Omit<WantedToken, 'mayChangeAdmins'>>(
  context: CredentialContext,
  stamp: ChangeStamp,
  { days = tokenDaysUsual, ...wanted }: W,
) {
  const id = newCredentialId(context, 'pt_');
  const { secret, secretHash } = await newSecret(context, provisioningSecretPrefix);
  const expiresAtMs = stamp.nowMs + days * dayMs;
  return {
    input: { ...stamp, ...wanted, id, secretHash, expiresAtMs },
    made: { id, secret, expiresAtMs } satisfies NewProvisioningToken,
  };
}

async function newSecret(
  context: CredentialContext,
  prefix: string,
): Promise<{ readonly secret: string; readonly secretHash: string }> {
  const identity = await findIdentity(context.db);
  if (identity === null) throw new Error('The store was never founded.');
  const secret = `${prefix}${context.newSecret()}`;
  return { secret, secretHash: hashSecret(secret, identity.secretKey) };
}

/** The prefix says at a glance, in lists and logs, what the id is of. */
function newCredentialId(context: CredentialContext, prefix: 'sc_' | 'pt_'): string {
  return `${prefix}${context.newId().replaceAll('-', '')}`;
}
