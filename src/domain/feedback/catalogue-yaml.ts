// The text of a catalogue's document, YAML or JSON, opened for reading; and the way back.

import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  stringify,
} from 'yaml';
import { type CatalogueFault, type FilePlace, type Phrase, phrase } from './catalogue-fault.ts';
import { type Content, FileNode, openValue } from './catalogue-file.ts';
import { nestingMax, singleLineJson } from './single-line-json.ts';

/** Of nodes that aliases stand for, all together: a few hundred bytes can stand for more than any memory holds. */
const aliasedNodesMax = 1_000_000;

/** The root of a document, or null when it is not even YAML; the faults say why. */
export function openFile(text: string, faults: CatalogueFault[], firstLine = 1): FileNode | null {
  const json = singleLineJson(text);
  if (json !== undefined) return openValue(json, faults, firstLine);
  return openYaml(text, faults, firstLine);
}

function openYaml(text: string, faults: CatalogueFault[], firstLine: number): FileNode | null {
  const lines = new LineCounter();
  const { document, faults: found } = parseYaml(text, lines);
  // What is missing at the end of a document is missing in its last line, and not in the next document.
  const lastPosition = text.trimEnd().length;
  const placeAt = (position: number): FilePlace => {
    const { line, col } = lines.linePos(Math.min(position, lastPosition));
    return { line: firstLine - 1 + line, column: col };
  };
  for (const { position, what } of found) faults.push({ ...placeAt(position), path: '', ...what });
  if (document === null) return null;
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
  return parseYaml(text).document?.toJS({ maxAliasCount: 100 }) ?? null;
}

interface ParsedYaml {
  /** Null where it cannot be read. */
  readonly document: Document.Parsed | null;
  readonly faults: readonly { readonly position: number; readonly what: Phrase }[];
}

class NestedTooDeep extends Error {}

/** The library makes nodes of what this has parsed by calls that nest as the text does, and runs out of stack (D-869). */
class BoundedParser extends Parser {
  override *next(source: string): ReturnType<Parser['next']> {
    yield* super.next(source);
    // The document itself is the first.
    if (this.stack.length > nestingMax + 1) throw new NestedTooDeep();
  }
}

function parseYaml(text: string, lines?: LineCounter): ParsedYaml {
  const parser = new BoundedParser(lines?.addNewLine);
  const composer = new Composer({ version: '1.2' });
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(parser.parse(text), true, text.length))
      if (documents.push(document) > 1) break;
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return refused(parser.offset, phrase('nestedTooDeep', { most: nestingMax }));
  }
  // There is always one, if only an empty one.
  const [document, second] = documents as [Document.Parsed, Document.Parsed?];
  const { errors, warnings } = document;
  const faults = [...errors, ...warnings].map(({ pos, message }) => ({
    position: pos[0],
    what: phrase('unreadable', { reason: message }),
  }));
  if (second !== undefined) faults.push({ position: second.range[0], what: phrase('secondDocument') });
  if (errors.length > 0 || second !== undefined) return { document: null, faults };
  if (text.includes('*') && hasTooManyAliased(document))
    return refused(0, phrase('aliasesTooMany', { most: aliasedNodesMax.toLocaleString('en') }));
  return { document, faults };
}

function refused(position: number, what: Phrase): ParsedYaml {
  return { document: null, faults: [{ position, what }] };
}

/** Counts what each alias stands for, with the aliases in it. One inside of what it names stands for no end of it. */
function hasTooManyAliased(document: Document.Parsed): boolean {
  const anchored = new Map<string, number>();
  let aliased = 0;
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) {
      // Of an anchor that is not closed yet nothing is known but that it holds this alias.
      const size = anchored.get(node.source) ?? 1;
      aliased += size;
      return size;
    }
    let size = 1;
    if (isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) anchored.set(node.anchor, Number.POSITIVE_INFINITY);
      for (const item of node.items) size += sizeOf(item);
    }
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchored.set(anchor, size);
    return size;
  };
  sizeOf(document.contents);
  return aliased > aliasedNodesMax;
}

/** Where the member stands that a path names, as in surveys[0].questions[2].name; as much of the path as there is. */
export function placesIn(text: string): (path: string) => FilePlace {
  if (singleLineJson(text) !== undefined) return () => ({ line: 1, column: 1 });
  const lines = new LineCounter();
  const { document } = parseYaml(text, lines);
  const placeOf = (node: unknown): FilePlace | null => {
    const { range } = (node ?? {}) as { range?: readonly number[] | null };
    if (!range) return null;
    const { line, col } = lines.linePos(range[0] ?? 0);
    return { line, column: col };
  };
  return (path) => {
    let place: FilePlace = { line: 1, column: 1 };
    let node: unknown = document?.contents;
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
