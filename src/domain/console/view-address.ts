// Which days a page of figures goes over, what it compares them with, and which responses it leaves out, as its address says it:
// `?period=28d&compare=previous&f=is,Q-FOUND,A-NO`. The browser and the server read it alike, so that the first figures can stand in
// the page.

import { type CalendarUnit, dayText, parseDay } from '../dates.ts';

/** How many days back from today; a year is 365 days, so that it can be held against the one before. */
export const periodDays = { '7d': 7, '28d': 28, '90d': 90, '12m': 365 } as const;
export type Period = keyof typeof periodDays;
const usualPeriod: Period = '28d';

export const comparisons = ['previous', 'year', 'none'] as const;
type ViewComparison = (typeof comparisons)[number];

/** As many as a view takes. */
const filtersMax = 5;

export interface ViewAddress {
  /** Null where both days are named. */
  readonly period: Period | null;
  readonly from: string;
  readonly to: string;
  readonly compare: ViewComparison;
  /** Each `OPERATOR,NAME,VALUE`, as a person reads it. */
  readonly filters: readonly string[];
}

/** Whatever an address says: what makes no sense in it counts as not said. */
export function readViewAddress(query: URLSearchParams, today: number): ViewAddress {
  const compare = query.get('compare');
  return {
    ...readDays(query, today),
    compare: comparisons.find((one) => one === compare) ?? 'previous',
    filters: query
      .getAll('f')
      .filter((text) => filterPieces(text) !== null)
      .slice(0, filtersMax),
  };
}

function readDays(query: URLSearchParams, today: number): Pick<ViewAddress, 'period' | 'from' | 'to'> {
  const from = parseDay(query.get('from') ?? '');
  const to = parseDay(query.get('to') ?? '');
  if (from !== null && to !== null && from <= to)
    return { period: null, from: dayText(from), to: dayText(to) };
  const asked = query.get('period') ?? '';
  const period = Object.hasOwn(periodDays, asked) ? (asked as Period) : usualPeriod;
  return { period, from: dayText(today - periodDays[period] + 1), to: dayText(today) };
}

type FilterPieces = readonly [operator: string, name: string, value: string];

/** Operator, name and value of a filter. A comma within the name is written as %2C; the value goes on to the end. */
export function filterPieces(text: string): FilterPieces | null {
  const [, operator, name, value] = /^([a-z]+),([^,]+),(.*)$/s.exec(text) ?? [];
  if (operator === undefined) return null;
  const plain = name!.replaceAll(/%2C|%25/gi, (code) => (code === '%25' ? '%' : ','));
  return [operator, plain, value!];
}

/** A filter as it stands in an address. */
export function writeFilter(...[operator, name, value]: FilterPieces): string {
  const plain = name.replaceAll(/[%,]/g, (sign) => (sign === '%' ? '%25' : '%2C'));
  return `${operator},${plain},${value}`;
}

/** So that a chart has some dozens of points. */
function unitFor({ from, to }: Pick<ViewAddress, 'from' | 'to'>): CalendarUnit {
  const days = parseDay(to)! - parseDay(from)! + 1;
  if (days <= 92) return 'day';
  return days <= 740 ? 'week' : 'month';
}

export interface QueryParts {
  readonly hasComparison?: boolean;
  readonly hasUnit?: boolean;
}

/** The parameters of a view of figures, under /v1 and in the console alike. */
export function viewParameters(
  view: ViewAddress,
  { hasComparison = false, hasUnit = false }: QueryParts = {},
) {
  return {
    from: view.from,
    to: view.to,
    ...(hasUnit && { unit: unitFor(view) }),
    ...(hasComparison && view.compare !== 'none' && { compare: view.compare }),
    ...(view.filters.length > 0 && { filter: filterText(view.filters) }),
  };
}

/** The filters of the parameter `filter` of a view, as they stand in an address. */
export function readFilterText(text: string): readonly string[] {
  return text.split(';').map((condition) => {
    const [operator = '', name = '', value = ''] = condition.split(',').map(decodeURIComponent);
    return writeFilter(operator, name, value);
  });
}

function filterText(filters: readonly string[]): string {
  return filters.map((filter) => filterPieces(filter)!.map(encodeURIComponent).join(',')).join(';');
}
