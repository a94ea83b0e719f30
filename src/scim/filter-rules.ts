// What filters of the service face may say (D-53): its four rules, to the letter. A filter that the standard
// face allows and the service face does not is refused with a sentence that says what is supported, never ignored.

import { Problem } from '../domain/problem.ts';
import { type Filter, type FilterLimits, filterLimits, type Operator, readFilter } from './filter.ts';
import { standardFaceSchemaView } from './schema-view.ts';

const allowedOperators: ReadonlyMap<string, readonly Operator[]> = new Map([
  ['userName', ['eq']],
  ['name.givenName', ['co', 'sw', 'ew']],
  ['name.familyName', ['co', 'sw', 'ew']],
]);

const supported =
  'Supported are userName with eq, and name.givenName and name.familyName with co, sw and ew; several are combined with and.';

/** One comparison that the service face allows; all comparisons of a filter must hold. */
type AllowedTerm = Extract<Filter, { kind: 'compare' }> & { readonly value: string };

export function readServiceFaceFilter(text: string, limits: FilterLimits = filterLimits): Filter {
  const { filter, grouped } = readOrExplain(text, limits);
  if (grouped) throw refusal('Parentheses and not are not supported here.');
  termsOf(filter);
  return filter;
}

/** The comparisons of a filter; refuses any other. */
function termsOf(filter: Filter): readonly AllowedTerm[] {
  const terms = filter.kind === 'and' ? filter.terms : [filter];
  return terms.map((term) => {
    if (term.kind !== 'compare') throw refusal('This filter is not supported here.');
    const { attribute, operator, value } = term;
    const operators = allowedOperators.get(attribute.path);
    if (operators === undefined) throw refusal(`Filtering by ${attribute.path} is not supported here.`);
    if (!operators.includes(operator) || typeof value !== 'string') {
      throw refusal(`${attribute.path} does not support ${operator} ${JSON.stringify(value)} here.`);
    }
    return { kind: 'compare', attribute, operator, value };
  });
}

/** Read by the whole grammar, so that a filter beyond the rules is told apart from one that cannot be read. */
function readOrExplain(text: string, limits: FilterLimits): ReturnType<typeof readFilter> {
  try {
    return readFilter(text, standardFaceSchemaView, limits);
  } catch (error) {
    if (error instanceof Problem) throw refusal(error.message);
    throw error;
  }
}

function refusal(reason: string): Problem {
  const message = `${reason} ${supported}`;
  return new Problem('INVALID_FILTER', message, {
    details: [{ field: 'filter', code: 'INVALID_FILTER', message }],
  });
}
