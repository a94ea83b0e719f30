// Reads the path, query and body of a request into what its handler is given. Query values are texts and are read
// strictly (D-24); bodies are checked without coercion (D-26); every fault of form is named at once (D-22).

import type { FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Type } from '../../contract/schema.ts';
import { int64Words, isInt64 } from '../../domain/int64.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import { type Fault, invalidRequest } from '../../domain/problem.ts';

interface Input {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
}

/** A promise where the body is long: it is checked in slices. */
export type InputReader = (request: FastifyRequest) => Input | Promise<Input>;

interface InputSchemas {
  readonly query?: TObject;
  readonly params?: TObject;
  readonly body?: TSchema;
  /** Refused unless the route says otherwise: a parameter that is silently ignored misleads its caller (D-24). */
  readonly unknownQuery?: 'refused' | 'ignored';
}

type Check = (value: unknown) => Fault[];

const noParameters = Type.Object({});

export function inputReader({ query, params, body, unknownQuery = 'refused' }: InputSchemas): InputReader {
  const ignoresAll = query === undefined && unknownQuery === 'ignored';
  const readQuery = ignoresAll ? null : textReader(query ?? noParameters, unknownQuery);
  const readParams = params === undefined ? null : textReader(params);
  const bodyCheck = body === undefined ? null : new BodyCheck(body);
  return (request) => {
    const faults: Fault[] = [];
    const input = {
      params: readParams === null ? request.params : readParams(request.params as RawTexts, faults),
      query: readQuery === null ? request.query : readQuery(request.query as RawTexts, faults),
      body: request.body,
    };
    const faultless = (ofBody: readonly Fault[]): Input => {
      faults.push(...ofBody);
      if (faults.length > 0) throw invalidRequest(faults);
      return input;
    };
    if (bodyCheck === null) return faultless([]);
    if (request.body === undefined)
      return faultless([{ field: '', code: 'MISSING', message: 'A JSON body is required.' }]);
    if (!request.hasLongBody) return faultless(bodyCheck.faultsOf(request.body));
    return request.server.workQueue.run(bodyCheck.faultsInPieces(request.body)).then(faultless);
  };
}

export type RawTexts = Readonly<Record<string, string | readonly string[]>>;

/** Reads named texts into the types of a schema: whole numbers, true or false, texts. */
function textReader(
  schema: TObject,
  unknownNames: 'refused' | 'ignored' = 'refused',
): (raw: RawTexts, faults: Fault[]) => Record<string, unknown> {
  const properties = new Map<string, TSchema>(Object.entries(schema.properties));
  const check = checkOf(schema);
  const required: readonly string[] = schema.required ?? [];
  return (raw, faults) => {
    const values: Record<string, unknown> = {};
    const given = Object.entries(raw);
    if (given.length === 0 && required.length === 0) return values;
    const judgedAlready = new Set<string>();
    for (const [name, text] of given) {
      const property = properties.get(name);
      if (property === undefined && unknownNames === 'ignored') continue;
      if (property === undefined) {
        judgedAlready.add(name);
        faults.push({ field: name, code: 'UNKNOWN', message: 'is not a parameter of this endpoint.' });
      } else if (typeof text !== 'string') {
        judgedAlready.add(name);
        faults.push({ field: name, code: 'REPEATED', message: 'is given more than once.' });
      } else {
        const value = readText(property, text);
        values[name] = value;
        if (typeof value === 'string' && isInteger(property) && digits.test(text)) {
          judgedAlready.add(name);
          faults.push({ field: name, code: 'INVALID', message: `must be ${integersInWords(property)}.` });
        }
      }
    }
    for (const fault of check(values)) if (!judgedAlready.has(fault.field)) faults.push(fault);
    return values;
  };
}

const digits = /^-?\d+$/;

/** A parameter of the path as it was asked for: a number has lost digits beyond 2^53, and zeros in front (D-800). */
export function textOfPath({ params }: FastifyRequest, name: string): string {
  return (params as Readonly<Record<string, string>>)[name]!;
}

/** What does not parse stays a text, which the schema then refuses by its type. */
function readText(schema: TSchema, text: string): unknown {
  const { type, format } = schema as { type?: string; format?: string };
  if (isInteger(schema)) {
    if (!digits.test(text)) return text;
    const value = Number(text);
    // Of a larger one digits are lost; only what says "int64" knows what to make of it (D-800).
    const isKnown = Number.isSafeInteger(value) || (format === 'int64' && isInt64(BigInt(text)));
    return isKnown ? value : text;
  }
  if (type === 'boolean') {
    // Python writes True.
    const word = text.toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : text;
  }
  return text;
}

function isInteger(schema: TSchema): boolean {
  return (schema as { type?: string }).type === 'integer';
}

function integersInWords(schema: TSchema): string {
  const { format, minimum, maximum } = schema as { format?: string; minimum?: number; maximum?: number };
  if (format === 'int64') return int64Words;
  const [least, most] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  return `a whole number from ${least} to ${most}`;
}

type Compiler = typeof import('typebox/schema');
let compiler: Compiler | null = null;

/**
 * The compiler of checks is two hundred modules, more than all of our code. A server loads it before it listens; a
 * command that checks nothing never loads it.
 */
export async function loadCompiler(): Promise<void> {
  compiler ??= await import('typebox/schema');
}

function compilerNow(): Compiler {
  if (compiler === null) throw new Error('A server loads the compiler of checks before it takes requests.');
  return compiler;
}

/** What a value must be; compiled when first used, so that the start does not wait for it. */
class SchemaCheck {
  readonly #schema: TSchema;
  #validator: ReturnType<Compiler['Compile']> | null = null;

  constructor(schema: TSchema) {
    this.#schema = schema;
  }

  isRight(value: unknown): boolean {
    this.#validator ??= compilerNow().Compile(this.#schema);
    return this.#validator.Check(value);
  }

  faultsOf(value: unknown): Fault[] {
    if (this.isRight(value)) return [];
    const [, errors] = this.#validator!.Errors(value);
    return errors.flatMap(faultsOfError);
  }
}

/** So many elements of a list are checked at once; others are served before the next. */
const elementsAtOnce = 16;
/** The compiler names no more faults than this, and each wrong element is one at least. */
const namedFaultsMax = 8;

/** The parts of a schema that say what is in a list or an object. */
interface SchemaParts {
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: boolean | TSchema;
}

/**
 * The check of a body of any length, which takes as long as there are values in it, and to name its faults a hundred times as long
 * (D-931). So all that is right in its lists and maps is left out of it first, some elements at a time. What remains is short, is wrong
 * where the whole is, and has its faults at the same places.
 */
class BodyCheck extends SchemaCheck {
  readonly #schema: TSchema;
  readonly #checks = new Map<TSchema, SchemaCheck>();

  constructor(schema: TSchema) {
    super(schema);
    this.#schema = schema;
  }

  *faultsInPieces(body: unknown): Interruptible<Fault[]> {
    return this.faultsOf(yield* this.#withoutRight(this.#schema, body));
  }

  #check(schema: TSchema): SchemaCheck {
    const check = this.#checks.get(schema) ?? new SchemaCheck(schema);
    this.#checks.set(schema, check);
    return check;
  }

  *#withoutRight(schema: TSchema, value: unknown): Interruptible<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    const parts = schema as SchemaParts;
    if (!Array.isArray(value)) return yield* this.#withoutRightMembers(parts, value);
    return parts.items === undefined ? value : yield* this.#withoutRightElements(parts.items, value);
  }

  /** A list of the same length, with holes where its elements are right: the check passes over them. */
  *#withoutRightElements(items: TSchema, list: readonly unknown[]): Interruptible<unknown> {
    const wrong: unknown[] = new Array(list.length);
    const check = this.#check(items);
    let count = 0;
    for (const [place, element] of list.entries()) {
      if (place % elementsAtOnce === 0) yield;
      if (check.isRight(element)) continue;
      wrong[place] = yield* this.#withoutRight(items, element);
      count += 1;
      if (count === namedFaultsMax) break;
    }
    return wrong;
  }

  *#withoutRightMembers(parts: SchemaParts, value: object): Interruptible<unknown> {
    const { properties = {}, additionalProperties: others } = parts;
    const kept: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property !== undefined) kept[name] = yield* this.#withoutRight(property, member);
      else if (typeof others !== 'object') kept[name] = member;
      else if (!this.#check(others).isRight(member)) kept[name] = yield* this.#withoutRight(others, member);
    }
    return kept;
  }
}

function checkOf(schema: TSchema): Check {
  const check = new SchemaCheck(schema);
  return (value) => check.faultsOf(value);
}

function faultsOfError(error: TLocalizedValidationError): Fault[] {
  const field = fieldName(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        field: field === '' ? name : `${field}.${name}`,
        code: 'MISSING',
        message: 'is required.',
      }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        field: field === '' ? name : `${field}.${name}`,
        code: 'UNKNOWN',
        message: 'is not known here.',
      }));
    case 'boolean':
      // A member that the schema forbids: told by additionalProperties already.
      return [];
    case 'type':
      return [{ field, code: 'INVALID', message: `must be ${typeInWords(error.params.type)}.` }];
    case 'format':
      return [
        error.params.format === 'date'
          ? { field, code: 'INVALID_DATE', message: 'must be a day of the calendar, as YYYY-MM-DD.' }
          : { field, code: 'INVALID', message: `${error.message}.` },
      ];
    case 'enum':
      return [
        { field, code: 'INVALID', message: `must be one of ${error.params.allowedValues.join(', ')}.` },
      ];
    default:
      return [{ field, code: 'INVALID', message: `${error.message}.` }];
  }
}

function typeInWords(type: string | readonly string[]): string {
  const name = Array.isArray(type) ? type.join(' or ') : String(type);
  const words: Readonly<Record<string, string>> = {
    integer: 'a whole number',
    boolean: 'true or false',
    string: 'a text',
    array: 'a list',
    object: 'an object',
    number: 'a number',
  };
  return words[name] ?? name;
}

/** A JSON pointer as a caller would write it: /emails/0/value is emails[0].value. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    );
}
