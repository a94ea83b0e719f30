// What the metrics page tells of the store that takes a question to know: whether a background task fails, when the next provisioning
// token ends, and how large the tables are. Whoever reads the page is given what was last read, and never waits for the store; the
// question is asked again when that is older than ten seconds.

import type { Context } from '../../context.ts';
import { tokensEnding } from '../../store/access/provisioning-tokens.ts';
import { backgroundTasks } from '../../store/background-tasks.ts';
import { taskStatuses } from '../../store/engine/work/background-task.ts';
import type { TableSize } from '../../store/operations/table-measure.ts';
import { lastMeasured } from '../../store/operations/table-sizes.ts';

const ageMaxMs = 10_000;

interface StoreFacts {
  readonly tasks: readonly { readonly name: string; readonly isFailing: boolean }[];
  /** When the next live token ends; null where there is none. */
  readonly nextTokenEndMs: number | null;
  /** As they were measured last. */
  readonly tables: readonly TableSize[];
}

export class StoreLook {
  readonly #context: Context;
  #facts: StoreFacts | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Null until the store has answered once. */
  get facts(): StoreFacts | null {
    const elapsedMs = this.#context.elapsedMs();
    if (this.#asking === null && elapsedMs - this.#askedAtMs >= ageMaxMs) {
      this.#askedAtMs = elapsedMs;
      this.#asking = this.#ask().finally(() => {
        this.#asking = null;
      });
    }
    return this.#facts;
  }

  async stop(): Promise<void> {
    this.#askedAtMs = Number.POSITIVE_INFINITY;
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { db, now } = this.#context;
    const nowMs = now();
    try {
      const [tasks, [token], measured] = await Promise.all([
        taskStatuses(db, backgroundTasks(), nowMs),
        tokensEnding(db, nowMs, Number.MAX_SAFE_INTEGER, 1),
        lastMeasured(db),
      ]);
      this.#facts = {
        tasks: tasks.map(({ name, state }) => ({ name, isFailing: state === 'fails' })),
        nextTokenEndMs: token?.expiresAtMs ?? null,
        tables: measured?.tables ?? [],
      };
    } catch {
      // Requests and the heartbeat tell that the store is away; what was last read stays.
    }
  }
}
