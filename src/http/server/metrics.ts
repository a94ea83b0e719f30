// The figures an operator watches.

import type { Metric, Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import type { Backups } from './backups.ts';
import type { Heartbeat } from './heartbeat.ts';
import { RequestDurations } from './request-durations.ts';
import { addWatchedMetrics, type Lag, type WatchedFigures } from './watched-metrics.ts';

/** What takes memory and knows how much. */
interface MemoryFigures {
  readonly sources: { readonly bytes: number };
  readonly bodies: { readonly bytes: number };
  readonly provisioningLog: { readonly waiting: number };
}

export class Metrics {
  readonly requests = new RequestDurations();
  readonly #context: Context;
  readonly #heartbeat: Heartbeat;
  readonly #memory: MemoryFigures;
  readonly #failedBatches: { readonly total: number };
  readonly #backups: Backups;
  readonly #watched: WatchedFigures;
  readonly #lags: Lag[] = [];
  #registry: Promise<Registry> | null = null;

  constructor(
    context: Context,
    heartbeat: Heartbeat,
    memory: MemoryFigures,
    failedBatches: { readonly total: number },
    backups: Backups,
    watched: WatchedFigures,
  ) {
    this.#context = context;
    this.#heartbeat = heartbeat;
    this.#memory = memory;
    this.#failedBatches = failedBatches;
    this.#backups = backups;
    this.#watched = watched;
  }

  /** Loads prom-client, which takes as long as all of our code: a server does it before it listens. */
  open(): Promise<Registry> {
    this.#registry ??= this.#build();
    return this.#registry;
  }

  /** What follows, and how far it is behind. */
  get lags(): readonly Lag[] {
    return this.#lags;
  }

  /** Shows from now on how far something that follows the log is behind. */
  addLag(lag: Lag): void {
    this.#lags.push(lag);
  }

  async text(): Promise<string> {
    return (await this.open()).metrics();
  }

  async #build(): Promise<Registry> {
    const promClient = await import('prom-client');
    const { collectDefaultMetrics, Counter, Gauge, Registry } = promClient;
    const { db, standby } = this.#context;
    const registry = new Registry();
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    // Gauges whose names end like those of counters, which promtool reports; they only sum up others.
    for (const kind of ['handles', 'requests', 'resources'])
      registry.removeSingleMetric(`nodejs_active_${kind}_total`);
    registry.registerMetric(this.requests as unknown as Metric);
    // The first process adds up what its workers report; 'max' is for what all of them report alike.
    const gauge = (
      name: string,
      help: string,
      read: () => number,
      aggregator: 'sum' | 'max' = 'sum',
    ): void => {
      new Gauge({
        name,
        help,
        registers,
        aggregator,
        // What is not known is absent: added up over workers, a value that is no number would become 0.
        collect() {
          const value = read();
          if (Number.isNaN(value)) this.remove();
          else this.set(value);
        },
      });
    };
    const counter = (name: string, help: string, read: () => number): void => {
      new Counter({
        name,
        help,
        registers,
        // Counted elsewhere, and copied when the page is made.
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    };
    gauge(
      'soundings_store_writes_waiting',
      'Changes that wait for the store.',
      () => db.figures().writesWaiting,
    );
    counter(
      'soundings_store_batches_total',
      'Transactions made since the start.',
      () => db.figures().batches,
    );
    counter(
      'soundings_store_changes_total',
      'Changes made since the start; several may share a transaction.',
      () => db.figures().changes,
    );
    counter(
      'soundings_store_batches_failed_total',
      'Batches that failed and were written again in parts, which is slower and told to no caller.',
      () => this.#failedBatches.total,
    );
    gauge('soundings_store_connections', 'Connections to the store.', () => db.figures().connections);
    gauge(
      'soundings_store_connections_idle',
      'Connections that nobody uses now.',
      () => db.figures().connectionsIdle,
    );
    gauge(
      'soundings_store_connections_waiting',
      'Requests that wait for a connection; more than a few for long mean that the pool is too small.',
      () => db.figures().connectionsWaiting,
    );
    if (standby !== null) {
      gauge(
        'soundings_standby_up',
        '1 when the standby of DATABASE_URL_READ answered the last look.',
        () => (standby.lag === null ? 0 : 1),
        'max',
      );
      gauge(
        'soundings_standby_lag_bytes',
        'What the writer has written and the standby does not show yet.',
        () => standby.lag?.bytes ?? Number.NaN,
        'max',
      );
      gauge(
        'soundings_standby_lag_seconds',
        'How far the standby is behind in time; 0 when it shows everything.',
        () => standby.lag?.seconds ?? Number.NaN,
        'max',
      );
      counter(
        'soundings_standby_pages_total',
        'Pages of data whose rows came from the standby.',
        () => standby.pages,
      );
      counter(
        'soundings_standby_pages_of_writer_total',
        'Pages of data whose rows came from the writer, because the standby did not have them or did not answer.',
        () => standby.pagesOfWriter,
      );
    }
    gauge(
      'soundings_clock_jump_seconds',
      'How far the clock is ahead of the trusted time that rows are deleted by, below 0 behind it; 0 while the trusted time follows it. Nothing is deleted for the difference.',
      () => Math.round((this.#heartbeat.clockJumpMs ?? Number.NaN) / 1_000),
      'max',
    );
    gauge(
      'soundings_backup_age_seconds',
      'Time since the last good backup was begun, made by us or reported by an operator; absent while none is known.',
      () => this.#backups.ageSeconds ?? Number.NaN,
      'max',
    );
    gauge(
      'soundings_backup_failing',
      '1 while the last backup that the service tried to make has failed.',
      () => (this.#backups.hasFailed ? 1 : 0),
      'max',
    );
    gauge('soundings_backup_running', '1 while the service makes a backup.', () =>
      this.#backups.isRunning ? 1 : 0,
    );
    counter(
      'soundings_backups_made_total',
      'Backups that the service made and found good since the start.',
      () => this.#backups.made,
    );
    counter(
      'soundings_backups_failed_total',
      'Backups that the service could not make since the start.',
      () => this.#backups.failed,
    );
    gauge(
      'soundings_definitions_memory_bytes',
      'Survey definitions that are remembered, roughly.',
      () => this.#memory.sources.bytes,
    );
    gauge(
      'soundings_bodies_under_way_bytes',
      'Request bodies that are being received.',
      () => this.#memory.bodies.bytes,
    );
    gauge(
      'soundings_provisioning_notes_waiting',
      'Requests of identity providers that are still to be noted in their log.',
      () => this.#memory.provisioningLog.waiting,
    );
    gauge(
      'soundings_replicas',
      'Replicas that live, this one included.',
      () => this.#heartbeat.liveReplicas,
      'max',
    );
    gauge(
      'soundings_maintenance',
      '1 during maintenance.',
      () => (this.#heartbeat.isMaintenance ? 1 : 0),
      'max',
    );
    addWatchedMetrics(promClient, registry, this.#context, this.#watched, this.#lags);
    return registry;
  }
}
