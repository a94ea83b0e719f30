// Where a part stands in a comment. Texts are compared folded, and folding changes their length (`ß` becomes `ss`, `ﬁ` two letters,
// a letter and its accents one character); so the text is cut into pieces that fold each by itself, and a hit is the pieces that it
// touches: half of an `ß` marks all of it (D-500).

import { fold, foldInSlices, joinsBefore } from '../fold.ts';
import type { Interruptible } from '../interruptible.ts';

/** Begin and end in UTF-16 units of the text as it was written, the end not included. */
export type Hit = readonly [begin: number, end: number];

/** More are not told: a text of a hundred thousand characters may contain a letter as often. */
export const hitsMax = 100;

/** Begins in the text and in the folded text, each with the end of the last one behind them. */
interface Pieces {
  readonly begins: readonly number[];
  readonly foldedBegins: readonly number[];
}

const charactersAtOnce = 2_048;
/** Of pieces that were folded before: a comment has few different ones. */
const knownMax = 10_000;
const knownLengthMax = 8;

/** The hits of a folded part, which is not empty, from left to right; none overlaps another. Long texts are looked through in slices. */
export function* hitsOf(text: string, part: string): Interruptible<readonly Hit[]> {
  yield;
  const folded = yield* foldInSlices(text);
  const first = folded.indexOf(part);
  if (first < 0) return [];
  return isAligned(text, folded)
    ? alignedHits(folded, part, first)
    : yield* mappedHits(text, folded, part, first);
}

/** Text in ASCII keeps its length, and each character its place. */
function isAligned(text: string, folded: string): boolean {
  return text.length === folded.length && /^[\x00-\x7f]*$/.test(text);
}

function alignedHits(folded: string, part: string, first: number): readonly Hit[] {
  const hits: Hit[] = [];
  for (let at = first; at >= 0 && hits.length < hitsMax; at = folded.indexOf(part, at + part.length))
    hits.push([at, at + part.length]);
  return hits;
}

function* mappedHits(
  text: string,
  folded: string,
  part: string,
  first: number,
): Interruptible<readonly Hit[]> {
  const { begins, foldedBegins } = yield* piecesOf(text, folded);
  const hits: [number, number][] = [];
  let piece = 0;
  /** The piece that has this place of the folded text; places only grow. */
  const pieceWith = (place: number): number => {
    while (foldedBegins[piece + 1]! <= place) piece += 1;
    return piece;
  };
  for (let at = first; at >= 0; at = folded.indexOf(part, at + part.length)) {
    const begin = begins[pieceWith(at)]!;
    const end = begins[pieceWith(at + part.length - 1) + 1]!;
    const before = hits.at(-1);
    // Two parts in one piece, such as two `s` in an `ß`.
    if (before !== undefined && begin < before[1]) before[1] = end;
    else if (hits.length === hitsMax) break;
    else hits.push([begin, end]);
  }
  return hits;
}

/** Pieces that fold by themselves to what they are in the folded text. */
function* piecesOf(text: string, folded: string): Interruptible<Pieces> {
  const begins = [0];
  const foldedBegins = [0];
  const known = new KnownPieces();
  let end = 0;
  let foldedEnd = 0;
  let isWhole = true;
  const cut = (): void => {
    const piece = known.fold(text.slice(begins.at(-1), end));
    isWhole &&= folded.startsWith(piece, foldedEnd);
    foldedEnd += piece.length;
    begins.push(end);
    foldedBegins.push(foldedEnd);
  };
  let looked = 0;
  for (const character of text) {
    looked += 1;
    if (looked % charactersAtOnce === 0) yield;
    if (end > 0 && !known.joins(character)) cut();
    end += character.length;
  }
  cut();
  return isWhole && foldedEnd === folded.length
    ? { begins, foldedBegins }
    : yield* joinedPieces(text, folded, begins);
}

/** What was found out about characters and pieces of one text. */
class KnownPieces {
  readonly #folded = new Map<string, string>();
  readonly #joins = new Map<string, boolean>();

  fold(piece: string): string {
    const known = this.#folded.get(piece);
    if (known !== undefined) return known;
    const folded = fold(piece);
    if (piece.length <= knownLengthMax && this.#folded.size < knownMax) this.#folded.set(piece, folded);
    return folded;
  }

  joins(character: string): boolean {
    const known = this.#joins.get(character);
    if (known !== undefined) return known;
    const isJoining = joinsBefore(character);
    if (this.#joins.size < knownMax) this.#joins.set(character, isJoining);
    return isJoining;
  }
}

/** A few letters of rare scripts join without being marks: neighbours that fold otherwise together are one piece. */
function* joinedPieces(text: string, folded: string, pieceBegins: readonly number[]): Interruptible<Pieces> {
  const begins: number[] = [];
  const foldedBegins: number[] = [];
  let foldedEnd = 0;
  let before = '';
  let beforeFolded = '';
  let isWhole = true;
  const keep = (): void => {
    isWhole &&= folded.startsWith(beforeFolded, foldedEnd);
    foldedBegins.push(foldedEnd);
    foldedEnd += beforeFolded.length;
  };
  for (let at = 0; at + 1 < pieceBegins.length; at += 1) {
    if (at % charactersAtOnce === 0) yield;
    const piece = text.slice(pieceBegins[at], pieceBegins[at + 1]);
    const pieceFolded = fold(piece);
    const together = at === 0 ? pieceFolded : fold(before + piece);
    if (at > 0 && together !== beforeFolded + pieceFolded) {
      before += piece;
      beforeFolded = together;
      continue;
    }
    if (at > 0) keep();
    begins.push(pieceBegins[at]!);
    before = piece;
    beforeFolded = pieceFolded;
  }
  keep();
  if (isWhole && foldedEnd === folded.length)
    return { begins: [...begins, text.length], foldedBegins: [...foldedBegins, foldedEnd] };
  // Nothing is known to be like this but more marks on a letter than anybody writes (D-741); a hit is then the whole text, which
  // is true and no help.
  return { begins: [0, text.length], foldedBegins: [0, folded.length] };
}
