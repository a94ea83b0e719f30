// The load generator, a process of its own. It keeps a fixed number of connections open and has one request under
// way on each: a request leaves when the answer to the one before it is complete, so nothing is pipelined.
//
// It must cost less than any server it asks. So it writes prepared bytes, reads every connection into one buffer, and looks at an
// answer only as far as it must to find its status and its end.

import { connect, type Socket } from 'node:net';

export interface LoadOrder {
  readonly port: number;
  /** Whole requests as they go over the wire, asked in turn; nine zeros are another number every time. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Requests in all. */
  readonly count: number;
}

export interface LoadResult {
  /** Of all answers, with their heads. */
  readonly bytes: number;
}

export type LoadReport = { readonly result: LoadResult } | { readonly failure: string };

const headEnd = Buffer.from('\r\n\r\n');
const readBufferBytes = 64 * 1024;

/** Counts on from order to order, so that no number comes twice. */
let nextNumber = 0;

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (result) => process.send?.({ result } satisfies LoadReport),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies LoadReport),
  );
});

interface Tally {
  asked: number;
  answered: number;
  bytes: number;
}

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const tally: Tally = { asked: 0, answered: 0, bytes: 0 };
  const steps = order.requests.map((request) => ({
    bytes: Buffer.from(request, 'latin1'),
    numberedAt: [...request.matchAll(/000000000/g)].map(({ index }) => index),
  }));
  const nextBytes = (): Buffer | null => {
    if (tally.asked >= order.count) return null;
    tally.asked += 1;
    const number = nextNumber++;
    const { bytes, numberedAt } = steps[number % steps.length]!;
    if (numberedAt.length === 0) return bytes;
    const numbered = Buffer.from(bytes);
    for (const at of numberedAt) numbered.write(String(number).padStart(9, '0'), at, 'latin1');
    return numbered;
  };
  const lanes: Socket[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const onAnswer = (): void => {
        tally.answered += 1;
        if (tally.answered === order.count) resolve();
      };
      for (let lane = 0; lane < order.connections; lane += 1)
        lanes.push(openLane(order.port, { tally, nextBytes, onAnswer, fail: reject }));
    });
    return { bytes: tally.bytes };
  } finally {
    for (const lane of lanes) lane.destroy();
  }
}

interface Lane {
  readonly tally: Tally;
  nextBytes(): Buffer | null;
  onAnswer(): void;
  fail(error: Error): void;
}

/** One connection and its round of request and answer. */
function openLane(port: number, { tally, nextBytes, onAnswer, fail }: Lane): Socket {
  // A head that came in pieces is put together here; nearly all come whole.
  let kept: Buffer | null = null;
  // How much of an answer is still to come, once its head is there: a body is counted and not looked at.
  let leftBytes = 0;
  // The last bytes of an answer that does not say how long it is.
  let tail: string | null = null;

  const ask = (): void => {
    const bytes = nextBytes();
    if (bytes !== null) socket.write(bytes);
  };

  const take = (length: number, buffer: Uint8Array): boolean => {
    tally.bytes += length;
    const piece = Buffer.from(buffer.buffer, buffer.byteOffset, length);
    if (tail !== null) {
      tail = (tail + tailOf(piece)).slice(-lastChunk.length);
    } else if (leftBytes > 0) {
      leftBytes -= length;
    } else {
      const answer: Buffer = kept === null ? piece : Buffer.concat([kept, piece]);
      const end = answerEnd(answer);
      if (end === null) {
        kept = Buffer.from(answer);
        return true;
      }
      kept = null;
      if (!isSuccess(answer))
        fail(new Error(`A request was refused: ${answer.toString('latin1').slice(0, 1_000)}`));
      if (end === 'chunked') tail = tailOf(answer);
      else leftBytes = end - answer.length;
    }
    if (leftBytes > 0 || (tail !== null && tail !== lastChunk)) return true;
    if (leftBytes < 0) fail(new Error('An answer was longer than it said.'));
    leftBytes = 0;
    tail = null;
    onAnswer();
    ask();
    return true;
  };

  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafe(readBufferBytes), callback: take },
  });
  socket.on('error', fail);
  socket.on('end', () => fail(new Error('The server closed a connection.')));
  socket.on('connect', ask);
  return socket;
}

/** What a body in chunks ends with. A piece of a body ends with the same only by a rare chance. */
const lastChunk = '\r\n0\r\n\r\n';

function tailOf(piece: Buffer): string {
  return piece.toString('latin1', Math.max(0, piece.length - lastChunk.length));
}

/** Where the answer ends, once its head is there: its servers say the length of the body, or send it in chunks. */
function answerEnd(answer: Buffer): number | 'chunked' | null {
  const headLength = answer.indexOf(headEnd);
  if (headLength === -1) return null;
  const head = answer.toString('latin1', 0, headLength);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return 'chunked';
  const length = statusOf(answer) === '204' ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer does not say how long it is: ${head}`);
  return headLength + headEnd.length + Number(length);
}

/** Where it stands in "HTTP/1.1 200 OK". */
function statusOf(answer: Buffer): string {
  return answer.toString('latin1', 9, 12);
}

/** A form that was taken is answered by 303. */
function isSuccess(answer: Buffer): boolean {
  const status = statusOf(answer);
  return status.startsWith('2') || status === '303';
}
