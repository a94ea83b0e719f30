// A line of the log for somebody at a terminal: time, level, what, facts, and the id of the request. Programs read JSON.

import { visible } from './terminal.ts';

interface LogEntry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly requestId?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
  readonly [fact: string]: unknown;
}

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const errorLevel = 50;
/** The process is the one at this terminal. */
const leftOut = new Set(['level', 'time', 'pid', 'msg', 'requestId', 'err']);

/** The line of JSON as a person reads it. Where an error is ours, its stack stands below. */
export function readableLine(json: string): string {
  const entry = entryOf(json);
  if (entry === null) return json;
  const { level, time, msg = '', requestId, err } = entry;
  const facts = Object.entries(entry)
    .filter(([name, value]) => !leftOut.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const failure = err === undefined ? [] : [`(${[err.type, err.message].filter(Boolean).join(': ')})`];
  const request = requestId === undefined ? [] : [`[${requestId}]`];
  const levelName = (levels[level] ?? String(level)).padEnd(5);
  const words = [clockTime(time), levelName, msg, ...failure, ...facts, ...request];
  const stack = level >= errorLevel ? placesOf(err?.stack ?? '') : [];
  return `${[words.join(' '), ...stack].map(visible).join('\n')}\n`;
}

function entryOf(json: string): LogEntry | null {
  try {
    const entry: unknown = JSON.parse(json);
    return typeof entry === 'object' && entry !== null && 'level' in entry && 'time' in entry
      ? (entry as LogEntry)
      : null;
  } catch {
    return null;
  }
}

/** By the clock of whoever reads it. */
function clockTime(time: string): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Where it happened: the message in front of the stack is in the line above. */
function placesOf(stack: string): readonly string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}
