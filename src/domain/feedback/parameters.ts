// Passed parameters: custom ones, which come with the response (CPP), and external ones, which are appended
// after the fact (EPP) (D-37).

import { parseDay } from '../dates.ts';
import type { Fault } from '../problem.ts';
import type { Parameter, SurveyDefinition } from './definition.ts';
import { addFault, isLongerThan, shortened } from './draft-faults.ts';
import type { ResponseDraft } from './response-draft.ts';
import { codeOf, namedCode } from './row-values.ts';
import { pathOf, standardFields, standardSlots } from './standard-fields.ts';
import type { PreparedSurvey } from './survey.ts';

/** What one response may pass: what is kept is shown in every page that it is on. */
export interface ParameterLimits {
  readonly count: number;
  readonly nameCharacters: number;
  readonly valueCharacters: number;
}

export const defaultParameterLimits: ParameterLimits = {
  count: 200,
  nameCharacters: 128,
  valueCharacters: 4096,
};

/** Names every parameter that is too long, and says when there are too many (D-175). */
export function checkParameters(draft: ResponseDraft, limits: ParameterLimits, faults: Fault[]): void {
  let count = 0;
  for (const [slot, piece] of draft.standard.entries()) {
    if (piece === undefined) continue;
    count += 1;
    // Its JSON is never shorter than the text itself.
    if (piece.length > limits.valueCharacters)
      checkValue(pathOf(standardFields[slot]!), JSON.parse(piece) as string, limits, faults);
  }
  for (const name in draft.properties) {
    const texts = draft.properties[name] ?? [];
    count += 1;
    checkName('properties', name, limits, faults);
    const text = texts.length === 1 ? texts[0]! : texts.join(',');
    checkValue(`cpps.properties.${shortened(name)}`, text, limits, faults);
  }
  for (const name in draft.metrics) {
    count += 1;
    checkName('metrics', name, limits, faults);
  }
  for (const name in draft.data) {
    count += 1;
    checkName('data', name, limits, faults);
    checkValue(`cpps.data.${shortened(name)}`, draft.data[name] ?? '', limits, faults);
  }
  if (count > limits.count) {
    const message = `A response passes at most ${limits.count} parameters, not ${count}.`;
    addFault(faults, 'cpps', 'TOO_MANY_PARAMETERS', message);
  }
}

function checkName(part: string, name: string, { nameCharacters }: ParameterLimits, faults: Fault[]): void {
  if (!isLongerThan(name, nameCharacters)) return;
  const message = `The name of a parameter has at most ${nameCharacters} characters.`;
  addFault(faults, `cpps.${part}.${shortened(name)}`, 'NAME_TOO_LONG', message);
}

function checkValue(path: string, text: string, { valueCharacters }: ParameterLimits, faults: Fault[]): void {
  if (!isLongerThan(text, valueCharacters)) return;
  addFault(
    faults,
    path,
    'VALUE_TOO_LONG',
    `The value of a parameter has at most ${valueCharacters} characters.`,
  );
}

/**
 * The custom parameters of a response, for lines 3 and 4 of its values and their pieces: declared ones in the
 * definition's order, then the others by name (D-36). One name that is used twice, as `url` of the body and of
 * `cpps.data`, is one parameter with both answers.
 */
export function parameterLines(
  survey: PreparedSurvey,
  draft: ResponseDraft,
): { readonly codes: string; readonly pieces: string } {
  const sent = new SentParameters(survey, draft);
  for (const name in draft.properties) {
    const answers = draft.properties[name] ?? [];
    if (answers.length > 0) sent.add(name, answers.map((answer) => JSON.stringify(answer)).join(','));
  }
  for (const name in draft.metrics) sent.add(name, `"${draft.metrics[name]}"`);
  for (const name in draft.data) sent.add(name, JSON.stringify(draft.data[name]));

  let codes = '';
  let pieces = '';
  const { declared } = sent;
  for (let index = 0; index < declared.length; index += 1) {
    if (declared[index] === undefined) continue;
    codes += String.fromCharCode(codeOf(index));
    pieces += `\n${declared[index]}`;
  }
  codes += '\n';
  const names = sent.otherNames();
  let next = 0;
  for (let slot = 0; slot < standardFields.length; slot += 1) {
    const piece = sent.standard[slot];
    if (piece === undefined) continue;
    const standardName = (standardFields[slot] as { name: string }).name;
    for (; next < names.length && (names[next] as string) < standardName; next += 1)
      addOther(names[next] as string);
    codes += String.fromCharCode(codeOf(slot));
    pieces += `\n${piece}`;
  }
  for (; next < names.length; next += 1) addOther(names[next] as string);
  return { codes, pieces };

  function addOther(name: string): void {
    codes += String.fromCharCode(namedCode);
    pieces += `\n${JSON.stringify(name)}\n${sent.others?.get(name)}`;
  }
}

class SentParameters {
  readonly declared: (string | undefined)[];
  standard: readonly (string | undefined)[];
  others: Map<string, string> | null = null;
  readonly #customParameters: ReadonlyMap<string, number>;

  constructor({ customParameters }: PreparedSurvey, draft: ResponseDraft) {
    this.#customParameters = customParameters;
    this.declared = new Array(customParameters.size).fill(undefined);
    this.standard = draft.standard;
    // A definition may declare a standard field, to give it an id and a label of its own.
    for (const [name, index] of customParameters) {
      const slot = standardSlots.get(name);
      if (slot === undefined || draft.standard[slot] === undefined) continue;
      this.declared[index] = draft.standard[slot];
      this.#setStandard(slot, undefined);
    }
  }

  add(name: string, piece: string): void {
    const index = this.#customParameters.get(name);
    if (index !== undefined) {
      this.declared[index] = joined(this.declared[index], piece);
      return;
    }
    const slot = standardSlots.get(name);
    if (slot !== undefined) {
      this.#setStandard(slot, joined(this.standard[slot], piece));
      return;
    }
    this.others ??= new Map();
    this.others.set(name, joined(this.others.get(name), piece));
  }

  otherNames(): readonly string[] {
    return this.others === null ? [] : [...this.others.keys()].sort();
  }

  // The draft is not ours to change.
  #setStandard(slot: number, piece: string | undefined): void {
    const standard = [...this.standard];
    standard[slot] = piece;
    this.standard = standard;
  }
}

function joined(first: string | undefined, piece: string): string {
  return first === undefined ? piece : `${first},${piece}`;
}

// ---- external parameters

/**
 * External parameters are kept as one line for each that the version declares, its JSON text or nothing. New
 * values are added to the kept ones; a value that is there already stays, and another one in its place is a
 * fault, said in a sentence, unless the parameter may be replaced. An empty value is none.
 */
export function addExternal(
  definition: SurveyDefinition,
  kept: string | null,
  added: ReadonlyMap<string, string>,
  mayReplace: (parameter: number) => boolean = () => false,
): { readonly external: string; readonly changed: boolean; readonly faults: readonly string[] } {
  const pieces = kept === null ? [] : kept.split('\n');
  const before = pieces.join('\n');
  const faults: string[] = [];
  for (const [column, value] of added) {
    const index = findExternal(definition, column);
    const parameter = definition.parameters.external[index];
    if (parameter === undefined) {
      faults.push(`${column} is not an external parameter of ${definition.id}`);
    } else if (value !== '' && !fits(parameter, value)) {
      faults.push(`"${value}" is not a ${parameter.valueType} for ${column}`);
    } else if (value !== '') {
      const piece = JSON.stringify(value);
      while (pieces.length <= index) pieces.push('');
      if (pieces[index] === '' || mayReplace(index)) pieces[index] = piece;
      else if (pieces[index] !== piece) faults.push(`${column} is ${pieces[index]} already, not ${piece}`);
    }
  }
  const external = pieces.join('\n');
  return { external, changed: faults.length === 0 && external !== before, faults };
}

/** The place of an external parameter by its name or, failing that, its id; -1 when there is none. */
export function findExternal({ parameters: { external } }: SurveyDefinition, column: string): number {
  const byName = external.findIndex(({ name }) => name === column);
  return byName >= 0 ? byName : external.findIndex(({ id }) => id === column);
}

function fits({ valueType }: Parameter, value: string): boolean {
  if (valueType === 'NUMBER') return value.trim() !== '' && Number.isFinite(Number(value));
  if (valueType === 'BOOLEAN') return value === 'true' || value === 'false';
  return valueType === 'DATE' ? parseDay(value) !== null : true;
}
