// Answers that their callers do not read stay in memory. A connection that takes no byte of its answer for a while is
// broken; the longest stalled ones sooner, when all such answers together are too many bytes, or when others wait for
// memory. Requests that arrive on such a connection do not count as progress.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimits {
  readonly timeoutMs: number;
  /** Bytes of answers that were not taken yet, all connections together. */
  readonly bytesMax: number;
  /** Whether others wait for memory that answers take. */
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

// How long a connection may stall while others wait.
const shortTimeoutMs = 5_000;
const checksPerTimeout = 10;
const checkMaxMs = 1_000;

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
        if (this.#sockets.size === 0) this.#stopTimer();
      });
      this.#timer ??= setInterval(
        () => this.#check(),
        Math.min(checkMaxMs, Math.ceil(this.#limits.timeoutMs / checksPerTimeout)),
      ).unref();
    });
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    const nowMs = performance.now();
    let bytes = 0;
    for (const socket of this.#sockets) bytes += this.#bytesLeft(socket, nowMs);
    const { timeoutMs, bytesMax } = this.#limits;
    const limitMs = this.#limits.hasWaiting() ? Math.min(timeoutMs, shortTimeoutMs) : timeoutMs;
    // The longest stalled first.
    const stalled = [...this.#progress].sort(([, one], [, other]) => one.sinceMs - other.sinceMs);
    let broken = 0;
    for (const [socket, { sinceMs, left }] of stalled) {
      if (sinceMs === nowMs || (nowMs - sinceMs < limitMs && bytes <= bytesMax)) break;
      bytes -= left;
      broken += 1;
      // A reset: after an orderly close the system would keep what it holds for this connection.
      socket.resetAndDestroy();
    }
    if (broken > 0) this.#limits.onBroken(broken);
  }

  /** How many bytes the connection has not taken yet; notes when it last took some. */
  #bytesLeft(socket: Socket, nowMs: number): number {
    const left = socket.writableLength;
    if (left === 0) {
      this.#progress.delete(socket);
      return 0;
    }
    // Node counts a large write as taken only when all of it is; the system's own figure moves before.
    const queued = (socket as unknown as WithHandle)._handle?.writeQueueSize ?? 0;
    const written = socket.bytesWritten;
    const known = this.#progress.get(socket);
    const isSame =
      known !== undefined && known.left === left && known.queued === queued && known.written === written;
    if (!isSame) this.#progress.set(socket, { left, queued, written, sinceMs: nowMs });
    return left;
  }
}
