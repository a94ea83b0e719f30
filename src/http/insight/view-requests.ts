// A request for figures: its services, and how its answer is sent.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ViewReaders } from '../../acts/insight/views.ts';
import type { BudgetServices } from '../server/request-budget.ts';
import { sendPieces } from '../server/sliced-answer.ts';

export interface ViewServices extends BudgetServices, ViewReaders {}

/** Sends a view. Ten years of days may be megabytes, which are written in slices. */
export function sendView(
  services: BudgetServices,
  request: FastifyRequest,
  reply: FastifyReply,
  view: object,
): Promise<FastifyReply> {
  return sendPieces(services, request, reply, largePiecesOf(view));
}

/** Some microseconds of work: a turn for every member would take longer than the members. */
const pieceCharacters = 16 * 1024;

async function* largePiecesOf(view: object): AsyncGenerator<string> {
  let text = '';
  for (const piece of piecesOf(view, 0)) {
    text += piece;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = '';
  }
  yield text;
}

// Root, list of latents or questions, one of them, list of points or versions: what lies deeper is one piece.
const depthMax = 4;

function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth === depthMax) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let isFirst = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const comma = isFirst ? '' : ',';
    yield isList ? comma : `${comma}${JSON.stringify(name)}:`;
    yield* piecesOf(member, depth + 1);
    isFirst = false;
  }
  yield isList ? ']' : '}';
}
