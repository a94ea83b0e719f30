// Filters and patch paths, cut into words. One pass, one character at a time, nothing is ever looked at twice.

export interface Token {
  readonly kind: 'word' | 'text' | 'number' | '(' | ')' | '[' | ']' | 'end';
  /** As written; for a text the value that it stands for. */
  readonly text: string;
  /** Counted from 1, for people. */
  readonly position: number;
  /** Whether a space stands before it: the grammar wants them around operators. */
  readonly spaced: boolean;
}

/** Tells the caller of a lexer or parser where reading stopped; it becomes a Problem before a caller sees it. */
export class Misreading extends Error {
  readonly position: number;
  /** Whether the words can be read and one of them names an attribute that is not there. */
  readonly isUnknownName: boolean;

  constructor(position: number, message: string, isUnknownName = false) {
    super(message);
    this.position = position;
    this.isUnknownName = isUnknownName;
  }
}

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (true) {
    const start = skipSpaces(text, at);
    const token = tokenAt(text, start);
    tokens.push({ kind: token.kind, text: token.text, position: start + 1, spaced: start > at });
    if (token.kind === 'end') return tokens;
    at = token.end;
  }
}

type Cut = Pick<Token, 'kind' | 'text'> & { readonly end: number };

function tokenAt(text: string, start: number): Cut {
  const first = text[start];
  if (first === undefined) return { kind: 'end', text: '', end: start };
  if (first === '(' || first === ')' || first === '[' || first === ']') {
    return { kind: first, text: first, end: start + 1 };
  }
  if (first === '"') return textAt(text, start);
  if (isDigit(first) || first === '-') return numberAt(text, start);
  if (isLetter(first) || first === '$' || first === '.') {
    const end = endOfRun(text, start, isWordCharacter);
    return { kind: 'word', text: text.slice(start, end), end };
  }
  throw new Misreading(start + 1, 'this character has no meaning here');
}

/** A text in double quotes, with the escapes of JSON. */
function textAt(text: string, start: number): Cut {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  if (at >= text.length) throw new Misreading(start + 1, 'the text in quotes has no end');
  const value = parseQuoted(text.slice(start, at + 1));
  if (value === null) throw new Misreading(start + 1, 'the text in quotes is not a JSON string');
  // Neither engine could compare with these, and no stored value holds them (D-26).
  if (!value.isWellFormed() || value.includes('\0')) {
    throw new Misreading(start + 1, 'the text in quotes holds NUL or half a surrogate pair');
  }
  return { kind: 'text', text: value, end: at + 1 };
}

function parseQuoted(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function numberAt(text: string, start: number): Cut {
  const end = endOfRun(text, start, (one) => isDigit(one) || '+-.eE'.includes(one));
  const written = text.slice(start, end);
  if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(written)) {
    throw new Misreading(start + 1, 'this is not a number');
  }
  return { kind: 'number', text: written, end };
}

function skipSpaces(text: string, from: number): number {
  return endOfRun(text, from, (one) => one === ' ');
}

function endOfRun(text: string, from: number, belongs: (one: string) => boolean): number {
  let at = from;
  while (at < text.length && belongs(text[at] as string)) at += 1;
  return at;
}

const isDigit = (one: string): boolean => one >= '0' && one <= '9';
const isLetter = (one: string): boolean => (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
const isWordCharacter = (one: string): boolean => isLetter(one) || isDigit(one) || '-_$:.'.includes(one);
