// A JSON answer that is made piece by piece. A small one is sent as usual; a large one is sent while it is being made,
// as fast as its reader takes it, so that it is never in memory as a whole and never holds the event loop (D-168).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Face } from '../../scim/faces.ts';
import { WorkBudget, type WorkQueue } from '../../store/engine/work/work-budget.ts';
import { SliceStream } from './compress.ts';
import { logFailure } from './request-log.ts';
import { jsonTypeOf, sendJsonText } from './route.ts';

export interface SlicingServices {
  readonly context: Context;
  readonly workQueue: WorkQueue;
}

/** A resource as the pieces of its JSON, made when they are sent. */
export type Pieces = () => AsyncGenerator<string>;

/** A page of a list whose resources may be large. */
export interface PiecedPage {
  readonly totalResults: number;
  readonly startIndex: number | bigint;
  readonly resources: readonly Pieces[];
}

const sliceCharacters = 64 * 1024;
// StalledConnections watches how long a reader takes; this only makes sure that there is an end.
const readingMsMax = 3_600_000;

/** A budget for answers whose size has a bound already: it pauses between slices and does not run out. */
export function answerPace({ workQueue }: SlicingServices): WorkBudget {
  return new WorkBudget(workQueue, { timeMs: readingMsMax, units: Number.POSITIVE_INFINITY });
}

export async function sendPieces(
  services: SlicingServices,
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const slices = slicesOf(pieces, answerPace(services));
  const first = await slices.next();
  const second = first.done === true ? first : await slices.next();
  if (first.done === true || second.done === true) return sendJsonText(request, reply, first.value ?? '');
  reply.type(jsonTypeOf(request));
  // The status has been sent by then: that the connection breaks is all that the caller can be told.
  const onFailure = (error: unknown): void =>
    logFailure(services.context.log, request, error, 'An answer broke off.');
  return reply.send(new SliceStream(bytesOf([first.value, second.value], slices, onFailure)));
}

/** The list as the face shows it. */
export async function* piecesOfList(face: Face, page: PiecedPage): AsyncGenerator<string> {
  const places = page.resources.map(() => ({}));
  const { startIndex } = page;
  const shown = {
    ...face.showList({ ...page, startIndex: Number(startIndex), resources: places }),
    startIndex: typeof startIndex === 'bigint' ? rawJson(String(startIndex)) : startIndex,
    [face.listMember]: [],
  };
  // The resources are the last member of a list.
  const frame = JSON.stringify(shown);
  yield frame.slice(0, -2);
  for (const [at, pieces] of page.resources.entries()) {
    if (at > 0) yield ',';
    yield* pieces();
  }
  yield frame.slice(-2);
}

// The types of TypeScript do not know it yet.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** A resource that is small enough to be one piece. */
export function whole(resource: unknown): Pieces {
  return async function* text() {
    yield JSON.stringify(resource);
  };
}

async function* slicesOf(
  pieces: AsyncGenerator<string>,
  pace: WorkBudget,
): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    await pace.pause();
    if (text.length < sliceCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* bytesOf(
  made: readonly string[],
  rest: AsyncGenerator<string>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    for (const text of made) yield Buffer.from(text);
    for await (const text of rest) yield Buffer.from(text);
  } catch (error) {
    onFailure(error);
    throw error;
  } finally {
    await rest.return(undefined);
  }
}
