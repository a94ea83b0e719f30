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

/** What the text says as plain data; null where it is no YAML. Aliases are counted, because few of them can stand for a lot. */
export function yamlValue(text: string): unknown {
  const json = singleLineJson(text);
  if (json !== undefined) return json;
  const document = parseDocument(text, { version: '1.2', prettyErrors: false });
  return document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 100 });
}

/** Where the member stands that a path names, as in surveys[0].questions[2].name; as much of the path as there is. */
export function placesIn(text: string): (path: string) => FilePlace {
  if (singleLineJson(text) !== undefined) return () => ({ line: 1, column: 1 });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const placeOf = (node: unknown): FilePlace | null => {
    const { range } = (node ?? {}) as { range?: readonly number[] | null };
    if (!range) return null;
    const { line, col } = lines.linePos(range[0] ?? 0);
    return { line, column: col };
  };
  return (path) => {
    let place: FilePlace = { line: 1, column: 1 };
    let node: unknown = document.contents;
    let rest = path;
    for (;;) {
      const item = /^\[(\d+)\]/.exec(rest);
      if (item !== null && isSeq(node)) {
        node = node.items[Number(item[1])];
        place = placeOf(node) ?? place;
        rest = rest.slice(item[0].length);
      } else if (isMap(node)) {
        const after = rest.replace(/^\./, '');
        // A name may hold dots and brackets: the longest that fits is meant.
        const [pair] = node.items
          .filter(({ key }) => isScalar(key) && begins(after, String(key.value)))
          .sort((one, other) => String(other.key).length - String(one.key).length);
        if (pair === undefined) return place;
        place = placeOf(pair.key) ?? place;
        node = pair.value;
        rest = after.slice(String((pair.key as { value: unknown }).value).length);
      } else return place;
      if (rest === '') return place;
    }
  };
}

function begins(path: string, name: string): boolean {
  return path.startsWith(name) && (path.length === name.length || '.['.includes(path[name.length]!));
}
