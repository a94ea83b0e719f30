// What a caller may ask of a list: which resources, in which order, and which window of them (D-54).

import type { FastifyRequest } from 'fastify';
import { int64Words, isInt64 } from '../../domain/int64.ts';
import { ExactIntegers } from '../../domain/json-members.ts';
import { type Fault, invalidRequest } from '../../domain/problem.ts';
import type { ProjectionRequest } from '../../scim/projection.ts';

export interface Asked extends ProjectionRequest {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: string;
  /** A bigint beyond 2^53, where a number has lost digits: an answer repeats them (D-886). */
  readonly startIndex?: number | bigint;
  readonly count?: number;
}

/** What the query of a list asks for. */
export function askedByQuery(query: object, request: FastifyRequest): Asked {
  const asked = query as Asked & { readonly startIndex?: number };
  if (!isLarge(asked.startIndex)) return asked;
  return { ...asked, startIndex: BigInt((request.query as { readonly startIndex: string }).startIndex) };
}

/** What the body of a search asks for. Its schema takes any whole number, and one beyond int64 is refused here. */
export function askedByBody(body: object, { bodyText }: FastifyRequest): Asked {
  const asked = body as Asked & { readonly startIndex?: number };
  if (!isLarge(asked.startIndex) && !isLarge(asked.count)) return asked;
  const exact = new ExactIntegers(bodyText ?? '{}');
  const exactly = (field: 'startIndex' | 'count'): bigint => exact.at(field) ?? BigInt(asked[field]!);
  const faults: Fault[] = [];
  for (const field of ['startIndex', 'count'] as const)
    if (isLarge(asked[field]) && !isInt64(exactly(field)))
      faults.push({ field, code: 'INVALID', message: `must be ${int64Words}.` });
  if (faults.length > 0) throw invalidRequest(faults);
  return isLarge(asked.startIndex) ? { ...asked, startIndex: exactly('startIndex') } : asked;
}

function isLarge(value: number | bigint | undefined): boolean {
  return value !== undefined && !Number.isSafeInteger(value);
}
