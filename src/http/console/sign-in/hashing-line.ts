// Hashing a password takes 19 MiB and some hundredths of a second of a processor, and anybody may ask for it. So two are
// made at once in a process; others wait in a line that has an end, and whoever goes away leaves it. Those who were here
// before come first: a flood of others cannot keep them out (D-333).

import type { ServerResponse } from 'node:http';
import { Problem } from '../../../domain/problem.ts';

const atOnceMax = 2;
const waitingMax = 50;
const lookEveryMs = 10_000;
const looksMax = 6;

interface Waiting {
  readonly enter: () => void;
}

interface InLine {
  /** The answer that whoever waits is waiting for. */
  readonly answer: ServerResponse;
  /** Has signed in from there lately, or has a session. */
  readonly isKnown: boolean;
}

export class HashingLine {
  readonly #known = new Set<Waiting>();
  readonly #unknown = new Set<Waiting>();
  #underWay = 0;
  /** How many have left the line or ended their work. */
  #moves = 0;

  get waiting(): number {
    return this.#known.size + this.#unknown.size;
  }

  async run<T>(work: () => Promise<T>, inLine: InLine): Promise<T> {
    if (this.#underWay < atOnceMax) this.#underWay += 1;
    else await this.#wait(inLine);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #wait({ answer, isKnown }: InLine): Promise<void> {
    const line = isKnown ? this.#known : this.#unknown;
    if (line.size >= waitingMax) return Promise.reject(lineFull());
    if (answer.destroyed) return Promise.reject(abandoned());
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearInterval(timer);
        answer.off('close', abandon);
        line.delete(waiting);
      };
      const waiting: Waiting = {
        enter: () => {
          end();
          resolve();
        },
      };
      const abandon = (): void => {
        end();
        reject(abandoned());
      };
      let [moves, looks] = [this.#moves, 0];
      const timer = setInterval(() => {
        looks += 1;
        if (this.#moves !== moves && looks < looksMax) {
          moves = this.#moves;
          return;
        }
        end();
        reject(lineFull());
      }, lookEveryMs);
      answer.once('close', abandon);
      line.add(waiting);
    });
  }

  /** The place goes to the next in line without becoming free in between. */
  #leave(): void {
    this.#moves += 1;
    const [next] = this.#known.size > 0 ? this.#known : this.#unknown;
    if (next === undefined) this.#underWay -= 1;
    else next.enter();
  }
}

function abandoned(): Problem {
  return new Problem('REQUEST_ABANDONED', 'The caller went away before the password was looked at.');
}

function lineFull(): Problem {
  return new Problem('TOO_MANY_SIGN_INS', 'Too many people sign in at this moment. Please retry.', {
    headers: { 'retry-after': '2' },
  });
}
