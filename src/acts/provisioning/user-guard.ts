// How much of an account a provider may take away within an hour, and what is said when it tries more (D-279).

import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { AccountLimits } from '../../domain/access/account.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { noteGuardStrike } from '../../store/provisioning/user-guard.ts';

/** The guard of an account; undefined where it has none. */
export function guardPercentOf(
  { guardPercent }: Config,
  accountLimits: AccountLimits | null,
): number | undefined {
  const percent = accountLimits?.deprovisionedPercentPerHour ?? guardPercent;
  return percent === 0 ? undefined : percent;
}

// A provider that is refused tries again and again; the store is told of an account once in so long.
const notedEveryMs = 60_000;
const accountsMax = 10_000;

export class UserGuard {
  readonly #context: Context;
  readonly #notedAtMs = new Map<number, number>();
  /** Changes that it refused. */
  refused = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Carries out a change, and sees to it that a refusal is not only told to the provider. */
  async watch<T>(accountId: number, stamp: ChangeStamp, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (error instanceof Problem && error.code === 'DEPROVISIONING_GUARDED') {
        this.refused += 1;
        await this.#note(accountId, stamp);
      }
      throw error;
    }
  }

  async #note(accountId: number, stamp: ChangeStamp): Promise<void> {
    const { db, log, newId } = this.#context;
    const elapsedMs = this.#context.elapsedMs();
    const notedAtMs = this.#notedAtMs.get(accountId);
    if (notedAtMs !== undefined && elapsedMs - notedAtMs < notedEveryMs) return;
    if (this.#notedAtMs.size >= accountsMax) this.#notedAtMs.clear();
    this.#notedAtMs.set(accountId, elapsedMs);
    const fields = { accountId, apiClientId: stamp.actor, requestId: stamp.requestId };
    try {
      const { actor, nowMs, requestId, origin } = stamp;
      const said = {
        changeId: newId(),
        actor,
        nowMs,
        ...(requestId && { requestId }),
        ...(origin && { origin }),
      };
      if (await db.write(noteGuardStrike, { ...said, accountId }))
        log.warn(fields, 'The guard refuses to suspend or delete more users of an account.');
    } catch (error) {
      log.warn({ ...fields, err: error }, 'That the guard refused something could not be noted.');
    }
  }
}
