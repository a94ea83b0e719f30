// Mean, spread, difference and association once more, by their definitions: whole numbers as long as possible, and Student's
// distribution by adding up its density. Tests hold what the service answers against it.

export interface ModelFigures {
  readonly count: number;
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly interval: readonly [number, number] | null;
}

/** Of whole numbers that are so many millionths. */
export function figuresOf(micros: readonly number[]): ModelFigures {
  const { count, mean, variance } = spreadOf(micros);
  if (variance === null || mean === null) return { count, mean, deviation: null, interval: null };
  const half = studentQuantile(count - 1) * Math.sqrt(variance / count);
  return { count, mean, deviation: Math.sqrt(variance), interval: [mean - half, mean + half] };
}

interface Spread {
  readonly count: number;
  readonly mean: number | null;
  /** With n - 1 in the denominator. */
  readonly variance: number | null;
}

function spreadOf(micros: readonly number[]): Spread {
  const count = micros.length;
  if (count === 0) return { count, mean: null, variance: null };
  const sum = micros.reduce((total, one) => total + BigInt(one), 0n);
  const mean = Number(sum) / count / 1e6;
  if (count === 1) return { count, mean, variance: null };
  // Sum of squares around the mean, in whole numbers all the way: n * sum(x^2) - sum(x)^2.
  const squares = micros.reduce((total, one) => total + BigInt(one) ** 2n, 0n);
  const around = BigInt(count) * squares - sum ** 2n;
  return { count, mean, variance: Number(around) / (count * (count - 1)) / 1e12 };
}

/** The difference of two means with Welch's interval. */
export function differenceOf(now: readonly number[], before: readonly number[]) {
  const one = spreadOf(now);
  const other = spreadOf(before);
  if (one.variance === null || other.variance === null) return null;
  const value = one.mean! - other.mean!;
  const share = one.variance / one.count;
  const otherShare = other.variance / other.count;
  const error = Math.sqrt(share + otherShare);
  const freedom =
    (share + otherShare) ** 2 / (share ** 2 / (one.count - 1) + otherShare ** 2 / (other.count - 1));
  const half = error === 0 ? 0 : studentQuantile(freedom) * error;
  const interval = [value - half, value + half] as const;
  const change = interval[0] > 0 ? 'up' : interval[1] < 0 ? 'down' : 'unclear';
  return { value, interval, change };
}

/** Pearson's correlation of pairs of millionths, with the interval by Fisher's transformation. */
export function correlationOf(pairs: readonly (readonly [number, number])[]) {
  const count = pairs.length;
  const sum = (of: (pair: readonly [number, number]) => bigint): bigint =>
    pairs.reduce((total, pair) => total + of(pair), 0n);
  const n = BigInt(count);
  const sumX = sum(([x]) => BigInt(x));
  const sumY = sum(([, y]) => BigInt(y));
  const spreadX = n * sum(([x]) => BigInt(x) ** 2n) - sumX ** 2n;
  const spreadY = n * sum(([, y]) => BigInt(y) ** 2n) - sumY ** 2n;
  const together = n * sum(([x, y]) => BigInt(x) * BigInt(y)) - sumX * sumY;
  if (count < 2 || spreadX === 0n || spreadY === 0n) return { count, value: null, interval: null };
  const value = Math.max(
    -1,
    Math.min(1, Number(together) / (Math.sqrt(Number(spreadX)) * Math.sqrt(Number(spreadY)))),
  );
  if (count < 4) return { count, value, interval: null };
  const half = normalQuantile / Math.sqrt(count - 3);
  const low = Math.tanh(Math.atanh(value) - half);
  const high = Math.tanh(Math.atanh(value) + half);
  return { count, value, interval: [low, high] as const };
}

const normalQuantile = 1.959963984540054;
const quantiles = new Map<number, number>();

/**
 * The value that 2.5 % of Student's distribution lie above. With t = sqrt(f) cot(a), what lies above t is the integral of
 * sin^(f-1) from 0 to a, as a share of twice that up to a right angle; it is summed up by Simpson's rule.
 */
export function studentQuantile(freedom: number): number {
  const known = quantiles.get(freedom);
  if (known !== undefined) return known;
  // a = w^4, so that the integrand is smooth at 0 for every number of degrees of freedom.
  const height = (w: number): number =>
    w === 0 ? 0 : Math.exp((freedom - 1) * Math.log(Math.sin(w ** 4))) * 4 * w ** 3;
  const between = (low: number, high: number): number =>
    ((height(low) + 4 * height((low + high) / 2) + height(high)) * (high - low)) / 6;
  // Below this there is nothing that a double could tell from 0.
  const begin = freedom > 1 ? Math.asin(Math.exp(-45 / (freedom - 1))) ** 0.25 : 0;
  const width = ((Math.PI / 2) ** 0.25 - begin) / 1_000;
  const sums = [0];
  for (let step = 0; step < 1_000; step += 1)
    sums.push(sums[step]! + between(begin + step * width, begin + (step + 1) * width));
  const wanted = 0.025 * 2 * sums.at(-1)!;
  const step = sums.findLastIndex((sum) => sum <= wanted);
  const from = begin + step * width;
  let low = from;
  let high = from + width;
  for (let round = 0; round < 50; round += 1) {
    const middle = (low + high) / 2;
    if (sums[step]! + between(from, middle) < wanted) low = middle;
    else high = middle;
  }
  const found = Math.sqrt(freedom) / Math.tan(low ** 4);
  quantiles.set(freedom, found);
  return found;
}

/** The difference of two shares, with Newcombe's interval from those of Wilson. */
export function shareDifferenceOf(one: Share, other: Share) {
  if (one.of === 0 || other.of === 0) return null;
  const [share, otherShare] = [one.count / one.of, other.count / other.of];
  const [low, high] = wilsonInterval(one);
  const [otherLow, otherHigh] = wilsonInterval(other);
  const value = share - otherShare;
  const below = Math.sqrt((share - low) ** 2 + (otherHigh - otherShare) ** 2);
  const above = Math.sqrt((high - share) ** 2 + (otherShare - otherLow) ** 2);
  const interval = [value - below, value + above] as const;
  const change = interval[0] > 0 ? 'up' : interval[1] < 0 ? 'down' : 'unclear';
  return { value, interval, change };
}

export interface Share {
  readonly count: number;
  readonly of: number;
}

/** The shares p for which (share - p)^2 = z^2 p (1 - p) / n. */
function wilsonInterval({ count, of }: Share): readonly [number, number] {
  const share = count / of;
  const square = normalQuantile ** 2;
  const middle = (share + square / (2 * of)) / (1 + square / of);
  const half =
    (normalQuantile * Math.sqrt((share * (1 - share)) / of + square / (4 * of ** 2))) / (1 + square / of);
  return [middle - half, middle + half];
}
