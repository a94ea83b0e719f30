// Published tables and worked examples, by name, and properties against the plain way to work things out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Moments, noMoments, noPair, type PairMoments } from './moments.ts';
import {
  type Bin,
  correlationOf,
  figuresAround,
  meanOf,
  quantileOfBins,
  shareDifference,
  shareInterval,
  studentQuantile,
  welchDifference,
} from './statistics.ts';

const micros = (value: number): bigint => BigInt(Math.round(value * 1e6));

function momentsOf(values: readonly number[]): Moments {
  return values.map(micros).reduce(
    ({ count, sum, squares }, value) => ({
      count: count + 1,
      sum: sum + value,
      squares: squares + value * value,
    }),
    noMoments,
  );
}

const sideOf = (values: readonly number[]) => {
  const moments = momentsOf(values);
  return { moments, mean: meanOf(moments)! };
};

function pairsOf(pairs: readonly (readonly [number, number])[]): PairMoments {
  return pairs.reduce((all, [one, other]) => {
    const [x, y] = [micros(one), micros(other)];
    return {
      count: all.count + 1,
      sumX: all.sumX + x,
      sumY: all.sumY + y,
      squaresX: all.squaresX + x * x,
      squaresY: all.squaresY + y * y,
      products: all.products + x * y,
    };
  }, noPair);
}

function close(actual: number | undefined | null, expected: number, digits: number, what = ''): void {
  assert.ok(
    actual !== undefined && actual !== null && Math.abs(actual - expected) <= 0.5000001 * 10 ** -digits,
    `${what}: ${actual} instead of ${expected}`,
  );
}

// Henderson and Velleman 1981, as R has them in `mtcars`: miles per gallon and weight of 32 cars.
const mileage = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];
const weight = [
  2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424, 5.345,
  2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
];
const isManual = '11100000000000000111000001111111';

describe('statistics [D-482]', () => {
  it("Student's quantiles are those of the printed tables", () => {
    const table: readonly (readonly [number, number])[] = [
      ...([
        [1, 12.706],
        [2, 4.303],
        [3, 3.182],
        [4, 2.776],
        [5, 2.571],
        [6, 2.447],
        [7, 2.365],
      ] as const),
      ...([
        [8, 2.306],
        [9, 2.262],
        [10, 2.228],
        [15, 2.131],
        [20, 2.086],
        [25, 2.06],
        [30, 2.042],
      ] as const),
      ...([
        [40, 2.021],
        [60, 2],
        [80, 1.99],
        [100, 1.984],
        [120, 1.98],
        [1_000, 1.962],
        [1e9, 1.96],
      ] as const),
    ];
    for (const [freedom, quantile] of table) close(studentQuantile(freedom), quantile, 3, `${freedom}`);
  });

  it('quantiles between whole degrees of freedom lie between, and the series goes on where the steps end', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 400, noNaN: true }),
        fc.double({ min: 1e-6, max: 5, noNaN: true }),
        (at, by) => {
          assert.ok(studentQuantile(at) > studentQuantile(at + by), `${at} and ${at + by}`);
        },
      ),
    );
    const [before, at, after] = [199.999999, 200, 200.000001].map(studentQuantile);
    assert.ok(before! > at! && at! > after! && before! - after! < 1e-9);
  });

  it('the area beyond a quantile is 2.5 %, added up in small steps', () => {
    for (const freedom of [1, 1.7, 2, 3.3, 8, 29.5, 150]) {
      // With t = √ν tan θ the density is a power of the cosine, and everything beyond is a finite stretch.
      const power = (angle: number): number => Math.cos(angle) ** (freedom - 1);
      const area = (from: number, to: number): number => {
        const steps = 200_000;
        const width = (to - from) / steps;
        let sum = 0;
        for (let step = 0; step < steps; step += 1) sum += power(from + (step + 0.5) * width);
        return sum * width;
      };
      const angle = Math.atan(studentQuantile(freedom) / Math.sqrt(freedom));
      close(area(angle, Math.PI / 2) / (2 * area(0, Math.PI / 2)), 0.025, 8, `${freedom}`);
    }
  });

  it('spreads are exact where doubles cancel: NIST StRD, NumAcc3 and NumAcc4', () => {
    for (const middle of [1_000_000.2, 10_000_000.2]) {
      const values = [
        middle,
        ...Array.from({ length: 1_000 }, (_, at) => middle + (at % 2 === 0 ? -0.1 : 0.1)),
      ];
      const moments = momentsOf(values);
      const figures = figuresAround(moments, meanOf(moments));
      assert.equal(figures.mean, middle);
      assert.equal(figures.deviation, 0.1);
    }
  });

  it('the interval of a mean: heat flow of the NIST/SEMATECH handbook, 195 values', () => {
    const [count, mean, deviation] = [195, 9.26146, 0.022789];
    const sum = BigInt(Math.round(count * mean * 1e6));
    const squares = BigInt(Math.round(((count - 1) * deviation ** 2 + count * mean ** 2) * 1e12));
    const { interval } = figuresAround({ count, sum, squares }, mean);
    close(interval?.[0], 9.258242, 5);
    close(interval?.[1], 9.264679, 5);
  });

  it("Welch's interval: hours of sleep of Student 1908, and the cars by their gear, as R's t.test works them out", () => {
    const extra = [
      [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
      [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ].map(sideOf);
    const sleep = welchDifference(extra[0]!, extra[1]!)!;
    close(sleep.value, -1.58, 10);
    close(sleep.interval[0], -3.3654832, 7);
    close(sleep.interval[1], 0.2054832, 7);
    assert.equal(sleep.change, 'unclear');
    const [automatic, manual] = ['0', '1'].map((gear) =>
      sideOf(mileage.filter((_, at) => isManual[at] === gear)),
    );
    const cars = welchDifference(automatic!, manual!)!;
    close(cars.interval[0], -11.280194, 6);
    close(cars.interval[1], -3.209684, 6);
    assert.equal(cars.change, 'down');
    assert.equal(welchDifference(manual!, automatic!)!.change, 'up');
  });

  it("Welch's interval without spread is the difference itself, and there is none of fewer than two", () => {
    const [two, three] = [sideOf([2, 2]), sideOf([3, 3, 3])];
    assert.deepEqual(welchDifference(three, two), { value: 1, interval: [1, 1], change: 'up' });
    assert.deepEqual(welchDifference(two, two), { value: 0, interval: [0, 0], change: 'unclear' });
    assert.equal(welchDifference(sideOf([2]), three), null);
    const single = momentsOf([7]);
    assert.deepEqual(figuresAround(single, 7), { count: 1, mean: 7, deviation: null, interval: null });
    assert.deepEqual(figuresAround(noMoments, null), {
      count: 0,
      mean: null,
      deviation: null,
      interval: null,
    });
  });

  it("correlation: mileage and weight as R's cor.test works it out, and Anscombe's quartet of 1973", () => {
    const cars = correlationOf(pairsOf(mileage.map((value, at) => [value, weight[at]!])));
    close(cars.value, -0.8676594, 7);
    close(cars.interval?.[0], -0.9338264, 7);
    close(cars.interval?.[1], -0.7440872, 7);
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const quartet = [
      [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
      [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74],
      [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73],
    ];
    for (const y of quartet)
      close(correlationOf(pairsOf(x.map((value, at) => [value, y[at]!]))).value, 0.816, 3);
  });

  it('correlation has no value where nothing varies, and no interval of fewer than four', () => {
    const of = (...pairs: readonly (readonly [number, number])[]) => correlationOf(pairsOf(pairs));
    assert.deepEqual(of(), { count: 0, value: null, interval: null });
    assert.deepEqual(of([1, 2]), { count: 1, value: null, interval: null });
    assert.deepEqual(of([1, 2], [1, 3], [1, 4], [1, 5]), { count: 4, value: null, interval: null });
    assert.deepEqual(of([1, 2], [2, 4], [3, 6]), { count: 3, value: 1, interval: null });
    assert.deepEqual(of([1, 6], [2, 4], [3, 2], [4, 0]), { count: 4, value: -1, interval: [-1, -1] });
  });

  it("shares and their differences: the examples of Newcombe's two papers of 1998", () => {
    const single: readonly (readonly [number, number, number, number])[] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ];
    for (const [part, count, low, high] of single) {
      const interval = shareInterval(part, count);
      close(interval[0], low, 4, `${part}/${count}`);
      close(interval[1], high, 4, `${part}/${count}`);
    }
    const differences: readonly (readonly [[number, number], [number, number], number, number])[] = [
      [[56, 70], [48, 80], 0.0524, 0.3339],
      [[9, 10], [3, 10], 0.1705, 0.809],
      [[6, 7], [2, 7], 0.0582, 0.8062],
      [[5, 56], [0, 29], -0.0381, 0.1926],
      [[0, 10], [0, 20], -0.1611, 0.2775],
      [[0, 10], [0, 10], -0.2775, 0.2775],
      [[10, 10], [0, 20], 0.6791, 1],
      [[10, 10], [0, 10], 0.6075, 1],
    ];
    for (const [one, other, low, high] of differences) {
      const { interval } = shareDifference(one, other)!;
      close(interval[0], low, 4, `${one} and ${other}`);
      close(interval[1], high, 4, `${one} and ${other}`);
    }
    assert.equal(shareDifference([0, 0], [1, 2]), null);
  });

  it('mean, spread and correlation are those of the plain formulas', () => {
    const score = fc.integer({ min: 0, max: 100_000_000 }).map((value) => value / 1e6);
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 60 }), (pairs) => {
        const values = pairs.map(([value]) => value);
        const others = pairs.map(([, value]) => value);
        const plain = (of: readonly number[]): number =>
          of.reduce((sum, value) => sum + value, 0) / of.length;
        const [mean, otherMean] = [plain(values), plain(others)];
        const spread = (of: readonly number[], around: number): number =>
          of.reduce((sum, value) => sum + (value - around) ** 2, 0);
        const moments = momentsOf(values);
        const figures = figuresAround(moments, meanOf(moments));
        close(figures.mean, mean, 9);
        close(figures.deviation, Math.sqrt(spread(values, mean) / (values.length - 1)), 6);
        const shared = pairs.reduce((sum, [one, other]) => sum + (one - mean) * (other - otherMean), 0);
        const scale = Math.sqrt(spread(values, mean) * spread(others, otherMean));
        const { value } = correlationOf(pairsOf(pairs));
        if (scale > 1e-6) close(value, shared / scale, 6);
      }),
    );
  });

  it('quantiles of bins lie in their bin, and end at the begin of one without an end', () => {
    const bins: readonly Bin[] = [
      { begin: 0, end: 10, count: 4 },
      { begin: 10, end: 20, count: 0 },
      { begin: 20, end: 40, count: 4 },
      { begin: 40, end: null, count: 2 },
    ];
    const quantiles: readonly (readonly [number, number])[] = [
      [0, 0],
      [0.2, 5],
      [0.4, 10],
      [0.5, 25],
      [0.75, 37.5],
      [0.9, 40],
      [1, 40],
    ];
    for (const [part, value] of quantiles) assert.equal(quantileOfBins(bins, part), value, `${part}`);
    assert.equal(quantileOfBins([], 0.5), null);
    const some = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(some, fc.double({ min: 0, max: 1, noNaN: true }), (counts, part) => {
        const counted = counts.map((count, at) => ({ begin: at, end: at + 1, count }));
        const times = counts.flatMap((count, at) => Array<number>(count).fill(at));
        const quantile = quantileOfBins(counted, part);
        if (times.length === 0) return assert.equal(quantile, null);
        const plain = times[Math.min(times.length - 1, Math.max(0, Math.ceil(part * times.length) - 1))]!;
        assert.ok(quantile! >= plain && quantile! <= plain + 1, `${quantile} and ${plain}`);
      }),
    );
  });
});
