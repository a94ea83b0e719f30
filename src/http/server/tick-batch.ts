// Requests that arrive in one turn of the event loop take each step together: all of them are read, then all of them
// are judged and handled. One after the other from end to end, each step finds its code and data driven out of the
// processor's caches by all the other steps; this way it finds them there, and a request costs little more than half.
// Nobody waits for it: the step follows as soon as the turn has nothing more to read.

export class TickBatch {
  #waiting: (() => void)[] = [];

  add(step: () => void): void {
    if (this.#waiting.push(step) === 1) setImmediate(() => this.#take());
  }

  #take(): void {
    const steps = this.#waiting;
    this.#waiting = [];
    for (const [index, step] of steps.entries()) {
      try {
        step();
      } catch (error) {
        // Only a bug of ours comes here. The steps behind it still run, whatever becomes of this one.
        for (const other of steps.slice(index + 1)) this.add(other);
        throw error;
      }
    }
  }
}
