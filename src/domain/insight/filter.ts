// Which responses a view goes over: up to five conditions, all of which must hold. They are written as text (`readFilter`), and what
// each means on a row is worked out once for each version (`filterOf`).
//
// An erased response is left with its day, its version and its scores. Conditions on these hold for it as for any other, and no
// condition on what it answered or on what was passed with it holds, `not` neither: nobody knows any more (D-490). Of all others
// `not` is exactly the opposite of `is`.

import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';
import { fold } from '../fold.ts';
import type { Fault } from '../problem.ts';
import {
  answerReader,
  isKnown,
  isKnownIn,
  pageOf,
  propertyText,
  questionOf,
  type RowProperty,
  ratingReader,
  readProperty,
  remembering,
  textReader,
  weekdays,
} from './row-property.ts';
import { type RowText, textsOfPiece } from './row-text.ts';

const filterOperators = ['is', 'not', 'lt', 'gt', 'contains'] as const;
export type FilterOperator = (typeof filterOperators)[number];

interface FilterCondition {
  readonly operator: FilterOperator;
  readonly property: RowProperty;
  readonly value: string;
}

/** As data that can be handed to another thread. */
export interface Filter {
  readonly conditions: readonly FilterCondition[];
}

const filterLimits = { conditions: 5, nameCharacters: 300, valueCharacters: 1_000 };

/** What a filter is read for. */
export interface FilteredSource {
  readonly kind: 'measure' | 'project';
  /** All versions of the source. */
  readonly surveys: readonly PreparedSurvey[];
  /** Whoever may not read comments could find them out by asking for their parts. */
  readonly mayReadComments: boolean;
}

type ReadFilter =
  | { readonly filter: Filter; readonly faults: readonly [] }
  | { readonly filter: null; readonly faults: readonly Fault[] };

/**
 * Reads `is,device,MOBILE;gt,latent:L-1,50`. Every fault is named, with the number of its condition; without a source those of
 * form alone.
 */
export function readFilter(text: string, source: FilteredSource | null): ReadFilter {
  const faults: Fault[] = [];
  const parts = text.split(';');
  if (parts.length > filterLimits.conditions) {
    const message = `A filter has at most ${filterLimits.conditions} conditions, and this one has ${parts.length}.`;
    faults.push({ field: 'filter', code: 'TOO_MANY', message });
  }
  const conditions = parts.slice(0, filterLimits.conditions).flatMap((part, index) => {
    const fault = (code: Fault['code'], message: string): void =>
      void faults.push({ field: 'filter', code, message: `Condition ${index + 1}: ${message}` });
    const condition = readCondition(part, fault);
    if (condition !== null && source !== null) judgeCondition(condition, source, fault);
    return condition ?? [];
  });
  return faults.length > 0 ? { filter: null, faults } : { filter: { conditions }, faults: [] };
}

type SayFault = (code: Fault['code'], message: string) => void;

function readCondition(text: string, fault: SayFault): FilterCondition | null {
  const cut = text.split(',');
  if (cut.length !== 3) {
    fault(
      'INVALID',
      'write OPERATOR,NAME,VALUE; a comma within a name or a value is written as %2C, a semicolon as %3B.',
    );
    return null;
  }
  const [operatorText, nameText, valueText] = cut as [string, string, string];
  const operator = filterOperators.find((one) => one === operatorText);
  if (operator === undefined)
    fault('INVALID', `"${short(operatorText)}" is none of ${filterOperators.join(', ')}.`);
  const name = decoded(nameText);
  const value = decoded(valueText);
  if (name === null) fault('INVALID', 'the name is not percent-encoded as UTF-8.');
  if (value === null) fault('INVALID', 'the value is not percent-encoded as UTF-8.');
  if (name !== null && name.length > filterLimits.nameCharacters)
    fault('TOO_LONG', `the name is longer than ${filterLimits.nameCharacters} characters.`);
  if (value !== null && value.length > filterLimits.valueCharacters)
    fault('TOO_LONG', `the value is longer than ${filterLimits.valueCharacters} characters.`);
  const property = name === null ? null : readProperty(name);
  if (name !== null && property === null)
    fault('UNKNOWN', `"${short(name)}" is no name that a filter knows: ${knownNames}.`);
  const isWhole = operator !== undefined && property !== null && value !== null;
  const isShort = (value?.length ?? 0) <= filterLimits.valueCharacters;
  return isWhole && isShort ? { operator, property, value } : null;
}

const knownNames =
  'question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating, topic';

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

/** Which operators a property knows. */
function operatorsOf({ kind }: RowProperty): readonly FilterOperator[] {
  if (kind === 'latent') return ['lt', 'gt'];
  if (kind === 'version' || kind === 'weekday' || kind === 'rating') return ['is', 'not', 'lt', 'gt'];
  if (kind === 'topic' || kind === 'device' || kind === 'locale' || kind === 'page')
    return ['is', 'not', 'contains'];
  return filterOperators;
}

function judgeCondition(
  { operator, property, value }: FilterCondition,
  { kind, surveys, mayReadComments }: FilteredSource,
  fault: SayFault,
): void {
  const name = propertyText(property);
  const ofKind = { latent: 'measure', rating: 'project', topic: 'project' }[property.kind as string];
  if (ofKind !== undefined && ofKind !== kind) return fault('UNKNOWN', `a ${kind} has no ${property.kind}.`);
  if (!isKnownIn(surveys, property)) return fault('UNKNOWN', `no version has ${short(name)}.`);
  const questions = surveys.flatMap((survey) => questionOf(survey, property) ?? []);
  if (!mayReadComments && questions.some(({ form }) => form === 'open'))
    return fault('INVALID', `${short(name)} is open text, which you may not read.`);
  const known = operatorsOf(property);
  if (!known.includes(operator)) return fault('INVALID', `${short(name)} knows ${known.join(', ')} alone.`);
  if (operator === 'contains' && value === '') return fault('EMPTY', 'the value is empty.');
  const isNumber = operator === 'lt' || operator === 'gt';
  if (property.kind === 'weekday' && weekdayNumber(value) === null)
    return fault('INVALID', 'a weekday is 1 for Monday to 7 for Sunday, or its English name.');
  const takesNumbers = property.kind === 'version' || property.kind === 'rating';
  if ((isNumber || takesNumbers) && property.kind !== 'weekday' && numberOf(value) === null)
    return fault('INVALID', `"${short(value)}" is not a number.`);
  if (questions.length === 0 || questions.some(({ form }) => form === 'open')) return;
  if (
    isNumber &&
    !questions.some(({ answers }) => answers.some((answer) => typeof answer.value === 'number'))
  )
    return fault('INVALID', `no answer of ${short(name)} has a number.`);
  if (
    (operator === 'is' || operator === 'not') &&
    questions.every((one) => answersMeant(one, value).size === 0)
  )
    fault('UNKNOWN', `no version of ${short(name)} has the answer "${short(value)}".`);
}

/** 1 to 7 of a number or of an English name. */
function weekdayNumber(text: string): number | null {
  if (/^[1-7]$/.test(text)) return Number(text);
  const named = weekdays.findIndex((name) => name.toLowerCase() === text.toLowerCase());
  return named < 0 ? null : named + 1;
}

/** The number that a text is, written with digits, a point and an exponent; null for any other text. */
function numberOf(text: string): number | null {
  if (text.length > 40 || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The answers that a value names: by id, or else by value, or else by text. */
function answersMeant({ answers, answerByText }: PreparedQuestion, value: string): ReadonlySet<number> {
  const named = answerByText.get(value);
  if (named !== undefined) return new Set([named]);
  return new Set(answers.flatMap(({ text }, answer) => (text === value ? [answer] : [])));
}

// ---- on rows

type Holds = (row: RowText) => boolean;

/** Whether the rows of a version meet all conditions. */
export function filterOf(filter: Filter | null, survey: PreparedSurvey): Holds {
  const all = (filter?.conditions ?? []).map((condition) => holdsOf(condition, survey));
  const [first, second] = all;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  return (row) => all.every((holds) => holds(row));
}

function holdsOf(condition: FilterCondition, survey: PreparedSurvey): Holds {
  const { operator, property } = condition;
  if (property.kind === 'latent') return latentHolds(condition, property.name, survey);
  const isOfRow = property.kind !== 'weekday' && property.kind !== 'version';
  const positive = positiveOf(operator === 'not' ? { ...condition, operator: 'is' } : condition, survey);
  const holds: Holds = operator === 'not' ? (row) => !positive(row) : positive;
  return isOfRow ? (row) => !row.isErased && holds(row) : holds;
}

/** Of a condition without `not`, on a row that is not erased. */
function positiveOf(condition: FilterCondition, survey: PreparedSurvey): Holds {
  const { operator, property, value } = condition;
  if (!isKnown(survey, property)) return () => false;
  if (property.kind === 'rating') {
    const test = numberTest(operator, numberOf(value) ?? Number.NaN);
    const rating = ratingReader(survey);
    return (row) => {
      const micros = rating(row);
      return micros !== null && test(micros / 1e6);
    };
  }
  const question = questionOf(survey, property);
  if (question !== null) return questionHolds(condition, question);
  if (property.kind === 'weekday' || property.kind === 'version') {
    const test = numberTest(operator, property.kind === 'weekday' ? weekdayNumber(value)! : numberOf(value)!);
    const texts = textReader(survey, property);
    return (row) => test(Number(texts(row)[0]));
  }
  const test = textTest(operator, property.kind === 'page' ? pageOf(value) : value);
  const texts = textReader(survey, property);
  return (row) => texts(row).some(test);
}

function questionHolds({ operator, value }: FilterCondition, question: PreparedQuestion): Holds {
  if (question.form === 'open') {
    const test = textTest(operator, value);
    const texts = remembering((row) => row.answerPiece(question), textsOfPiece);
    return (row) => texts(row).some(test);
  }
  const meant = answersMeant(question, value);
  const part = fold(value);
  const bound = numberOf(value) ?? Number.NaN;
  const matches = question.answers.map((answer, index) => {
    if (operator === 'is') return meant.has(index);
    if (operator === 'contains') {
      // As in the rules of a survey.
      const isNamed = fold(answer.id) === part || (answer.value !== null && fold(`${answer.value}`) === part);
      return isNamed || fold(answer.text).includes(part);
    }
    return typeof answer.value === 'number' && numberTest(operator, bound)(answer.value);
  });
  if (question.form === 'single') return (row) => matches[row.chosen(question)] === true;
  const answers = answerReader(question);
  return (row) => answers(row).some((answer) => matches[answer]);
}

function latentHolds({ operator, value }: FilterCondition, id: string, { latents }: PreparedSurvey): Holds {
  const place = latents.findIndex(({ latent }) => latent.id === id);
  if (place < 0) return () => false;
  const test = numberTest(operator, numberOf(value) ?? Number.NaN);
  return ({ values, headEnd }) => {
    let begin = 0;
    for (let skipped = 0; skipped < place; skipped += 1) begin = values.indexOf(',', begin) + 1;
    const comma = values.indexOf(',', begin);
    const last = headEnd < 0 ? values.length : headEnd;
    const text = values.slice(begin, comma < 0 || comma > last ? last : comma);
    return text !== '' && text !== 'null' && test(Number(text));
  };
}

function numberTest(operator: FilterOperator, bound: number): (number: number) => boolean {
  if (operator === 'lt') return (number) => number < bound;
  if (operator === 'gt') return (number) => number > bound;
  return (number) => number === bound;
}

function textTest(operator: FilterOperator, value: string): (text: string) => boolean {
  if (operator === 'is') return (text) => text === value;
  if (operator === 'contains') {
    const part = fold(value);
    return (text) => fold(text).includes(part);
  }
  const test = numberTest(operator, numberOf(value) ?? Number.NaN);
  return (text) => {
    const number = numberOf(text);
    return number !== null && test(number);
  };
}
