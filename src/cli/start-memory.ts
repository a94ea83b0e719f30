// What the start of a service leaves behind. V8 collects garbage when something new needs room, so a service that nobody asks anything
// would keep what loading a thousand modules took, some 30 MiB, for as long as it is idle (D-760).

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookEveryMs = 1_000;
const quietShare = 0.1;

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/** Gives it back once, in the first second in which there is next to nothing to do: a whole collection holds all else up. */
export function giveBackStartMemory(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, before);
    before = current;
    if (utilization > quietShare) return;
    clearInterval(timer);
    collector()({ type: 'major', flavor: 'last-resort' });
  }, lookEveryMs);
  timer.unref();
}

/** Only a context that is made while the flag is set has the function; ours never has. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
