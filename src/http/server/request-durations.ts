// How long requests took, by method, route and status: a histogram for the metrics page. prom-client's own puts the
// labels of every observation together and looks them up by their text, which costs as much as a question to the
// store. Here a request finds its counters in two steps, and text is made when somebody asks for the metrics.

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

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

  /** What prom-client asks of a metric when it writes its page, or adds up those of several workers. */
  async get(): Promise<object> {
    const { name, help } = this;
    const values = [...this.#byRoute.values()].flat().flatMap((series) => valuesOf(name, series));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
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
