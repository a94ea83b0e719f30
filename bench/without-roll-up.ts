// Loaded before the service (`node --import`): the roll-up of insight has nothing to do, so that ingestion can be measured as if there
// were none.

import type { BackgroundTask } from '../src/store/engine/background-task.ts';
import { rollUpTask } from '../src/store/insight/roll-up-task.ts';

Object.assign(rollUpTask, { step: async () => 'done' } satisfies Pick<BackgroundTask, 'step'>);
