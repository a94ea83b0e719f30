// The pauses of work that goes on beside the requests. They can be cut short, and after the end there are none any more.

export class Pauses {
  #isEnded = false;
  #wake: () => void = () => {};

  pause(ms: number): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resume) => {
      const timer = setTimeout(resume, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }

  /** Ends the pause that is under way, if there is one. */
  cutShort(): void {
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }
}
