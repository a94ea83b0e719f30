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

/** Adds one score, or takes it away. */
export function addMoments(figures: Float64Array, at: number, micros: number, sign: 1 | -1): void {
  figures[at]! += sign;
  figures[at + 1]! += sign * micros;
  addProduct(figures, at + 2, micros, micros, sign);
}

export function addPair(figures: Float64Array, at: number, x: number, y: number, sign: 1 | -1): void {
  figures[at]! += sign;
  figures[at + 1]! += sign * x;
  figures[at + 2]! += sign * y;
  addProduct(figures, at + 3, x, x, sign);
  addProduct(figures, at + 6, y, y, sign);
  addProduct(figures, at + 9, x, y, sign);
}

function addProduct(figures: Float64Array, at: number, x: number, y: number, sign: 1 | -1): void {
  const highX = Math.floor(x / base);
  const highY = Math.floor(y / base);
  const lowX = x - highX * base;
  const lowY = y - highY * base;
  figures[at]! += sign * highX * highY;
  figures[at + 1]! += sign * (highX * lowY + lowX * highY);
  figures[at + 2]! += sign * lowX * lowY;
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
