// The quick way for documents of one line of JSON, as NDJSON has them: V8 reads them some fifty times as fast as the
// parser of YAML. Everything in such a document stands in its one line, so no places have to be kept.

/** How deep a document may be nested. What anybody reads out of one is a third of that (D-869). */
export const nestingMax = 64;

/** The object that the text is, or undefined when it is anything else, or nothing that JSON alone can judge. */
export function singleLineJson(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || /[\r\n]/.test(trimmed)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  // Of a member that is written twice JSON.parse keeps the last and says nothing. YAML calls it a fault.
  const { colons, depth } = outsideTexts(trimmed);
  return depth <= nestingMax && colons === membersIn(value) ? value : undefined;
}

const quote = 34;
const colon = 58;
const backslash = 92;
// Two codes below those that close them.
const bracket = 91;
const brace = 123;

/** In valid JSON there is a colon for each member that is written. */
function outsideTexts(json: string): { readonly colons: number; readonly depth: number } {
  let colons = 0;
  let open = 0;
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === colon) colons += 1;
    else if (character === bracket || character === brace) depth = Math.max(depth, ++open);
    else if (character === bracket + 2 || character === brace + 2) open -= 1;
    if (character !== quote) continue;
    for (index += 1; json.charCodeAt(index) !== quote; index += 1)
      if (json.charCodeAt(index) === backslash) index += 1;
  }
  return { colons, depth };
}

/** Of all objects in the value together. A list of what is left to do, because calls may not nest without end. */
function membersIn(root: unknown): number {
  let count = 0;
  const left: unknown[] = [root];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inside = Object.values(value);
    if (!Array.isArray(value)) count += inside.length;
    for (const one of inside) left.push(one);
  }
  return count;
}
