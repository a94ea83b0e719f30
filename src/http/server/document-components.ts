// What several operations of the API document share stands once, under a name, and is referred to.

import type { TSchema } from 'typebox';
import type { Interruptible } from '../../domain/interruptible.ts';

export type Json = Record<string, unknown>;

type Kind = 'responses' | 'headers' | 'examples';

export class Components {
  readonly #schemas = new Map<string, TSchema>();
  readonly #others: Readonly<Record<Kind, Map<string, Json>>> = {
    responses: new Map(),
    headers: new Map(),
    examples: new Map(),
  };

  /** A schema with a name stands once among the components and is referred to. */
  schema(schema: TSchema): Json {
    const { $id } = schema as { $id?: string };
    if ($id === undefined) return this.#inlined(schema);
    this.#schemas.set($id, schema);
    return { $ref: `#/components/schemas/${$id}` };
  }

  /** The reference to what has this name; it is made when it is first referred to. */
  refer(kind: Kind, name: string, make: () => Json): Json {
    const known = this.#others[kind];
    if (!known.has(name)) known.set(name, make());
    return { $ref: `#/components/${kind}/${name}` };
  }

  *written(): Interruptible<Json> {
    const { responses, headers, examples } = this.#others;
    // Writing a schema down may name further ones, which then stand behind it and are written in their turn.
    const schemas = new Map<string, Json>();
    for (const [id, schema] of this.#schemas) {
      schemas.set(id, this.#inlined(schema));
      yield;
    }
    return {
      schemas: inOrder(schemas),
      responses: inOrder(responses),
      headers: inOrder(headers),
      ...(examples.size === 0 ? {} : { examples: inOrder(examples) }),
    };
  }

  #inlined(schema: TSchema): Json {
    const copy = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(copy);
      if (value === null || typeof value !== 'object') return value;
      if ('$id' in value) return this.schema(value as TSchema);
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]));
    };
    const { $id: _name, ...rest } = schema as unknown as Json;
    return copy(rest) as Json;
  }
}

function inOrder(named: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}
