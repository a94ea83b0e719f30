// Values that pages show: whoever sets one has the page drawn anew, once for all that is set at a time. A page is drawn whole, so that
// nothing keeps book of which part of it has read what (D-780).

export interface ReadonlySignal<T> {
  readonly value: T;
}

export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}

/** Counts up when what it tells has become another; what has to be reckoned for that is. */
type Age = () => number;

const followers = new Set<() => void>();
let isDue = false;
/** Of all values together. */
let changes = 0;
/** What the value that is being reckoned has read, and how old that was. */
let read: Map<Age, number> | null = null;

export function signal<T>(first: T): Signal<T> {
  let current = first;
  let changed = 0;
  const age: Age = () => changed;
  return {
    get value() {
      read?.set(age, changed);
      return current;
    },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      changed += 1;
      changes += 1;
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        for (const follow of followers) follow();
      });
    },
  };
}

/** What follows from other values, reckoned anew when one that it has read became another. */
export function computed<T>(reckon: () => T): ReadonlySignal<T> {
  let known: T;
  let changed = 0;
  let seen = -1;
  let from = new Map<Age, number>();
  const age: Age = () => {
    if (seen === changes) return changed;
    const isSame = changed > 0 && [...from].every(([ageOf, then]) => ageOf() === then);
    if (!isSame) {
      const outer = read;
      read = new Map();
      try {
        const next = reckon();
        if (changed === 0 || !Object.is(next, known)) changed += 1;
        known = next;
        from = read;
      } finally {
        read = outer;
      }
    }
    seen = changes;
    return changed;
  };
  return {
    get value() {
      const old = age();
      read?.set(age, old);
      return known;
    },
  };
}

/** From now on after every change, until what is given is called. */
export function whenSet(follow: () => void): () => void {
  followers.add(follow);
  return () => followers.delete(follow);
}
