// Whether somebody has cut the log of an open store. SQLite itself cuts it too, but only when everything in it is in the
// file of the store, and then says that it has no frames. What is written behind a cut leaves a hole, which the size alone
// does not show: so the last frame of the batch before is looked at as well (D-835).

import type { SqliteConnection } from './sqlite-connection.ts';
import type { LostPart } from './store-file.ts';
import { logBytesOf, StoreLog } from './store-log.ts';
import { emptyLog, type LogEnd } from './store-record.ts';

const cut: LostPart = { part: 'log', fault: 'cut' };
// Others may write or cut it between two questions; what is so five times is so.
const looksMax = 5;
const pauseMs = 2;

export class LogWatch {
  readonly #connection: SqliteConnection;
  readonly #log: StoreLog;
  readonly #pageBytes: number;
  end: LogEnd = emptyLog;

  constructor(path: string, connection: SqliteConnection) {
    this.#connection = connection;
    this.#log = new StoreLog(path);
    this.#pageBytes = Number(connection.pragma('page_size'));
    this.#note(connection.logEnd());
  }

  /** Looks closer only where the log is shorter than it was. */
  lookAtSize(bytes: number): LostPart | null {
    return bytes >= logBytesOf(this.end.frames, this.#pageBytes) ? null : this.lookAtFrames(bytes);
  }

  lookAtFrames(bytesFound: number): LostPart | null {
    let bytes = bytesFound;
    for (let look = 1; ; look += 1) {
      const end = this.#connection.logEnd();
      if (end === null) return null;
      if (bytes >= logBytesOf(end.frames, this.#pageBytes)) {
        const before = this.end.frames;
        if (before > 0 && this.#log.frame(before, this.#pageBytes) === 'hole') return cut;
        return this.#note(end);
      }
      if (look === looksMax) return cut;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      bytes = this.#log.bytes();
    }
  }

  #note(end: Omit<LogEnd, 'salt'> | null): LostPart | null {
    if (end === null) return null;
    // Within one round of the log the salt stays, and a round begins anew with fewer frames.
    const isSameRound = end.frames > this.end.frames && this.end.frames > 0;
    const last = end.frames === 0 || isSameRound ? null : this.#log.frame(end.frames, this.#pageBytes);
    if (last === 'hole') return cut;
    this.end = { ...end, salt: last?.salt ?? this.end.salt };
    return null;
  }

  close(): void {
    this.#log.close();
  }
}
