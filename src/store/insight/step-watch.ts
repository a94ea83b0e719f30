// Work on another thread that makes steps goes on, however long it takes; where it makes none for so long, it hangs (D-900).

/** Looks every so often whether a step was made since the last look, and tells once when there was none. Returns what ends the watch. */
export function watchSteps(countSteps: () => number, patienceMs: number, onStill: () => void): () => void {
  let steps = countSteps();
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    const now = countSteps();
    if (now === steps) return onStill();
    steps = now;
    timer.refresh();
  };
  // The timer may be late because this thread was: what has arrived meanwhile is read first.
  const timer = setTimeout(() => setImmediate(look), patienceMs).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
