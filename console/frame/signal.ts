// Values that pages show, and that draw them anew when they change. A change draws the whole page in one go, soon after; what has
// not changed in it costs next to nothing, and nobody has to say who reads what.

export interface Signal<T> {
  value: T;
}

/** Counts changes. */
let round = 0;
let isDue = false;
const followers = new Set<() => void>();

/** Called once after whatever changed in one turn. */
export function whenChanged(follow: () => void): void {
  followers.add(follow);
}

export function signal<T>(first: T): Signal<T> {
  let current = first;
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (Object.is(current, next)) return;
      current = next;
      round += 1;
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        for (const follow of followers) follow();
      });
    },
  };
}

/** Worked out again only when something has changed since. */
export function computed<T>(work: () => T): { readonly value: T } {
  let known: { readonly round: number; readonly value: T } | null = null;
  return {
    get value() {
      if (known?.round !== round) known = { round, value: work() };
      return known.value;
    },
  };
}
