// Makes the store agree with a part of a catalogue that is small enough for one transaction, whoever asks for it: `soundings apply`
// group by group, the console for what somebody publishes there. It is compared with what is kept, and written only if nobody
// changed the catalogue meanwhile; else it is compared again (D-47).

import { randomUUID } from 'node:crypto';
import type { CatalogueFault, LineOf } from '../../domain/feedback/catalogue.ts';
import {
  type CatalogueChange,
  type CatalogueComparison,
  compareCatalogue,
} from '../../domain/feedback/catalogue-change.ts';
import type { Catalogue } from '../../domain/feedback/definition.ts';
import { Problem } from '../../domain/problem.ts';
import type { ChangeStamp } from '../engine/audit.ts';
import { type Db, UniqueViolation } from '../engine/db.ts';
import { applyCatalogue, type CatalogueGroup, claimCatalogueTurn, groupOf } from './catalogue-group.ts';
import { type KeptGroup, readKept } from './kept-catalogue.ts';

export interface WantedCatalogue {
  readonly catalogue: Catalogue;
  readonly lineOf: LineOf;
  /** Accounts of which only measures and projects are wanted: their own names and limits are not looked at. */
  readonly leftAccounts: readonly number[];
}

export interface ComparedCatalogue {
  readonly kept: KeptGroup;
  /** What would change. */
  readonly changes: readonly CatalogueChange[];
  readonly faults: readonly CatalogueFault[];
  readonly claims: CatalogueComparison['claims'];
}

export async function compareWithKept(
  db: Db,
  { catalogue, lineOf, leftAccounts }: WantedCatalogue,
): Promise<ComparedCatalogue> {
  const kept = await readKept(db, catalogue);
  const { changes, faults, claims } = compareCatalogue(kept, catalogue, lineOf);
  const wanted = changes.filter(
    ({ action, kind, value }) =>
      action !== 'unchanged' && !(kind === 'account' && leftAccounts.includes(value.id)),
  );
  return { kept, changes: wanted, faults, claims };
}

// Somebody else's change between our look and ours; the comparison is then made again.
const attemptsMax = 40;
const pauseMsMax = 50;
// Whoever has just changed something begins with the next group before others have compared theirs again.
const claimsAfter = 3;

type Published =
  | { readonly changes: readonly CatalogueChange[]; readonly faults: readonly [] }
  | { readonly changes: null; readonly faults: readonly CatalogueFault[] };

/**
 * All of it or, with a fault, nothing. Each attempt is a change of its own, with a stamp of its own. `judge` looks at each
 * comparison: it names further faults, or throws where nothing may be changed.
 */
export async function publish(
  db: Db,
  wanted: WantedCatalogue,
  newStamp: () => ChangeStamp & Pick<CatalogueGroup, 'subject'>,
  judge: (compared: ComparedCatalogue) => Promise<readonly CatalogueFault[]> = async ({ faults }) => faults,
): Promise<Published> {
  const publisher = randomUUID();
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const hasClaimed = attempt > claimsAfter;
    if (hasClaimed) await db.write(claimCatalogueTurn, { publisher, nowMs: newStamp().nowMs });
    const compared = await compareWithKept(db, wanted);
    const { kept, changes } = compared;
    const faults = await judge(compared);
    if (faults.length > 0) return { changes: null, faults };
    if (changes.length === 0) return { changes, faults: [] };
    try {
      if (
        await db.write(applyCatalogue, {
          ...newStamp(),
          ...groupOf(kept, changes),
          publisher: hasClaimed ? publisher : null,
        })
      )
        return { changes, faults: [] };
    } catch (error) {
      // A response made a version used, or somebody took an id: the next comparison sees it.
      const isStale =
        error instanceof UniqueViolation || (error instanceof Problem && error.code === 'CONFLICT');
      if (!isStale) throw error;
    }
    await new Promise((resume) => setTimeout(resume, Math.random() * pauseMsMax));
  }
  throw new Problem('CONFLICT', 'Other catalogues keep being applied at the same time. Please retry.');
}
