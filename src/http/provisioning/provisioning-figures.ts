// How many users and groups were created, changed, suspended and deleted on each face, for the metrics page.

import type { FaceName } from '../../scim/attributes.ts';

export type ResourceChange = 'created' | 'changed' | 'suspended' | 'reactivated' | 'deleted';

interface CountedChange {
  readonly face: FaceName;
  /** The type of the resource in lower case. */
  readonly resource: string;
  readonly change: ResourceChange;
  readonly count: number;
}

export class ProvisioningFigures {
  readonly #counts = new Map<string, { -readonly [K in keyof CountedChange]: CountedChange[K] }>();

  count(face: FaceName, resource: string, change: ResourceChange): void {
    const key = `${face} ${resource} ${change}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { face, resource, change, count: 1 });
    else known.count += 1;
  }

  get counts(): readonly CountedChange[] {
    return [...this.#counts.values()];
  }
}
