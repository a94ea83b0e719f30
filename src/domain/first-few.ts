// The first few of very many, in an order: whatever comes too late in it is let go at once, so that only the few are
// ever held. A heap, with the last of the few at its top.

export class FirstFew<T> {
  readonly #count: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #heap: T[] = [];

  constructor(count: number, compare: (a: T, b: T) => number) {
    this.#count = count;
    this.#compare = compare;
  }

  /** What is let go for it: itself, another, or nothing as long as there is room. */
  offer(item: T): T | null {
    if (this.#heap.length < this.#count) {
      this.#heap.push(item);
      this.#rise(this.#heap.length - 1);
      return null;
    }
    const last = this.#heap[0];
    if (last === undefined || this.#compare(item, last) >= 0) return item;
    this.#heap[0] = item;
    this.#sink();
    return last;
  }

  /** All that are held, the last one first; afterwards none is. */
  *lastToFirst(): Generator<T, void, void> {
    for (;;) {
      const top = this.#heap[0];
      const end = this.#heap.pop();
      if (top === undefined || end === undefined) return;
      if (this.#heap.length > 0) {
        this.#heap[0] = end;
        this.#sink();
      }
      yield top;
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#compare(this.#heap[at]!, this.#heap[parent]!) <= 0) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let largest = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#compare(this.#heap[child]!, this.#heap[largest]!) > 0)
          largest = child;
      }
      if (largest === at) return;
      this.#swap(at, largest);
      at = largest;
    }
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a]!;
    this.#heap[a] = this.#heap[b]!;
    this.#heap[b] = kept;
  }
}
