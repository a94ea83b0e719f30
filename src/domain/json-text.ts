// JSON.parse, without the one fault that V8 has in it. V8 guesses the next member name from objects it has read before,
// and compares its guess with the name as it is written, not as it is meant: after `{"\\": 1}`, the name of `{"\"": 2}`
// is taken for a backslash too, because that is its first written character. So a name that was misread always holds a
// backslash. Where one does, the text is read once more with names that need no escape, and the names are put back.

/** The value of a JSON text (D-195); throws what JSON.parse throws. */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\') || !hasBackslashInName(value)) return value;
  const { plainText, names } = withPlainNames(text);
  return renamed(JSON.parse(plainText), names, 1);
}

function hasBackslashInName(root: unknown): boolean {
  const waiting: object[] = isObject(root) ? [root] : [];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const element of value) if (isObject(element)) waiting.push(element);
      continue;
    }
    for (const name in value) {
      if (name.includes('\\')) return true;
      const member = (value as Record<string, unknown>)[name];
      if (isObject(member)) waiting.push(member);
    }
  }
  return false;
}

/** The text with every member name replaced by `n0`, `n1` and so on, and the names they stand for. */
function withPlainNames(text: string): { plainText: string; names: readonly string[] } {
  // One name has one number, however it is written: of a name that comes twice, the last value counts.
  const numbers = new Map<string, number>();
  const parts: string[] = [];
  let copied = 0;
  let start = text.indexOf('"');
  while (start !== -1) {
    const end = endOfLiteral(text, start);
    if (isBeforeColon(text, end)) {
      const written = text.slice(start, end);
      // A text that stands alone is never guessed.
      const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      parts.push(text.slice(copied, start), `"n${number}"`);
      copied = end;
    }
    start = text.indexOf('"', end);
  }
  parts.push(text.slice(copied));
  return { plainText: parts.join(''), names: [...numbers.keys()] };
}

const quote = 0x22;
const backslash = 0x5c;

/** The place behind the closing quote of the text literal that starts here; JSON.parse has found that there is one. */
function endOfLiteral(text: string, start: number): number {
  let place = start + 1;
  while (text.charCodeAt(place) !== quote) place += text.charCodeAt(place) === backslash ? 2 : 1;
  return place + 1;
}

const colon = /[ \t\r\n]*:/y;

function isBeforeColon(text: string, place: number): boolean {
  colon.lastIndex = place;
  return colon.test(text);
}

// No body that is kept is nested deeper (D-26); without a bound, a hostile one would overflow the stack.
const depthMax = 100;

function renamed(value: unknown, names: readonly string[], depth: number): unknown {
  if (!isObject(value) || depth > depthMax) return value;
  if (Array.isArray(value)) return value.map((element) => renamed(element, names, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const plainName in value) {
    const name = names[Number(plainName.slice(1))]!;
    const member = renamed((value as Record<string, unknown>)[plainName], names, depth + 1);
    if (name === '__proto__') {
      // Assigned, it would not become a member; JSON.parse makes it one, for others to refuse.
      Object.defineProperty(copy, name, {
        value: member,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    } else copy[name] = member;
  }
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
