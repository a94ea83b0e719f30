// The text of a catalogue's document, YAML or JSON, opened for reading; and the way back.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml';
import { type CatalogueFault, type Content, FileNode, type FilePlace, openValue } from './catalogue-file.ts';
import { singleLineJson } from './single-line-json.ts';

/** The root of a document, or null when it is not even YAML; the faults say why. */
export function openFile(text: string, faults: CatalogueFault[], firstLine = 1): FileNode | null {
  const json = singleLineJson(text);
  if (json !== undefined) return openValue(json, faults, firstLine);
  return openYaml(text, faults, firstLine);
}

function openYaml(text: string, faults: CatalogueFault[], firstLine: number): FileNode | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  // What is missing at the end of a document is missing in its last line, and not in the next document.
  const lastPosition = text.trimEnd().length;
  const placeAt = (position: number): FilePlace => {
    const { line, col } = lines.linePos(Math.min(position, lastPosition));
    return { line: firstLine - 1 + line, column: col };
  };
  for (const error of [...document.errors, ...document.warnings]) {
    faults.push({ ...placeAt(error.pos[0]), path: '', message: `${error.message}.` });
  }
  if (document.errors.length > 0) return null;
  // To find what an alias stands for, the whole document is walked, and each member of it asks again.
  const aliased = new Map<unknown, unknown>();
  const contentOf = (node: unknown): Content | null => {
    if (isAlias(node) && !aliased.has(node)) aliased.set(node, node.resolve(document));
    const found = isAlias(node) ? aliased.get(node) : node;
    if (isMap(found)) {
      const members = found.items.map(({ key, value }) => ({
        name: isScalar(key) ? String(key.value) : '?',
        key,
        value,
      }));
      return { kind: 'object', members };
    }
    if (isSeq(found)) return { kind: 'list', items: found.items };
    return isScalar(found) ? { kind: 'value', value: found.value } : null;
  };
  const placeOf = (node: unknown): FilePlace | null => {
    const { range } = (node ?? {}) as { range?: readonly number[] | null };
    return range ? placeAt(range[0] ?? 0) : null;
  };
  return new FileNode(document.contents, { line: firstLine }, '', { faults, contentOf, placeOf });
}

/** As an operator would write it. Lines are not folded: a text that is long stays a text that can be searched for. */
export function yamlText(value: object): string {
  return stringify(value, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}
