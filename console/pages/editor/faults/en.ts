// What the rules of the catalogue say of a draft, in the language of the page. The rules are one set for files, terminals and the
// editor and speak English; here a sentence is known by its words, with numbers for what stands between them (D-732).

export interface FaultTexts {
  readonly sentences: Readonly<Record<string, string>>;
}

/** As they are. */
export const texts: FaultTexts = { sentences: {} };
