// Loaded in front of the services and commands of a test run (service.ts): notes each kind of statement that the program itself
// sends to PostgreSQL, in the folder that TEST_STATEMENTS_FOLDER names, for account-statements.ts. JavaScript, because
// the launcher that npm starts may run on a Node that knows no types.

import { appendFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';

const folder = process.env.TEST_STATEMENTS_FOLDER;
const textsMax = 5_000;
const [, started = ''] = process.argv;
const isProgram = /[/\\]src[/\\]main\.ts$/.test(started) || started === process.env.TEST_PROGRAM;
if (folder !== undefined && isProgram && module.registerHooks !== undefined) {
  globalThis.noteStatementsOf = (Connection) => noteStatements(Connection, folder);
  module.registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!/\/pg\/lib\/connection\.js$/.test(url)) return loaded;
      return { ...loaded, source: `${loaded.source}\n;globalThis.noteStatementsOf(module.exports);` };
    },
  });
}

/** Notes what goes over the connections of pg from here on, or that part of it which `isOurs` claims at the time. */
export function noteStatements({ prototype }, folder, isOurs = () => true) {
  const file = join(folder, `${process.pid}-${process.hrtime.bigint()}.jsonl`);
  const seen = new Set();
  // Nearly every statement was sent word for word before.
  let texts = new Set();
  const note = (text) => {
    if (texts.has(text)) return;
    if (texts.size === textsMax) texts = new Set();
    texts.add(text);
    // Statements that differ in their values alone are of one kind.
    const kind = text
      .replaceAll(/'(?:[^']|'')*'/g, '?')
      .replaceAll(/\$?\b\d+\b/g, '?')
      .replaceAll(/(\(?\?\)?,\s*)+/g, '');
    if (seen.has(kind)) return;
    seen.add(kind);
    appendFileSync(file, `${JSON.stringify(text)}\n`);
  };
  const { query, parse } = prototype;
  prototype.query = function (text) {
    if (isOurs()) note(text);
    return query.call(this, text);
  };
  prototype.parse = function (statement, more) {
    if (isOurs()) note(statement.text);
    return parse.call(this, statement, more);
  };
}
