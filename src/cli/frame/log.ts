// The log: JSON lines on standard error, or lines for people where that is a terminal (D-890). Only what is named here and at the
// call ever gets into a line, so there is nothing to redact; errors are reduced to what names the fault and cannot hold a caller's
// data.

import pino, { type Logger } from 'pino';
import { readableLine } from './log-line.ts';
import { withoutControls } from './terminal.ts';

export async function openLog(level: string, format: string): Promise<Logger> {
  const destination = pino.destination({ dest: 2, sync: true });
  const isReadable = format === 'text' || (format === 'auto' && process.stderr.isTTY === true);
  // Standard error is often a terminal; the JSON of pino leaves some characters as they are that one obeys.
  const lineOf = isReadable ? readableLine : withoutControls;
  const stream = { write: (line: string) => void destination.write(lineOf(line)) };
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: (error: unknown) => describeError(error) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    stream,
  );
}

interface DatabaseFailure extends Error {
  readonly severity: string;
  readonly code?: string;
  readonly routine?: string;
  readonly constraint?: string;
}

// A line has an end, whatever a library puts into its messages, and however many causes it names.
const messageMax = 1_000;
const stackMax = 4_000;
const causesMax = 3;

export function describeError(error: unknown, causesLeft = causesMax): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const cause =
    error.cause === undefined || causesLeft <= 0 ? {} : { cause: describeError(error.cause, causesLeft - 1) };
  if ('severity' in error && 'routine' in error) {
    // PostgreSQL quotes values in its messages and details; state and constraint say enough.
    const { code, routine, constraint } = error as DatabaseFailure;
    return { type: 'PostgreSQL', state: code, routine, constraint };
  }
  const { code } = error as { code?: unknown };
  const quotes = quotesText(error);
  return {
    type: error.name,
    ...(quotes ? {} : { message: cut(error.message, messageMax) }),
    ...(typeof code === 'string' ? { code } : {}),
    stack: quotes ? placesOf(error) : stackOf(error),
    ...cause,
  };
}

/** Parsers quote what they could not read: V8 that of JSON, the libraries that of CSV and YAML (D-870). */
const parserErrors = new Set(['SyntaxError', 'CsvError', 'YAMLParseError']);

function quotesText(error: Error): boolean {
  // The error of CSV has no name of its own.
  return parserErrors.has(error.name) || parserErrors.has(error.constructor.name);
}

/** The stack without the message in front of it, however many lines that has. */
function placesOf({ name, message, stack = '' }: Error): string {
  const places = stack.slice(stack.indexOf(message) + message.length);
  return cut(`${name}${places.slice(Math.max(0, places.indexOf('\n    at ')))}`, stackMax);
}

/** The message stands in front of the stack once more: where it is long, the places behind it are what is wanted. */
function stackOf({ message, stack = '' }: Error): string {
  const short = message.length > messageMax ? stack.replace(message, () => cut(message, messageMax)) : stack;
  return cut(short, stackMax);
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}
