// The steps of the schema, in order, forward only. A step that has been released is never edited: a replica
// with older code must keep working while a newer one has already migrated, so steps only add.

import type { Steps } from '../db.ts';
import { firstSchema } from './0001-first-schema.ts';
import { feedback } from './0002-feedback.ts';
import { users } from './0003-users.ts';
import { standardFace } from './0004-standard-face.ts';
import { provisioning } from './0005-provisioning.ts';
import { logHistory } from './0006-log-history.ts';
import { groupExternalIds } from './0007-group-external-ids.ts';
import { nameParts } from './0008-name-parts.ts';
import { openSums } from './0009-open-sums.ts';
import { appendFunction } from './0010-append-function.ts';
import { creationFunction } from './0011-creation-function.ts';
import { accountLimits } from './0012-account-limits.ts';
import { accountAppendFunction } from './0013-account-append-function.ts';
import { digests } from './0014-digests.ts';
import { backgroundTasks } from './0015-background-tasks.ts';
import { changeLog } from './0016-change-log.ts';
import { webhooks } from './0017-webhooks.ts';
import { ends } from './0018-ends.ts';
import { watched } from './0019-watched.ts';
import { refusedResponses } from './0020-refused-responses.ts';
import { backups } from './0021-backups.ts';
import { people } from './0022-people.ts';
import { surveyPages } from './0023-survey-pages.ts';
import { rightsOfSessions } from './0024-rights-of-sessions.ts';
import { insight } from './0025-insight.ts';
import { consoleTables } from './0026-console.ts';
import { appendBesideMoves } from './0027-append-beside-moves.ts';
import { adminProtection } from './0028-admin-protection.ts';
import { trustedTime } from './0029-trusted-time.ts';
import { erasedWithoutDigest } from './0030-erased-without-digest.ts';
import { invited } from './0031-invited.ts';

/** The few words in which the two engines differ. */
export interface Types {
  /** For the rare step that one engine needs in another form. */
  readonly engine: 'sqlite' | 'postgres';
  /** Text that is compared and ordered by its bytes. */
  readonly text: string;
  readonly integer: string;
  /** Behind a table that is read in the order of its key: SQLite then keeps the rows in the key itself. */
  readonly clustered: string;
}

export interface Step {
  readonly number: number;
  readonly name: string;
  readonly statements: (types: Types) => readonly string[];
  /** What the step writes into its tables, in the same transaction. */
  readonly fill?: (input: { readonly nowMs: number }) => Steps<void>;
}

export const steps: readonly Step[] = [
  firstSchema,
  feedback,
  users,
  standardFace,
  provisioning,
  logHistory,
  groupExternalIds,
  nameParts,
  openSums,
  appendFunction,
  creationFunction,
  accountLimits,
  accountAppendFunction,
  digests,
  backgroundTasks,
  changeLog,
  webhooks,
  ends,
  watched,
  refusedResponses,
  backups,
  people,
  surveyPages,
  rightsOfSessions,
  insight,
  consoleTables,
  appendBesideMoves,
  adminProtection,
  trustedTime,
  erasedWithoutDigest,
  invited,
];
