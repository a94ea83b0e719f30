// Every line of level error that a service logs while tests run. A test that did not ask for one fails on it: a
// failure that only the log tells of is a failure. Lines reach us a moment after the answers they belong to, so what
// is expected is said of a service, not of a test; a line that comes late then fails the next test, or the file.

const errorLevel = 50;

export interface ErrorLines {
  /** Takes what the service has written, in pieces of any size. */
  note(text: string): void;
  /** From here on, lines with these codes are part of the test. */
  expect(...codes: readonly string[]): void;
}

const unexpected: string[] = [];

export function watchErrorLines(): ErrorLines {
  const expected = new Set<string>();
  let rest = '';
  return {
    note(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      unexpected.push(...lines.filter((line) => isError(line) && !expected.has(codeOf(line))));
    },
    expect(...codes) {
      for (const code of codes) expected.add(code);
    },
  };
}

function isError(line: string): boolean {
  // Most lines are of level debug, and there can be hundreds of thousands of them.
  if (!/^\{"level":[56]\d[,}]/.test(line)) return false;
  return Number(JSON.parse(line).level) >= errorLevel;
}

const codeOf = (line: string): string => String(JSON.parse(line).code);

/** After each test (guards.ts). */
export function failOnUnexpected(): void {
  const lines = unexpected.splice(0);
  if (lines.length === 0) return;
  const shown = lines.slice(0, 5).join('\n');
  throw new Error(`The service logged ${lines.length} errors that no test asked for:\n${shown}`);
}
