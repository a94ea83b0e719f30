// The body of a sent survey, as a browser writes a form or as its script writes the same fields in JSON: one map from names to
// lists of texts. Every other endpoint reads JSON alone; this one is handed bytes and reads both itself.

import type { FormFields } from '../../domain/pages/form-fields.ts';
import { Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { parsedJson, parseJson, shortBodyBytes } from '../server/json.ts';

// A survey of a thousand questions has as many fields; a question of a thousand check boxes has one with as many values.
const pairsMax = 5_000;
const nameCharactersMax = 300;

export async function readFormBody(
  workQueue: WorkQueue,
  bytes: Buffer | undefined,
  contentType: string,
): Promise<FormFields> {
  if (bytes === undefined || bytes.length === 0) return new Map();
  if (!contentType.trim().toLowerCase().startsWith('application/json')) return readForm(bytes);
  const isShort = bytes.length <= shortBodyBytes;
  return fieldsIn((isShort ? parseJson(bytes) : await workQueue.run(parsedJson(bytes))).value);
}

/** application/x-www-form-urlencoded, as HTML defines it, in UTF-8 and without a fault. */
function readForm(bytes: Buffer): FormFields {
  const text = bytes.toString('latin1');
  const fields = new Map<string, string[]>();
  let pairs = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('&', at);
    const pair = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    if (pair === '') continue;
    pairs += 1;
    if (pairs > pairsMax) throw tooMany();
    const middle = pair.indexOf('=');
    const name = decoded(middle === -1 ? pair : pair.slice(0, middle));
    const value = middle === -1 ? '' : decoded(pair.slice(middle + 1));
    add(fields, name, value);
  }
  return fields;
}

const plain = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/;

function decoded(text: string): string {
  if (plain.test(text)) return text;
  try {
    // What is beyond ASCII must be escaped; a raw byte is no character yet.
    if (/[^\x20-\x7e]/.test(text)) throw new URIError();
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('INVALID_REQUEST', 'The form is not encoded as UTF-8.');
  }
}

function fieldsIn(value: unknown): FormFields {
  const given = isObject(value) ? value.fields : undefined;
  if (!isObject(given)) throw malformed();
  const fields = new Map<string, string[]>();
  let pairs = 0;
  for (const [name, texts] of Object.entries(given)) {
    if (!Array.isArray(texts)) throw malformed();
    pairs += texts.length;
    if (pairs > pairsMax) throw tooMany();
    for (const text of texts) {
      if (typeof text !== 'string') throw malformed();
      add(fields, name, text);
    }
  }
  return fields;
}

/** Names that no survey has are dropped later; one that is longer than any is dropped here. */
function add(fields: Map<string, string[]>, name: string, value: string): void {
  if (name.length > nameCharactersMax) return;
  // No engine keeps NUL. HTML shows it as this, and JSON does not come this far with it.
  const text = value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [text]);
  else values.push(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(): Problem {
  return new Problem('INVALID_REQUEST', 'The body is { "fields": { name: [texts] } }.', {
    details: [{ field: 'fields', code: 'INVALID', message: 'must be an object of lists of texts.' }],
  });
}

function tooMany(): Problem {
  return new Problem('INVALID_REQUEST', `A form has at most ${pairsMax} values.`, {
    details: [{ field: '', code: 'TOO_MANY', message: `has at most ${pairsMax} values.` }],
  });
}
