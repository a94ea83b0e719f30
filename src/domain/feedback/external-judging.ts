// Judges lines of external parameters against the responses that they name: what changes, what is skipped, what is wrong.
// What was judged before is remembered, so that a response that is named twice meets what its first line said.

import type { SurveyDefinition } from './definition.ts';
import type { ExternalLine, LineFault } from './external-lines.ts';
import { addExternal, findExternal } from './parameters.ts';

export interface SkippedLine {
  readonly line: number;
  readonly responseId: string;
  /** `erased`: nothing is added to a response whose person wanted to be forgotten (D-48, D-121). */
  readonly reason: 'unknown' | 'erased';
}

/** A response that lines may name. */
interface ExternalPlace {
  readonly sourceId: number;
  readonly seq: number;
  readonly definition: SurveyDefinition;
  readonly isErased: boolean;
  /** What it has, or null. */
  readonly before: string | null;
}

interface Judged extends ExternalPlace {
  external: string | null;
  /** The parameters that these lines have given a value. */
  readonly said: Set<number>;
}

export class ExternalJudging {
  readonly skipped: SkippedLine[] = [];
  readonly faults: LineFault[] = [];
  readonly #columns: readonly string[];
  readonly #isReplacing: boolean;
  readonly #places = new Map<string, Judged>();

  /** Replacing, another value than is there is taken instead of it; two values for one response stay a fault. */
  constructor(columns: readonly string[], isReplacing: boolean) {
    this.#columns = columns;
    this.#isReplacing = isReplacing;
  }

  /** The responses of these lines that have to be looked up. */
  idsOf(lines: readonly ExternalLine[]): readonly string[] {
    return [...new Set(lines.map(({ responseId }) => responseId))].filter((id) => !this.#places.has(id));
  }

  know(responseId: string, place: ExternalPlace): void {
    this.#places.set(responseId, { ...place, external: place.before, said: new Set() });
  }

  /** Whether the line changes its response. One that is not known by now is not there. */
  judge({ line, responseId, values }: ExternalLine): boolean {
    const place = this.#places.get(responseId);
    if (place === undefined || place.isErased) {
      this.skipped.push({ line, responseId, reason: place === undefined ? 'unknown' : 'erased' });
      return false;
    }
    const given = new Map(
      this.#columns.flatMap((column, at): [string, string][] =>
        (values[at] ?? '') === '' ? [] : [[column, values[at]!]],
      ),
    );
    const mayReplace = (parameter: number): boolean => this.#isReplacing && !place.said.has(parameter);
    const added = addExternal(place.definition, place.external, given, mayReplace);
    for (const message of added.faults) this.faults.push({ line, message });
    if (added.faults.length > 0) return false;
    for (const column of given.keys()) place.said.add(findExternal(place.definition, column));
    if (added.changed) place.external = added.external;
    return added.changed;
  }

  /** Responses that get a value, and the values that they have then. */
  get changed(): readonly { readonly sourceId: number; readonly seq: number; readonly external: string }[] {
    return [...this.#places.values()].flatMap(({ sourceId, seq, before, external }) =>
      external === null || external === before ? [] : [{ sourceId, seq, external }],
    );
  }

  /** How many responses had everything already. */
  get unchanged(): number {
    let count = 0;
    for (const { before, external, isErased } of this.#places.values())
      if (!isErased && before === external) count += 1;
    return count;
  }
}
