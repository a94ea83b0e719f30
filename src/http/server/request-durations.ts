// How long requests took, by method, route and status: a histogram for the metrics page. prom-client's own puts the
// labels of every observation together and looks them up by their text, which costs as much as a question to the
// store. Here a request finds its counters in two steps, and text is made when somebody asks for the metrics.

import type { SlowRoute } from '../../domain/operations/replica-facts.ts';

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

const routeLengthMax = 120;

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface Series {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** One for every bound, and one for what took longer than the last. */
  readonly counts: number[];
  sumSeconds: number;
}

export class RequestDurations {
  readonly name = 'soundings_http_request_duration_seconds';
  readonly help = 'Time from the first byte of a request to the last of its answer, by route and status.';
  readonly #byRoute = new Map<string, Series[]>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(method, route, status);
    let bound = 0;
    while (bound < boundsSeconds.length && seconds > boundsSeconds[bound]!) bound += 1;
    series.counts[bound]! += 1;
    series.sumSeconds += seconds;
  }

  /** A route has a handful of series, and the one that is asked for most stands first. */
  #seriesOf(method: string, route: string, status: number): Series {
    const known = this.#byRoute.get(route) ?? [];
    for (const series of known) if (series.status === status && series.method === method) return series;
    const counts = new Array<number>(boundsSeconds.length + 1).fill(0);
    const series = { method, route, status, counts, sumSeconds: 0 };
    this.#byRoute.set(route, [...known, series]);
    return series;
  }

  /** Answered in all, and how many of them with a failure of ours. */
  totals(): { readonly requests: number; readonly failures: number } {
    let requests = 0;
    let failures = 0;
    for (const { status, counts } of [...this.#byRoute.values()].flat()) {
      const count = sumOf(counts);
      requests += count;
      if (status >= 500) failures += count;
    }
    return { requests, failures };
  }

  /** The routes that took longest, by what one request in a hundred took at least. */
  slowest(take: number): readonly SlowRoute[] {
    const routes: SlowRoute[] = [];
    for (const [route, series] of this.#byRoute)
      for (const [method, ofMethod] of Map.groupBy(series, (one) => one.method)) {
        const counts = boundsSeconds.map((_, bound) => sumOf(ofMethod.map((one) => one.counts[bound]!)));
        counts.push(sumOf(ofMethod.map((one) => one.counts.at(-1)!)));
        const [p50Ms, p99Ms] = [quantileMs(counts, 0.5), quantileMs(counts, 0.99)];
        // Long patterns are cut: they are told beside each heartbeat.
        routes.push({ method, route: route.slice(0, routeLengthMax), count: sumOf(counts), p50Ms, p99Ms });
      }
    return routes.toSorted((one, other) => other.p99Ms - one.p99Ms || other.count - one.count).slice(0, take);
  }

  /** What prom-client asks of a metric when it writes its page, or adds up those of several workers. */
  async get(): Promise<object> {
    const { name, help } = this;
    const values = [...this.#byRoute.values()].flat().flatMap((series) => valuesOf(name, series));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

function sumOf(counts: readonly number[]): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/** Within a bucket as if its requests lay evenly; what took longer than the last bound counts as that bound. */
function quantileMs(counts: readonly number[], part: number): number {
  const wanted = sumOf(counts) * part;
  let below = 0;
  for (const [bound, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const upper = boundsSeconds[bound] ?? boundsSeconds.at(-1)!;
      const lower = bound === 0 ? 0 : boundsSeconds[bound - 1]!;
      const seconds =
        bound >= boundsSeconds.length ? upper : lower + (upper - lower) * ((wanted - below) / count);
      return Math.round(seconds * 10_000) / 10;
    }
    below += count;
  }
  return 0;
}

function valuesOf(name: string, { method, route, status, counts, sumSeconds }: Series): Value[] {
  const labels = { method, route, status };
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: boundsSeconds[index] ?? '+Inf', ...labels },
      value: total,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
