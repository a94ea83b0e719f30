// What the endpoints of the console share.

import type { Context } from '../../context.ts';
import type { WorkQueue } from '../../store/engine/work-budget.ts';
import type { ScanSlots } from '../../store/provisioning/scan-slots.ts';
import { UserCreation } from '../../store/provisioning/user-creation.ts';
import type { CredentialCache } from '../access/credential-cache.ts';
import type { ReplicaCount } from '../access/throttle.ts';
import type { WrongCredentials } from '../access/wrong-credentials.ts';
import type { PublicUrl } from '../server/public-url.ts';
import { ConsoleAddress } from './console-address.ts';
import { IdTokenHints } from './id-token-hints.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { Passwords } from './passwords.ts';
import { ProviderStates } from './provider-state.ts';
import { Providers } from './providers.ts';
import { SigningIn } from './signing-in.ts';
import { Visitors } from './visitors.ts';

export interface ConsoleServices {
  readonly context: Context;
  readonly credentialCache: CredentialCache;
  readonly wrong: WrongCredentials;
  readonly address: ConsoleAddress;
  readonly visitors: Visitors;
  readonly signingIn: SigningIn;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passwords: Passwords;
  /** Searches take turns here with those of the interface. */
  readonly workQueue: WorkQueue;
  readonly scans: ScanSlots;
  readonly userCreation: UserCreation;
  readonly providers: Providers;
  readonly providerStates: ProviderStates;
  readonly idTokenHints: IdTokenHints;
}

export function openConsole(
  context: Context,
  credentialCache: CredentialCache,
  publicUrl: PublicUrl,
  wrong: WrongCredentials,
  replicas: ReplicaCount,
  { workQueue, scans }: Pick<ConsoleServices, 'workQueue' | 'scans'>,
): ConsoleServices {
  const address = new ConsoleAddress(publicUrl, context.config.consolePlainHttp);
  const visitors = new Visitors(context, credentialCache, address);
  return {
    context,
    credentialCache,
    wrong,
    address,
    visitors,
    workQueue,
    scans,
    userCreation: new UserCreation(context.db),
    signingIn: new SigningIn({ context, credentialCache, address, visitors }),
    passkeyChallenges: new PasskeyChallenges(context, address),
    passwords: new Passwords(context, wrong, replicas),
    providers: new Providers(context),
    providerStates: new ProviderStates(context, address),
    idTokenHints: new IdTokenHints(context, address),
  };
}
