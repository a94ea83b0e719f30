// A score as it stands in a row, read as whole millionths. Very many are read, and most of the time would go into making a double of
// all of its digits: here the first six behind the point are read, and the next two say which way it is rounded. What is too close
// to the middle, or written in another way, is left to the double, so both always agree (D-34).

import { scoreMicros } from '../feedback/score.ts';

const zero = 48;
const point = 46;
const decimals = 6;

/** Of the text from `begin` to `end`; null where there is no score. */
export function readMicros(text: string, begin: number, end: number): number | null {
  let micros = 0;
  let at = begin;
  for (; at < end; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) break;
    micros = micros * 10 + digit;
  }
  // Scores have at most three digits before the point.
  if (at === begin || at - begin > 3) return readByDouble(text, begin, end);
  if (at < end && text.charCodeAt(at) !== point) return readByDouble(text, begin, end);
  const isSingle = at - begin === 1;
  at += 1;
  for (let place = 0; place < decimals; place += 1, at += 1) {
    const digit = at < end ? text.charCodeAt(at) - zero : 0;
    if (digit < 0 || digit > 9) return readByDouble(text, begin, end);
    micros = micros * 10 + digit;
  }
  if (at >= end) return micros;
  // An exponent stands behind the digits of a number that begins with a single one.
  if (isSingle && hasExponent(text, at, end)) return readByDouble(text, begin, end);
  const first = text.charCodeAt(at) - zero;
  const rest = first * 10 + (at + 1 < end ? text.charCodeAt(at + 1) - zero : 0);
  if (rest < 0 || (rest > 48 && rest < 51) || rest > 99) return readByDouble(text, begin, end);
  return rest < 50 ? micros : micros + 1;
}

function hasExponent(text: string, begin: number, end: number): boolean {
  const exponent = text.indexOf('e', begin);
  return exponent >= 0 && exponent < end;
}

function readByDouble(text: string, begin: number, end: number): number | null {
  const whole = text.slice(begin, end);
  return whole === '' || whole === 'null' ? null : scoreMicros(Number(whole));
}
