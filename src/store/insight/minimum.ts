// The number of responses below which an account has figures withheld. Requests ask for it all the time and it changes only when a
// catalogue is applied, so it is remembered as long as the generation of the catalogue stays (D-504).

import sql from 'sql-template-tag';
import { minimumInForce } from '../../domain/insight/withheld.ts';
import type { Db } from '../engine/db.ts';
import { Cache } from '../engine/work/cache.ts';
import type { Sources } from '../feedback/sources.ts';

// Some ten thousand accounts.
const rememberedBytesMax = 4 * 1024 * 1024;
// However the generation is: a store that took over without its last changes may have counted to the same one again.
const ageMaxMs = 120_000;

interface RememberedMinimum {
  readonly minimum: number;
  readonly generation: number;
}

interface MinimumsInput {
  readonly db: Db;
  readonly elapsedMs: () => number;
}

export class Minimums {
  readonly #db: Db;
  readonly #sources: Pick<Sources, 'generation'>;
  readonly #remembered: Cache<number, RememberedMinimum>;

  constructor({ db, elapsedMs }: MinimumsInput, sources: Pick<Sources, 'generation'>) {
    this.#db = db;
    this.#sources = sources;
    this.#remembered = new Cache({ bytesMax: rememberedBytesMax, bytesOf: () => 50, ageMaxMs, elapsedMs });
  }

  /** What holds for a request of this account; `asked` can only raise it. */
  async inForce(accountId: number, asked: number | undefined): Promise<number> {
    return minimumInForce(await this.#ofAccount(accountId), asked);
  }

  async #ofAccount(accountId: number): Promise<number> {
    const generation = await this.#sources.generation();
    const known = this.#remembered.get(accountId);
    if (known?.generation === generation) return known.minimum;
    const minimum = await readMinimum(this.#db, accountId);
    this.#remembered.set(accountId, { minimum, generation });
    return minimum;
  }
}

async function readMinimum(db: Db, accountId: number): Promise<number> {
  const [row] = await db.read<{ insight_minimum: number }>(
    sql`select insight_minimum from account where id = ${accountId}`,
  );
  return row?.insight_minimum ?? 1;
}
