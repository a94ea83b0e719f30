// Every answer that the clients of the tests get is held against the API document: its status, its content type, its
// headers and its body, which may have no member that the document does not name. What it does not describe fails the
// test, whatever the test is about.

import { deepEqual } from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DocumentedAnswer, documentedOperations, type Operation } from './api-document.ts';
import { apiDocuments } from './declared-operations.ts';

export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
  /** Of the text as JSON, where whoever got the answer reads it as well. */
  readonly value?: () => unknown;
}

// A larger body would take longer to judge than the test takes; it has the form of the smaller ones.
const judgedCharactersMax = 4 * 1024 * 1024;
const shownMax = 5;

const patterns = apiDocuments.flatMap(documentedOperations).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const undescribed: string[] = [];

export function holdToDocument(answer: SeenAnswer): void {
  const fault = faultOf(answer);
  if (fault === null) return;
  const { method, url, status, text } = answer;
  undescribed.push(`${method} ${url} answered ${status}: ${fault}\n${text.slice(0, 500)}`);
}

/** After each test (guards.ts). */
export function failOnUndescribed(): void {
  const faults = undescribed.splice(0);
  if (faults.length === 0) return;
  const shown = faults.slice(0, shownMax).join('\n\n');
  throw new Error(`${faults.length} answers are not as openapi.json says:\n${shown}`);
}

/** What is not as the document says; null where it is, or where the document has no such path. */
export function faultOf(answer: SeenAnswer): string | null {
  const operations = operationsAt(new URL(answer.url).pathname);
  const [first] = operations;
  if (first === undefined || answer.method === 'OPTIONS') return null;
  // What cannot be read as HTTP is answered before anybody looks at the path.
  if (answer.status === 400 && answer.text.includes('"errorCode":"MALFORMED_HTTP"')) return null;
  const method = answer.method === 'HEAD' ? 'GET' : answer.method;
  const operation = operations.find((one) => one.method === method);
  // A document cannot describe methods that a path does not take: such a refusal looks like any other of the path. An
  // address that cannot be decoded is refused before anybody looks at the method.
  if (operation === undefined) {
    const wanted = isDecodable(answer.url) ? 405 : 400;
    return answer.status === wanted ? faultIn(first.responses[500]!, answer) : `no ${wanted}`;
  }
  const documented = operation.responses[answer.status];
  return documented === undefined ? 'the status is not documented' : faultIn(documented, answer);
}

function isDecodable(url: string): boolean {
  try {
    // A text with a NUL is one that PostgreSQL cannot keep.
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

const operationsByPath = new Map<string, readonly Operation[]>();
const pathsMax = 10_000;

function operationsAt(pathname: string): readonly Operation[] {
  const found = operationsByPath.get(pathname) ?? findOperations(pathname);
  if (operationsByPath.size === pathsMax) operationsByPath.clear();
  operationsByPath.set(pathname, found);
  return found;
}

/** The operations of a path; a path that is written out counts before a pattern that it fits. */
function findOperations(pathname: string): readonly Operation[] {
  const path = /^\/(v1|scim\/v2|console\/api)\/.*\/$/.test(pathname) ? pathname.slice(0, -1) : pathname;
  const own = patterns.filter(({ operation }) => operation.path === path);
  const fitting = own.length > 0 ? own : patterns.filter(({ pattern }) => pattern.test(path));
  return fitting.map(({ operation }) => operation);
}

function faultIn(documented: DocumentedAnswer, answer: SeenAnswer): string | null {
  const { method, header, text } = answer;
  const [type = ''] = (header('content-type') ?? '').split(';');
  if (documented.content === undefined) return text === '' ? null : 'a body is not documented';
  const media = documented.content[type];
  if (media === undefined) return `the content type "${type}" is not documented`;
  if (method === 'HEAD' || text.length > judgedCharactersMax) return null;
  const validate = validatorOf(media.schema);
  if (validate(answer.value === undefined ? parsed(text) : answer.value())) return null;
  return (validate.errors ?? [])
    .slice(0, shownMax)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

/** Undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ---- the schemas of the document as checks

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const schemas: Record<string, object> = {};
for (const { components } of apiDocuments)
  for (const [name, schema] of Object.entries(components.schemas)) {
    // What the two have in common has the same name and the same form.
    if (name in schemas) deepEqual(schema, schemas[name], `Two schemas are called ${name}.`);
    schemas[name] = schema;
  }
const ajv = new Ajv2020({
  strict: false,
  // That the document is well formed is tested elsewhere, and to judge it takes longer than many a file of tests.
  validateSchema: false,
  meta: false,
  formats: { date: /^\d{4}-\d{2}-\d{2}$/, 'date-time': moment },
  schemas: [{ $id: 'openapi', components: { schemas: closed(schemas) } }],
});
const validators = new Map<string, ValidateFunction>();
/** By the schema as the document has it, because there can be hundreds of thousands of answers. */
const validatorsOf = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const found = validatorsOf.get(schema) ?? compiled(schema);
  validatorsOf.set(schema, found);
  return found;
}

function compiled(schema: object): ValidateFunction {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"openapi#/components/');
  const known = validators.get(text);
  if (known !== undefined) return known;
  const made = ajv.compile(JSON.parse(text) as object);
  validators.set(text, made);
  return made;
}

/** The same schema, in which an object has no members but those that it names. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isOpenObject = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}
