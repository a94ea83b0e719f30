// Strict JSON (D-26): both engines must be able to keep what we accept, and nobody may be surprised by it.

import { Problem } from '../domain/problem.ts';

const depthMax = 32;
// A byte order mark is kept by this decoder, so that JSON.parse refuses it like any other stray character.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const forbiddenNames = new Set(['__proto__', 'constructor']);

export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, so it stays here.
    throw malformed('The body is not valid JSON.');
  }
  inspect(value, 1);
  return value;
}

function inspect(value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
      return inspectText(value);
    case 'number':
      if (!Number.isFinite(value)) throw malformed('The body holds a number that is not finite.');
      return;
    case 'object':
      if (value !== null) inspectMembers(value, depth);
  }
}

function inspectMembers(value: object, depth: number): void {
  if (depth > depthMax) throw malformed(`The body is nested more than ${depthMax} deep.`);
  if (Array.isArray(value)) {
    for (const element of value) inspect(element, depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    if (forbiddenNames.has(name)) throw malformed(`The body holds a member called ${name}.`);
    inspectText(name);
    inspect((value as Record<string, unknown>)[name], depth + 1);
  }
}

function inspectText(text: string): void {
  if (!text.isWellFormed()) throw malformed('The body holds a lone surrogate.');
  if (text.includes('\0')) throw malformed('The body holds the character NUL.');
}

function malformed(message: string): Problem {
  return new Problem('MALFORMED_JSON', message);
}
