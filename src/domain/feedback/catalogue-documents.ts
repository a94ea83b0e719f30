// A catalogue file as a row of documents, cut while it is read, so that no more than one of them is in memory. YAML
// documents are parted by lines that begin with three dashes; of NDJSON every line is a document (D-210).

import { type Phrase, phrase } from './catalogue-fault.ts';

/** What one document may have; a larger one is passed over, and its text is null. */
export const documentBytesMax = 8 * 1024 * 1024;

interface CatalogueDocument {
  /** The line of the file in which it begins. */
  readonly line: number;
  readonly text: string | null;
  /** Why there is no text. */
  readonly fault: Phrase | null;
}

const newline = 10;
const decoder = new TextDecoder('utf-8', { fatal: true });
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export class DocumentSplitter {
  /** Unknown until the first line with content has a second one beside it: only then NDJSON shows. */
  #form: 'unknown' | 'documents' | 'lines' = 'unknown';
  #nextLine = 1;
  /** What has come of the line that is not complete yet. */
  #line = new Pieces();
  /** What has come of the document that is not complete yet. */
  #document = new Pieces();
  #documentLine = 1;
  #hasMarker = false;
  #hasContent = false;
  #isFirst = true;
  #done: CatalogueDocument[] = [];

  /** The documents that are complete with this part of the file. */
  push(chunk: Buffer): readonly CatalogueDocument[] {
    let begin = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, begin)) {
      this.#line.add(chunk.subarray(begin, end + 1));
      this.#endLine();
      begin = end + 1;
    }
    // The chunk may be used again by whoever reads the file, so what is left of it is copied.
    if (begin < chunk.length) this.#line.add(Buffer.from(chunk.subarray(begin)));
    return this.#taken();
  }

  /** The file has ended: what is left is the last document. */
  end(): readonly CatalogueDocument[] {
    if (!this.#line.isEmpty) this.#endLine();
    this.#endDocument();
    return this.#taken();
  }

  #taken(): readonly CatalogueDocument[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = new Pieces();
    // A line that is too long is content, whatever else it is.
    const text = this.#withoutMark(line.isTooLarge ? null : line.joined());
    if (this.#form === 'lines') this.#takeJsonLine(line, text);
    else this.#takeLine(line, text);
    this.#nextLine += 1;
  }

  #withoutMark(line: Buffer | null): Buffer | null {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst || line === null || !line.subarray(0, 3).equals(byteOrderMark)) return line;
    return line.subarray(3);
  }

  #takeLine(line: Pieces, text: Buffer | null): void {
    const kind = text === null ? 'content' : kindOf(text);
    if (kind === 'content' && this.#form === 'unknown') {
      if (this.#hasContent) {
        const first = this.#document.isTooLarge ? null : this.#document.joined();
        this.#form = isJson(first) || isJson(text) ? 'lines' : 'documents';
        if (this.#form === 'lines') {
          this.#endDocument();
          this.#takeJsonLine(line, text);
          return;
        }
      } else if (text !== null && !text.toString('latin1').trimStart().startsWith('{')) {
        this.#form = 'documents';
      } else {
        // Comments before the first line of JSON are not part of it.
        this.#document = new Pieces();
        this.#documentLine = this.#nextLine;
      }
    }
    if (kind === 'begin') {
      // Directives and comments belong to the document whose begin they stand before.
      if (this.#hasContent || this.#hasMarker) this.#endDocument();
      this.#form = 'documents';
      this.#hasMarker = true;
    }
    if (this.#document.isEmpty) this.#documentLine = this.#nextLine;
    if (kind === 'content' || (kind === 'begin' && hasTextBehind(text!))) this.#hasContent = true;
    this.#document.append(line);
    if (kind === 'end') this.#endDocument();
  }

  #takeJsonLine(line: Pieces, text: Buffer | null): void {
    if (text !== null && kindOf(text) !== 'content') return;
    this.#documentLine = this.#nextLine;
    this.#document.append(line);
    this.#hasContent = true;
    this.#endDocument();
  }

  #endDocument(): void {
    if (this.#hasContent) this.#done.push(documentOf(this.#document, this.#documentLine));
    this.#document = new Pieces();
    this.#hasContent = false;
    this.#hasMarker = false;
  }
}

function documentOf(pieces: Pieces, line: number): CatalogueDocument {
  if (pieces.isTooLarge) return { line, text: null, fault: phrase('documentTooLarge') };
  try {
    return { line, text: decoder.decode(pieces.joined()), fault: null };
  } catch {
    return { line, text: null, fault: phrase('documentNotUtf8') };
  }
}

type LineKind = 'begin' | 'end' | 'content' | 'aside';

/** Three dashes at the begin of a line part documents in YAML wherever they stand, even inside a text. */
function kindOf(line: Buffer): LineKind {
  const start = line.toString('latin1', 0, 4);
  if (/^---(\s|$)/.test(start)) return 'begin';
  if (/^\.\.\.(\s|$)/.test(start)) return 'end';
  const first = line.find((byte) => byte !== 32 && byte !== 9 && byte !== 13 && byte !== newline);
  const isComment = first === 35;
  const isDirective = line[0] === 37;
  return first === undefined || isComment || isDirective ? 'aside' : 'content';
}

function hasTextBehind(marker: Buffer): boolean {
  return /^---\s+[^\s#]/.test(marker.toString('latin1', 0, 200));
}

function isJson(line: Buffer | null): boolean {
  if (line === null) return false;
  try {
    const value: unknown = JSON.parse(line.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Bytes that come bit by bit and are let go when they are too many. */
class Pieces {
  #pieces: Buffer[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get isTooLarge(): boolean {
    return this.#bytes > documentBytesMax;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.isTooLarge) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  append(other: Pieces): void {
    this.#bytes += other.#bytes;
    if (this.isTooLarge) this.#pieces = [];
    else this.#pieces.push(...other.#pieces);
  }

  joined(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
  }
}
