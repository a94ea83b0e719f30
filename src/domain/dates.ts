// Days and moments. A day is a UTC calendar day, kept as the number of days since 1970-01-01; a moment is
// kept as milliseconds since then. A range of days includes both of its ends (D-35).

import type { Fault } from './problem.ts';

export const dayMs = 86_400_000;

/** Days since 1970-01-01, UTC, of the first and the last day; both belong to the range. */
export interface DateRange {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The UTC day in which a moment lies. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / dayMs);
}

/** The day that a text of exactly the form YYYY-MM-DD names, or null when it names none (2026-02-30). */
export function parseDay(text: string): number | null {
  if (text.length !== 10 || text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (year < 1 || !isDateOfCalendar(year, month, day)) return null;
  return dayOf(utcMs(year, month, day));
}

/** The day as YYYY-MM-DD. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export const calendarUnits = ['day', 'week', 'month'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** The day, the week of ISO 8601 (Monday to Sunday) or the month in which a day lies. */
export function unitAround(day: number, unit: CalendarUnit): DateRange {
  if (unit === 'day') return { firstDay: day, lastDay: day };
  if (unit === 'week') {
    // 1970-01-01 was a Thursday.
    const firstDay = day - ((((day + 3) % 7) + 7) % 7);
    return { firstDay, lastDay: firstDay + 6 };
  }
  const date = new Date(day * dayMs);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return { firstDay: day - dayOfMonth + 1, lastDay: dayOf(date.getTime()) };
}

/** The same day of the calendar a year before; of 29 February it is the 28th (D-486). */
export function yearBefore(day: number): number {
  const date = new Date(day * dayMs);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return dayOf(date.getTime());
}

/**
 * Reads `from` and `to` of the data endpoints. Every fault goes to `faults`; the range counts only when
 * there is none.
 */
export function readDateRange(from: string, to: string, faults: Fault[]): DateRange {
  const firstDay = readDay('from', from, faults);
  const lastDay = readDay('to', to, faults);
  if (firstDay !== null && lastDay !== null && lastDay < firstDay) {
    faults.push({
      field: 'to',
      code: 'INVALID_RANGE',
      message: `The last day, ${to}, lies before the first, ${from}.`,
    });
  }
  return { firstDay: firstDay ?? 0, lastDay: lastDay ?? 0 };
}

function readDay(field: string, text: string, faults: Fault[]): number | null {
  const day = parseDay(text);
  if (day === null) {
    faults.push({
      field,
      code: 'INVALID_DATE',
      message: `"${text.slice(0, 40)}" is not a day of the calendar in the form YYYY-MM-DD.`,
    });
  }
  return day;
}

/**
 * The moment that an ISO 8601 date and time names, in milliseconds UTC, or null. Any offset is understood;
 * without one the time is UTC, as the interface says of it (D-44). Digits beyond the millisecond are cut off,
 * so that 23:59:59.9999 stays in its day.
 */
export function parseTimestamp(text: string): number | null {
  // The usual form is read here by hand, because every response that is taken in comes through this line;
  // the rarer forms of ISO 8601 are left to Temporal.
  if (text.length < 19 || text.charCodeAt(4) !== dash) return parseRareTimestamp(text);
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const separator = text.charCodeAt(10);
  if (
    text.charCodeAt(7) !== dash ||
    (separator !== upperT && separator !== upperT + 32) ||
    text.charCodeAt(13) !== colon ||
    text.charCodeAt(16) !== colon ||
    year < 1000 ||
    hour < 0 ||
    hour > 23 ||
    minute < 0 ||
    minute > 59 ||
    second < 0 ||
    second > 59 ||
    !isDateOfCalendar(year, month, day)
  ) {
    return parseRareTimestamp(text);
  }
  let position = 19;
  let millisecond = 0;
  if (text.charCodeAt(position) === point) {
    position += 1;
    let places = 0;
    for (; position < text.length; position += 1, places += 1) {
      const digit = text.charCodeAt(position) - zero;
      if (digit < 0 || digit > 9) break;
      if (places < 3) millisecond = millisecond * 10 + digit;
    }
    if (places === 0) return null;
    if (places < 3) millisecond *= places === 1 ? 100 : 10;
  }
  const offsetMinutes = readOffset(text, position);
  if (offsetMinutes === null) return parseRareTimestamp(text);
  return utcMs(year, month, day) + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + millisecond;
}

// Minutes east of UTC that the rest of a timestamp says, or null when it is not the usual form.
function readOffset(text: string, position: number): number | null {
  const rest = text.length - position;
  if (rest === 0) return 0;
  const sign = text.charCodeAt(position);
  if (rest === 1) return sign === upperZ || sign === upperZ + 32 ? 0 : null;
  if ((sign !== plus && sign !== dash) || rest !== 6 || text.charCodeAt(position + 3) !== colon) return null;
  const hours = digits(text, position + 1, position + 3);
  const minutes = digits(text, position + 4, position + 6);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  return sign === plus ? hours * 60 + minutes : -(hours * 60 + minutes);
}

// Basic form (20260131T235959Z), hours alone, +0100, a leap second, a decimal comma. Brackets with the name of
// a time zone are Temporal's own and no ISO 8601.
function parseRareTimestamp(text: string): number | null {
  if (text.length > 64 || text.length < 10 || text.includes('[')) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // Not an instant; perhaps one without an offset, which is then UTC.
  }
  try {
    if (!/[Tt ]/.test(text)) return null;
    return Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').epochMilliseconds;
  } catch {
    return null;
  }
}

function isDateOfCalendar(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  if (month !== 2) return day <= (monthDays[month - 1] ?? 0);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (leap ? 29 : 28);
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// Date.UTC takes the years 0 to 99 for 1900 to 1999; shifting by a whole cycle of the calendar avoids that.
function utcMs(year: number, month: number, day: number): number {
  return year >= 100
    ? Date.UTC(year, month - 1, day)
    : Date.UTC(year + 400, month - 1, day) - 146_097 * dayMs;
}

// The number that the characters of [start, end) write, or -1 when one of them is no digit.
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let position = start; position < end; position += 1) {
    const digit = text.charCodeAt(position) - zero;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

const zero = 48;
const dash = 45;
const colon = 58;
const point = 46;
const plus = 43;
const upperT = 84;
const upperZ = 90;

/** The beginning of a range that is given as a day or a moment; null for a text that is neither. */
export function rangeBegin(text: string): number | null {
  const day = parseDay(text);
  return day === null ? parseTimestamp(text) : day * dayMs;
}

/** The first moment behind a range whose last day or moment is given: a day is meant with all of its hours. */
export function rangeEnd(text: string): number | null {
  const begin = rangeBegin(text);
  return begin === null ? null : begin + (parseDay(text) === null ? 1 : dayMs);
}
