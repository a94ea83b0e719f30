// Why a survey response was refused, in words that can be counted and kept: codes and the paths of fields, never what
// somebody answered.

import type { Fault, Problem } from '../problem.ts';

const pathLengthMax = 200;
const faultsMax = 20;
/** What is kept of one refusal has an end, whatever was sent. */
const faultsLengthMax = 4_000;

/** A fault without its sentence. */
export interface BriefFault {
  readonly field: string;
  readonly code: string;
}

interface BriefFaults {
  readonly faults: readonly BriefFault[];
  /** How many faults there were beside these. */
  readonly more: number;
}

/**
 * By which a refusal is counted, once: the code of the error, or of its first fault where it is the response that is not
 * valid. Both are published words, so that there is an end to them.
 */
export function causeOf({ code, details }: Pick<Problem, 'code' | 'details'>): string {
  return code === 'INVALID_RESPONSE' ? (details[0]?.code ?? code) : code;
}

/** The first faults, each with a path that has an end. */
export function briefFaults(details: readonly Fault[]): BriefFaults {
  const faults: BriefFault[] = [];
  let length = 0;
  for (const { field, code } of details.slice(0, faultsMax)) {
    const fault = { field: clipped(field), code };
    // As the JSON text that is kept: what has to be escaped in it takes several characters.
    length += JSON.stringify(fault).length;
    if (length > faultsLengthMax) break;
    faults.push(fault);
  }
  return { faults, more: details.length - faults.length };
}

/** A copy, because a part of a text keeps the whole of it in memory. */
function clipped(path: string): string {
  if (path.length <= pathLengthMax) return path;
  return Buffer.from(`${path.slice(0, pathLengthMax).toWellFormed()}…`).toString();
}

export const refusalsKept = 1_000;
