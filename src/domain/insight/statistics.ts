// Means, spreads, intervals and associations, from exact sums. Sums stay whole numbers until the last division, so nothing is lost
// where large numbers nearly cancel. docs/insight.md has the formulas with their sources; the tests hold published examples.

import type { Moments, PairMoments } from './moments.ts';

export type Interval = readonly [low: number, high: number];

/** What is told of a number of values. Nothing is rounded. */
export interface Figures {
  readonly count: number;
  /** Null where there is no value. */
  readonly mean: number | null;
  /** The sample standard deviation; null for fewer than two values. */
  readonly deviation: number | null;
  /** Of the mean, at 95 %; null for fewer than two values. */
  readonly interval: Interval | null;
}

type Change = 'up' | 'down' | 'unclear';

/** One number less another, with its interval at 95 % and what can be said of it. */
export interface Difference {
  readonly value: number;
  readonly interval: Interval;
  readonly change: Change;
}

export interface Correlation {
  readonly count: number;
  /** Null where there are fewer than two pairs, or one of both never varies. */
  readonly value: number | null;
  /** Null for fewer than four pairs. */
  readonly interval: Interval | null;
}

/** Sums are of millionths (D-34). */
const unit = 1_000_000;
const squaredUnit = BigInt(unit) ** 2n;

/** The number that is exceeded by 2.5 % of a standard normal distribution. */
const normalQuantile = 1.959963984540054;

// ---- means

/** The figures of values in millionths around a mean that was worked out before. */
export function figuresAround(moments: Moments, mean: number | null): Figures {
  const { count } = moments;
  const variance = varianceOf(moments);
  if (mean === null || variance === null) return { count, mean, deviation: null, interval: null };
  const reach = studentQuantile(count - 1) * Math.sqrt(variance / count);
  return { count, mean, deviation: Math.sqrt(variance), interval: [mean - reach, mean + reach] };
}

/** The mean of values in millionths, as one division; null where there is none. */
export function meanOf({ count, sum }: Moments): number | null {
  return count === 0 ? null : Number(sum) / (count * unit);
}

/** The sample variance, (n Σx² - (Σx)²) / (n (n - 1)); null for fewer than two values. */
function varianceOf({ count, sum, squares }: Moments): number | null {
  if (count < 2) return null;
  const n = BigInt(count);
  return Number(n * squares - sum * sum) / Number(n * (n - 1n) * squaredUnit);
}

/**
 * Welch's comparison of two means, whose spreads may differ: the first less the second; null where one has fewer than two values.
 * Where neither varies at all, the interval is the difference itself.
 */
export function welchDifference(
  first: { readonly moments: Moments; readonly mean: number },
  second: { readonly moments: Moments; readonly mean: number },
): Difference | null {
  const one = errorOf(first.moments);
  const other = errorOf(second.moments);
  if (one === null || other === null) return null;
  const value = first.mean - second.mean;
  const error = one.squared + other.squared;
  if (error === 0) return differenceOf(value, [value, value]);
  const freedom = error ** 2 / (one.squared ** 2 / one.freedom + other.squared ** 2 / other.freedom);
  const reach = studentQuantile(freedom) * Math.sqrt(error);
  return differenceOf(value, [value - reach, value + reach]);
}

/** The squared standard error of a mean, and its degrees of freedom. */
function errorOf(moments: Moments): { readonly squared: number; readonly freedom: number } | null {
  const variance = varianceOf(moments);
  return variance === null ? null : { squared: variance / moments.count, freedom: moments.count - 1 };
}

function differenceOf(value: number, interval: Interval): Difference {
  const [low, high] = interval;
  return { value, interval, change: low > 0 ? 'up' : high < 0 ? 'down' : 'unclear' };
}

// ---- shares

/** Wilson's interval of a share, at 95 %. */
export function shareInterval(part: number, count: number): Interval {
  const share = part / count;
  const squared = normalQuantile ** 2;
  const middle = share + squared / (2 * count);
  const reach = normalQuantile * Math.sqrt((share * (1 - share) + squared / (4 * count)) / count);
  const whole = 1 + squared / count;
  return [Math.max(0, (middle - reach) / whole), Math.min(1, (middle + reach) / whole)];
}

/** The first share less the second, with the interval that Newcombe makes of both of Wilson's; null where one is of nothing. */
export function shareDifference(
  [part, count]: readonly [part: number, count: number],
  [otherPart, otherCount]: readonly [part: number, count: number],
): Difference | null {
  if (count === 0 || otherCount === 0) return null;
  const share = part / count;
  const otherShare = otherPart / otherCount;
  const [low, high] = shareInterval(part, count);
  const [otherLow, otherHigh] = shareInterval(otherPart, otherCount);
  const value = share - otherShare;
  return differenceOf(value, [
    value - Math.hypot(share - low, otherHigh - otherShare),
    value + Math.hypot(high - share, otherShare - otherLow),
  ]);
}

// ---- association

/** Pearson's coefficient, with the interval by Fisher's transformation. */
export function correlationOf(pair: PairMoments): Correlation {
  const { count } = pair;
  if (count < 2) return { count, value: null, interval: null };
  const n = BigInt(count);
  const spreadX = n * pair.squaresX - pair.sumX * pair.sumX;
  const spreadY = n * pair.squaresY - pair.sumY * pair.sumY;
  if (spreadX === 0n || spreadY === 0n) return { count, value: null, interval: null };
  const shared = n * pair.products - pair.sumX * pair.sumY;
  const raw = Number(shared) / (Math.sqrt(Number(spreadX)) * Math.sqrt(Number(spreadY)));
  // Rounding may carry a perfect association past its end.
  const value = Math.max(-1, Math.min(1, raw));
  if (count < 4) return { count, value, interval: null };
  const middle = Math.atanh(value);
  const reach = normalQuantile / Math.sqrt(count - 3);
  return { count, value, interval: [Math.tanh(middle - reach), Math.tanh(middle + reach)] };
}

// ---- quantiles of what was counted in bins

export interface Bin {
  readonly begin: number;
  /** Null of a last bin without an end. */
  readonly end: number | null;
  readonly count: number;
}

/** The value below which a part of all lies, as if those of a bin were spread evenly over it; null where there are none. */
export function quantileOfBins(bins: readonly Bin[], part: number): number | null {
  const wanted = part * bins.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  let last: number | null = null;
  for (const { begin, end, count } of bins) {
    if (count === 0) continue;
    last = end ?? begin;
    if (before + count >= wanted)
      return end === null ? begin : begin + ((end - begin) * (wanted - before)) / count;
    before += count;
  }
  return last;
}

// ---- Student's distribution

// From here on the series below is exact to more than ten digits.
const seriesFrom = 200;
/** Degrees of freedom are mostly whole numbers, and the same ones over and over. */
const known = new Float64Array(seriesFrom);

/** The number that is exceeded by 2.5 % of Student's distribution; degrees of freedom need not be a whole number, and are at least 1. */
export function studentQuantile(freedom: number): number {
  if (freedom >= seriesFrom) return quantileBySeries(freedom);
  if (!Number.isInteger(freedom)) return quantileBySteps(freedom);
  known[freedom] ||= quantileBySteps(freedom);
  return known[freedom]!;
}

/** The expansion in powers of 1 / degrees of freedom (Fisher and Cornish). */
function quantileBySeries(freedom: number): number {
  const z = normalQuantile;
  const squared = z * z;
  const terms = [
    (squared + 1) / 4,
    ((5 * squared + 16) * squared + 3) / 96,
    (((3 * squared + 19) * squared + 17) * squared - 15) / 384,
    ((((79 * squared + 776) * squared + 1_482) * squared - 1_920) * squared - 945) / 92_160,
  ];
  return z + terms.reduceRight((sum, term) => (sum + z * term) / freedom, 0);
}

/**
 * Newton's steps from the normal quantile, which is too small: the distribution is concave to the right of its middle, so every
 * step ends before the quantile, and closer to it.
 */
function quantileBySteps(freedom: number): number {
  const logScale = logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - Math.log(freedom * Math.PI) / 2;
  let quantile = normalQuantile;
  for (let step = 0; step < 60; step += 1) {
    const beyond = betaPart(freedom / (freedom + quantile ** 2), freedom / 2) / 2;
    const density = Math.exp(logScale - ((freedom + 1) / 2) * Math.log1p(quantile ** 2 / freedom));
    const next = quantile + (beyond - 0.025) / density;
    if (Math.abs(next - quantile) <= 1e-15 * next) return next;
    quantile = next;
  }
  return quantile;
}

/** The regularised incomplete beta function I_x(a, 1/2), by its continued fraction. */
function betaPart(x: number, a: number): number {
  const b = 0.5;
  const logFactor =
    logGamma(a + b) - logGamma(a) - Math.log(Math.PI) / 2 + a * Math.log(x) + b * Math.log1p(-x);
  const factor = Math.exp(logFactor);
  // On either side of this bound one of both fractions comes to its end quickly.
  return x < (a + 1) / (a + b + 2)
    ? (factor * fractionOf(x, a, b)) / a
    : 1 - (factor * fractionOf(1 - x, b, a)) / b;
}

const smallest = 1e-300;

/** Worked out from its front (Lentz), until another term changes nothing. */
function fractionOf(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = denominator;
  for (let term = 1; term < 1_000; term += 1) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    denominator = 1 / notZero(1 + even * denominator);
    numerator = notZero(1 + even / numerator);
    value *= denominator * numerator;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    denominator = 1 / notZero(1 + odd * denominator);
    numerator = notZero(1 + odd / numerator);
    const change = denominator * numerator;
    value *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return value;
}

function notZero(value: number): number {
  return Math.abs(value) < smallest ? smallest : value;
}

/** The logarithm of the gamma function of a positive number: moved to where Stirling's series is exact, and back. */
function logGamma(x: number): number {
  let product = 1;
  let at = x;
  for (; at < 16; at += 1) product *= at;
  const inverse = 1 / at;
  const squared = inverse * inverse;
  const series =
    inverse *
    (1 / 12 - squared * (1 / 360 - squared * (1 / 1_260 - squared * (1 / 1_680 - squared / 1_188))));
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
