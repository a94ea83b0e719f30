// What a later API document takes away from an earlier one. Requests may take more than before, answers may say more; a
// caller written for the earlier document must not notice (D-60).

import type { ApiDocument } from './published.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly $ref?: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

type Direction = 'request' | 'answer';

/** Each as a sentence; none where the later document only adds. */
export function takenAway(before: ApiDocument, now: ApiDocument): readonly string[] {
  const reader = new DocumentPair(before, now);
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const later = now.paths[path]?.[method];
      if (later === undefined) return [`${at} is gone`];
      return reader.operation(operation as Operation, later as Operation, at);
    }),
  );
}

class DocumentPair {
  readonly #before: ApiDocument;
  readonly #now: ApiDocument;
  /** Pairs under way: schemas may contain themselves. */
  readonly #open = new Set<string>();

  constructor(before: ApiDocument, now: ApiDocument) {
    this.#before = before;
    this.#now = now;
  }

  operation(before: Operation, now: Operation, at: string): string[] {
    if (before.responses === undefined) return [];
    const faults: string[] = [];
    const [had, has] = [this.#parameters(before, this.#before), this.#parameters(now, this.#now)];
    for (const [key, parameter] of had) {
      const later = has.get(key);
      if (later === undefined) faults.push(`${at}: the parameter ${key} is gone`);
      else {
        if (later.required && !parameter.required) faults.push(`${at}: ${key} has become required`);
        faults.push(...this.schema(parameter.schema, later.schema, 'request', `${at} ${key}`));
      }
    }
    for (const [key, { required }] of has)
      if (required && !had.has(key)) faults.push(`${at}: the new parameter ${key} is required`);
    if (now.requestBody?.required && !before.requestBody?.required)
      faults.push(`${at}: a body has become required`);
    faults.push(...this.#content(before.requestBody ?? {}, now.requestBody ?? {}, 'request', at));
    for (const [status, answer] of Object.entries(before.responses)) {
      const later = now.responses[status];
      if (later === undefined) faults.push(`${at}: the answer ${status} is gone`);
      else
        faults.push(
          ...this.#content(
            resolve(answer, this.#before),
            resolve(later, this.#now),
            'answer',
            `${at} ${status}`,
          ),
        );
    }
    return faults;
  }

  #parameters({ parameters = [] }: Operation, document: ApiDocument): Map<string, Parameter> {
    return new Map(
      parameters.map((one) => {
        const parameter = resolve(one, document);
        return [`${parameter.in} ${parameter.name}`, parameter];
      }),
    );
  }

  #content(before: Content, now: Content, direction: Direction, at: string): string[] {
    return Object.entries(before.content ?? {}).flatMap(([type, { schema }]) => {
      const later = now.content?.[type];
      if (later === undefined) return [`${at}: ${type} is gone`];
      return this.schema(schema, later.schema, direction, at);
    });
  }

  schema(one: Schema | undefined, other: Schema | undefined, direction: Direction, at: string): string[] {
    if (one === undefined || other === undefined) return [];
    const pair = `${direction} ${one.$ref} ${other.$ref}`;
    if (one.$ref !== undefined) {
      if (this.#open.has(pair)) return [];
      this.#open.add(pair);
    }
    try {
      return this.#resolved(resolve(one, this.#before), resolve(other, this.#now), direction, at);
    } finally {
      if (one.$ref !== undefined) this.#open.delete(pair);
    }
  }

  #resolved(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const faults = typeFaults(before, now, direction, at);
    for (const [name, member] of Object.entries(before.properties ?? {})) {
      const later = now.properties?.[name];
      if (later === undefined) faults.push(`${at}: the member ${name} is gone`);
      else faults.push(...this.schema(member, later, direction, `${at}.${name}`));
    }
    const [had, has] = [new Set(before.required), new Set(now.required)];
    const gone = direction === 'request' ? has.difference(had) : had.difference(has);
    for (const name of gone)
      faults.push(
        direction === 'request' ? `${at}: ${name} has become required` : `${at}: ${name} is not always there`,
      );
    faults.push(...this.schema(before.items, now.items, direction, `${at}[]`));
    for (const word of ['anyOf', 'oneOf', 'allOf'] as const) {
      // Alternatives that are types alone are compared as types: an answer may have fewer of them, a request more.
      if (word === 'anyOf' && isOfTypes(before) && isOfTypes(now)) continue;
      const [some, later] = [before[word] ?? [], now[word] ?? []];
      if (later.length < some.length && word !== 'allOf') faults.push(`${at}: an alternative is gone`);
      for (const [index, schema] of some.entries())
        faults.push(...this.schema(schema, later[index], direction, at));
    }
    return faults;
  }
}

function typeFaults(before: Schema, now: Schema, direction: Direction, at: string): string[] {
  const faults: string[] = [];
  const [had, has] = [typesOf(before), typesOf(now)];
  if (had.size > 0 && has.size > 0) {
    const gone = direction === 'request' ? had.difference(has) : has.difference(had);
    for (const type of gone)
      faults.push(direction === 'request' ? `${at}: no ${type} any more` : `${at}: it may now be ${type}`);
  }
  if (before.enum !== undefined && now.enum !== undefined)
    for (const value of before.enum)
      if (!now.enum.includes(value)) faults.push(`${at}: the value ${String(value)} is gone`);
  if (direction === 'answer') return faults;
  if (before.enum === undefined && now.enum !== undefined) faults.push(`${at}: only some values are taken`);
  // No number beyond it is exact in JSON, so to say it takes nothing away.
  const limitOf = (limit: number | undefined): number =>
    limit === undefined || limit >= Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : limit;
  for (const word of ['maximum', 'maxLength', 'maxItems'] as const)
    if (limitOf(now[word]) < limitOf(before[word])) faults.push(`${at}: ${word} is less`);
  for (const word of ['minimum', 'minLength'] as const)
    if ((now[word] ?? Number.NEGATIVE_INFINITY) > (before[word] ?? Number.NEGATIVE_INFINITY))
      faults.push(`${at}: ${word} is more`);
  return faults;
}

function typesOf(schema: Schema): Set<string> {
  const types = isOfTypes(schema) ? schema.anyOf!.map(({ type }) => type) : [schema.type];
  return new Set(types.flatMap((type) => (type === undefined ? [] : [type].flat())));
}

function isOfTypes({ anyOf }: Schema): boolean {
  const isTypeAlone = (schema: Schema): boolean =>
    schema.type !== undefined && Object.keys(schema).every((word) => ['type', 'description'].includes(word));
  return anyOf?.every(isTypeAlone) ?? false;
}

function resolve<T extends { readonly $ref?: string }>(value: T, document: ApiDocument): T {
  if (value.$ref === undefined) return value;
  const found = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((place: unknown, name) => (place as Record<string, unknown>)?.[name], document);
  return resolve(found as T, document);
}
