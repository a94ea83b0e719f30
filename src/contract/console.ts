// Everything that the pages of the console and of shared views call, as types: their callers are typed by it and load none of it.

import type { apiClientOperations } from './access/api-clients.ts';
import type { auditLogOperations } from './access/audit-log.ts';
import type { groupOperations } from './access/groups.ts';
import type { ownPasskeyOperations } from './access/own-passkeys.ts';
import type { passkeySignInOperations } from './access/passkey-sign-in.ts';
import type { passwordOperations } from './access/password.ts';
import type { personalTokenOperations } from './access/personal-token.ts';
import type { provisioningTokenOperations } from './access/provisioning-tokens.ts';
import type { roleOperations } from './access/roles.ts';
import type { sessionOperations } from './access/session.ts';
import type { signInLinkOperations } from './access/sign-in-link.ts';
import type { signedInDeviceOperations } from './access/signed-in-devices.ts';
import type { userLinkOperations } from './access/user-links.ts';
import type { userTimelineOperations } from './access/user-timeline.ts';
import type { userOperations } from './access/users.ts';
import type { refusedResponseOperations } from './feedback/refused-responses.ts';
import type { shareOperations } from './feedback/share.ts';
import type { starterOperations } from './feedback/starters.ts';
import type { surveyDraftOperations } from './feedback/survey-drafts.ts';
import type { surveyOperations } from './feedback/surveys.ts';
import type { overviewOperations } from './insight/overview.ts';
import type { sharedViewOperations } from './insight/shared-views.ts';
import type { sourceResponseOperations } from './insight/source-responses.ts';
import type { openedViewOperations, sourceViewOperations } from './insight/source-views.ts';
import type { sourceOperations } from './insight/sources.ts';
import type { accountOperations } from './operations/accounts.ts';
import type { clockOperations } from './operations/clock.ts';
import type { consoleDocumentOperations } from './operations/console-document.ts';
import type { liveOperations } from './operations/live.ts';
import type { operationsOperations } from './operations/operations.ts';
import type { connectionOperations } from './providers/connections.ts';
import type { identityProviderOperations } from './providers/identity-providers.ts';
import type { setupOperations } from './providers/setup.ts';
import type { setupLinkOperations } from './providers/setup-links.ts';
import type { webhookOperations } from './webhooks/webhooks.ts';

/** By their keys, which are relative to /console/api. */
type ConsoleOperations = (typeof accountOperations)['all'] &
  (typeof apiClientOperations)['all'] &
  (typeof auditLogOperations)['all'] &
  (typeof clockOperations)['all'] &
  (typeof connectionOperations)['all'] &
  (typeof consoleDocumentOperations)['all'] &
  (typeof groupOperations)['all'] &
  (typeof identityProviderOperations)['all'] &
  (typeof liveOperations)['all'] &
  (typeof operationsOperations)['all'] &
  (typeof overviewOperations)['all'] &
  (typeof ownPasskeyOperations)['all'] &
  (typeof passkeySignInOperations)['all'] &
  (typeof passwordOperations)['all'] &
  (typeof personalTokenOperations)['all'] &
  (typeof provisioningTokenOperations)['all'] &
  (typeof refusedResponseOperations)['all'] &
  (typeof roleOperations)['all'] &
  (typeof sessionOperations)['all'] &
  (typeof setupLinkOperations)['all'] &
  (typeof setupOperations)['all'] &
  (typeof shareOperations)['all'] &
  (typeof sharedViewOperations)['all'] &
  (typeof signInLinkOperations)['all'] &
  (typeof signedInDeviceOperations)['all'] &
  (typeof sourceOperations)['all'] &
  (typeof sourceResponseOperations)['all'] &
  (typeof sourceViewOperations)['all'] &
  (typeof starterOperations)['all'] &
  (typeof surveyDraftOperations)['all'] &
  (typeof surveyOperations)['all'] &
  (typeof userLinkOperations)['all'] &
  (typeof userOperations)['all'] &
  (typeof userTimelineOperations)['all'] &
  (typeof webhookOperations)['all'];

/** By their keys, which are relative to /shared/api. */
type SharedPageOperations = (typeof openedViewOperations)['all'];

/** What the pages call. Those of figures ask here and there under the same keys, and are answered alike. */
export type PageOperations = ConsoleOperations & Omit<SharedPageOperations, keyof ConsoleOperations>;
