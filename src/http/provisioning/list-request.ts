// What a caller may ask of a list: which resources, in which order, and which window of them (D-54).

import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Config } from '../../config.ts';
import { Type } from '../../contract/schema.ts';
import { int64Words, isInt64 } from '../../domain/int64.ts';
import { ExactIntegers } from '../../domain/json-members.ts';
import type { Fault } from '../../domain/problem.ts';
import { userPageMax } from '../../domain/window.ts';
import type { Face } from '../../scim/faces.ts';
import { type FilterLimits, filterLimits } from '../../scim/filter.ts';
import type { ProjectionRequest } from '../../scim/projection.ts';
import { invalidRequest } from '../server/input.ts';

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

export const filtering = {
  filter: Type.Optional(Type.String({ description: 'Which of them; all of them unless given.' })),
  startIndex: Type.Optional(
    Type.Integer({ format: 'int64', description: 'The first result, from 1; below 1 counts as 1.' }),
  ),
  count: Type.Optional(
    Type.Integer({
      format: 'int64',
      description: `The most results; 100 unless given, at most ${userPageMax}, below 0 counts as 0.`,
    }),
  ),
};

export const sorting = {
  sortBy: Type.Optional(Type.String({ description: 'An attribute; what does not have it comes last.' })),
  sortOrder: Type.Optional(Type.Enum(['ascending', 'descending'])),
};

/** The body of a search, which says what the query of a list would. */
export function searchBody(face: Face, attributesInBody: Readonly<Record<string, TSchema>>): TObject {
  return Type.Object(
    {
      schemas: Type.Optional(Type.Array(Type.Unknown(), { description: 'Not looked at.' })),
      ...filtering,
      ...sorting,
      ...attributesInBody,
    },
    { additionalProperties: face.ignoresUnknownParameters },
  );
}

export function filterLimitsOf({ filterLimitBytes, filterLimitTerms }: Config): FilterLimits {
  return { ...filterLimits, maxBytes: filterLimitBytes, maxTerms: filterLimitTerms };
}
