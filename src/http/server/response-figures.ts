// How many responses were accepted and refused, for the metrics page. Refusals are counted by their published code, of
// which there are a few dozen, and never by survey: those are in "soundings refused".

import type { FastifyRequest } from 'fastify';
import type { Code } from '../../domain/problem.ts';
import { factsOf } from './route.ts';

/** Kept; kept before, as a retry is; or a test response, which is answered and not kept. */
type Accepted = 'kept' | 'repeated' | 'test';

export class ResponseFigures {
  readonly accepted: Record<Accepted, number> = { kept: 0, repeated: 0, test: 0 };
  readonly refused = new Map<Code, number>();

  /** Called when the answer has gone out. */
  noteRefusal(request: FastifyRequest): void {
    const { refusal } = request;
    // Nearly every request ends here.
    if (refusal === null || factsOf(request)?.access !== 'survey') return;
    this.refused.set(refusal.code, (this.refused.get(refusal.code) ?? 0) + 1);
  }
}
