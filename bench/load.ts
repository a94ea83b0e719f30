// The load generator, a process of its own. It keeps a fixed number of connections open and has one request under
// way on each: a request leaves when the answer to the one before it is complete, so nothing is pipelined.
//
// It must cost less than any server it asks. So it writes the same prepared bytes over and over, reads every
// connection into one buffer, and looks at an answer only as far as it must to find its status and its end.

import { connect, type Socket } from 'node:net';
import { cpuSecondsOf, machineSeconds } from './machine.ts';

export interface LoadOrder {
  readonly port: number;
  /** The process that answers, so that its processor time is read at the very edges of the measured time. */
  readonly serverPid: number;
  /** One whole request, as it goes over the wire; nine zeros in it are another number every time it is sent. */
  readonly request: string;
  /** Another one for each connection, in turn, instead of the same for all. */
  readonly requests?: readonly string[];
  /** Sent one after the other on each connection, over and over, instead of one; they share the number. */
  readonly sequence?: readonly string[];
  /** Each connection begins at another place of the sequence, so that no two ask for the same at a time. */
  readonly isSpread?: boolean;
  readonly connections: number;
  /** An answer of 503 is none of the failures: whoever is one of too many is told to come again. */
  readonly mayBeTooMany?: boolean;
  /**
   * So many a second in all, instead of as many as are answered. A request that is late because the answer before it was, counts
   * from the moment at which it was due: callers in the world do not wait for each other.
   */
  readonly requestsASecond?: number;
  /** So many in all, counted from the first to the last answer, instead of a time. */
  readonly count?: number;
  /** Asked before the measured time, so that connections are open and code is warm. */
  readonly leadInMs: number;
  readonly measuredMs: number;
}

export interface LoadResult {
  readonly requests: number;
  /** That were answered, of everything that was read. */
  readonly bytes: number;
  readonly seconds: number;
  readonly latencyMs: { readonly mean: number; readonly p50: number; readonly p99: number };
  readonly serverCpuSeconds: number | null;
  readonly generatorCpuSeconds: number;
  /** Cores in use by anything that is neither the server nor this generator, and cores kept back by the host. */
  readonly foreignCores: number | null;
  readonly stolenCores: number | null;
}

export type LoadReport = { readonly result: LoadResult } | { readonly failure: string };

const headEnd = Buffer.from('\r\n\r\n');
const readBufferBytes = 64 * 1024;
// Latencies are counted in steps of 10 microseconds, up to a second; what takes longer counts as that.
const stepMs = 0.01;
const stepCount = 100_000;
const answerPauseMs = 5;

/** Counts on from order to order, so that no number comes twice. */
let nextNumber = 1;

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (result) => process.send?.({ result } satisfies LoadReport),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies LoadReport),
  );
});

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const tally = new Tally();
  const failed = Promise.withResolvers<never>();
  const lanes = Array.from({ length: order.connections }, (_, lane) =>
    openLane(order, lane, tally, failed.reject),
  );
  try {
    if (order.count !== undefined) {
      const before = readClocks(order.serverPid);
      tally.begin();
      while (tally.requests < order.count) await Promise.race([pause(answerPauseMs), failed.promise]);
      const after = readClocks(order.serverPid);
      tally.end();
      return compare(before, after, tally);
    }
    await Promise.race([pause(order.leadInMs), failed.promise]);
    const before = readClocks(order.serverPid);
    tally.begin();
    await Promise.race([pause(order.measuredMs), failed.promise]);
    // Somebody may need longer for a single answer.
    while (tally.requests === 0) await Promise.race([pause(answerPauseMs), failed.promise]);
    const after = readClocks(order.serverPid);
    tally.end();
    // What is still under way would use the machine while the other one is measured.
    while (tally.underWay > 0) await Promise.race([pause(1), failed.promise]);
    return compare(before, after, tally);
  } finally {
    for (const lane of lanes) lane.destroy();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** One connection and its endless round of request and answer. */
function openLane(
  {
    port,
    request: common,
    requests = [common],
    sequence,
    isSpread = false,
    connections,
    mayBeTooMany = false,
    requestsASecond,
    count = Infinity,
  }: LoadOrder,
  lane: number,
  tally: Tally,
  fail: (error: Error) => void,
): Socket {
  const steps = (sequence ?? [requests[lane % requests.length]!]).map((request) => ({
    bytes: Buffer.from(request, 'latin1'),
    numberedAt: [...request.matchAll(/000000000/g)].map(({ index }) => index),
  }));
  let nextStep = isSpread ? Math.floor((lane * steps.length) / connections) : 0;
  let digits = '';
  const nextBytes = (): Buffer => {
    if (nextStep === 0) digits = String(nextNumber++).padStart(9, '0');
    const { bytes, numberedAt } = steps[nextStep]!;
    nextStep = (nextStep + 1) % steps.length;
    for (const at of numberedAt) bytes.write(digits, at, 'latin1');
    return bytes;
  };
  let askedAtMs = 0;
  // A head that came in pieces is put together here; nearly all come whole.
  let kept: Buffer | null = null;
  // How much of an answer is still to come, once its head is there: a body is counted and not looked at.
  let leftBytes = 0;
  // The last bytes of an answer that does not say how long it is.
  let tail: string | null = null;

  const ask = (nowMs: number): void => {
    if (tally.isOver || tally.asked >= count) return;
    tally.asked += 1;
    tally.underWay += 1;
    askedAtMs = nowMs;
    socket.write(nextBytes());
  };

  const take = (length: number, buffer: Uint8Array): boolean => {
    tally.bytes += length;
    if (tail !== null) {
      const end = Buffer.from(buffer.buffer, buffer.byteOffset, length).toString(
        'latin1',
        Math.max(0, length - lastChunk.length),
      );
      tail = (tail + end).slice(-lastChunk.length);
      if (tail !== lastChunk) return true;
      tail = null;
    } else if (leftBytes > 0) {
      leftBytes -= length;
    } else {
      const piece = Buffer.from(buffer.buffer, buffer.byteOffset, length);
      const answer: Buffer = kept === null ? piece : Buffer.concat([kept, piece]);
      const end = answerEnd(answer);
      if (end === null) {
        kept = Buffer.from(answer);
        return true;
      }
      if (!isSuccess(answer) && !(mayBeTooMany && isTooMany(answer)))
        fail(new Error(`A request was refused: ${answer.toString('latin1').slice(0, 1_000)}`));
      kept = null;
      if (end === 'chunked') {
        tail = answer.toString('latin1', Math.max(0, answer.length - lastChunk.length));
        if (tail !== lastChunk) return true;
        tail = null;
      } else leftBytes = end - answer.length;
    }
    if (leftBytes > 0) return true;
    if (leftBytes < 0) fail(new Error('An answer was longer than it said.'));
    leftBytes = 0;
    const nowMs = performance.now();
    tally.count(nowMs - askedAtMs);
    askNext(nowMs);
    return true;
  };

  const betweenMs = requestsASecond === undefined ? 0 : (connections * 1_000) / requestsASecond;
  let dueAtMs = 0;
  const askNext = (nowMs: number): void => {
    if (betweenMs === 0) return ask(nowMs);
    dueAtMs += betweenMs;
    if (dueAtMs <= nowMs) return ask(dueAtMs);
    setTimeout(() => ask(performance.now()), dueAtMs - nowMs);
  };

  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafe(readBufferBytes), callback: take },
  });
  socket.on('error', fail);
  socket.on('end', () => fail(new Error('The server closed a connection.')));
  socket.on('connect', () => {
    dueAtMs = performance.now() + (lane * betweenMs) / connections - betweenMs;
    askNext(performance.now());
  });
  return socket;
}

/** What a body in chunks ends with. Bodies are JSON on one line, so that it stands nowhere else. */
const lastChunk = '\r\n0\r\n\r\n';

/** Where the answer ends, once its head is there: its servers say the length of the body, or send it in chunks. */
function answerEnd(answer: Buffer): number | 'chunked' | null {
  const headLength = answer.indexOf(headEnd);
  if (headLength === -1) return null;
  const head = answer.toString('latin1', 0, headLength);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return 'chunked';
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('An answer does not say how long it is.');
  return headLength + headEnd.length + Number(length);
}

/** The status begins with a 2: the tenth byte of "HTTP/1.1 200 OK". A form that was taken is answered by 303. */
function isSuccess(answer: Buffer): boolean {
  return answer[9] === 0x32 || answer.toString('latin1', 9, 12) === '303';
}

function isTooMany(answer: Buffer): boolean {
  return answer.toString('latin1', 9, 12) === '503';
}

class Tally {
  readonly #steps = new Uint32Array(stepCount);
  #isOpen = false;
  #sumMs = 0;
  isOver = false;
  asked = 0;
  underWay = 0;
  requests = 0;
  bytes = 0;

  begin(): void {
    this.#isOpen = true;
  }

  end(): void {
    this.#isOpen = false;
    this.isOver = true;
  }

  get meanMs(): number {
    return this.#sumMs / this.requests;
  }

  count(latencyMs: number): void {
    this.underWay -= 1;
    if (!this.#isOpen) return;
    this.requests += 1;
    this.#sumMs += latencyMs;
    this.#steps[Math.min(stepCount - 1, Math.floor(latencyMs / stepMs))]! += 1;
  }

  /** The latency that this share of the requests did not exceed. */
  latencyMs(share: number): number {
    let left = this.requests * share;
    const step = this.#steps.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return (step + 1) * stepMs;
  }
}

interface Clocks {
  readonly atMs: number;
  readonly server: number | null;
  readonly generator: number;
  readonly machine: ReturnType<typeof machineSeconds>;
}

function readClocks(serverPid: number): Clocks {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    server: cpuSecondsOf(serverPid),
    generator: (user + system) / 1e6,
    machine: machineSeconds(),
  };
}

function compare(before: Clocks, after: Clocks, tally: Tally): LoadResult {
  const seconds = (after.atMs - before.atMs) / 1000;
  const generator = after.generator - before.generator;
  const server = after.server === null || before.server === null ? null : after.server - before.server;
  const machine =
    after.machine === null || before.machine === null
      ? null
      : {
          busy: after.machine.busy - before.machine.busy,
          stolen: after.machine.stolen - before.machine.stolen,
        };
  return {
    requests: tally.requests,
    bytes: tally.bytes,
    seconds,
    latencyMs: { mean: tally.meanMs, p50: tally.latencyMs(0.5), p99: tally.latencyMs(0.99) },
    serverCpuSeconds: server,
    generatorCpuSeconds: generator,
    foreignCores:
      machine === null || server === null ? null : Math.max(0, machine.busy - server - generator) / seconds,
    stolenCores: machine === null ? null : machine.stolen / seconds,
  };
}
