// How many exports may be under way at once: each takes some memory and a share of the store until its reader has the last
// byte, which may be long. So many an account, so that one account cannot take all places, and four times as many in all;
// half of those for Parquet, which gathers some thousands of rows before it can send any (D-268). Nobody waits for a place,
// because nobody can say for how long.

import type { Config } from '../../config.ts';
import type { ExportFormat } from '../../domain/feedback/export-format.ts';
import { Problem } from '../../domain/problem.ts';

export class ExportSlots {
  readonly #perAccount: number;
  readonly #inAllMax: number;
  readonly #parquetMax: number;
  readonly #underWay = new Map<number, number>();
  #inAll = 0;
  #parquet = 0;

  constructor({ exportsPerAccount }: Pick<Config, 'exportsPerAccount'>) {
    this.#perAccount = exportsPerAccount;
    this.#inAllMax = 4 * exportsPerAccount;
    this.#parquetMax = 2 * exportsPerAccount;
  }

  /** Takes a place of an account; what it returns gives the place back, once. */
  enter(accountId: number, format: ExportFormat): () => void {
    const parquet = format === 'parquet' ? 1 : 0;
    const own = this.#underWay.get(accountId) ?? 0;
    if (own >= this.#perAccount) throw tooManyOfAccount(this.#perAccount);
    if (this.#inAll >= this.#inAllMax || this.#parquet + parquet > this.#parquetMax) throw tooManyInAll();
    this.#underWay.set(accountId, own + 1);
    this.#inAll += 1;
    this.#parquet += parquet;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#inAll -= 1;
      this.#parquet -= parquet;
      const left = (this.#underWay.get(accountId) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(accountId);
      else this.#underWay.set(accountId, left);
    };
  }
}

const retryAfter = { headers: { 'retry-after': '30' } };

function tooManyOfAccount(max: number): Problem {
  return new Problem(
    'THROTTLED',
    `${max} exports of this account are under way, and it may have no more at once.`,
    retryAfter,
  );
}

function tooManyInAll(): Problem {
  return new Problem(
    'TOO_MANY_EXPORTS',
    'As many exports are under way as the service takes at once. Please retry.',
    retryAfter,
  );
}
