// The changes that the writer thread of the embedded store can make, by their names: it is handed the name and the input,
// because a function cannot be posted to it. The list itself is store/changes.ts; both threads are given the same one.

import type { Change } from '../db.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a change takes is known where it is called and where it is made.
export type AnyChange = Change<any, any>;

export class ChangeList {
  readonly #changes: Readonly<Record<string, AnyChange>>;
  readonly #names: ReadonlyMap<AnyChange, string>;

  constructor(changes: Readonly<Record<string, AnyChange>>) {
    this.#changes = changes;
    this.#names = new Map(Object.entries(changes).map(([name, change]) => [change, name]));
  }

  nameOf(change: AnyChange): string {
    const name = this.#names.get(change);
    if (name === undefined)
      throw new TypeError(`The change ${change.name} is missing from store/changes.ts.`);
    return name;
  }

  named(name: string): AnyChange {
    const change = this.#changes[name];
    if (change === undefined) throw new TypeError(`There is no change ${name} in store/changes.ts.`);
    return change;
  }
}
