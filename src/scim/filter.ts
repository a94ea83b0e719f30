// Filters: the whole grammar of RFC 7644 section 3.4.2.2, read into a bounded tree (D-53), and printed again.
//
// The reader walks the tokens once and never goes back; length, number of comparisons and depth are limited
// before they can cost anything. Attributes are resolved while reading, so a tree that exists is one that can
// be evaluated: every comparison in it has an attribute of the table and a value of its type.
// Besides the standard it reads `emails[type eq "work"].value eq "x"`, which Entra ID sends, as what it means:
// `emails[type eq "work" and value eq "x"]`.

import { Problem } from '../domain/problem.ts';
import type { Attribute } from './attributes.ts';
import { Misreading, type Token, tokensOf } from './lexer.ts';
import type { SchemaView } from './schema-view.ts';
import { isInstant } from './values.ts';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type Operand = string | number | boolean | null;

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'present'; readonly attribute: Attribute }
  | {
      readonly kind: 'compare';
      readonly attribute: Attribute;
      readonly operator: Operator;
      readonly value: Operand;
    }
  /** Some element of a list fulfils all of it: the attributes in `where` are those of the element. */
  | { readonly kind: 'some'; readonly attribute: Attribute; readonly where: Filter };

/** The refusal of a filter or path that can be read, but for the name of an attribute that is not there. */
export class UnknownName extends Problem {}

export interface FilterLimits {
  readonly maxBytes: number;
  readonly maxTerms: number;
  readonly maxDepth: number;
}

export const filterLimits: FilterLimits = { maxBytes: 4096, maxTerms: 64, maxDepth: 32 };

export interface ReadFilter {
  readonly filter: Filter;
  /** Whether parentheses were used; the tree itself does not need to know. */
  readonly grouped: boolean;
}

export function readFilter(text: string, schemaView: SchemaView, limits = filterLimits): ReadFilter {
  return reading('INVALID_FILTER', 'filter', text, limits, () => {
    const reader = readerOf(text, schemaView, limits);
    const filter = readOr(reader, null);
    expectEnd(reader);
    return { filter, grouped: reader.grouped };
  });
}

export function parseFilter(text: string, schemaView: SchemaView, limits = filterLimits): Filter {
  return readFilter(text, schemaView, limits).filter;
}

/** Where a patch operation works: an attribute, perhaps only some elements of a list, perhaps a part of each. */
export interface Path {
  readonly attribute: Attribute;
  readonly where: Filter | null;
  readonly part: Attribute | null;
}

export function parsePath(text: string, schemaView: SchemaView, limits = filterLimits): Path {
  return reading('INVALID_PATH', 'path', text, limits, () => {
    const reader = readerOf(text, schemaView, limits);
    const attribute = readAttribute(reader, null);
    if (peek(reader).kind !== '[') {
      expectEnd(reader);
      const list = attribute.parent?.multiValued ? attribute.parent : null;
      return list === null
        ? { attribute, where: null, part: null }
        : { attribute: list, where: null, part: attribute };
    }
    const where = readBrackets(reader, attribute);
    const part = readPart(reader, attribute);
    expectEnd(reader);
    return { attribute, where, part };
  });
}

/** How many comparisons a filter has: what it costs to ask it of one element. */
export function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.reduce((sum, term) => sum + comparisonsIn(term), 0);
    case 'not':
      return comparisonsIn(filter.term);
    case 'some':
      return comparisonsIn(filter.where);
    default:
      return 1;
  }
}

/** The filter as text, in a form that is read as the same tree. */
export function printFilter(filter: Filter): string {
  return print(filter, (attribute) => attribute.path);
}

function print(filter: Filter, nameOf: (attribute: Attribute) => string): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms
        .map((term) =>
          needsParentheses(filter.kind, term) ? `(${print(term, nameOf)})` : print(term, nameOf),
        )
        .join(` ${filter.kind} `);
    case 'not':
      return `not (${print(filter.term, nameOf)})`;
    case 'present':
      return `${nameOf(filter.attribute)} pr`;
    case 'compare':
      return `${nameOf(filter.attribute)} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'some':
      return `${nameOf(filter.attribute)}[${print(filter.where, (attribute) => attribute.name)}]`;
  }
}

const needsParentheses = (outer: 'and' | 'or', term: Filter): boolean =>
  term.kind === 'or' || (term.kind === 'and' && outer === 'and');

interface Reader {
  readonly tokens: readonly Token[];
  readonly schemaView: SchemaView;
  readonly limits: FilterLimits;
  at: number;
  terms: number;
  depth: number;
  grouped: boolean;
}

const readerOf = (text: string, schemaView: SchemaView, limits: FilterLimits): Reader => ({
  tokens: tokensOf(text),
  schemaView,
  limits,
  at: 0,
  terms: 0,
  depth: 0,
  grouped: false,
});

/** Runs a reader and turns a misreading into a Problem, with the position in its sentence. */
function reading<T>(
  code: 'INVALID_FILTER' | 'INVALID_PATH',
  field: string,
  text: string,
  limits: FilterLimits,
  read: () => T,
): T {
  // Characters first: a text with more of them than bytes are allowed needs no counting of its bytes.
  if (text.length > limits.maxBytes || Buffer.byteLength(text) > limits.maxBytes) {
    const message = `The ${field} is longer than ${limits.maxBytes} bytes.`;
    throw new Problem(code, message, { details: [{ field, code, message }] });
  }
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Misreading)) throw error;
    const message = `The ${field} cannot be read at position ${error.position}: ${error.message}.`;
    const details = [{ field, code, message }];
    throw error.isUnknownName
      ? new UnknownName(code, message, { details })
      : new Problem(code, message, { details });
  }
}

/** `container` is the list whose brackets are being read, or null outside of brackets. */
function readOr(reader: Reader, container: Attribute | null): Filter {
  return readChain(reader, 'or', () => readChain(reader, 'and', () => readTerm(reader, container)));
}

function readChain(reader: Reader, kind: 'and' | 'or', readNext: () => Filter): Filter {
  const first = readNext();
  if (!isKeyword(peek(reader), kind)) return first;
  const terms = [first];
  while (isKeyword(peek(reader), kind)) {
    const keyword = next(reader);
    expectSpace(keyword, `a space must stand before "${kind}"`);
    expectSpace(peek(reader), `a space must stand after "${kind}"`);
    terms.push(readNext());
  }
  return { kind, terms };
}

function readTerm(reader: Reader, container: Attribute | null): Filter {
  const token = peek(reader);
  if (token.kind === '(') return readGroup(reader, container);
  if (isKeyword(token, 'not') && reader.tokens[reader.at + 1]?.kind === '(') {
    next(reader);
    return { kind: 'not', term: readGroup(reader, container) };
  }
  const attribute = readAttribute(reader, container);
  if (peek(reader).kind !== '[') return readComparison(reader, attribute);
  if (container !== null)
    throw new Misreading(peek(reader).position, 'brackets do not stand within brackets');
  const where = readBrackets(reader, attribute);
  const part = readPart(reader, attribute);
  if (part === null) return { kind: 'some', attribute, where };
  const comparison = readComparison(reader, part);
  const terms = where.kind === 'and' ? [...where.terms, comparison] : [where, comparison];
  return { kind: 'some', attribute, where: { kind: 'and', terms } };
}

function readGroup(reader: Reader, container: Attribute | null): Filter {
  const open = next(reader);
  reader.grouped = true;
  const filter = readDeeper(reader, open, () => readOr(reader, container));
  const close = next(reader);
  if (close.kind !== ')') throw new Misreading(close.position, 'a closing parenthesis is missing');
  return filter;
}

function readBrackets(reader: Reader, attribute: Attribute): Filter {
  const open = next(reader);
  if (open.spaced) throw new Misreading(open.position, 'no space stands before a bracket');
  if (!attribute.multiValued || attribute.type !== 'complex') {
    throw new Misreading(open.position, `${attribute.path} is not a list of which one could choose`);
  }
  const filter = readDeeper(reader, open, () => readOr(reader, attribute));
  const close = next(reader);
  if (close.kind !== ']') throw new Misreading(close.position, 'a closing bracket is missing');
  return filter;
}

function readDeeper(reader: Reader, open: Token, read: () => Filter): Filter {
  reader.depth += 1;
  if (reader.depth > reader.limits.maxDepth) {
    throw new Misreading(open.position, `it is nested more than ${reader.limits.maxDepth} deep`);
  }
  const filter = read();
  reader.depth -= 1;
  return filter;
}

/** The `.value` after a closing bracket, if there is one. */
function readPart(reader: Reader, list: Attribute): Attribute | null {
  const token = peek(reader);
  if (token.kind !== 'word' || token.spaced || !token.text.startsWith('.')) return null;
  next(reader);
  const part = reader.schemaView.member(list, token.text.slice(1));
  if (part === null) throw new Misreading(token.position, `${list.path} has no such part`, true);
  return part;
}

function readAttribute(reader: Reader, container: Attribute | null): Attribute {
  const token = next(reader);
  if (token.kind !== 'word') throw new Misreading(token.position, 'the name of an attribute is expected');
  const { schemaView } = reader;
  const attribute =
    container === null ? schemaView.resolve(token.text) : schemaView.member(container, token.text);
  if (attribute !== null) return attribute;
  // The name itself is not repeated: it may be 4 KiB of anything.
  throw new Misreading(
    token.position,
    container === null ? 'no attribute has this name' : `${container.path} has no such part`,
    true,
  );
}

const operators: ReadonlyMap<string, Operator> = new Map(
  (['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const).map((operator) => [operator, operator]),
);

function readComparison(reader: Reader, named: Attribute): Filter {
  const token = next(reader);
  reader.terms += 1;
  if (reader.terms > reader.limits.maxTerms) {
    throw new Misreading(token.position, `it has more than ${reader.limits.maxTerms} comparisons`);
  }
  if (isKeyword(token, 'pr') && token.spaced) return { kind: 'present', attribute: named };
  const operator = token.kind === 'word' ? operators.get(token.text.toLowerCase()) : undefined;
  if (operator === undefined || !token.spaced) {
    throw new Misreading(token.position, 'an operator is expected: eq, ne, co, sw, ew, gt, ge, lt, le or pr');
  }
  const operand = next(reader);
  expectSpace(operand, 'a space must stand before the value');
  const attribute = comparedAttribute(reader, named, token);
  return { kind: 'compare', attribute, operator, value: operandFor(attribute, operator, operand) };
}

/** Comparing an object means comparing its `value`, where it has one. */
function comparedAttribute(reader: Reader, named: Attribute, operator: Token): Attribute {
  if (named.type !== 'complex') return named;
  const value = named.extension ? null : reader.schemaView.member(named, 'value');
  if (value !== null) return value;
  throw new Misreading(operator.position, `${named.path} is an object; compare one of its parts`);
}

function operandFor(attribute: Attribute, operator: Operator, token: Token): Operand {
  const value = operandOf(token);
  const refuse = (message: string): Misreading => new Misreading(token.position, message);
  if (value === null) {
    if (operator === 'eq' || operator === 'ne') return null;
    throw refuse('null can be compared with eq and ne only');
  }
  const onlyTexts = operator === 'co' || operator === 'sw' || operator === 'ew';
  const onlyOrdered = operator === 'gt' || operator === 'ge' || operator === 'lt' || operator === 'le';
  switch (attribute.type) {
    case 'boolean': {
      if (onlyTexts || onlyOrdered) throw refuse(`${attribute.path} can be compared with eq and ne only`);
      // Entra ID writes booleans as texts (D-56).
      const said = typeof value === 'string' ? value.toLowerCase() : value;
      if (said === true || said === 'true') return true;
      if (said === false || said === 'false') return false;
      throw refuse(`${attribute.path} is compared with true or false`);
    }
    case 'integer':
      if (onlyTexts) throw refuse(`${attribute.path} is a number, which has no beginning or end`);
      if (Number.isSafeInteger(value)) return value;
      throw refuse(`${attribute.path} is compared with an integer`);
    case 'dateTime':
      if (onlyTexts) throw refuse(`${attribute.path} is a time, which has no beginning or end`);
      if (typeof value === 'string' && isInstant(value)) return value;
      throw refuse(`${attribute.path} is compared with a time such as "2026-01-31T12:00:00Z"`);
    case 'binary':
      if (onlyOrdered) throw refuse(`${attribute.path} has no order`);
      break;
    default:
  }
  if (typeof value === 'string') return value;
  throw refuse(`${attribute.path} is compared with a text in double quotes`);
}

const literals: ReadonlyMap<string, Operand> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function operandOf(token: Token): Operand {
  if (token.kind === 'text') return token.text;
  if (token.kind === 'number') return Number(token.text) + 0; // Minus zero is zero.
  const literal = token.kind === 'word' ? literals.get(token.text.toLowerCase()) : undefined;
  if (literal === undefined)
    throw new Misreading(token.position, 'a value is expected; texts stand in double quotes');
  return literal;
}

function expectSpace(token: Token, message: string): void {
  if (!token.spaced && token.kind !== 'end') throw new Misreading(token.position, message);
}

function expectEnd(reader: Reader): void {
  const token = peek(reader);
  if (token.kind !== 'end') throw new Misreading(token.position, 'nothing more is expected here');
}

const isKeyword = (token: Token, keyword: string): boolean =>
  token.kind === 'word' && token.text.toLowerCase() === keyword;

/** The last token is the end and is never passed, so there is always one. */
const peek = (reader: Reader): Token => reader.tokens[reader.at] as Token;

function next(reader: Reader): Token {
  const token = peek(reader);
  if (token.kind !== 'end') reader.at += 1;
  return token;
}
