// Sums from which mean, spread and association are worked out, all of them exact. A score is a whole number of millionths, up to
// 10^8, so its square goes up to 10^16, which is more than a double can hold exactly. It is kept in three parts:
// x = 10,000 h + l, so that x^2 = 10^8 h^2 + 10^4 (2 h l) + l^2, and likewise for the product of two scores. A part is at most
// 2 * 10^8 for one response, so its sum is exact for some forty million responses of one day and version; sums of days are bigints.

/** Responses that have the score, the sum of their micro-scores, and of the squares of these. */
export interface Moments {
  readonly count: number;
  readonly sum: bigint;
  readonly squares: bigint;
}

/** Responses that have both scores; `x` is that of the latent and `y` that of satisfaction. */
export interface PairMoments {
  readonly count: number;
  readonly sumX: bigint;
  readonly sumY: bigint;
  readonly squaresX: bigint;
  readonly squaresY: bigint;
  readonly products: bigint;
}

const base = 10_000;

/** Adds one score. */
export function addMoments(figures: Float64Array, at: number, micros: number): void {
  const high = Math.floor(micros / base);
  const low = micros - high * base;
  figures[at]! += 1;
  figures[at + 1]! += micros;
  figures[at + 2]! += high * high;
  figures[at + 3]! += 2 * high * low;
  figures[at + 4]! += low * low;
}

/** Adds the scores of a response that has both. */
export function addPair(figures: Float64Array, at: number, x: number, y: number): void {
  const highX = Math.floor(x / base);
  const lowX = x - highX * base;
  const highY = Math.floor(y / base);
  const lowY = y - highY * base;
  figures[at]! += 1;
  figures[at + 1]! += x;
  figures[at + 2]! += y;
  figures[at + 3]! += highX * highX;
  figures[at + 4]! += 2 * highX * lowX;
  figures[at + 5]! += lowX * lowX;
  figures[at + 6]! += highY * highY;
  figures[at + 7]! += 2 * highY * lowY;
  figures[at + 8]! += lowY * lowY;
  figures[at + 9]! += highX * highY;
  figures[at + 10]! += highX * lowY + lowX * highY;
  figures[at + 11]! += lowX * lowY;
}

export const noMoments: Moments = { count: 0, sum: 0n, squares: 0n };
export const noPair: PairMoments = { count: 0, sumX: 0n, sumY: 0n, squaresX: 0n, squaresY: 0n, products: 0n };

export function momentsAt(figures: Float64Array, at: number): Moments {
  return { count: figures[at]!, sum: BigInt(figures[at + 1]!), squares: productAt(figures, at + 2) };
}

export function pairAt(figures: Float64Array, at: number): PairMoments {
  return {
    count: figures[at]!,
    sumX: BigInt(figures[at + 1]!),
    sumY: BigInt(figures[at + 2]!),
    squaresX: productAt(figures, at + 3),
    squaresY: productAt(figures, at + 6),
    products: productAt(figures, at + 9),
  };
}

function productAt(figures: Float64Array, at: number): bigint {
  return BigInt(figures[at]!) * 100_000_000n + BigInt(figures[at + 1]!) * 10_000n + BigInt(figures[at + 2]!);
}

export function sumOfMoments(one: Moments, other: Moments): Moments {
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    squares: one.squares + other.squares,
  };
}

export function sumOfPairs(one: PairMoments, other: PairMoments): PairMoments {
  return {
    count: one.count + other.count,
    sumX: one.sumX + other.sumX,
    sumY: one.sumY + other.sumY,
    squaresX: one.squaresX + other.squaresX,
    squaresY: one.squaresY + other.squaresY,
    products: one.products + other.products,
  };
}
