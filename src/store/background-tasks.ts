// Every task that works in the background, in the order in which they take turns. A new one is added here, and is then run
// by every replica (http/server/background-loop.ts) and shown by `migrate --status` and `doctor`.

import { tokenMarks } from './access/token-marks.ts';
import type { BackgroundTask } from './engine/work/background-task.ts';
import { erasedComments } from './erasure/erased-comments.ts';
import { erasureMending } from './erasure/erasure-mending.ts';
import { retentionTask } from './erasure/retention.ts';
import { changeEnd } from './feedback/change-end.ts';
import { digestTask } from './feedback/digest-task.ts';
import { forgetRefused } from './feedback/forget-refused.ts';
import { rollUpTask } from './insight/roll-up-task.ts';
import { auditEnd } from './operations/audit-end.ts';
import { freeSpaceTask } from './operations/free-space.ts';
import { tableSizes } from './operations/table-sizes.ts';
import { invitedCounts } from './pages/invited-counts.ts';
import { deliveryEnd } from './webhooks/delivery-end.ts';
import { webhookFollower } from './webhooks/follower.ts';

/** Of one service: some remember how far they have come. */
export const backgroundTasks = (): readonly BackgroundTask[] => [
  erasureMending,
  // Before the audit log is shortened, which it reads.
  tokenMarks,
  invitedCounts,
  auditEnd,
  digestTask,
  forgetRefused,
  retentionTask,
  changeEnd,
  freeSpaceTask,
  tableSizes,
  webhookFollower(),
  deliveryEnd,
  rollUpTask,
  erasedComments(),
];
