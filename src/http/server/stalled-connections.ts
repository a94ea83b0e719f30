// Callers who ask and do not read: what they were answered stays in memory until they take it. A connection that takes
// no byte of an answer for a while is broken; sooner, the longest first, when all such answers together are too many
// bytes, or when others wait for the room they take. Requests that arrive on it meanwhile do not count as a sign of life.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimits {
  readonly timeoutMs: number;
  /** Bytes of answers that were not taken yet, all connections together. */
  readonly bytesMax: number;
  /** Whether others wait for room. */
  readonly hasWaiting: () => boolean;
  readonly onBroken: (connections: number) => void;
}

interface Progress {
  /** What is left to take, and two figures that change when some of it was taken. */
  left: number;
  queued: number;
  written: number;
  sinceMs: number;
}

// How long a connection may stall while others wait for the room it takes.
const shortTimeoutMs = 5_000;
const looksATimeout = 10;
const lookMaxMs = 1_000;

// How much of a write under way the system has not taken yet; the published types do not know it.
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

export class StalledConnections {
  readonly #limits: StallLimits;
  readonly #sockets = new Set<Socket>();
  /** Connections with something left to take, and since when they have taken nothing. */
  readonly #progress = new Map<Socket, Progress>();
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: StallLimits) {
    this.#limits = limits;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#progress.delete(socket);
        if (this.#sockets.size === 0) this.#rest();
      });
      this.#timer ??= setInterval(
        () => this.#look(),
        Math.min(lookMaxMs, Math.ceil(this.#limits.timeoutMs / looksATimeout)),
      ).unref();
    });
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const nowMs = performance.now();
    let bytes = 0;
    for (const socket of this.#sockets) bytes += this.#judge(socket, nowMs);
    const { timeoutMs, bytesMax } = this.#limits;
    const limitMs = this.#limits.hasWaiting() ? Math.min(timeoutMs, shortTimeoutMs) : timeoutMs;
    // In the order in which they were last seen to take something.
    const stalled = [...this.#progress].sort(([, one], [, other]) => one.sinceMs - other.sinceMs);
    let broken = 0;
    for (const [socket, { sinceMs, left }] of stalled) {
      if (sinceMs === nowMs || (nowMs - sinceMs < limitMs && bytes <= bytesMax)) break;
      bytes -= left;
      broken += 1;
      // Not closed in good order: what the system still holds for it would stay there.
      socket.resetAndDestroy();
    }
    if (broken > 0) this.#limits.onBroken(broken);
  }

  /** What is left for a connection to take, in bytes. */
  #judge(socket: Socket, nowMs: number): number {
    const left = socket.writableLength;
    if (left === 0) {
      this.#progress.delete(socket);
      return 0;
    }
    // Of one large write nothing counts as taken until all of it is, but for what the system says.
    const queued = (socket as unknown as WithHandle)._handle?.writeQueueSize ?? 0;
    const written = socket.bytesWritten;
    const known = this.#progress.get(socket);
    const isSame =
      known !== undefined && known.left === left && known.queued === queued && known.written === written;
    if (!isSame) this.#progress.set(socket, { left, queued, written, sinceMs: nowMs });
    return left;
  }
}
