// The figures an operator watches. Counting a request must cost next to nothing, so the labels' children are kept.

import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { House } from '../house.ts';
import type { Pulse } from './pulse.ts';

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export class Metrics {
  readonly registry = new Registry();
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #children = new Map<string, ReturnType<Histogram<'method' | 'route' | 'status'>['labels']>>();

  constructor(house: House, pulse: Pulse) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#duration = new Histogram({
      name: 'soundings_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: bucketsSeconds,
      registers,
    });
    const gauge = (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    };
    gauge(
      'soundings_store_writes_waiting',
      'Changes that wait for the store.',
      () => house.db.figures().writesWaiting,
    );
    gauge(
      'soundings_store_batches_total',
      'Transactions made since the start.',
      () => house.db.figures().batches,
    );
    gauge(
      'soundings_store_changes_total',
      'Changes made since the start; several may share a transaction.',
      () => house.db.figures().changes,
    );
    gauge('soundings_store_connections', 'Connections to the store.', () => house.db.figures().connections);
    gauge(
      'soundings_store_connections_idle',
      'Connections that nobody uses now.',
      () => house.db.figures().connectionsIdle,
    );
    gauge('soundings_replicas', 'Replicas that live, this one included.', () => pulse.liveReplicas);
    gauge('soundings_maintenance', '1 during maintenance.', () => (pulse.isMaintenance ? 1 : 0));
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let child = this.#children.get(key);
    if (child === undefined) {
      child = this.#duration.labels({ method, route, status: String(status) });
      this.#children.set(key, child);
    }
    child.observe(seconds);
  }
}
