// One thing that is wrong with a catalogue: where, and what, as a code with its values. It is worded where somebody reads it
// (catalogue-sentences.ts, and the console in each of its languages).

import type { CatalogueSentences } from './catalogue-sentences.ts';

export type PhraseCode = keyof CatalogueSentences;

/** What stands between the words: a text of the file, a number, or a phrase that is worded as well. */
type PhraseValue = string | number | Phrase;

export interface Phrase {
  readonly code: PhraseCode;
  readonly values: Readonly<Record<string, PhraseValue>>;
}

/** Where something stands in a text; without a column where all of it stands in one line. */
export interface FilePlace {
  readonly line: number;
  readonly column?: number;
}

export interface CatalogueFault extends FilePlace, Phrase {
  /** At which member. */
  readonly path: string;
}

/** The names in braces; what has a blank in it is no name. */
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;

type ValuesOf<C extends PhraseCode> = [NamesIn<CatalogueSentences[C]>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<CatalogueSentences[C]>, PhraseValue>>];

export function phrase<C extends PhraseCode>(code: C, ...values: ValuesOf<C>): Phrase {
  return { code, values: values[0] ?? {} };
}

/** In the words of a table; null where that has none for the code. */
export function worded(
  templates: Readonly<Partial<Record<string, string>>>,
  { code, values }: Phrase,
): string | null {
  const template = Object.hasOwn(templates, code) ? templates[code] : undefined;
  if (template === undefined) return null;
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name]! : whole;
    return typeof value === 'object' ? (worded(templates, value) ?? value.code) : String(value);
  });
}

/** Some checks look at a place a second time, so a fault may be found twice and out of the file's order. */
export function inFileOrder(faults: readonly CatalogueFault[]): CatalogueFault[] {
  const once = new Map(faults.map((fault) => [keyOfFault(fault), fault]));
  return [...once.values()].sort((one, other) => one.line - other.line);
}

/** The same for faults that say the same of the same place. */
function keyOfFault({ line, path, code, values }: CatalogueFault): string {
  return JSON.stringify([line, path, code, values]);
}
