// What the endpoints of the console share.

import type { AccessTokens } from '../../acts/access/access-token.ts';
import { ConsoleAddress } from '../../acts/access/console-address.ts';
import type { CredentialCache } from '../../acts/access/credential-cache.ts';
import { Providers } from '../../acts/access/providers.ts';
import type { ReplicaCount } from '../../acts/access/throttle.ts';
import type { WrongCredentials } from '../../acts/access/wrong-credentials.ts';
import type { Context } from '../../context.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import type { ScanSlots } from '../../store/engine/work/scan-slots.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { CommentSearch } from '../../store/insight/comment-search.ts';
import type { FiguresReader } from '../../store/insight/figures-reader.ts';
import type { Minimums } from '../../store/insight/minimum.ts';
import type { ResponseSearch } from '../../store/insight/response-search.ts';
import type { Scanner } from '../../store/insight/scanner.ts';
import { UserCreation } from '../../store/provisioning/user-creation.ts';
import type { FeedbackServices } from '../feedback/feedback-services.ts';
import type { PageServices } from '../pages/page-services.ts';
import { SharedViewVisits } from './figures/shared-view-visits.ts';
import { IdTokenHints } from './sign-in/id-token-hints.ts';
import { PasskeyChallenges } from './sign-in/passkey-challenges.ts';
import { Passwords } from './sign-in/passwords.ts';
import { ProviderStates } from './sign-in/provider-state.ts';
import { SigningIn } from './sign-in/signing-in.ts';
import { Visitors } from './sign-in/visitors.ts';

/** What it has in common with the interface: the same limits hold for both together. */
interface SharedServices extends FeedbackServices, Pick<PageServices, 'pageTokens'> {
  readonly accessTokens: AccessTokens;
  readonly publicUrl: PublicUrl;
  readonly commentSearch: CommentSearch;
  readonly responseSearch: ResponseSearch;
  readonly figuresReader: FiguresReader;
  readonly minimums: Minimums;
  readonly scanner: Scanner;
  /** Searches take turns here with those of the interface. */
  readonly workQueue: WorkQueue;
  readonly scans: ScanSlots;
}

export interface ConsoleServices extends SharedServices {
  readonly context: Context;
  readonly credentialCache: CredentialCache;
  readonly wrong: WrongCredentials;
  readonly address: ConsoleAddress;
  readonly visitors: Visitors;
  readonly sharedViewVisits: SharedViewVisits;
  readonly signingIn: SigningIn;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passwords: Passwords;
  readonly userCreation: UserCreation;
  readonly providers: Providers;
  readonly providerStates: ProviderStates;
  readonly idTokenHints: IdTokenHints;
}

export function openConsole(
  context: Context,
  credentialCache: CredentialCache,
  wrong: WrongCredentials,
  replicas: ReplicaCount,
  shared: SharedServices,
): ConsoleServices {
  const address = new ConsoleAddress(shared.publicUrl, context.config);
  const visitors = new Visitors(context, credentialCache, address);
  return {
    ...shared,
    context,
    credentialCache,
    wrong,
    address,
    visitors,
    sharedViewVisits: new SharedViewVisits(context, credentialCache, wrong),
    userCreation: new UserCreation(context.db),
    signingIn: new SigningIn({ context, credentialCache, address, visitors }),
    passkeyChallenges: new PasskeyChallenges(context, address),
    passwords: new Passwords(context, wrong, replicas),
    providers: new Providers(context),
    providerStates: new ProviderStates(context, address),
    idTokenHints: new IdTokenHints(context, address),
  };
}
