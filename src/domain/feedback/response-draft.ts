// A ResponseDraft: the body of an ingestion request, checked for form and nothing else. Types are those of the
// interface and are not coerced (D-26); what the body means is judged in response.ts, by the survey it names.

import { parseTimestamp } from '../dates.ts';
import { int64Words, isInt64 } from '../int64.ts';
import { ExactIntegers } from '../json-members.ts';
import type { Fault } from '../problem.ts';
import { addFault, isFull, isLongerThan } from './draft-faults.ts';
import { fieldsOf, integerFields, pathOf, type StandardField, standardFields } from './standard-fields.ts';

export interface ResponseDraft {
  readonly surveyDefinitionId: string;
  readonly responseId: string | null;
  readonly submittedAtMs: number | null;
  readonly isTest: boolean;
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** The standard fields by slot, each as it will be shown: a JSON text of a string; undefined when not sent. */
  readonly standard: readonly (string | undefined)[];
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly metrics: Readonly<Record<string, number>>;
  readonly data: Readonly<Record<string, string>>;
  /** Paths of members that the interface does not know: kept with the body, not used, named to the caller (D-43). */
  readonly unknownMembers: readonly string[];
}

type DraftReading =
  | { readonly draft: ResponseDraft; readonly faults: readonly [] }
  | { readonly draft: null; readonly faults: readonly Fault[] };

type Members = Readonly<Record<string, unknown>>;

/**
 * The body with its int64 fields as bigint where a number has lost their digits (D-886). Nearly no body has one: then it is the body
 * itself, and its text is not read again.
 */
export function withExactIntegers(body: unknown, text: string): unknown {
  if (!isObject(body)) return body;
  if (!integerFields.some((field) => isLarge(valueAt(body, field)))) return body;
  const exact = new ExactIntegers(text);
  const copy: Record<string, unknown> = { ...body };
  if (isObject(body.deviceDetails)) copy.deviceDetails = { ...body.deviceDetails };
  for (const field of integerFields) {
    if (!isLarge(valueAt(body, field))) continue;
    const holder = field.parent === '' ? copy : (copy[field.parent] as Record<string, unknown>);
    // What is not written in digits stays as it is, to be refused by its name.
    holder[field.name] =
      (field.parent === '' ? exact.at(field.name) : exact.at(field.parent, field.name)) ??
      valueAt(body, field);
  }
  return copy;
}

function isLarge(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function valueAt(body: Members, { parent, name }: StandardField): unknown {
  if (parent === '') return body[name];
  const members = body[parent];
  return isObject(members) ? members[name] : undefined;
}

/** Reads a body that was parsed from JSON, with exact integers where it came from outside. All faults of form are found at once (D-22). */
export function readDraft(body: unknown): DraftReading {
  if (!isObject(body)) {
    return {
      draft: null,
      faults: [{ field: '', code: 'INVALID_TYPE', message: 'The body must be an object.' }],
    };
  }
  const faults: Fault[] = [];
  const unknownMembers: string[] = [];
  const standard: (string | undefined)[] = new Array(standardFields.length).fill(undefined);
  let surveyDefinitionId = '';
  let responseId: string | null = null;
  let submittedAtMs: number | null = null;
  let isTest = false;
  let answers: ResponseDraft['answers'] = nothing;
  let properties: ResponseDraft['properties'] = nothing;
  let metrics: ResponseDraft['metrics'] = nothing;
  let data: ResponseDraft['data'] = nothing;

  for (const name in body) {
    const value = body[name];
    const field = bodyFields.get(name);
    if (field !== undefined) {
      standard[field.slot] = readStandard(field, value, faults);
      continue;
    }
    switch (name) {
      case 'surveyDefinitionId':
        if (typeof value === 'string') surveyDefinitionId = value;
        else wrongType(faults, name, 'a string');
        if (value === '') addFault(faults, name, 'REQUIRED', 'surveyDefinitionId must not be empty.');
        break;
      case 'responseId':
        if (typeof value !== 'string') wrongType(faults, name, 'a string');
        else if (value.length === 0 || isLongerThan(value, 128)) {
          addFault(faults, name, 'INVALID_LENGTH', 'responseId has 1 to 128 characters.');
        } else responseId = value;
        break;
      case 'submissionTimestamp':
        submittedAtMs = readTimestamp(value, faults);
        break;
      case 'isTest':
        if (typeof value === 'boolean') isTest = value;
        else wrongType(faults, name, 'true or false');
        break;
      case 'responses':
        if (isMapOfTextLists(value, name, faults)) answers = value;
        break;
      case 'deviceDetails':
        readStandards(value, name, deviceFields, standard, faults, unknownMembers);
        break;
      case 'integrations':
        readStandards(value, name, integrationFields, standard, faults, unknownMembers);
        break;
      case 'cpps':
        if (!isObject(value)) {
          wrongType(faults, name, 'an object');
          break;
        }
        for (const part in value) {
          const members = value[part];
          const path = `cpps.${part}`;
          if (part === 'properties') {
            if (isMapOfTextLists(members, path, faults)) properties = members;
          } else if (part === 'metrics') {
            if (isMapOf(members, path, 'a number', isNumber, faults)) metrics = members;
          } else if (part === 'data') {
            if (isMapOf(members, path, 'a string', isText, faults)) data = members;
          } else unknownMembers.push(path);
        }
        break;
      default:
        unknownMembers.push(name);
    }
  }
  if (!Object.hasOwn(body, 'surveyDefinitionId')) {
    addFault(faults, 'surveyDefinitionId', 'REQUIRED', 'surveyDefinitionId is required.');
  }
  if (faults.length > 0) return { draft: null, faults };
  const draft = {
    surveyDefinitionId,
    responseId,
    submittedAtMs,
    isTest,
    answers,
    standard,
    properties,
    metrics,
    data,
    unknownMembers,
  };
  return { draft, faults: [] };
}

/** A sentence about members that were not used, and kept unless nothing is, or '' (D-43, D-45). */
export function unknownMembersText({ unknownMembers, isTest }: ResponseDraft): string {
  if (unknownMembers.length === 0) return '';
  const named = unknownMembers.slice(0, 20).map((name) => name.slice(0, 100));
  const more = unknownMembers.length > 20 ? ` and ${unknownMembers.length - 20} more` : '';
  return `${isTest ? 'Not known' : 'Kept, but not known'} and not used: ${named.join(', ')}${more}.`;
}

const nothing = Object.freeze({});
const bodyFields = fieldsOf('');
const deviceFields = fieldsOf('deviceDetails');
const integrationFields = fieldsOf('integrations');

function readTimestamp(value: unknown, faults: Fault[]): number | null {
  const moment = typeof value === 'string' ? parseTimestamp(value) : null;
  if (moment === null) {
    const message =
      'submissionTimestamp must be a date and time in ISO 8601, as in 2026-01-31T23:59:59.999Z.';
    addFault(faults, 'submissionTimestamp', 'INVALID_TIMESTAMP', message);
  }
  return moment;
}

function readStandards(
  value: unknown,
  parent: string,
  fields: ReadonlyMap<string, StandardField>,
  standard: (string | undefined)[],
  faults: Fault[],
  unknownMembers: string[],
): void {
  if (!isObject(value)) {
    wrongType(faults, parent, 'an object');
    return;
  }
  for (const name in value) {
    const field = fields.get(name);
    if (field === undefined) unknownMembers.push(`${parent}.${name}`);
    else standard[field.slot] = readStandard(field, value[name], faults);
  }
}

// The value as the JSON text of a string, because rows show every answer as a string (D-36).
function readStandard(field: StandardField, value: unknown, faults: Fault[]): string | undefined {
  if (field.kind === 'text') {
    if (typeof value === 'string') return JSON.stringify(value);
  } else if (field.kind === 'integer') {
    if (Number.isSafeInteger(value) || (typeof value === 'bigint' && isInt64(value))) return `"${value}"`;
  } else if (typeof value === 'boolean') return value ? '"true"' : '"false"';
  wrongType(faults, pathOf(field), standardWords[field.kind]);
  return undefined;
}

const standardWords = {
  text: 'a string',
  integer: `${int64Words}, in digits`,
  boolean: 'true or false',
};

function isMapOfTextLists(
  value: unknown,
  path: string,
  faults: Fault[],
): value is Readonly<Record<string, readonly string[]>> {
  if (!isObject(value)) {
    wrongType(faults, path, 'an object');
    return false;
  }
  for (const name in value) {
    const list = value[name];
    if (!Array.isArray(list)) {
      wrongType(faults, `${path}.${name}`, 'an array of strings');
      continue;
    }
    for (let index = 0; index < list.length && !isFull(faults); index += 1) {
      if (typeof list[index] !== 'string') wrongType(faults, `${path}.${name}[${index}]`, 'a string');
    }
  }
  return true;
}

function isMapOf<T>(
  value: unknown,
  path: string,
  words: string,
  isRight: (value: unknown) => value is T,
  faults: Fault[],
): value is Readonly<Record<string, T>> {
  if (!isObject(value)) {
    wrongType(faults, path, 'an object');
    return false;
  }
  for (const name in value) if (!isRight(value[name])) wrongType(faults, `${path}.${name}`, words);
  return true;
}

function wrongType(faults: Fault[], path: string, words: string): void {
  addFault(faults, path, 'INVALID_TYPE', `${path} must be ${words}.`);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
