// Loaded before the service (`node --import`): takes the roll-up of insight out of the work in the background, so that ingestion can
// be measured as if there were none.

import { backgroundTasks } from '../src/store/background-tasks.ts';
import type { BackgroundTask } from '../src/store/engine/background-task.ts';

const tasks = backgroundTasks as BackgroundTask[];
for (const task of [...tasks]) if (task.name.startsWith('insight')) tasks.splice(tasks.indexOf(task), 1);
