// A JSON answer that is made piece by piece: a small one is sent as usual, a large one while it is being made, at the
// pace of whoever reads it, so that neither its memory nor the event loop is taken for all of it at once (D-168).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Values } from '../../domain/provisioning/user.ts';
import type { Face } from '../../scim/faces.ts';
import { WorkBudget, type WorkQueue } from '../../store/engine/work-budget.ts';
import { SliceStream } from './compress.ts';
import { problemOf } from './errors.ts';
import { factsOf, jsonTypeOf, sendJsonText } from './route.ts';

export interface SlicingServices {
  readonly context: Context;
  readonly workQueue: WorkQueue;
}

/** A resource as the pieces of its JSON, made when it is its turn. */
export type Pieces = () => AsyncGenerator<string>;

/** A page of a list whose resources may be large. */
export interface PiecedPage {
  readonly totalResults: number;
  readonly startIndex: number;
  readonly resources: readonly Pieces[];
}

const sliceCharacters = 64 * 1024;
// How long a reader may take is watched by the server; this is only so that nothing is without an end.
const readingMsMax = 3_600_000;

/** Slices without a bound of their own, for answers whose size is bounded. */
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
  const tell = (error: unknown): void => {
    const { code, cause } = problemOf(error);
    const facts = { requestId: request.id, route: factsOf(request)?.path, code, err: cause ?? error };
    services.context.log.error(facts, 'An answer broke off.');
  };
  return reply.send(new SliceStream(bytesOf([first.value, second.value], slices, tell)));
}

/** The list as the face shows it. */
export async function* piecesOfList(face: Face, page: PiecedPage): AsyncGenerator<string> {
  const places = page.resources.map(() => ({}));
  const shown = { ...face.showList({ ...page, resources: places }), [face.listMember]: [] };
  // The resources are the last member of a list.
  const frame = JSON.stringify(shown);
  yield frame.slice(0, -2);
  for (const [at, pieces] of page.resources.entries()) {
    if (at > 0) yield ',';
    yield* pieces();
  }
  yield frame.slice(-2);
}

/** A resource that is at hand. */
export function whole(resource: unknown): Pieces {
  return async function* text() {
    yield JSON.stringify(resource);
  };
}

export const groupsAtOnce = 500;

/** A user as it is shown: one of thousands of groups is put into words some hundred of them at a time. */
export function userPieces(shown: Values): Pieces {
  const { groups, ...rest } = shown;
  if (!Array.isArray(groups) || groups.length <= groupsAtOnce) return whole(shown);
  return async function* text() {
    // Its id at least is always shown beside them.
    yield `${JSON.stringify(rest).slice(0, -1)},"groups":[`;
    for (let at = 0; at < groups.length; at += groupsAtOnce)
      yield `${at === 0 ? '' : ','}${JSON.stringify(groups.slice(at, at + groupsAtOnce)).slice(1, -1)}`;
    yield ']}';
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
  tell: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    for (const text of made) yield Buffer.from(text);
    for await (const text of rest) yield Buffer.from(text);
  } catch (error) {
    tell(error);
    throw error;
  } finally {
    await rest.return(undefined);
  }
}
