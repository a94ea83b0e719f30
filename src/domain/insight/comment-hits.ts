// Where a part stands in a comment. Texts are compared folded, and folding changes their length (`ß` becomes `ss`, `ﬁ` two letters,
// a letter and its accents one character); so the text is cut into pieces that fold each by itself, and a hit is the pieces that it
// touches: half of an `ß` marks all of it (D-500).

import { fold } from '../fold.ts';

/** Begin and end in UTF-16 units of the text as it was written, the end not included. */
export type Hit = readonly [begin: number, end: number];

/** More are not told: a text of a hundred thousand characters may contain a letter as often. */
export const hitsMax = 100;

interface Piece {
  readonly begin: number;
  readonly text: string;
  readonly folded: string;
}

/** The hits of a folded part, which is not empty, from left to right; none overlaps another. */
export function hitsOf(text: string, part: string): readonly Hit[] {
  const folded = fold(text);
  const first = folded.indexOf(part);
  if (first < 0) return [];
  return isAligned(text, folded) ? alignedHits(folded, part, first) : mappedHits(text, folded, part, first);
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

function mappedHits(text: string, folded: string, part: string, first: number): readonly Hit[] {
  const pieces = piecesOf(text, folded);
  const hits: [number, number][] = [];
  let piece = 0;
  let pieceAt = 0;
  /** The piece that has this place of the folded text; places only grow. */
  const pieceWith = (place: number): Piece => {
    while (pieceAt + pieces[piece]!.folded.length <= place) {
      pieceAt += pieces[piece]!.folded.length;
      piece += 1;
    }
    return pieces[piece]!;
  };
  for (let at = first; at >= 0; at = folded.indexOf(part, at + part.length)) {
    const { begin } = pieceWith(at);
    const last = pieceWith(at + part.length - 1);
    const end = last.begin + last.text.length;
    const before = hits.at(-1);
    // Two parts in one piece, such as two `s` in an `ß`.
    if (before !== undefined && begin < before[1]) before[1] = end;
    else if (hits.length === hitsMax) break;
    else hits.push([begin, end]);
  }
  return hits;
}

// What joins the character before it when a text is brought to its composed form: marks, the later letters of a Hangul syllable, and
// the half-width forms of both.
const joining = /^[\p{M}\u1160-\u11ff\uff9e\uff9f\uffa0-\uffdc]/u;

function joins(character: string): boolean {
  return joining.test(character) || joining.test(character.normalize('NFKD'));
}

/** Pieces that fold by themselves to what they are in the folded text. */
function piecesOf(text: string, folded: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let begin = 0;
  let end = 0;
  const cut = (): void => {
    if (end > begin) pieces.push(pieceOf(text, begin, end));
    begin = end;
  };
  for (const character of text) {
    if (!joins(character)) cut();
    end += character.length;
  }
  cut();
  return isWhole(pieces, folded) ? pieces : joinedPieces(pieces, folded);
}

function pieceOf(text: string, begin: number, end: number): Piece {
  const piece = text.slice(begin, end);
  return { begin, text: piece, folded: fold(piece) };
}

function isWhole(pieces: readonly Piece[], folded: string): boolean {
  let at = 0;
  for (const piece of pieces) {
    if (!folded.startsWith(piece.folded, at)) return false;
    at += piece.folded.length;
  }
  return at === folded.length;
}

/** A few letters of rare scripts join without being marks: neighbours that fold otherwise together are one piece. */
function joinedPieces(pieces: readonly Piece[], folded: string): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const together = before === undefined ? '' : fold(before.text + piece.text);
    if (before === undefined || together === before.folded + piece.folded) joined.push(piece);
    else
      joined[joined.length - 1] = { begin: before.begin, text: before.text + piece.text, folded: together };
  }
  if (isWhole(joined, folded)) return joined;
  // Nothing is known to be like this; a hit is then the whole text, which is true and no help.
  return [{ begin: 0, text: pieces.map(({ text }) => text).join(''), folded }];
}
