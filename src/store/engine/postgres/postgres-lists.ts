// Lists as parameters of PostgreSQL: one array a column, whatever the number of rows.

import sql, { raw, type Sql } from 'sql-template-tag';

const textSeparator = '\u0001';
const arrayTypes = { integer: raw('bigint[]'), text: raw('text[]') };

/**
 * A list as a parameter. In the literal of an array every quote and every backslash is escaped, and half of what we keep
 * is JSON: texts are rather joined by a character that hardly any text has, and parted by the server. Lists with one
 * that has it, and those with nulls or empty texts, are arrays. Whole numbers are written here: the driver would look
 * into each of them for something to escape.
 */
export function arrayOf(values: readonly (number | string | null)[], type: 'integer' | 'text'): Sql {
  if (type === 'integer' && values.every((value) => typeof value === 'number'))
    return sql`${`{${values.join(',')}}`}::bigint[]`;
  const isPlain = (value: number | string | null): boolean =>
    typeof value === 'string' && value !== '' && !value.includes(textSeparator);
  return type === 'text' && values.every(isPlain)
    ? sql`string_to_array(${values.join(textSeparator)}, ${textSeparator})`
    : sql`${values}::${arrayTypes[type]}`;
}
