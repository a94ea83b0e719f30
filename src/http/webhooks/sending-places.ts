// How many attempts may be under way at once: of a webhook, of an account, of this process, and of all the webhooks that
// fail. Without the last one, a few accounts whose receivers hang would have every place of the process (D-243).

interface OfWebhook {
  readonly id: string;
  readonly accountId: number;
}

export const atOnce = { ofWebhook: 8, ofFailingWebhook: 1, ofAccount: 16, ofAllFailing: 32, ofProcess: 64 };
/** In a row; the next one that is taken ends it. */
export const failuresToSlowDown = 10;

/** How a webhook is doing in this process. */
interface Progress {
  underWay: number;
  failuresInARow: number;
}

export class SendingPlaces {
  readonly #progress = new Map<string, Progress>();
  readonly #ofAccount = new Map<number, number>();
  #ofAllFailing = 0;
  #ofProcess = 0;

  freeFor({ id, accountId }: OfWebhook): number {
    const progress = this.#progressOf(id);
    const isFailing = failsNow(progress);
    const ofWebhook = isFailing ? atOnce.ofFailingWebhook : atOnce.ofWebhook;
    return Math.min(
      ofWebhook - progress.underWay,
      atOnce.ofAccount - (this.#ofAccount.get(accountId) ?? 0),
      isFailing ? atOnce.ofAllFailing - this.#ofAllFailing : atOnce.ofProcess,
      atOnce.ofProcess - this.#ofProcess,
    );
  }

  /** What comes back is called once, when the attempt is over. */
  take({ id, accountId }: OfWebhook): (wasTaken: boolean) => void {
    const progress = this.#progressOf(id);
    const failing = failsNow(progress) ? 1 : 0;
    progress.underWay += 1;
    this.#ofAccount.set(accountId, (this.#ofAccount.get(accountId) ?? 0) + 1);
    this.#ofProcess += 1;
    this.#ofAllFailing += failing;
    return (wasTaken) => {
      progress.failuresInARow = wasTaken ? 0 : progress.failuresInARow + 1;
      progress.underWay -= 1;
      const left = (this.#ofAccount.get(accountId) ?? 1) - 1;
      if (left === 0) this.#ofAccount.delete(accountId);
      else this.#ofAccount.set(accountId, left);
      this.#ofProcess -= 1;
      this.#ofAllFailing -= failing;
    };
  }

  /** Webhooks that are not there any more are not remembered. */
  keepOnly(webhooks: readonly OfWebhook[]): void {
    const known = new Set(webhooks.map(({ id }) => id));
    for (const [id, { underWay }] of this.#progress)
      if (!known.has(id) && underWay === 0) this.#progress.delete(id);
  }

  #progressOf(id: string): Progress {
    const known = this.#progress.get(id) ?? { underWay: 0, failuresInARow: 0 };
    this.#progress.set(id, known);
    return known;
  }
}

function failsNow({ failuresInARow }: Progress): boolean {
  return failuresInARow >= failuresToSlowDown;
}
