// A file of users, one a line: NDJSON with bodies as create takes them, or CSV with a column for each attribute.
// Lines are read as a stream, so that a file may be larger than memory.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { accountIdLength } from '../../domain/access/account.ts';
import { csvFault } from '../../domain/feedback/csv-fault.ts';
import { parseJsonText } from '../../domain/json-text.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { UserDraft } from '../../domain/provisioning/user.ts';
import { serviceFace } from '../../scim/faces.ts';
import { serviceSchema, userSchema } from '../../scim/urns.ts';

/** A line with the user it says, or with everything that is wrong with it. */
type Line = { readonly number: number } & (
  | { readonly draft: UserDraft }
  | { readonly faults: readonly Pick<Fault, 'field' | 'message'>[] }
);

export type UserFormat = 'csv' | 'ndjson';

export function readUsers(file: string, format: UserFormat): AsyncIterable<Line> {
  return format === 'csv' ? readCsv(file) : readNdjson(file);
}

async function* readNdjson(file: string): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() === '') continue;
    let sent: unknown;
    try {
      sent = parseJsonText(number === 1 ? text.replace(/^\ufeff/, '') : text);
    } catch {
      yield { number, faults: [{ field: '', message: 'The line is not valid JSON.' }] };
      continue;
    }
    yield lineOf(number, sent);
  }
}

/** What every line would have to repeat is filled in: the schema, and the empty meta of a new user. */
function lineOf(number: number, sent: unknown): Line {
  const body =
    typeof sent === 'object' && sent !== null ? { schemas: [userSchema], meta: {}, ...sent } : sent;
  try {
    return { number, draft: serviceFace.readDraft(body) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { details, message } = error;
    return { number, faults: details.length > 0 ? details : [{ field: '', message }] };
  }
}

async function* readCsv(file: string): AsyncGenerator<Line> {
  const { parse, CsvError } = await import('csv-parse');
  const parser = createReadStream(file).pipe(parse({ bom: true, info: true, skip_empty_lines: true }));
  let columns: readonly Column[] | null = null;
  try {
    for await (const entry of parser) {
      const { record, info } = entry as { record: string[]; info: { lines: number } };
      if (columns !== null) {
        yield lineOf(info.lines, bodyOf(columns, record));
        continue;
      }
      const header = headerOf(record);
      if (!('columns' in header)) {
        yield { number: info.lines, faults: header.faults };
        return;
      }
      columns = header.columns;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, message } = csvFault(error);
    yield { number: line ?? 0, faults: [{ field: '', message: `The line is not valid CSV: ${message}.` }] };
  }
}

type Body = Record<string, unknown>;
type Column = (body: Body, cell: string) => void;

/** The columns there may be; lists have one for each type of element, such as `emails.work`. */
const columnNames =
  'userName, externalId, active, name.givenName, name.familyName, emails or emails.TYPE, phoneNumbers or phoneNumbers.TYPE, clientId, authenticationProvider';

function headerOf(names: readonly string[]): { columns: readonly Column[] } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const columns = names.map((text) => {
    const name = text.trim();
    const column = columnOf(name);
    if (column === null)
      faults.push({
        field: name,
        code: 'UNKNOWN',
        message: `There is no column "${name}"; there are ${columnNames}.`,
      });
    if (seen.has(name))
      faults.push({ field: name, code: 'REPEATED', message: `The column "${name}" comes twice.` });
    seen.add(name);
    return column ?? (() => {});
  });
  return faults.length > 0 ? { faults } : { columns };
}

function isNumber(cell: string): boolean {
  return /^\d+$/.test(cell) && cell.length <= accountIdLength;
}

function columnOf(name: string): Column | null {
  const list = /^(emails|phoneNumbers)(?:\.(\w+))?$/.exec(name);
  if (list !== null) return listColumn(list[1]!, list[2]);
  switch (name) {
    case 'userName':
    case 'externalId':
      return setting(name, (cell) => cell);
    case 'active':
      // Anything else stays as it is and is refused by its type.
      return setting(name, (cell) => booleans.get(cell.toLowerCase()) ?? cell);
    case 'name.givenName':
    case 'name.familyName':
      return setting('name', (cell, before) => ({ ...before, [name.slice('name.'.length)]: cell }));
    case 'clientId':
      return (body, cell) => extend(body, { clientId: isNumber(cell) ? Number(cell) : cell });
    case 'authenticationProvider':
      return (body, cell) => extend(body, { authenticationProvider: cell });
    default:
      return null;
  }
}

const setting =
  (name: string, value: (cell: string, before: Body) => unknown): Column =>
  (body, cell) => {
    body[name] = value(cell, body[name] as Body);
  };

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

function extend(body: Body, members: Body): void {
  body[serviceSchema] = { ...(body[serviceSchema] as Body | undefined), ...members };
}

function listColumn(list: string, type: string | undefined): Column {
  return (body, cell) => {
    const before = (body[list] as Body[] | undefined) ?? [];
    // The first email is the one to write to.
    const primary = list === 'emails' && before.length === 0 ? { primary: true } : {};
    body[list] = [...before, { value: cell, ...(type === undefined ? {} : { type }), ...primary }];
  };
}

/** An empty cell says nothing. */
function bodyOf(columns: readonly Column[], cells: readonly string[]): Body {
  const body: Body = { name: {} };
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (cell !== '') column(body, cell);
  }
  return body;
}
