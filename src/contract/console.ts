// Every operation that the pages of the console may call, by its key. Types alone: nothing of this comes to a browser.

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
import type { starterOperations } from './feedback/starters.ts';
import type { surveyDraftOperations } from './feedback/survey-drafts.ts';
import type { surveyOperations } from './feedback/surveys.ts';
import type { overviewOperations } from './insight/overview.ts';
import type { sharedViewOperations } from './insight/shared-views.ts';
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

export type ConsoleOperations = (typeof apiClientOperations)['all'] &
  (typeof auditLogOperations)['all'] &
  (typeof groupOperations)['all'] &
  (typeof ownPasskeyOperations)['all'] &
  (typeof passkeySignInOperations)['all'] &
  (typeof passwordOperations)['all'] &
  (typeof personalTokenOperations)['all'] &
  (typeof provisioningTokenOperations)['all'] &
  (typeof roleOperations)['all'] &
  (typeof sessionOperations)['all'] &
  (typeof signInLinkOperations)['all'] &
  (typeof signedInDeviceOperations)['all'] &
  (typeof userLinkOperations)['all'] &
  (typeof userTimelineOperations)['all'] &
  (typeof userOperations)['all'] &
  (typeof refusedResponseOperations)['all'] &
  (typeof starterOperations)['all'] &
  (typeof surveyDraftOperations)['all'] &
  (typeof surveyOperations)['all'] &
  (typeof overviewOperations)['all'] &
  (typeof sharedViewOperations)['all'] &
  (typeof sourceOperations)['all'] &
  (typeof accountOperations)['all'] &
  (typeof clockOperations)['all'] &
  (typeof consoleDocumentOperations)['all'] &
  (typeof liveOperations)['all'] &
  (typeof operationsOperations)['all'] &
  (typeof connectionOperations)['all'] &
  (typeof identityProviderOperations)['all'] &
  (typeof setupLinkOperations)['all'] &
  (typeof setupOperations)['all'] &
  (typeof webhookOperations)['all'];
