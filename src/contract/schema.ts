// How a schema is written: a JSON Schema as a value, and what it describes as a type. The types are typebox's, and so
// are the checks that input.ts compiles; the values are made here. They are plain objects, and typebox's own builders
// come in three hundred modules whose loading took longer than all the rest of a start.

import type { Static, TSchema, TUnsafe, Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
>;

// The mark that typebox uses, so that schemas of both makes can be mixed.
const optionalMark = '~optional';

const builders = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly string[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, TSchema>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !(optionalMark in properties[name]!));
    return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...options };
  },
  // Not enumerable: it is a mark for Object above, and no part of the schema that is written down.
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, optionalMark, { value: true }),
  /** Members of any name. */
  Record: (_names: TSchema, values: TSchema, options?: object) => ({
    type: 'object',
    additionalProperties: values,
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
};

export const Type = builders as unknown as Builders;

/** A list of two, which typebox's own tuples write otherwise. */
export function pairOf<Item extends TSchema>(
  item: Item,
  options?: object,
): TUnsafe<[Static<Item>, Static<Item>]> {
  return builders.Array(item, { minItems: 2, maxItems: 2, ...options }) as unknown as TUnsafe<
    [Static<Item>, Static<Item>]
  >;
}
