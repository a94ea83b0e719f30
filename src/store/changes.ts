// Every change that can be handed to `write`, by its name. The writer thread of the embedded engine is handed the name
// and the input, because a function cannot be posted to it. test/layers.test.ts finds a change that is missing here.

import { changeAccount, createAccount } from './access/accounts.ts';
import { dropRefusals, withdrawRefusals } from './access/admin-refusals.ts';
import { confirmAdmin } from './access/admin-rules.ts';
import {
  changeClientGrants,
  createClient,
  finishClientRotation,
  rotateClientSecret,
  setClientDisabled,
} from './access/clients.ts';
import {
  changeConnection,
  createConnection,
  removeConnection,
  setConnectionOnly,
} from './access/connections.ts';
import { noteAccessToken } from './access/person-token-note.ts';
import {
  createProvisioningToken,
  noteTokenUse,
  revokeProvisioningToken,
} from './access/provisioning-tokens.ts';
import {
  addSealingKey,
  dropEndedSealingKeys,
  foundSealingKey,
  noteSealed,
  revokeSealingKey,
} from './access/sealing-keys.ts';
import {
  changeConnectionByLink,
  createConnectionByLink,
  createSetupLink,
  createTokenByLink,
  noteSetupLinkUse,
  removeSetupLink,
} from './access/setup-links.ts';
import { createSharedView, noteSharedViewUse, revokeSharedView } from './access/shared-views.ts';
import { addSigningKey, dropRetiredKeys, foundStore, revokeSigningKey } from './access/signing-keys.ts';
import { keepTokenMark } from './access/token-marks.ts';
import { createMigrationTables, takeMigrationStep } from './engine/migrate.ts';
import { spreadFunction, spreadTable } from './engine/postgres/citus.ts';
import { beat, endHeartbeat, setMaintenance } from './engine/replicas.ts';
import type { AnyChange } from './engine/sqlite/change-list.ts';
import { confirmClock, moveTrustedTime } from './engine/trusted-time.ts';
import { moveTaskAlone, noteTaskFailure } from './engine/work/background-task.ts';
import { eraseResponse, eraseSlice } from './erasure/erase.ts';
import { takeOutCommentsLeft } from './erasure/erased-comments.ts';
import { beginMending, endMending } from './erasure/erasure-mending.ts';
import { retainSlice } from './erasure/retention.ts';
import { applyCatalogue, claimCatalogueTurn } from './feedback/catalogue-group.ts';
import { endChanges } from './feedback/change-end.ts';
import { foldDigests } from './feedback/day-digests.ts';
import { noteExport } from './feedback/export-note.ts';
import { appendExternal } from './feedback/external-parameters.ts';
import { forgetOfAccount } from './feedback/forget-refused.ts';
import { appendResponses } from './feedback/log.ts';
import { closeBlockGroup, renewEnds } from './feedback/log-history.ts';
import { eraseWaiting, settleRedriven } from './feedback/quarantine.ts';
import { keepRefusals } from './feedback/refusals.ts';
import {
  closeAccount,
  closeSource,
  deleteSlice,
  deleteUsersSlice,
  finishSource,
} from './feedback/removal.ts';
import { rebuildFigures } from './insight/builds.ts';
import { keepSegment, keepSpan } from './insight/comment-index.ts';
import { clearFigures, deleteForm, dropFigures, openCursor, rollUp } from './insight/roll-up.ts';
import { forgetAuditSlice } from './operations/audit-end.ts';
import { recordBackup } from './operations/backup-records.ts';
import { releasePages } from './operations/free-space.ts';
import { beginJob, dropJob, noteJob } from './operations/jobs.ts';
import { noteInvitations, revokeInvitations } from './pages/invitations.ts';
import { keepInvitedCounts } from './pages/invited-counts.ts';
import { createLink, signInByLink } from './people/one-time-links.ts';
import { createOperator, createStartLink, disableOperator } from './people/operators.ts';
import { addPasskey, removePasskey, renamePasskey, usePasskey } from './people/passkeys.ts';
import { removePassword, setPassword } from './people/passwords.ts';
import { grantRole, takeRole } from './people/role-grants.ts';
import { setRoleValues } from './people/role-values.ts';
import {
  createSession,
  endSessions,
  enterAccount,
  noteSessionUse,
  raiseSession,
  renewSession,
} from './people/sessions.ts';
import {
  logOutByProvider,
  noteRefusedSignIn,
  noteTestSignIn,
  renewByProvider,
  setUserConnection,
  signInByProvider,
} from './people/user-connections.ts';
import { createGroup, deleteGroup, updateGroup } from './provisioning/groups.ts';
import { createUsers } from './provisioning/new-users.ts';
import { keepProvisioningRequests } from './provisioning/provisioning-log.ts';
import { createUsersQuickly } from './provisioning/quick-creation.ts';
import { deleteUser } from './provisioning/user-deletion.ts';
import { liftGuard, noteGuardStrike } from './provisioning/user-guard.ts';
import { refreshUserKeys, refreshUserParts } from './provisioning/user-keys.ts';
import { updateUser } from './provisioning/user-saving.ts';
import {
  claimDeliveries,
  noteTestDelivery,
  queueAgain,
  queueEvents,
  reviveDeliveries,
  settleDeliveries,
} from './webhooks/deliveries.ts';
import { endDeliveries } from './webhooks/delivery-end.ts';
import {
  createWebhook,
  finishWebhookRotation,
  removeWebhook,
  rotateWebhookSecret,
} from './webhooks/webhooks.ts';

export const changes = {
  confirmAdmin,
  dropRefusals,
  withdrawRefusals,
  keepTokenMark,
  signInByProvider,
  setUserConnection,
  renewByProvider,
  noteInvitations,
  revokeInvitations,
  noteRefusedSignIn,
  noteTestSignIn,
  createSetupLink,
  removeSetupLink,
  noteSetupLinkUse,
  createConnectionByLink,
  changeConnectionByLink,
  createTokenByLink,
  logOutByProvider,
  setConnectionOnly,
  removeConnection,
  createConnection,
  changeConnection,
  createSession,
  endSessions,
  enterAccount,
  noteSessionUse,
  renewSession,
  raiseSession,
  addPasskey,
  addSealingKey,
  addSigningKey,
  appendExternal,
  appendResponses,
  applyCatalogue,
  claimCatalogueTurn,
  beat,
  beginJob,
  changeAccount,
  changeClientGrants,
  claimDeliveries,
  clearFigures,
  closeAccount,
  closeBlockGroup,
  closeSource,
  createAccount,
  createClient,
  createGroup,
  createLink,
  noteAccessToken,
  createMigrationTables,
  createOperator,
  createProvisioningToken,
  createStartLink,
  createUsers,
  createUsersQuickly,
  createWebhook,
  deleteForm,
  deleteGroup,
  deleteSlice,
  deleteUser,
  deleteUsersSlice,
  disableOperator,
  dropEndedSealingKeys,
  dropFigures,
  dropJob,
  dropRetiredKeys,
  endHeartbeat,
  endChanges,
  eraseResponse,
  eraseSlice,
  beginMending,
  endMending,
  takeOutCommentsLeft,
  createSharedView,
  noteSharedViewUse,
  revokeSharedView,
  noteExport,
  eraseWaiting,
  finishClientRotation,
  finishSource,
  finishWebhookRotation,
  foldDigests,
  keepInvitedCounts,
  forgetAuditSlice,
  forgetOfAccount,
  foundSealingKey,
  foundStore,
  grantRole,
  keepProvisioningRequests,
  keepRefusals,
  keepSegment,
  keepSpan,
  liftGuard,
  confirmClock,
  moveTrustedTime,
  moveTaskAlone,
  noteGuardStrike,
  noteJob,
  noteSealed,
  noteTaskFailure,
  noteTestDelivery,
  noteTokenUse,
  openCursor,
  queueAgain,
  queueEvents,
  rebuildFigures,
  recordBackup,
  refreshUserKeys,
  refreshUserParts,
  releasePages,
  removePasskey,
  removePassword,
  removeWebhook,
  renamePasskey,
  renewEnds,
  retainSlice,
  reviveDeliveries,
  revokeProvisioningToken,
  revokeSealingKey,
  revokeSigningKey,
  rotateClientSecret,
  rotateWebhookSecret,
  rollUp,
  setClientDisabled,
  setMaintenance,
  setRoleValues,
  setPassword,
  settleDeliveries,
  settleRedriven,
  signInByLink,
  spreadFunction,
  spreadTable,
  takeMigrationStep,
  takeRole,
  endDeliveries,
  updateGroup,
  updateUser,
  usePasskey,
} satisfies Record<string, AnyChange>;
