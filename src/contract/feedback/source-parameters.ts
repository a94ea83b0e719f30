// What requests about measures and requests about projects take alike.

import type { WindowLimits } from '../../domain/window.ts';
import { tokenRefusals } from '../operation.ts';
import { Type } from '../schema.ts';

const toggle = (what: string) => Type.Optional(Type.Boolean({ description: `Leave out ${what}.` }));

/** What a caller may leave out of the respondents of a measure. */
export const toggleParameters = {
  excludeResponseDetails: toggle('questions and answers of every respondent'),
  excludeMQ: toggle('measured questions'),
  excludeCQ: toggle('custom questions'),
  excludePassedParams: toggle('custom and external passed parameters'),
  excludeLatentScores: toggle('latent scores, of respondents and of the summary'),
};

export function offsetOf(meaning: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: meaning }));
}

export function limitWithin({ defaultTake, maxTake }: WindowLimits) {
  const description = `Page size; ${defaultTake} unless given.`;
  return Type.Optional(Type.Integer({ minimum: 1, maximum: maxTake, description }));
}

/** How whatever is read of one of them refuses. */
export function readRefusals(missing: 'MEASURE_NOT_FOUND' | 'PROJECT_NOT_FOUND') {
  return [...tokenRefusals, missing] as const;
}
