// What this process says about itself beside its heartbeat, for operators who look at all of them in the console.

import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Context } from '../../context.ts';
import {
  factsBytesMax,
  type ReplicaAddresses,
  type ReplicaFacts,
  routesMax,
} from '../../domain/operations/replica-facts.ts';
import { programVersion } from '../../domain/version.ts';
import type { RequestDurations } from './request-durations.ts';
import type { Lag } from './watched-metrics.ts';

const resolutionMs = 50;
const lookAtDiskEveryMs = 30_000;
const million = 1_000_000;

export class ReplicaSelf {
  readonly #context: Context;
  readonly #requests: RequestDurations;
  readonly #lags: readonly Lag[];
  readonly #addresses: () => ReplicaAddresses | null;
  readonly #name = `${hostname()}/${process.pid}`.slice(0, 100);
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #folder: string | null;
  #busyUntil = performance.eventLoopUtilization();
  #disk: { readonly freeBytes: number; readonly bytes: number } | null = null;
  #lookedAtDiskMs = Number.NEGATIVE_INFINITY;

  constructor(
    context: Context,
    requests: RequestDurations,
    lags: readonly Lag[],
    addresses: () => ReplicaAddresses | null,
  ) {
    this.#context = context;
    this.#requests = requests;
    this.#lags = lags;
    this.#addresses = addresses;
    const { databaseUrl } = context.config;
    const isFile = databaseUrl.startsWith('sqlite:') && databaseUrl !== 'sqlite::memory:';
    this.#folder = isFile ? dirname(resolve(databaseUrl.slice('sqlite:'.length))) : null;
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  /** As JSON, never longer than anybody reads. Each call tells of the time since the one before. */
  text(): string {
    const facts = this.#facts();
    for (let routes = facts.routes; ; routes = routes.slice(0, -1)) {
      const text = JSON.stringify({ ...facts, routes });
      if (text.length <= factsBytesMax || routes.length === 0) return text;
    }
  }

  #facts(): ReplicaFacts {
    const { db, now } = this.#context;
    const { writesWaiting, connectionsWaiting, connections } = db.figures();
    const { rss, heapUsed } = memoryNow();
    const busyNow = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(busyNow, this.#busyUntil);
    this.#busyUntil = busyNow;
    // The histogram counts from one look of its own to the next, so that its resolution is in every figure.
    const delayMs = this.#delay.count === 0 ? 0 : this.#delay.percentile(99) / million - resolutionMs;
    this.#delay.reset();
    this.#lookAtDisk();
    const lags = this.#lags.flatMap(({ of, seconds }) => {
      const behind = seconds();
      return behind === null || !Number.isFinite(behind) ? [] : [{ of, seconds: rounded(behind, 10) }];
    });
    return {
      name: this.#name,
      version: programVersion,
      startedAtMs: Math.max(0, Math.round(now() - process.uptime() * 1_000)),
      writesWaiting,
      connectionsWaiting,
      connections,
      lags,
      memoryBytes: rss,
      heapBytes: heapUsed,
      busy: rounded(Number.isFinite(utilization) ? utilization : 0, 1_000),
      delayP99Ms: rounded(delayMs, 10),
      diskFreeBytes: this.#disk?.freeBytes ?? null,
      diskBytes: this.#disk?.bytes ?? null,
      ...this.#requests.totals(),
      routes: this.#requests.slowest(routesMax),
      addresses: this.#addresses(),
    };
  }

  /** What was last seen is told, and nobody waits for a disk. */
  #lookAtDisk(): void {
    const elapsedMs = this.#context.elapsedMs();
    if (this.#folder === null || elapsedMs - this.#lookedAtDiskMs < lookAtDiskEveryMs) return;
    this.#lookedAtDiskMs = elapsedMs;
    statfs(this.#folder).then(
      ({ bavail, blocks, bsize }) => {
        this.#disk = { freeBytes: bavail * bsize, bytes: blocks * bsize };
      },
      () => {
        this.#disk = null;
      },
    );
  }
}

function rounded(value: number, parts: number): number {
  return Math.max(0, Math.round(value * parts) / parts);
}

/** Where there is no /proc, as in an empty root, the system does not tell: what the heap has of memory is the least that it can be. */
function memoryNow(): { readonly rss: number; readonly heapUsed: number } {
  try {
    return process.memoryUsage();
  } catch {
    const { total_physical_size: rss, used_heap_size: heapUsed } = getHeapStatistics();
    return { rss, heapUsed };
  }
}
