// The lines of a list while it is worked on, as bytes: thousands of small objects that stay for a while are what the garbage collector
// carries from one place to another, and nobody is served meanwhile (D-934).

/** So many lines become one piece of bytes. */
const linesAtOnce = 64;

export class PackedLines<Line extends object> implements Iterable<Line> {
  readonly #pieces: Buffer[] = [];
  #newest: Line[] = [];

  get length(): number {
    return this.#pieces.length * linesAtOnce + this.#newest.length;
  }

  /** A line of what JSON has. */
  add(line: Line): void {
    this.#newest.push(line);
    if (this.#newest.length < linesAtOnce) return;
    this.#pieces.push(Buffer.from(JSON.stringify(this.#newest)));
    this.#newest = [];
  }

  /** In the order in which they were added; each time they are other objects. */
  *[Symbol.iterator](): Generator<Line> {
    for (const piece of this.#pieces) yield* JSON.parse(piece.toString()) as Line[];
    yield* this.#newest;
  }
}
