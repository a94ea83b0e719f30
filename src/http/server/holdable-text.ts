// Refuses a request with a character that the database cannot hold, naming the fields: only where the database is not UTF8 (D-856). Judged
// before the handler, so that neither a commit that several requests share nor a note about the request meets the character.

import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { type Fault, invalidRequest } from '../../domain/problem.ts';
import { nameOf, type TextEncoding } from '../../store/engine/postgres/text-encoding.ts';

const faultsMax = 20;

interface FieldText {
  readonly field: string;
  readonly text: string;
}

export async function refuseUnholdable(encoding: TextEncoding, request: FastifyRequest): Promise<void> {
  const texts = [...textsOf(request)].filter(({ text }) => !isAscii(text));
  const character = await encoding.firstUnholdable(texts.map(({ text }) => text).join(''));
  if (character === null) return;
  const message = `holds ${nameOf(character)} or another character that the store cannot hold: its database has the encoding ${encoding.name}.`;
  const faults = texts
    .filter(({ text }) => !encoding.holdsAsFarAsKnown(text))
    .slice(0, faultsMax)
    .map(({ field }): Fault => ({ field: encoding.maskedAsKnown(field), code: 'INVALID', message }));
  throw invalidRequest(faults);
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** Every text of a request that a handler may hand to the store, with the name that a caller knows it by. */
function* textsOf({ params, query, headers, body }: FastifyRequest): Generator<FieldText> {
  yield* textsIn('', params);
  yield* textsIn('', query);
  yield* textsIn('', headers);
  if (!Buffer.isBuffer(body)) yield* textsIn('', body);
  // What is no text is not handed on as one.
  else if (isUtf8(body)) yield* textsOfBytes(body, String(headers['content-type'] ?? ''));
}

function* textsOfBytes(body: Buffer, contentType: string): Generator<FieldText> {
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) {
    for (const [field, text] of new URLSearchParams(body.toString()))
      yield { field, text: `${field}${text}` };
    return;
  }
  for (const [index, text] of body.toString().split('\n').entries())
    yield { field: `line ${index + 1}`, text };
}

/** Depth has been judged where the body was parsed. */
function* textsIn(field: string, value: unknown): Generator<FieldText> {
  if (typeof value === 'string') yield { field, text: value };
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* textsIn(`${field}[${index}]`, one);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) {
      const inner = field === '' ? name : `${field}.${name}`;
      if (!isAscii(name)) yield { field: inner, text: name };
      yield* textsIn(inner, one);
    }
}
