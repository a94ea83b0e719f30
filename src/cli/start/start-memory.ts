// What the start of a service leaves behind. V8 collects garbage when something new needs room, so a service that nobody asks anything
// would keep what loading a thousand modules took, some 30 MiB, for as long as it is idle (D-760).

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const quietShare = 0.1;
/** A service that is busy for longer has its garbage collected on the way, and a whole collection of what it holds by then takes longer. */
const usual = { lookEveryMs: 1_000, looksMax: 300 };

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/** Gives it back once, in the first second in which there is next to nothing to do: a whole collection holds all else up. */
export function giveBackStartMemory({ lookEveryMs, looksMax } = usual): void {
  let before = performance.eventLoopUtilization();
  let looks = 0;
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, before);
    before = current;
    looks += 1;
    const isQuiet = utilization <= quietShare;
    if (isQuiet || looks === looksMax) clearInterval(timer);
    if (isQuiet) collector()({ type: 'major', flavor: 'last-resort' });
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
