// What the rules of the catalogue say of a draft, by the codes of their faults (D-1041).

import { editorSentences } from '../../../../src/domain/feedback/catalogue-sentences.ts';

export interface FaultTexts {
  readonly sentences: Readonly<Record<keyof typeof editorSentences, string>>;
}

/** As the service says it. */
export const texts: FaultTexts = { sentences: editorSentences };
